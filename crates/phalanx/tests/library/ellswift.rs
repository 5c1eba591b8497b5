//! ElligatorSwift beside libsecp256k1, and BIP-324's vectors.

use phalanx::{
    PublicKey, SecretKey, ecdh,
    ellswift::{self, ElligatorSwift, Party},
    hash::sha256,
};
use phalanx_tiers::{size, skipped};
use secp256k1::{
    self as oracle,
    ellswift::{ElligatorSwift as Theirs, Party as TheirParty},
};
use std::{fs, path::Path};

/// Pairs of numbers at the ends of ranges, then any.
fn pair(number: usize) -> [u8; 64] {
    const PRIME: [u8; 32] = hex_literal::hex!("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
    let ends = [[0; 32], small(1), small(2), PRIME, [0xff; 32], above(PRIME, 1), above(PRIME, 2), above(PRIME, -1)];
    let any = |label: &str| sha256(format!("{label} {number}").as_bytes());
    let end = |i: usize| *ends.get(i).unwrap_or(&any("end"));
    let [first, second] = match number {
        0..81 => [end(number / 9), end(number % 9)],
        _ => [any("first"), any("second")],
    };
    [first, second].concat().try_into().unwrap()
}

fn small(value: u8) -> [u8; 32] {
    above([0; 32], value as i8)
}

fn above(mut bytes: [u8; 32], difference: i8) -> [u8; 32] {
    bytes[31] = bytes[31].wrapping_add_signed(difference);
    bytes
}

fn decoded_by_theirs(bytes: [u8; 64]) -> [u8; 33] {
    oracle::PublicKey::from_ellswift(Theirs::from_byte_array(bytes)).serialize()
}

#[test]
fn keys_and_encodings_are_those_of_libsecp256k1() {
    for number in 0..size(300, 20_000) {
        let bytes = pair(number);
        let key = ElligatorSwift::from(bytes).decode();
        assert_eq!(key.to_bytes(), decoded_by_theirs(bytes), "{number}");
        let randomness = sha256(&bytes);
        let encoding = ElligatorSwift::encode(&key, &randomness);
        let their_key = oracle::PublicKey::from_slice(&key.to_bytes()).unwrap();
        assert_eq!(encoding.to_bytes(), Theirs::from_pubkey_with_rnd(their_key, randomness).to_byte_array());
        assert_eq!(encoding.decode(), key);
    }
}

#[test]
fn secrets_are_those_of_libsecp256k1() {
    for number in 0usize..size(100, 10_000) {
        let secret = sha256(&number.to_le_bytes());
        let (ours, theirs) = (SecretKey::from_bytes(&secret).unwrap(), oracle::SecretKey::from_secret_bytes(secret));
        let theirs = theirs.unwrap();
        for auxiliary in [None, Some([number as u8; 32])] {
            let encoding = ElligatorSwift::from_secret(&ours, auxiliary.as_ref());
            assert_eq!(encoding.to_bytes(), Theirs::from_seckey(theirs, auxiliary).to_byte_array());
        }
        let [a, b] = [pair(number), pair(number + 7)];
        let [ours_a, ours_b] = [a, b].map(ElligatorSwift::from);
        let [theirs_a, theirs_b] = [a, b].map(Theirs::from_byte_array);
        for (party, their_party) in
            [(Party::Initiator, TheirParty::Initiator), (Party::Responder, TheirParty::Responder)]
        {
            let shared = ellswift::shared_secret(&ours_a, &ours_b, &ours, party);
            let expected = Theirs::shared_secret(theirs_a, theirs_b, theirs, their_party);
            assert_eq!(shared, expected.to_secret_bytes(), "{number}");
        }
    }
}

#[test]
fn a_draw_of_zero_is_passed_over() {
    let key = PublicKey::GENERATOR;
    let mut count = 0u8;
    let encoding = ElligatorSwift::encode_with(&key, || {
        count += 1;
        if count < 9 { [0; 32] } else { sha256(&[count]) }
    });
    assert_eq!(encoding.decode(), key);
    assert_ne!(encoding.to_bytes()[..32], [0; 32]);
}

/// The first rows of the files of BIP-324.
#[test]
fn rows_of_bip_324() {
    assert_eq!(
        ElligatorSwift::from([0; 64]).decode().to_bytes()[1..],
        hex_literal::hex!("edd1fd3e327ce90cc7a3542614289aee9682003e9cf7dcc9cf2ca9743be5aa0c")
    );
}

/// The cells of a file beside the repository, without its head.
fn shared(name: &str, would_check: &str) -> Option<Vec<Vec<String>>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/bip324").join(name);
    let Ok(text) = fs::read_to_string(path) else {
        skipped(&format!("{name} is not in ../shared/vectors/bip324"), would_check);
        return None;
    };
    Some(text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect())
}

fn hex<const N: usize>(text: &str) -> [u8; N] {
    let byte = |i: usize| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap();
    assert_eq!(text.len(), 2 * N);
    std::array::from_fn(byte)
}

#[test]
fn keys_of_bip_324() {
    let Some(rows) = shared("ellswift_decode_test_vectors.csv", "76 encodings") else { return };
    for row in &rows {
        let bytes: [u8; 64] = hex(&row[0]);
        let key = ElligatorSwift::from(bytes).decode().to_bytes();
        assert_eq!(key[1..], hex::<32>(&row[1]), "{row:?}");
        assert_eq!(key, decoded_by_theirs(bytes));
    }
    assert_eq!(rows.len(), 76);
}

#[test]
fn handshakes_of_bip_324() {
    let Some(rows) = shared("packet_encoding_test_vectors.csv", "7 handshakes") else { return };
    for row in &rows {
        let secret = SecretKey::from_bytes(&hex::<32>(&row[1])).unwrap();
        let [ours, theirs] = [2, 3].map(|column| ElligatorSwift::from(hex(&row[column])));
        let key_of = |encoding: &ElligatorSwift| encoding.decode();
        assert_eq!(key_of(&ours).to_bytes()[1..], hex::<32>(&row[9]), "{row:?}");
        assert_eq!(key_of(&theirs).to_bytes()[1..], hex::<32>(&row[10]));
        assert_eq!(secret.public_key().x_only(), (key_of(&ours).x_only().0, secret.public_key().x_only().1));
        assert_eq!(ecdh::shared_x(&key_of(&theirs), &secret), hex(&row[11]));
        assert_eq!(ellswift::shared_secret_with(&theirs, &secret, |x| *x), hex(&row[11]));
        let shared = match &row[4][..] {
            "1" => ellswift::shared_secret(&ours, &theirs, &secret, Party::Initiator),
            _ => ellswift::shared_secret(&theirs, &ours, &secret, Party::Responder),
        };
        assert_eq!(shared, hex(&row[12]));
    }
    assert_eq!(rows.len(), 7);
}
