//! The operations on rows.
//!
//! An operation is declared once: it is a type in a file of its own here, which implements [`RowOperation`] and
//! [`ColumnOperation`], and a line in the list at the end of this file. [`LiftX`] is for batches alone, and has no
//! line.

mod decompress;
mod lift;
mod public_keys;
mod recover;
#[cfg(test)]
mod secret_tests;
mod shared_secrets;
mod sign_ecdsa;
mod sign_schnorr;
#[cfg(test)]
mod tests;
mod tweak_add_public;
mod verify_ecdsa;
mod verify_schnorr;

use super::columns::{Answer, ColumnCall, ColumnOperation};
use crate::Error;
pub(super) use {
    decompress::Decompress, lift::LiftX, public_keys::PublicKeys, recover::Recover, shared_secrets::SharedSecrets,
    sign_ecdsa::SignEcdsa, sign_schnorr::SignSchnorr, tweak_add_public::TweakAddPublic, verify_ecdsa::VerifyEcdsa,
    verify_schnorr::VerifySchnorr,
};

/// A function of its own for each operation, so that no call has the stack of all.
#[inline(never)]
fn in_columns<O: ColumnOperation>(call: ColumnCall<'_>, answer: impl FnMut(usize, Answer<'_>)) -> Result<(), Error> {
    O::in_columns(call, answer)
}

/// Declares the operations that have a name.
macro_rules! operations {
    ($($(#[$note:meta])* $name:ident,)*) => {
        /// What a bulk call computes.
        #[non_exhaustive]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation {
            $($(#[$note])* $name,)*
        }

        impl Operation {
            /// Every operation.
            pub const ALL: [Operation; [$(Operation::$name),*].len()] = [$(Operation::$name),*];

            /// Computes rows in columns.
            pub(super) fn in_columns(
                self,
                call: ColumnCall<'_>,
                answer: impl FnMut(usize, Answer<'_>),
            ) -> Result<(), Error> {
                match self {
                    $(Operation::$name => in_columns::<$name>(call, answer),)*
                }
            }
        }
    };
}

operations! {
    /// Verification of ECDSA signatures.
    VerifyEcdsa,
    /// Verification of BIP-340 signatures.
    VerifySchnorr,
    /// Recovery of public keys.
    Recover,
    /// Public keys of secret keys.
    PublicKeys,
    /// ECDSA signing.
    SignEcdsa,
    /// BIP-340 signing.
    SignSchnorr,
    /// ECDH.
    SharedSecrets,
    /// Public keys plus tweaks.
    TweakAddPublic,
    /// Public keys from their encodings.
    Decompress,
}
