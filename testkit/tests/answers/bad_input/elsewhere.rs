//! What went wrong in other libraries, a test each.
//!
//! Elsewhere in the suite: carries lost between limbs (`differential`, the engine's interval runs), constant time
//! undone by a compiler (`constant_time`), the endomorphism's rounding (`group`), parsers that panic on short input
//! (every file here). A public key that does not belong to the secret cannot be signed with, because no signing call
//! takes one.

use super::lanes::{Claim, EcdsaRow, bad, good_ecdsa, good_schnorr, judge_ecdsa, judge_schnorr, secret};
use phalanx::{Keypair, LowS, PublicKey, Scalar, SecretKey, Verdict, ecdsa, schnorr};
use phalanx_testkit::draws::{ORDER, add};
use phalanx_testkit::surface::{surfaces, verifiers};

/// Lengths at which batch paths of other libraries begin, or change their algorithm.
const LENGTHS: [usize; 12] = [1, 2, 7, 8, 9, 16, 33, 64, 128, 257, 512, 600];

#[test]
fn the_signature_of_zeros_fits_no_key_and_no_message() {
    let ecdsa = (1..=16).map(|number| {
        let row = good_ecdsa(number).with(|row| {
            row.signature = vec![0; 64];
            row.digest = vec![if number % 2 == 0 { 0 } else { number }; 32];
        });
        bad("(0, 0)", row, Verdict::OutOfRange)
    });
    judge_ecdsa(&ecdsa.collect::<Vec<_>>(), LowS::Allow);
    let schnorr = (1..=16).map(|number| {
        let row = good_schnorr(number).with(|row| row.signature = vec![0; 64]);
        bad("(0, 0)", row, Verdict::InvalidSignature)
    });
    judge_schnorr(&schnorr.collect::<Vec<_>>());
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
    let r_plus_n = add(ORDER, good.signature[31] as i8);
    let rows = [
        bad("r + n", good.with(|row| row.signature[..32].copy_from_slice(&r_plus_n)), Verdict::OutOfRange),
        bad("s + n", good.with(|row| row.signature[32..].copy_from_slice(&add(ORDER, 1))), Verdict::OutOfRange),
        bad("small r", good, Verdict::Valid),
    ];
    judge_ecdsa(&rows, LowS::Require);
}

#[test]
fn keys_off_the_curve_at_every_batch_length() {
    let rows = (0..600u32).map(|index| {
        let number = 1 + (index % 200) as u8;
        // The point (x, y + 1) of another curve, in the encoding that carries y.
        let mut key = secret(number).public_key().to_bytes_uncompressed();
        key[64] ^= 1;
        good_ecdsa(number).with(|row| row.key = key.to_vec())
    });
    let rows: Vec<_> = rows.collect();
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
    let (good, good_schnorr) = (good_ecdsa(0x21), good_schnorr(0x21));
    let (key, digest) = (secret(0x21), good.digest[..].try_into().expect("32 bytes"));
    let (public, pair, tweak) = (key.public_key(), Keypair::from_secret(key.clone()), key.to_bytes());
    let (signature, id) = ecdsa::sign_recoverable(&digest, &key);
    let schnorr_signature = schnorr::sign(b"m", &pair, &[1; 32]);
    let shared = phalanx::ecdh::shared_secret(&public, &key);
    let recover = ecdsa::RecoverRow { digest: &digest, signature: good.row().signature, recovery_id: id.to_u8() };
    for surface in surfaces() {
        // The longest lengths are for the batch paths.
        let longest = if surface.share().places > 1 { 33 } else { usize::MAX };
        for n in LENGTHS.into_iter().filter(|length| *length <= longest) {
            let name = format!("{n} rows, {}", surface.name());
            let (secrets, publics) = (vec![key.clone(); n], vec![public; n]);
            let verdicts = surface.verify_ecdsa(&vec![good.row(); n], LowS::Require);
            assert_eq!(verdicts, vec![Verdict::Valid; n], "{name}");
            let verdicts = surface.verify_schnorr(&vec![good_schnorr.row(); n]);
            assert_eq!(verdicts, vec![Verdict::Valid; n], "{name}");
            assert_eq!(surface.public_keys(&secrets), publics, "{name}");
            assert_eq!(surface.sign_ecdsa(&vec![digest; n], &secrets), vec![signature; n], "{name}");
            let signatures = surface.sign_schnorr(&vec![&b"m"[..]; n], &vec![pair.clone(); n], &vec![[1; 32]; n]);
            assert_eq!(signatures, vec![schnorr_signature; n], "{name}");
            assert_eq!(surface.shared_secrets(&publics, &secrets), vec![shared; n], "{name}");
            // P + P in every row.
            let doubled = surface.tweak_add_public(&publics, &vec![tweak; n]);
            assert_eq!(doubled, vec![public.tweak_add(&tweak); n], "{name}");
            assert_eq!(surface.recover(&vec![recover; n]), vec![Ok(public); n], "{name}");
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
