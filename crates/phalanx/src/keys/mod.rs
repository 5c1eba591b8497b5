//! Secret keys, public keys, x-only keys, key pairs, and tweaked keys.
//!
//! A value of one of these types is a valid key. Constructors refuse everything else, so a function that takes a key
//! does not check it again.

mod decode;
#[cfg(any(test, feature = "getrandom", feature = "rand_core"))]
mod generate;
mod keypair;
mod point;
mod public;
mod read_row;
mod reference;
mod row_key;
mod secret;
mod text;
mod xonly;

pub use keypair::Keypair;
pub use public::PublicKey;
pub(crate) use read_row::ReadRow;
pub use reference::{PublicKeyRef, XOnlyKeyRef};
pub(crate) use row_key::RowKey;
pub use secret::SecretKey;
pub use xonly::XOnlyPublicKey;

use crate::{Error, Scalar};

/// A tweak as the scalar it encodes, or [`Error::BadTweak`] if it is not below the group order.
pub(crate) fn tweak_scalar(tweak: &[u8; 32]) -> Result<Scalar, Error> {
    Scalar::from_bytes(tweak).map_err(|_| Error::BadTweak)
}
