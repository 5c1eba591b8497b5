//! SHA-256 and what the signature schemes build from it: tagged hashes and deterministic nonces.
//!
//! Everything here rests on the compression function of the `sha2` crate, which uses the CPU's SHA instructions where a
//! run-time check finds them, or on one of the caller's ([`Compression`]). The state around it is kept here because the schemes need what a general hasher hides:
//! starting from a precomputed state, and wiping all of it.

mod compress;
mod hmac;
mod rfc6979;
mod sha256;
mod tagged;

pub(crate) use {
    hmac::ZERO_KEY,
    sha256::{INITIAL, sha256_uncleared},
};

pub use compress::{BuiltIn, Compression};
pub use rfc6979::NonceGenerator;
pub use sha256::{Sha256, sha256};
pub use tagged::{TaggedHash, tagged_hash};
