//! secp256k1: the curve of Bitcoin, Ethereum and Nostr.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod encoding;
mod error;
pub mod hash;
mod wipe;

pub use encoding::Der;
pub use error::{Class, Error, LowS, Verdict};
