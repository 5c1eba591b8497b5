//! secp256k1: the curve of Bitcoin, Ethereum and Nostr.

#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod arithmetic;
mod encoding;
mod error;
pub mod field;
mod glv;
pub mod hash;
pub mod scalar;
mod wipe;

pub use encoding::Der;
pub use error::{Class, Error, LowS, Verdict};
pub use field::FieldElement;
pub use scalar::Scalar;
