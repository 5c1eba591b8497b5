//! What went wrong in other libraries, a test each.
//!
//! Elsewhere in the suite: carries lost between limbs (`differential`, the engine's interval runs), constant time
//! undone by a compiler (`constant_time`), the endomorphism's rounding (`group`), parsers that panic on short input
//! (every file here). A public key that does not belong to the secret cannot be signed with, because no signing call
//! takes one.

use crate::lanes::{Bad, EcdsaRow, SchnorrRow, good_ecdsa, good_schnorr, judge_ecdsa, judge_schnorr, secret};
use phalanx::{Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict, ecdsa, schnorr};
use phalanx_testkit::draws::{ORDER, add};
use phalanx_testkit::surface::{surfaces, verifiers};

/// Lengths at which batch paths of other libraries begin, or change their algorithm.
const LENGTHS: [usize; 12] = [1, 2, 7, 8, 9, 16, 33, 64, 128, 257, 512, 600];

#[test]
fn the_signature_of_zeros_fits_no_key_and_no_message() {
    let rows: Vec<_> = (1..=16)
        .map(|number| {
            let row = good_ecdsa(number).with(|row| {
                row.signature = vec![0; 64];
                row.digest = vec![if number % 2 == 0 { 0 } else { number }; 32];
            });
            Bad { class: "(0, 0)".into(), row, verdict: Verdict::OutOfRange }
        })
        .collect();
    judge_ecdsa(&rows, LowS::Allow);
    let verdict = Verdict::InvalidSignature;
    let rows: Vec<_> = (1..=16)
        .map(|number| {
            let row = good_schnorr(number).with(|row| row.signature = vec![0; 64]);
            Bad { class: "(0, 0)".into(), row, verdict }
        })
        .collect();
    judge_schnorr(&rows);
}

/// A valid signature with r small enough that r + n fits in 32 bytes, found by recovering its key.
fn small_r() -> EcdsaRow {
    let digest = [7; 32];
    let found = (1u64..).find_map(|r| {
        let signature = ecdsa::Signature::from_scalars(Scalar::from(r), Scalar::ONE).ok()?;
        let key = ecdsa::recover(&digest, &signature, ecdsa::RecoveryId::from_u8(0).ok()?).ok()?;
        Some((signature, key))
    });
    let (signature, key) = found.expect("every second number is a coordinate");
    good_ecdsa(1).with(|row| {
        row.digest = digest.to_vec();
        row.signature = signature.to_compact().to_vec();
        row.key = key.to_bytes().to_vec();
    })
}

#[test]
fn numbers_that_are_right_modulo_the_order_only() {
    let good = small_r();
    let rows = [
        Bad { class: "small r".into(), row: good.clone(), verdict: Verdict::Valid },
        Bad {
            class: "r + n".into(),
            row: good.with(|row| {
                let r = row.signature[31] as i8;
                row.signature[..32].copy_from_slice(&add(ORDER, r));
            }),
            verdict: Verdict::OutOfRange,
        },
        Bad {
            class: "s + n".into(),
            row: good.with(|row| row.signature[32..].copy_from_slice(&add(ORDER, 1))),
            verdict: Verdict::OutOfRange,
        },
    ];
    judge_ecdsa(&rows, LowS::Require);
}

#[test]
fn keys_off_the_curve_at_every_batch_length() {
    // The point (x, y + 1) of another curve, in the encoding that carries y.
    let off = |number: u8| {
        let mut key = secret(number).public_key().to_bytes_uncompressed();
        key[64] ^= 1;
        key.to_vec()
    };
    let rows: Vec<_> = (0..600u32)
        .map(|index| {
            let number = 1 + (index % 200) as u8;
            good_ecdsa(number).with(|row| row.key = off(number))
        })
        .collect();
    let rows: Vec<_> = rows.iter().map(EcdsaRow::row).collect();
    for surface in verifiers() {
        for length in LENGTHS {
            let verdicts = surface.verify_ecdsa(&rows[..length], LowS::Allow);
            assert_eq!(verdicts, vec![Verdict::BadPublicKey; length], "{}", surface.name());
        }
    }
}

