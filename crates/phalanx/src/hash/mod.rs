//! SHA-256 and what the signature schemes build from it: tagged hashes and deterministic nonces. HMAC-SHA-512, by which
//! BIP-32 derives keys.
//!
//! The compression functions are those of the `sha2` crate, which uses the CPU's SHA instructions where a run-time check
//! finds them. A program can give the drop-in for libsecp256k1 another one of SHA-256. The state around the function
//! is kept here, because the schemes start from precomputed states and wipe the state afterwards. A general hasher
//! allows neither.

pub(crate) mod compress;
mod hash160;
pub(crate) mod hmac;
mod hmac_sha512;
mod rfc6979;
mod sha256;
pub(crate) mod sha256_by;
mod tagged;
pub(crate) mod tags;

pub(crate) use {
    compress::{BuiltIn, Compression},
    hash160::hash160_uncleared,
    hmac::ZERO_KEY,
    sha256::sha256_uncleared,
    sha256_by::INITIAL,
    sha256_by::Sha256By,
};

pub use hmac_sha512::HmacSha512;
pub use rfc6979::NonceGenerator;
pub use sha256::{Sha256, sha256};
pub use tagged::TaggedHash;
