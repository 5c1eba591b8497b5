//! Where something computed from a secret becomes public: the public keys of secrets that are multiplied in bulk. Single
//! calls of the library declare theirs themselves.
//!
//! Under `--cfg phalanx_valgrind` this tells valgrind's memory checker that the value may be branched on. Otherwise it
//! does nothing.

use alloc::vec::Vec;
use phalanx::{Bulk, PublicKey, SecretKey};

/// The public keys of secrets, to be published.
pub(crate) fn public_keys(secrets: &[SecretKey], bulk: &Bulk) -> Vec<PublicKey> {
    let mut publics = bulk.public_keys(secrets);
    publics.iter_mut().for_each(declassify);
    publics
}

#[cfg(not(phalanx_valgrind))]
#[inline(always)]
fn declassify(_: &mut PublicKey) {}

#[cfg(phalanx_valgrind)]
fn declassify(public: &mut PublicKey) {
    phalanx::make_defined_for_valgrind((&raw mut *public).addr(), size_of::<PublicKey>());
    core::hint::black_box(public);
}
