//! Bytes and text: the forms in which keys and signatures are read and written.
//!
//! This folder knows lengths, prefixes, tags and digits. It does not know the curve. The types that call it decide
//! whether a number is in range and whether a point is on the curve.

mod der;
pub(crate) mod hex;
pub(crate) mod number;
mod sec1;
#[cfg(feature = "serde")]
pub(crate) mod serde;
mod text;
mod words;

pub use der::Der;
pub(crate) use der::{parse_lax, parse_strict};
pub(crate) use hex::{DisplaySecret, Hex, decode_into as decode_hex_into, decode_prefix as decode_hex_prefix};
pub(crate) use sec1::{Sec1, compressed, uncompressed};
pub(crate) use text::text;
pub(crate) use words::{bytes as bytes_of_words, words};

use crate::Error;

/// The two halves of a 64-byte signature, or [`Error::BadSignatureEncoding`] for any other length.
pub(crate) fn halves(bytes: &[u8]) -> Result<([u8; 32], [u8; 32]), Error> {
    match bytes.as_chunks::<32>() {
        ([first, second], []) => Ok((*first, *second)),
        _ => Err(Error::BadSignatureEncoding),
    }
}

/// Two 32-byte values, one after the other.
pub(crate) fn join(first: &[u8; 32], second: &[u8; 32]) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(first);
    bytes[32..].copy_from_slice(second);
    bytes
}
