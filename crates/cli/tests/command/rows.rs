//! Rows that the library signs: the same ones in every run.

use phalanx::hash::sha256;
use phalanx::{Keypair, Scalar, SecretKey, ecdsa, schnorr};

/// The secret key 1, in hex.
pub(crate) const ONE: &str = "0000000000000000000000000000000000000000000000000000000000000001";

/// Its public key, the generator.
pub(crate) const GENERATOR: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

/// The order of the group.
pub(crate) const ORDER: &str = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";

/// A row as any file may hold it.
#[derive(Clone, Debug)]
pub(crate) struct Signed {
    pub(crate) id: String,
    pub(crate) scheme: &'static str,
    pub(crate) digest: Vec<u8>,
    pub(crate) key: Vec<u8>,
    pub(crate) signature: Vec<u8>,
}

/// The secret key of a number.
pub(crate) fn secret(number: u32) -> SecretKey {
    SecretKey::from_bytes(&sha256(&number.to_be_bytes())).unwrap()
}

/// The digest of a number.
pub(crate) fn digest(number: u32) -> [u8; 32] {
    sha256(format!("digest {number}").as_bytes())
}

/// A signature from which the key is recovered.
#[derive(Clone, Copy)]
pub(crate) struct Recoverable {
    pub(crate) digest: [u8; 32],
    pub(crate) signature: [u8; 64],
    pub(crate) id: u8,
    pub(crate) key: [u8; 33],
}

impl Recoverable {
    /// The signature with the recovery id behind it.
    pub(crate) fn with_id(&self) -> Vec<u8> {
        [&self.signature[..], &[self.id]].concat()
    }
}

/// The recoverable signature of a number.
pub(crate) fn recoverable(number: u32) -> Recoverable {
    let (secret, digest) = (secret(number), digest(number));
    let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
    Recoverable { digest, signature: signature.to_compact(), id: id.to_u8(), key: secret.public_key().to_bytes() }
}

/// A valid row; its number decides the scheme and the encodings, so that any eight in a row hold every kind.
pub(crate) fn row(number: u32) -> Signed {
    let secret = secret(number);
    let public = secret.public_key();
    let digest = digest(number);
    let (scheme, key, signature) = match number % 8 {
        0 | 1 => ("ecdsa", public.to_bytes().to_vec(), ecdsa::sign(&digest, &secret).to_der().to_vec()),
        2 => ("ecdsa", public.to_bytes_uncompressed().to_vec(), ecdsa::sign(&digest, &secret).to_der().to_vec()),
        3 | 4 => ("ecdsa", public.to_bytes().to_vec(), ecdsa::sign(&digest, &secret).to_compact().to_vec()),
        5 => ("ecdsa", public.to_bytes().to_vec(), recoverable(number).with_id()),
        _ => {
            let pair = Keypair::from_secret(secret);
            let signature = schnorr::sign(&digest, &pair, &[0; 32]);
            ("schnorr", pair.x_only().to_bytes().to_vec(), signature.to_bytes().to_vec())
        }
    };
    Signed { id: format!("row-{number}"), scheme, digest: digest.to_vec(), key, signature }
}

/// Valid rows of every kind.
pub(crate) fn rows(count: u32) -> Vec<Signed> {
    (0..count).map(row).collect()
}

/// The same signature with n - s for s.
pub(crate) fn with_high_s(compact: &[u8]) -> Vec<u8> {
    let (r, s) = compact.split_at(32);
    let s = Scalar::from_bytes(s).unwrap();
    [r, &(-s).to_bytes()].concat()
}
