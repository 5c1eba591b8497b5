//! Rows that the library signs: the same ones in every run.

use phalanx::hash::sha256;
use phalanx::{Keypair, SecretKey, ecdsa, schnorr};

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

/// A valid row; its number decides the scheme and the encodings, so that any eight in a row hold every kind.
pub(crate) fn row(number: u32) -> Signed {
    let secret = secret(number);
    let public = secret.public_key();
    let digest = digest(number);
    let (scheme, key, signature) = match number % 8 {
        0 | 1 => ("ecdsa", public.to_bytes().to_vec(), ecdsa::sign(&digest, &secret).to_der().to_vec()),
        2 => ("ecdsa", public.to_bytes_uncompressed().to_vec(), ecdsa::sign(&digest, &secret).to_der().to_vec()),
        3 | 4 => ("ecdsa", public.to_bytes().to_vec(), ecdsa::sign(&digest, &secret).to_compact().to_vec()),
        5 => {
            let (signature, id) = ecdsa::sign_recoverable(&digest, &secret);
            ("ecdsa", public.to_bytes().to_vec(), [&signature.to_compact()[..], &[id.to_u8()]].concat())
        }
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
    const ORDER: [u8; 32] = [
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae,
        0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
    ];
    let mut high = compact.to_vec();
    let mut borrow = 0;
    for place in (0..32).rev() {
        let difference = i16::from(ORDER[place]) - i16::from(compact[32 + place]) - borrow;
        borrow = i16::from(difference < 0);
        high[32 + place] = difference.rem_euclid(256) as u8;
    }
    high
}
