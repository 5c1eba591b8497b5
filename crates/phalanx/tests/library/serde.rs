//! Keys and signatures through serde: hexadecimal text for people, bytes for machines, and nothing invalid gets in.

use phalanx::{Keypair, PublicKey, SecretKey, XOnlyPublicKey, ecdsa, schnorr};
use serde_test::{Configure, Token, assert_de_tokens, assert_de_tokens_error, assert_tokens};
use std::fmt::Debug;

/// Writes and reads both forms, and reads the bytes also as a sequence, the way formats without bytes carry them.
fn round_trip<T>(value: T, bytes: &[u8])
where
    T: serde::Serialize + for<'de> serde::Deserialize<'de> + PartialEq + Debug + Clone,
{
    let text: &'static str = hex(bytes).leak();
    let bytes: &'static [u8] = bytes.to_vec().leak();
    assert_tokens(&value.clone().readable(), &[Token::Str(text)]);
    assert_tokens(&value.clone().compact(), &[Token::Bytes(bytes)]);
    let mut sequence = vec![Token::Seq { len: Some(bytes.len()) }];
    sequence.extend(bytes.iter().map(|byte| Token::U8(*byte)));
    sequence.push(Token::SeqEnd);
    assert_de_tokens(&value.clone().compact(), &sequence);
    let json = serde_json::to_string(&value).unwrap();
    assert_eq!(json, format!("{text:?}"));
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), value);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_type_in_both_forms() {
    let pair = Keypair::from_secret(SecretKey::from_bytes(&[0x11; 32]).unwrap());
    round_trip(pair.secret_key().clone(), &[0x11; 32]);
    round_trip(pair.public_key(), &pair.public_key().to_bytes());
    round_trip(pair.x_only(), &pair.x_only().to_bytes());
    let signature = ecdsa::sign(&[7; 32], pair.secret_key());
    round_trip(signature, &signature.to_compact());
    let signature = schnorr::sign(b"message", &pair, &[0; 32]);
    round_trip(signature, &signature.to_bytes());
    let uncompressed: &'static [u8] = pair.public_key().to_bytes_uncompressed().to_vec().leak();
    assert_de_tokens(&pair.public_key().compact(), &[Token::Bytes(uncompressed)]);
}

#[test]
fn what_is_no_value_is_an_error() {
    let secret = "secret key is not 32 bytes, is zero, or is not below the group order";
    assert_de_tokens_error::<serde_test::Compact<SecretKey>>(&[Token::Bytes(&[0; 32])], secret);
    assert_de_tokens_error::<serde_test::Compact<SecretKey>>(&[Token::Bytes(&[1; 31])], secret);
    let public = "public key is not the encoding of a point on the curve";
    assert_de_tokens_error::<serde_test::Compact<PublicKey>>(&[Token::Bytes(&[2; 34])], public);
    assert_de_tokens_error::<serde_test::Compact<XOnlyPublicKey>>(&[Token::Bytes(&[0xff; 32])], public);
    let range = "a number in the signature is out of range";
    assert_de_tokens_error::<serde_test::Compact<ecdsa::Signature>>(&[Token::Bytes(&[0; 64])], range);
    assert_de_tokens_error::<serde_test::Compact<schnorr::Signature>>(&[Token::Bytes(&[0xff; 64])], range);
    let text = "text is not hexadecimal or has the wrong length";
    assert_de_tokens_error::<serde_test::Readable<PublicKey>>(&[Token::Str("zz")], text);
    let mut endless = vec![Token::Seq { len: None }];
    endless.resize(70, Token::U8(1));
    let long = "invalid length 66, expected a secret key of 32 bytes";
    assert_de_tokens_error::<serde_test::Compact<SecretKey>>(&endless[..67], long);
}
