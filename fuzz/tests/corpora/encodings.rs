//! Seeds of signatures, keys, numbers and rows: each encoding, and the edges of each.

use super::Seed;
use phalanx::{Keypair, SecretKey, ecdsa, schnorr};

const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
const BELOW_ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140";
const MODULUS: &str = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
const DECIMAL_ORDER: &str = "115792089237316195423570985008687907852837564279074904382605163141518161494337";

/// DER by hand, and what is wrong with it.
const DER: [(&str, &str); 24] = [
    ("one-one", "3006020101020101"),
    ("zero-r", "3006020100020101"),
    ("negative-s", "3006020101020181"),
    ("padded-r", "300702020001020101"),
    ("needed-zero", "300702020081020101"),
    ("missing-zero", "300602018102017f"),
    ("trailing-inside", "300702010102010100"),
    ("trailing-outside", "300602010102010100"),
    ("empty-r", "30050200020101"),
    ("empty", "3000"),
    ("tag-only", "30"),
    ("no-s", "3003020101"),
    ("wrong-outer-tag", "3106020101020101"),
    ("wrong-inner-tag", "3006030101020101"),
    ("long-form-outer", "308106020101020101"),
    ("long-form-inner", "300702810101020101"),
    ("zeros-in-length", "30820006020101020101"),
    ("zeros-in-inner-length", "30090284000000010102 0101"),
    ("indefinite", "3080020101020101 0000"),
    ("length-beyond", "30ff020101020101"),
    ("length-of-four-bytes", "3084ffffffff020101020101"),
    ("length-of-nine-bytes", "3089ffffffffffffffffff020101020101"),
    ("short-length", "3005020101020101"),
    ("inner-beyond", "3006020501020101"),
];

fn hex(digits: &str) -> Vec<u8> {
    hex::decode(digits.replace(' ', "")).expect("hex")
}

fn integer(number: &[u8]) -> Vec<u8> {
    [&[2, number.len() as u8], number].concat()
}

fn sequence(r: &[u8], s: &[u8]) -> Vec<u8> {
    let inside = [integer(r), integer(s)].concat();
    [&[0x30, inside.len() as u8], &inside[..]].concat()
}

pub(super) fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut put = |target, name: &str, bytes: Vec<u8>| seeds.push(Seed(target, name.to_owned(), bytes));
    for (name, digits) in DER {
        put("encodings", &format!("der-{name}"), hex(digits));
    }
    let long = |digits: &str| [vec![0], hex(digits)].concat();
    put("encodings", "der-order", sequence(&long(ORDER), &[1]));
    put("encodings", "der-below-order", sequence(&long(BELOW_ORDER), &long(BELOW_ORDER)));
    put("encodings", "der-257-bits", sequence(&[&[1], &[0xff; 32][..]].concat(), &[1]));
    put("encodings", "der-padded-257-bits", sequence(&[&[0, 1], &[0xff; 32][..]].concat(), &[1]));

    let pair = Keypair::from_secret(SecretKey::from_bytes(&[0x11; 32]).expect("below the order"));
    let (signature, id) = ecdsa::sign_recoverable(&[0x22; 32], pair.secret_key());
    let compact = signature.to_compact();
    put("encodings", "der", signature.to_der().as_ref().to_vec());
    put("encodings", "compact", compact.to_vec());
    put("encodings", "compact-zero-s", [&compact[..32], &[0; 32]].concat());
    put("encodings", "compact-order", [hex(ORDER), compact[32..].to_vec()].concat());
    put("encodings", "compact-high-s", [&compact[..32], &hex(BELOW_ORDER)].concat());
    put("encodings", "recoverable", [&compact[..], &[id.to_u8()]].concat());
    put("encodings", "recoverable-overflow", [&[&[0; 31][..], &[1], &[0; 31], &[1]].concat()[..], &[2]].concat());
    put("encodings", "schnorr", schnorr::sign(&[0x22; 32], &pair, &[0; 32]).to_bytes().to_vec());

    let (key, full) = (pair.public_key().to_bytes(), pair.public_key().to_bytes_uncompressed());
    put("encodings", "key-compressed", key.to_vec());
    put("encodings", "key-negated", [&[key[0] ^ 1], &key[1..]].concat());
    put("encodings", "key-uncompressed", full.to_vec());
    put("encodings", "key-hybrid", [&[6 | (full[64] & 1)], &full[1..]].concat());
    put("encodings", "key-hybrid-wrong-parity", [&[7 ^ (full[64] & 1)], &full[1..]].concat());
    put("encodings", "key-off-curve", [&full[..64], &[full[64] ^ 2]].concat());
    put("encodings", "key-modulus", [vec![2], hex(MODULUS)].concat());
    put("encodings", "key-no-root", [&[2], &[0; 31][..], &[5]].concat());
    put("encodings", "key-infinity", vec![0; 33]);
    put("encodings", "key-x-only", key[1..].to_vec());
    for (name, digits) in [("order", ORDER), ("below-order", BELOW_ORDER), ("modulus", MODULUS)] {
        put("encodings", &format!("number-{name}"), hex(digits));
        put("encodings", &format!("text-0x-{name}"), format!("0x{digits}").into_bytes());
    }
    put("encodings", "number-zero", vec![0; 32]);
    let generator = phalanx_banderwagon::Element::generator();
    put("encodings", "banderwagon", generator.to_bytes().to_vec());
    put("encodings", "banderwagon-uncompressed", generator.to_uncompressed().to_vec());
    put("encodings", "number-wide", [[0xff; 32], [0xfe; 32]].concat());
    for (name, text) in [
        ("zero", "0"),
        ("zeros", "000"),
        ("plus", "+1"),
        ("order", DECIMAL_ORDER),
        ("below-order", &DECIMAL_ORDER.replace("337", "336")),
        ("many-digits", &"9".repeat(90)),
        ("0x", "0x"),
        ("capitals", "0xABCDEF"),
        ("not-ascii", "١٢٣"),
    ] {
        put("encodings", &format!("text-{name}"), text.as_bytes().to_vec());
    }
    let secret = pair.secret_key().to_bytes();
    let mut number = 0;
    for bytes in [&key[..], &full, &key[1..], &compact, signature.to_der().as_ref(), &secret] {
        number += 1;
        let digits = hex::encode(bytes);
        put("encodings", &format!("hex-{number}"), digits.to_uppercase().into_bytes());
        put("encodings", &format!("json-{number}"), format!("\"{digits}\"").into_bytes());
    }
    put("encodings", "json-bytes", serde_json::to_vec(&secret).expect("bytes"));
    seeds.extend(rows());
    seeds
}

/// Rows for each question, most of them valid: xorshift chooses.
fn rows() -> Vec<Seed> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    let mut seeds = Vec::new();
    for question in 0..8 {
        for (rows, name) in [(1, "one"), (8, "eight"), (27, "many")] {
            let mut bytes = vec![question];
            for row in 0..rows {
                let mut recipe = [0; 6].map(|_: u8| byte());
                recipe[2] = if row % 4 == 3 { recipe[2] } else { 7 };
                bytes.extend(recipe);
            }
            seeds.push(Seed("rows", format!("{question}-{name}"), bytes));
        }
    }
    seeds
}
