//! The operations on rows.
//!
//! An operation is declared once. It has a file here: a type that implements [`RowOperation`] and [`ColumnOperation`],
//! and its method of [`Bulk`](super::Bulk). And it has an entry of `list`, from which the other languages' interfaces
//! are made. Without an entry are [`LiftX`], for batches alone, and [`FindSilentPayments`], [`SilentOutputs`] and
//! [`TweakMulPublic`], for silent payments. [`DeriveChildren`] takes columns in a file of its own,
//! `children_in_columns`.

mod children_in_columns;
mod decompress;
mod derive_children;
mod find_silent;
#[cfg(test)]
mod forged_tests;
mod lift;
#[macro_use]
mod list;
mod public_keys;
mod recover;
#[cfg(test)]
mod secret_tests;
mod shared_secrets;
mod sign_ecdsa;
mod sign_schnorr;
mod silent_outputs;
#[cfg(test)]
mod silent_tests;
#[cfg(test)]
mod tests;
mod tweak_add_public;
mod tweak_mul_public;
#[cfg(test)]
mod unlifted_tests;
mod verify_ecdsa;
mod verify_schnorr;

use super::columns::{Answers, ColumnCall, ColumnKind, ColumnOperation, Declaration, SharedKind};
use crate::Error;
pub(super) use {
    decompress::Decompress, derive_children::DeriveChildren, public_keys::PublicKeys, recover::Recover,
    shared_secrets::SharedSecrets, sign_ecdsa::SignEcdsa, sign_schnorr::SignSchnorr, tweak_add_public::TweakAddPublic,
    verify_ecdsa::VerifyEcdsa, verify_schnorr::VerifySchnorr,
};
#[cfg(test)]
pub(super) use {
    find_silent::FindSilentPayments, lift::LiftX, recover::in_rows, silent_outputs::SilentOutputs,
    tweak_mul_public::TweakMulPublic,
};

/// A function of its own for each operation, so that no call has the stack of all.
#[inline(never)]
fn in_columns<O: ColumnOperation>(call: ColumnCall<'_>, answer: impl Answers) -> Result<(), Error> {
    O::in_columns(call, answer)
}

/// Computes the operations of the list.
macro_rules! compute {
    ($(
        $(#[doc = $about:literal])*
        $operation:ident $name:ident ($($input:ident: $kind:ident $(($bytes:literal))?),*) $shared:tt
            -> $($many:ident: $record:ident)? ($($outputs:tt)*);
    )*) => {
        impl Operation {
            /// Computes rows in columns.
            pub(super) fn in_columns(self, call: ColumnCall<'_>, answer: impl Answers) -> Result<(), Error> {
                match self {
                    $(Operation::$operation => {
                        in_columns::<$operation>(call.of(&[$(ColumnKind::$kind $(($bytes))?),*]), answer)
                    })*
                }
            }
        }
    };
}

operations_on_rows!(declare_operations);
operations_on_rows!(compute);
