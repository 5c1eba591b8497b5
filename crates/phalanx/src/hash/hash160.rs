//! HASH160, by which Bitcoin's scripts hold keys and scripts.

use super::sha256_uncleared;
use ripemd::{Digest, Ripemd160};

/// RIPEMD-160 of SHA-256 of the bytes, which are public.
pub(crate) fn hash160_uncleared(bytes: &[u8]) -> [u8; 20] {
    Ripemd160::digest(sha256_uncleared(bytes)).into()
}
