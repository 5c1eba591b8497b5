//! The verdict contract: which check speaks first, on every kind of bad row, one at a time and in bulk.

use crate::backends::backends;
use phalanx::{
    Batch, Bulk, Error, Keypair, LowS, PublicKey, PublicKeyRef, Scalar, SecretKey, Verdict, XOnlyKeyRef,
    ecdsa::{self, Hint, HintedRow, RecoverRow, SignatureRef},
    schnorr,
};

const DIGEST: [u8; 32] = [7; 32];

fn secret() -> SecretKey {
    SecretKey::from_bytes(&[0x11; 32]).unwrap()
}

fn bulks() -> Vec<Bulk> {
    let build = |backend, threads| Bulk::builder().backend(backend).threads(threads).build().unwrap();
    backends().iter().flat_map(|backend| [build(*backend, 1), build(*backend, 3)]).collect()
}

/// The values of one row, each as a file would carry it.
#[derive(Clone)]
struct Ecdsa {
    digest: Vec<u8>,
    signature: Vec<u8>,
    key: Vec<u8>,
}

/// What makes one check fail and none before it, and the verdict.
type Fault = (Verdict, fn(&mut Ecdsa));

/// A key that is refused when it is read: it is no encoding, and as an x coordinate it is above p.
fn no_encoding(row: &mut Ecdsa) {
    row.key.fill(0xff);
}

/// A key that is refused only after a square root: 5^3 + 7 is no square modulo p, so no point has the x coordinate 5.
fn no_point(row: &mut Ecdsa) {
    let x = row.key.len() - 32;
    row.key[x..].fill(0);
    row.key[x + 31] = 5;
}

/// The checks in their order.
fn ecdsa_faults(bad_key: fn(&mut Ecdsa)) -> Vec<Fault> {
    vec![
        (Verdict::MalformedRow, |row| row.digest.truncate(31)),
        (Verdict::BadPublicKey, bad_key),
        (Verdict::BadSignatureEncoding, |row| row.signature.push(0)),
        (Verdict::OutOfRange, |row| row.signature[..32].fill(0xff)),
        (Verdict::HighS, |row| {
            let signature = ecdsa::Signature::from_compact(&row.signature[..64]);
            if let Ok(signature) = signature {
                let high = ecdsa::Signature::from_scalars(signature.r(), -signature.s()).unwrap();
                row.signature[..64].copy_from_slice(&high.to_compact());
            }
        }),
        (Verdict::InvalidSignature, |row| row.digest[0] ^= 1),
    ]
}

/// Rows with each combination of faults, for each kind of bad key, and the verdict of the first fault.
fn combinations(valid: &Ecdsa, faults: impl Fn(fn(&mut Ecdsa)) -> Vec<Fault>) -> (Vec<Ecdsa>, Vec<Verdict>) {
    let (mut values, mut expected) = (Vec::new(), Vec::new());
    for faults in [no_encoding as fn(&mut Ecdsa), no_point].map(faults) {
        for combination in 0..1 << faults.len() {
            let mut row = valid.clone();
            let chosen = || (0..faults.len()).filter(|fault| combination >> fault & 1 == 1);
            // From the last check to the first: the high-S fault needs a signature that still parses.
            chosen().rev().for_each(|fault| faults[fault].1(&mut row));
            values.push(row);
            expected.push(chosen().map(|fault| faults[fault].0).next().unwrap_or(Verdict::Valid));
        }
    }
    (values, expected)
}

