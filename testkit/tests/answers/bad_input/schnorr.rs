//! BIP-340 rows: signatures of wrong length, out of range, and with nonce points that are none.

use super::lanes::{Claim, SchnorrRow, bad, good_schnorr, judge_schnorr, secret};
use phalanx::hash::TaggedHash;
use phalanx::{Keypair, Scalar, SecretKey, Verdict, schnorr};
use phalanx_testkit::draws::{ORDER, PRIME, add};

const MESSAGE: [u8; 32] = [7; 32];

#[test]
fn signatures_of_every_length() {
    let good = good_schnorr(0x21);
    let resized = |length| {
        let row = good.with(|row| row.signature.resize(length, 1));
        assert!(schnorr::Signature::from_bytes(&row.signature).is_err());
        bad(format!("{length} bytes"), row, Verdict::BadSignatureEncoding)
    };
    judge_schnorr(&(0..=130).filter(|length| *length != 64).map(resized).collect::<Vec<_>>());
}

#[test]
fn r_and_s_out_of_range() {
    let good = good_schnorr(0x21);
    let mut rows = Vec::new();
    for number in [PRIME, add(PRIME, 1), [0xff; 32]] {
        let row = good.with(|row| row.signature[..32].copy_from_slice(&number));
        rows.push(bad(format!("r {}", hex::encode(number)), row, Verdict::OutOfRange));
    }
    for number in [ORDER, add(ORDER, 1), PRIME, [0xff; 32]] {
        let row = good.with(|row| row.signature[32..].copy_from_slice(&number));
        rows.push(bad(format!("s {}", hex::encode(number)), row, Verdict::OutOfRange));
    }
    judge_schnorr(&rows);
}

#[test]
fn r_and_s_in_range_and_wrong() {
    let good = good_schnorr(0x21);
    let halves = |r: [u8; 32], s: [u8; 32]| good.with(|row| row.signature = [r, s].concat());
    let (r, s) = good.signature.split_at(32);
    let (r, s) = (<[u8; 32]>::try_from(r).expect("32 bytes"), <[u8; 32]>::try_from(s).expect("32 bytes"));
    let negative = -Scalar::from_bytes(&s).expect("in range");
    let rows = [
        ("r = 0", halves([0; 32], s)),
        ("r = 5, of no point", halves(add([0; 32], 5), s)),
        ("r = n", halves(ORDER, s)),
        ("r = p - 1", halves(add(PRIME, -1), s)),
        ("s = 0", halves(r, [0; 32])),
        ("s = n - 1", halves(r, add(ORDER, -1))),
        ("-s", halves(r, negative.to_bytes())),
        ("exchanged", halves(s, r)),
        ("all zeros", halves([0; 32], [0; 32])),
        ("another message", good.with(|row| row.message.push(0))),
        ("no message", good.with(|row| row.message.clear())),
        ("another key", good.with(|row| row.key = good_schnorr(0x22).key)),
    ];
    judge_schnorr(&rows.map(|(class, row)| bad(class, row, Verdict::InvalidSignature)));
}

/// d with d G of even y, and the x coordinate.
fn even(secret: SecretKey) -> (Scalar, [u8; 32]) {
    let (x, odd) = secret.public_key().x_only();
    let scalar = Scalar::from(&secret);
    (if odd { -scalar } else { scalar }, x.to_bytes())
}

fn challenge(r: &[u8; 32], key: &[u8; 32]) -> Scalar {
    Scalar::from_bytes_reduced(&TaggedHash::new(b"BIP0340/challenge").hash(&[r, key, &MESSAGE]))
}

#[test]
fn nonce_points_odd_and_at_infinity() {
    let mut rows = Vec::new();
    for number in 0x21..0x29 {
        let (d, key) = even(secret(number));
        let (k, r) = even(secret(number + 0x10));
        let claim = |s: Scalar| SchnorrRow {
            message: MESSAGE.to_vec(),
            signature: [r, s.to_bytes()].concat(),
            key: key.to_vec(),
        };
        let e = challenge(&r, &key);
        rows.push(bad("R even", claim(k + e * d), Verdict::Valid));
        rows.push(bad("R odd", claim(-k + e * d), Verdict::InvalidSignature));
        rows.push(bad("under the odd y of the key", claim(k - e * d), Verdict::InvalidSignature));
        rows.push(bad("R at infinity", claim(e * d), Verdict::InvalidSignature));
        rows.push(bad("R = -2 e P", claim(-(e * d)), Verdict::InvalidSignature));
    }
    judge_schnorr(&rows);
}

#[test]
fn messages_of_any_length_are_good() {
    let pair = Keypair::from_secret(secret(0x21));
    let row = |length: usize| {
        let message = vec![7; length];
        let signature = schnorr::sign(&message, &pair, &[1; 32]).to_bytes().to_vec();
        let row = SchnorrRow { message, signature, key: pair.x_only().to_bytes().to_vec() };
        bad(format!("message of {length} bytes"), row, Verdict::Valid)
    };
    judge_schnorr(&[0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 119, 120, 1000, 100_000].map(row));
}
