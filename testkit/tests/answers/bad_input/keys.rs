//! Encodings of keys.

use super::lanes::{Claim, bad, good_ecdsa, good_schnorr, judge_ecdsa, judge_schnorr, secret};
use phalanx::{Error, LowS, PublicKey, SecretKey, Verdict, XOnlyPublicKey};
use phalanx_testkit::draws::{ORDER, PRIME, add};
use phalanx_testkit::surface::surfaces;

/// Encodings that no reader of 33 or 65 bytes takes.
fn bad_keys() -> Vec<(String, Vec<u8>)> {
    let key = secret(0x21).public_key();
    let (short, long) = (key.to_bytes(), key.to_bytes_uncompressed());
    let mut keys = Vec::new();
    for length in 0..=130 {
        for good in [&short[..], &long[..]] {
            if length != 33 && length != 65 {
                let mut bytes = good.to_vec();
                bytes.resize(length, 0x11);
                keys.push((format!("{length} bytes"), bytes));
            }
        }
    }
    for prefix in 0..=255 {
        for (good, prefixes) in [(&short[..], &[2, 3][..]), (&long, &[4])] {
            if !prefixes.contains(&prefix) {
                let mut bytes = good.to_vec();
                bytes[0] = prefix;
                keys.push((format!("prefix {prefix:02x}, {} bytes", good.len()), bytes));
            }
        }
    }
    for y in [1, 2] {
        let mut off = long;
        off[64] ^= y;
        keys.push(("off the curve".into(), off.to_vec()));
    }
    // x = 5 and x = 0 belong to no point: 5^3 + 7 and 7 are not squares.
    for x in [add([0; 32], 5), [0; 32], PRIME, add(PRIME, 1), add(PRIME, 2), [0xff; 32]] {
        for prefix in [2, 3] {
            keys.push((format!("x {}", hex::encode(x)), [&[prefix], &x[..]].concat()));
        }
        keys.push((format!("x {}, uncompressed", hex::encode(x)), [&[4], &x[..], &long[33..]].concat()));
        keys.push((format!("y {}", hex::encode(x)), [&long[..33], &x[..]].concat()));
    }
    keys.push(("infinity as zeros".into(), [&[4], &[0; 64][..]].concat()));
    keys
}

#[test]
fn public_keys_that_are_none() {
    let keys = bad_keys();
    assert!(keys.len() > 700);
    let good = good_ecdsa(0x21);
    let row = |key: &Vec<u8>| good.with(|row| row.key.clone_from(key));
    let rows: Vec<_> = keys.iter().map(|(class, key)| bad(class, row(key), Verdict::BadPublicKey)).collect();
    judge_ecdsa(&rows, LowS::Allow);
    let good: [u8; 33] = secret(0x21).public_key().to_bytes();
    let encoded: Vec<&[u8]> = keys.iter().flat_map(|(_, key)| [&key[..], &good]).collect();
    for surface in surfaces() {
        let decoded = surface.decode(&encoded);
        assert_eq!(decoded.len(), encoded.len());
        for (index, key) in decoded.into_iter().enumerate() {
            let expected = if index % 2 == 0 { Err(Error::BadPublicKey) } else { Ok(secret(0x21).public_key()) };
            assert_eq!(key, expected, "{}, {}", keys[index / 2].0, surface.name());
        }
    }
}

#[test]
fn hybrid_keys_only_where_asked_for_and_only_with_their_parity() {
    let good = good_ecdsa(0x21);
    let long = secret(0x21).public_key().to_bytes_uncompressed();
    let parity = long[64] & 1;
    let hybrid = |prefix: u8, asked: bool, verdict| {
        let row = good.with(|row| (row.key, row.hybrid) = ([&[prefix], &long[1..]].concat(), asked));
        bad(format!("prefix {prefix}, asked for: {asked}"), row, verdict)
    };
    let rows = [
        hybrid(6 + parity, true, Verdict::Valid),
        hybrid(4, true, Verdict::Valid),
        hybrid(7 - parity, true, Verdict::BadPublicKey),
        hybrid(6 + parity, false, Verdict::BadPublicKey),
        hybrid(7 - parity, false, Verdict::BadPublicKey),
        hybrid(5, true, Verdict::BadPublicKey),
    ];
    judge_ecdsa(&rows, LowS::Require);
    for (_, bytes) in bad_keys().iter().filter(|(_, bytes)| !matches!(bytes.first(), Some(6 | 7))) {
        assert_eq!(PublicKey::from_bytes_hybrid(bytes), Err(Error::BadPublicKey));
    }
}

#[test]
fn x_only_keys_that_are_none() {
    let good = good_schnorr(0x21);
    let resized = |length: usize| (format!("{length} bytes"), good.with(|row| row.key.resize(length, 1)).key);
    let mut keys: Vec<_> = (0..=130).filter(|length| *length != 32).map(resized).collect();
    for x in [add([0; 32], 5), [0; 32], PRIME, add(PRIME, 1), add(PRIME, 2), [0xff; 32]] {
        keys.push((format!("x {}", hex::encode(x)), x.to_vec()));
    }
    let rows = keys.into_iter().map(|(class, key)| {
        assert_eq!(XOnlyPublicKey::from_bytes(&key), Err(Error::BadPublicKey), "{class}");
        bad(class, good.with(|row| row.key = key), Verdict::BadPublicKey)
    });
    judge_schnorr(&rows.collect::<Vec<_>>());
}

#[test]
fn secret_keys_that_are_none() {
    for number in [[0; 32], ORDER, add(ORDER, 1), PRIME, [0xff; 32]] {
        assert_eq!(SecretKey::from_bytes(&number), Err(Error::BadSecretKey));
        assert_eq!(hex::encode(number).parse::<SecretKey>(), Err(Error::BadSecretKey));
    }
    for length in (0..=130).filter(|length| *length != 32) {
        assert_eq!(SecretKey::from_bytes(&vec![1; length]), Err(Error::BadSecretKey));
        assert_eq!("01".repeat(length).parse::<SecretKey>(), Err(Error::BadHex));
    }
    for text in ["", "0x01", &"0g".repeat(32), &"é".repeat(32), &" 1".repeat(32), &"1".repeat(63)] {
        assert_eq!(text.parse::<SecretKey>(), Err(Error::BadHex), "{text}");
    }
    assert!(SecretKey::from_bytes(&add([0; 32], 1)).is_ok() && SecretKey::from_bytes(&add(ORDER, -1)).is_ok());
}