#[test]
fn the_first_failing_ecdsa_check_is_the_verdict() {
    let valid = Ecdsa {
        digest: DIGEST.to_vec(),
        signature: ecdsa::sign(&DIGEST, &secret()).to_compact().to_vec(),
        key: secret().public_key().to_bytes().to_vec(),
    };
    let (values, expected) = combinations(&valid, ecdsa_faults);
    let rows: Vec<_> = values
        .iter()
        .map(|row| ecdsa::Row {
            digest: &row.digest,
            signature: SignatureRef::Compact(&row.signature),
            public_key: PublicKeyRef::Encoded(&row.key),
        })
        .collect();
    let single: Vec<_> = rows.iter().map(|row| ecdsa::verify_row(row, LowS::Require)).collect();
    assert_eq!(single, expected);
    let (_, id) = ecdsa::sign_recoverable(&DIGEST, &secret());
    for bulk in bulks() {
        assert_eq!(bulk.verify_ecdsa(&rows, LowS::Require), expected);
        for hint in [Hint::None, Hint::RecoveryId(id.to_u8())] {
            let hinted: Vec<_> = rows.iter().map(|row| HintedRow { row: *row, hint }).collect();
            assert_eq!(Batch::with(&bulk).verify_ecdsa(&hinted, LowS::Require), expected);
        }
        let single: Vec<_> = rows.iter().map(|row| ecdsa::verify_row(row, LowS::Allow)).collect();
        assert_eq!(bulk.verify_ecdsa(&rows, LowS::Allow), single);
        assert!(!single.contains(&Verdict::HighS));
    }
}

#[test]
fn forms_of_signatures_and_keys() {
    let signature = ecdsa::sign(&DIGEST, &secret());
    let key = secret().public_key();
    let (compact, der) = (signature.to_compact(), signature.to_der());
    let mut ber = der.to_vec();
    // A length in two bytes, where one would do: only the lax reader takes it.
    ber.splice(1..2, [0x81, der[1]]);
    let (short, long) = (key.to_bytes(), key.to_bytes_uncompressed());
    let mut hybrid = long;
    hybrid[0] = 6 | (long[64] & 1);
    let verdict = |signature, public_key| {
        ecdsa::verify_row(&ecdsa::Row { digest: &DIGEST, signature, public_key }, LowS::Require)
    };
    let parsed = SignatureRef::Parsed(&signature);
    for signature in [parsed, SignatureRef::Compact(&compact), SignatureRef::Der(&der), SignatureRef::DerLax(&der)] {
        for key in [PublicKeyRef::Parsed(&key), PublicKeyRef::Encoded(&short), PublicKeyRef::Encoded(&long)] {
            assert_eq!(verdict(signature, key), Verdict::Valid);
        }
    }
    assert_eq!(verdict(SignatureRef::DerLax(&ber), PublicKeyRef::Parsed(&key)), Verdict::Valid);
    assert_eq!(verdict(SignatureRef::Der(&ber), PublicKeyRef::Parsed(&key)), Verdict::BadSignatureEncoding);
    assert_eq!(verdict(SignatureRef::Compact(&der), PublicKeyRef::Parsed(&key)), Verdict::BadSignatureEncoding);
    assert_eq!(verdict(parsed, PublicKeyRef::EncodedHybrid(&hybrid)), Verdict::Valid);
    assert_eq!(verdict(parsed, PublicKeyRef::EncodedHybrid(&short)), Verdict::Valid);
    assert_eq!(verdict(parsed, PublicKeyRef::Encoded(&hybrid)), Verdict::BadPublicKey);
    let mut contradictory = hybrid;
    contradictory[0] ^= 1;
    assert_eq!(verdict(parsed, PublicKeyRef::EncodedHybrid(&contradictory)), Verdict::BadPublicKey);
}

#[test]
fn the_first_failing_schnorr_check_is_the_verdict() {
    let pair = Keypair::from_secret(secret());
    let (signature, key) = (schnorr::sign(&DIGEST, &pair, &[0; 32]).to_bytes(), pair.x_only().to_bytes());
    let faults = |bad_key| -> Vec<Fault> {
        vec![
            (Verdict::BadPublicKey, bad_key),
            (Verdict::BadSignatureEncoding, |row| row.signature.push(0)),
            (Verdict::OutOfRange, |row| row.signature[32..64].fill(0xff)),
            (Verdict::InvalidSignature, |row| row.digest[0] ^= 1),
        ]
    };
    let valid = Ecdsa { digest: DIGEST.to_vec(), signature: signature.to_vec(), key: key.to_vec() };
    let (values, expected) = combinations(&valid, faults);
    let row = |row: &'static Ecdsa| schnorr::Row {
        message: &row.digest,
        signature: &row.signature,
        public_key: XOnlyKeyRef::Encoded(&row.key),
    };
    let rows: Vec<_> = values.leak().iter().map(row).collect();
    assert_eq!(rows.iter().map(schnorr::verify_row).collect::<Vec<_>>(), expected);
    for bulk in bulks() {
        assert_eq!(bulk.verify_schnorr(&rows), expected);
        assert_eq!(Batch::with(&bulk).verify_schnorr(&rows), expected);
    }
}

