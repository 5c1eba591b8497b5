//! Public keys of secret keys, and which numbers are secret keys.

use super::operation::{Operation, run};
use k256::elliptic_curve::sec1::ToSec1Point;
use phalanx::{PublicKey, SecretKey};
use phalanx_testkit::surface::{Surface, surfaces};

pub(crate) fn secret(bytes: &[u8; 32]) -> SecretKey {
    SecretKey::from_bytes(bytes).expect("in range")
}

pub(crate) fn public(bytes: &[u8; 33]) -> PublicKey {
    PublicKey::from_bytes(bytes).expect("on the curve")
}

pub(crate) fn oracle_secret(bytes: &[u8; 32]) -> secp256k1::SecretKey {
    secp256k1::SecretKey::from_secret_bytes(*bytes).expect("in range")
}

/// Compressed and full encodings; none where the number is no secret key.
#[test]
fn public_keys() {
    run(&Operation::<[u8; 32], Option<([u8; 33], [u8; 65])>, dyn Surface> {
        name: "public key",
        surfaces,
        draw: |draws| draws.number(),
        libsecp256k1: |case| {
            let key = secp256k1::SecretKey::from_secret_bytes(*case).ok()?.public_key();
            Some((key.serialize(), key.serialize_uncompressed()))
        },
        k256: |case| {
            let point = k256::SecretKey::from_slice(case).ok()?.public_key();
            let encode = |compress| point.to_sec1_point(compress).as_bytes().to_vec();
            Some((encode(true).try_into().ok()?, encode(false).try_into().ok()?))
        },
        phalanx: |surface, cases| {
            let secrets: Vec<_> = cases.iter().map(|case| SecretKey::from_bytes(case).ok()).collect();
            let valid: Vec<_> = secrets.iter().flatten().cloned().collect();
            let mut keys = surface.public_keys(&valid).into_iter();
            let key = |secret: &Option<SecretKey>| secret.as_ref().and_then(|_| keys.next());
            let keys = secrets.iter().map(key);
            keys.map(|key| key.map(|key| (key.to_bytes(), key.to_bytes_uncompressed()))).collect()
        },
    });
}
