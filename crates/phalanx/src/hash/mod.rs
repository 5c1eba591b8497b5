//! SHA-256 and what the signature schemes build from it: tagged hashes and deterministic nonces.
//!
//! Everything here uses the compression function of the `sha2` crate, which uses the CPU's SHA instructions where a
//! run-time check finds them. The state around the function is kept here, because the schemes start from precomputed
//! states and wipe the state afterwards. A general hasher allows neither.

mod compress;
mod hmac;
mod rfc6979;
mod sha256;
mod tagged;

pub(crate) use {
    hmac::ZERO_KEY,
    sha256::{INITIAL, sha256_uncleared},
};

pub use rfc6979::NonceGenerator;
pub use sha256::{Sha256, sha256};
pub use tagged::TaggedHash;
