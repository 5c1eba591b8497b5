//! Schnorr signatures by BIP-340, for messages of any length.
//!
//! ```
//! use phalanx::{Keypair, schnorr};
//! let pair = Keypair::random();
//! let signature = schnorr::sign(b"the message", &pair, &[0; 32]);
//! schnorr::verify(b"the message", &signature, &pair.x_only())?;
//! # Ok::<(), phalanx::Error>(())
//! ```

mod equation;
mod read_row;
pub(crate) mod row;
mod sign;
mod signature;
#[cfg(feature = "signature")]
mod signature_traits;
mod verify;

pub use row::{Row, rows};
pub use sign::{sign, sign_checked};
pub use signature::Signature;
pub use verify::{verify, verify_row};

pub(crate) use equation::{has_x, is_even};
pub(crate) use read_row::read_row;
pub(crate) use sign::{Nonce, finish, finish_with, sign_on};
pub(crate) use verify::{challenge, verify_on, verify_row_on};
