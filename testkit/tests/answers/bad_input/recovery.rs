//! Recovery of keys from what is no signature.

use super::lanes::{BadRecovery, bad, judge_recovery, secret};
use phalanx::ecdsa::{RecoverRow, RecoveryId, SignatureRef};
use phalanx::{Error, Scalar, SecretKey, ecdsa};
use phalanx_testkit::draws::{ORDER, PRIME, PRIME_MINUS_ORDER, add};

const DIGEST: [u8; 32] = [7; 32];

/// Of 64 bytes that are no signature, or none of a key.
fn compact(class: impl Into<String>, signature: &[u8], recovery_id: u8, error: Error) -> BadRecovery<'_> {
    let row = RecoverRow { digest: &DIGEST, signature: SignatureRef::Compact(signature), recovery_id };
    bad(class, row, Err(error))
}

#[test]
fn ids_above_three() {
    let (signature, _) = ecdsa::sign_recoverable(&DIGEST, &secret(0x21));
    let signature = SignatureRef::Parsed(&signature);
    let row = |recovery_id| RecoverRow { digest: &DIGEST, signature, recovery_id };
    let rows: Vec<_> = (4..=255).map(|id| bad(format!("id {id}"), row(id), Err(Error::OutOfRange))).collect();
    judge_recovery(&rows);
    assert!((0..=255).all(|id| RecoveryId::from_u8(id).is_ok() == (id <= 3)));
}

#[test]
fn numbers_out_of_range() {
    let good = ecdsa::sign(&DIGEST, &secret(0x21)).to_compact();
    let mut signatures = Vec::new();
    for number in [[0; 32], ORDER, add(ORDER, 1), PRIME, [0xff; 32]] {
        for half in [0, 32] {
            let mut signature = good;
            signature[half..half + 32].copy_from_slice(&number);
            signatures.push(signature);
        }
    }
    let rows = signatures.iter().map(|signature| compact(hex::encode(signature), signature, 0, Error::OutOfRange));
    judge_recovery(&rows.collect::<Vec<_>>());
}

#[test]
fn encodings_and_digests() {
    let signature = ecdsa::sign(&DIGEST, &secret(0x21)).to_compact();
    let long = [signature, signature].concat();
    let digest = [7; 65];
    let mut rows = Vec::new();
    for length in (0..=65).filter(|length| *length != 32) {
        let signature = SignatureRef::Compact(&signature);
        let row = RecoverRow { digest: &digest[..length], signature, recovery_id: 0 };
        rows.push(bad(format!("digest of {length} bytes"), row, Err(Error::BadDigest)));
    }
    for length in (0..=128).filter(|length| *length != 64) {
        for signature in [SignatureRef::Compact(&long[..length]), SignatureRef::Der(&long[..length])] {
            let row = RecoverRow { digest: &DIGEST, signature, recovery_id: 0 };
            rows.push(bad(format!("signature of {length} bytes"), row, Err(Error::BadSignatureEncoding)));
        }
    }
    judge_recovery(&rows);
}

#[test]
fn points_that_do_not_exist() {
    // No point has x = 5, none has x = 0, and r + n is a coordinate only for r below p - n.
    let r = |number: [u8; 32]| [&number[..], &[1; 32]].concat();
    let signatures = [
        (r(add([0; 32], 5)), 0, "x = 5"),
        (r(add([0; 32], 5)), 1, "x = 5"),
        (r(PRIME_MINUS_ORDER), 2, "r + n = p"),
        (r(add(PRIME_MINUS_ORDER, 1)), 3, "r + n = p + 1, where x = 1 would be liftable"),
        (r(add(ORDER, -1)), 2, "r + n far above p"),
        (r([1; 32]), 3, "r + n above 2^256"),
    ];
    let rows = signatures.iter().map(|(signature, id, class)| compact(*class, signature, *id, Error::InvalidSignature));
    judge_recovery(&rows.collect::<Vec<_>>());
}

#[test]
fn results_at_infinity() {
    // With R = k G and s = z / k the key is (s k - z) / r G, which is infinity.
    let signatures: Vec<_> = (1..=8u64)
        .map(Scalar::from)
        .map(|nonce| {
            let point = SecretKey::try_from(nonce).expect("not zero").public_key().to_bytes();
            let r = Scalar::from_bytes_reduced(point[1..].try_into().expect("32 bytes"));
            let s = Scalar::from_bytes_reduced(&DIGEST) * nonce.invert().expect("not zero");
            (ecdsa::Signature::from_scalars(r, s).expect("not zero").to_compact(), point[0] - 2)
        })
        .collect();
    let rows = signatures.iter().map(|(signature, id)| {
        let bad = compact(hex::encode(signature), signature, *id, Error::InvalidSignature);
        // The other point with this x has a key.
        assert!(ecdsa::recover_row(&RecoverRow { recovery_id: id ^ 1, ..bad.row }).is_ok());
        bad
    });
    judge_recovery(&rows.collect::<Vec<_>>());
}