#[test]
fn the_first_failing_recovery_check_is_the_error() {
    let (signature, id) = ecdsa::sign_recoverable(&DIGEST, &secret());
    let compact = signature.to_compact();
    let zero = [0; 64];
    let row = RecoverRow { digest: &DIGEST, signature: SignatureRef::Compact(&compact), recovery_id: id.to_u8() };
    let short = RecoverRow { digest: &DIGEST[..31], ..row };
    let unparsed = RecoverRow { signature: SignatureRef::Der(&compact), ..row };
    let ranged = RecoverRow { signature: SignatureRef::Compact(&zero), ..row };
    let rows = [
        (row, Ok(secret().public_key())),
        (short, Err(Error::BadDigest)),
        (RecoverRow { recovery_id: 4, ..short }, Err(Error::BadDigest)),
        (unparsed, Err(Error::BadSignatureEncoding)),
        (RecoverRow { recovery_id: 255, ..unparsed }, Err(Error::BadSignatureEncoding)),
        (ranged, Err(Error::OutOfRange)),
        (RecoverRow { recovery_id: 4, ..row }, Err(Error::OutOfRange)),
        (RecoverRow { recovery_id: 255, ..row }, Err(Error::OutOfRange)),
        // r + n is not below p.
        (RecoverRow { recovery_id: id.to_u8() | 2, ..row }, Err(Error::InvalidSignature)),
    ];
    for (row, expected) in rows {
        assert_eq!(ecdsa::recover_row(&row), expected);
    }
    let (rows, expected): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    for bulk in bulks() {
        assert_eq!(bulk.recover(&rows), expected);
    }
}

#[test]
fn recovery_without_a_result() {
    let recover = |r: Scalar, s: Scalar, digest: &[u8; 32], id: u8| {
        let signature = ecdsa::Signature::from_scalars(r, s).unwrap();
        ecdsa::recover(digest, &signature, ecdsa::RecoveryId::from_u8(id).unwrap())
    };
    // No point has x = 5.
    assert_eq!(recover(Scalar::from(5u64), Scalar::ONE, &DIGEST, 0), Err(Error::InvalidSignature));
    // With R = G and s = z the key is (z / r) G - (z / r) G: infinity.
    let generator = PublicKey::GENERATOR.to_bytes();
    let r = Scalar::from_bytes_reduced(generator[1..].try_into().unwrap());
    let z = Scalar::from_bytes_reduced(&DIGEST);
    assert_eq!(recover(r, z, &DIGEST, generator[0] - 2), Err(Error::InvalidSignature));
    assert!(recover(r, z, &DIGEST, (generator[0] - 2) ^ 1).is_ok());
}

#[test]
fn digests_at_and_above_the_order_are_reduced() {
    let mut order = [0xff; 32];
    order[15] = 0xfe;
    order[16..].copy_from_slice(&0xbaae_dce6_af48_a03b_bfd2_5e8c_d036_4141u128.to_be_bytes());
    let signature = ecdsa::sign(&order, &secret());
    assert_eq!(signature, ecdsa::sign(&[0; 32], &secret()));
    let key = secret().public_key();
    assert_eq!(ecdsa::verify(&[0; 32], &signature, &key, LowS::Require), Ok(()));
    assert_eq!(ecdsa::verify(&order, &signature, &key, LowS::Require), Ok(()));
}

#[test]
fn equations_at_infinity_are_invalid_not_valid() {
    // u1 G + u2 Q is infinity for Q = d G, r = -z / d; every r and s must be refused, and quietly.
    let d = Scalar::from_bytes(&secret().to_bytes()).unwrap();
    let z = Scalar::from_bytes_reduced(&DIGEST);
    let r = -(z * d.invert().unwrap());
    let signature = ecdsa::Signature::from_scalars(r, Scalar::ONE).unwrap();
    let verdict = ecdsa::verify(&DIGEST, &signature, &secret().public_key(), LowS::Allow);
    assert_eq!(verdict, Err(Error::InvalidSignature));
}
