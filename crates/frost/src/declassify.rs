//! Where something computed from secrets becomes public: the public keys of secrets that are multiplied in bulk. Single
//! calls of the library declare theirs themselves.

use alloc::vec::Vec;
use phalanx::{Bulk, PublicKey, SecretKey, bindings::declassify};

/// The public keys of secrets, to be published.
pub(crate) fn public_keys(secrets: &[SecretKey], bulk: &Bulk) -> Vec<PublicKey> {
    bulk.public_keys(secrets).into_iter().map(declassify).collect()
}