#[test]
fn the_same_row_over_and_over() {
    let (good, key) = (good_ecdsa(0x21), secret(0x21));
    let digest: [u8; 32] = good.digest.as_slice().try_into().expect("32 bytes");
    let schnorr_row: SchnorrRow = good_schnorr(0x21);
    let pair = Keypair::from_secret(key.clone());
    let public = key.public_key();
    for surface in surfaces() {
        // The longest lengths are for the batch paths.
        let longest = if surface.share().places > 1 { 33 } else { usize::MAX };
        for length in LENGTHS.into_iter().filter(|length| *length <= longest) {
            let name = format!("{length} rows, {}", surface.name());
            assert_eq!(
                surface.verify_ecdsa(&vec![good.row(); length], LowS::Require),
                vec![Verdict::Valid; length],
                "{name}"
            );
            assert_eq!(
                surface.verify_schnorr(&vec![schnorr_row.row(); length]),
                vec![Verdict::Valid; length],
                "{name}"
            );
            let secrets = vec![key.clone(); length];
            assert_eq!(surface.public_keys(&secrets), vec![public; length], "{name}");
            let signature = ecdsa::sign(&digest, &key);
            assert_eq!(surface.sign_ecdsa(&vec![digest; length], &secrets), vec![signature; length], "{name}");
            let signature = schnorr::sign(b"m", &pair, &[1; 32]);
            let signatures =
                surface.sign_schnorr(&vec![&b"m"[..]; length], &vec![pair.clone(); length], &vec![[1; 32]; length]);
            assert_eq!(signatures, vec![signature; length], "{name}");
            let shared = phalanx::ecdh::shared_secret(&public, &key);
            assert_eq!(surface.shared_secrets(&vec![public; length], &secrets), vec![shared; length], "{name}");
            // P + P in every row.
            let doubled = surface.tweak_add_public(&vec![public; length], &vec![key.to_bytes(); length]);
            assert_eq!(doubled, vec![public.tweak_add(&key.to_bytes()); length], "{name}");
            let recover = |id| ecdsa::RecoverRow { digest: &digest, signature: good.row().signature, recovery_id: id };
            let (_, id) = ecdsa::sign_recoverable(&digest, &key);
            assert_eq!(surface.recover(&vec![recover(id.to_u8()); length]), vec![Ok(public); length], "{name}");
        }
    }
}

#[test]
fn nonces_differ_between_schemes_and_inputs() {
    let (secret, digest) = (secret(0x21), [7; 32]);
    let pair = Keypair::from_secret(secret.clone());
    // An x coordinate that two signatures share would be a shared nonce, and two such signatures give the key away.
    let mut seen = vec![
        ecdsa::sign(&digest, &secret).r().to_bytes(),
        ecdsa::sign_with_entropy(&digest, &secret, &[0; 32]).r().to_bytes(),
        ecdsa::sign_with_entropy(&digest, &secret, &[1; 32]).r().to_bytes(),
        ecdsa::sign(&[8; 32], &secret).r().to_bytes(),
        ecdsa::sign(&digest, &secret.negate()).r().to_bytes(),
    ];
    for (message, aux) in
        [(&digest[..], [0; 32]), (&digest, [1; 32]), (&[8; 32], [0; 32]), (&digest[..31], [0; 32]), (&[], [0; 32])]
    {
        seen.push(schnorr::sign(message, &pair, &aux).to_bytes()[..32].try_into().expect("32 bytes"));
    }
    let count = seen.len();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), count);
}

#[test]
fn a_pair_always_matches() {
    // Signing under -d gives the signature of d: the pair's own key decides, no argument can.
    let (positive, negative) = (secret(0x21), secret(0x21).negate());
    let sign = |secret: SecretKey| schnorr::sign(b"m", &Keypair::from_secret(secret), &[0; 32]);
    assert_eq!(sign(positive.clone()), sign(negative));
    let key: PublicKey = positive.public_key();
    assert_eq!(schnorr::verify(b"m", &sign(positive), &key.x_only().0), Ok(()));
}
