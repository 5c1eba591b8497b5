//! The backend that computes on eight rows at a time, on any [`Machine`].
//!
//! A row that some check has refused keeps its verdict. Its lane computes with harmless values from then on, so that it
//! cannot disturb its neighbours. A row for which an addition is exceptional stays in its lane: see [`crate::lanes`].

mod key_tables;
#[cfg(test)]
mod key_tables_tests;
mod keys;
mod multiples;
mod recover;
mod schnorr;
mod secret;
#[cfg(test)]
mod secret_tests;
#[cfg(test)]
mod tests;
mod verify;

use super::{kernels::Kernels, key_tables::TableKernels, portable::Portable};
use crate::{
    Error, Keypair, LowS, PublicKey, SecretKey, Verdict, ecdsa,
    lanes::{Machine, Scratch},
};
#[cfg(feature = "std")]
use core::cell::RefCell;
use multiples::KeyMultiples;
use phalanx_engine::word::LANES;

/// The backend on one machine.
#[derive(Clone, Copy)]
pub(super) struct Eight<M>(pub(super) M);

#[cfg(feature = "std")]
std::thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Lends memory for one chunk: the thread's, where there are threads.
fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    #[cfg(feature = "std")]
    return SCRATCH.with_borrow_mut(work);
    #[cfg(not(feature = "std"))]
    work(&mut Scratch::default())
}

/// The group and the lane of a row.
fn place(row: usize) -> (usize, usize) {
    (row / LANES, row % LANES)
}

impl<M: Machine> Kernels for Eight<M> {
    fn table_kernels(&self) -> Option<&dyn TableKernels> {
        Some(self)
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict]) {
        with_scratch(|scratch| verify::verify(self.0, rows, KeyMultiples::Keys, low_s, out, scratch));
    }

    fn verify_schnorr(&self, rows: &[crate::schnorr::Row<'_>], out: &mut [Verdict]) {
        with_scratch(|scratch| schnorr::verify(self.0, rows, KeyMultiples::Keys, out, scratch));
    }

    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut [Result<PublicKey, Error>]) {
        with_scratch(|scratch| recover::recover(self.0, rows, out, scratch));
    }

    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey]) {
        with_scratch(|scratch| secret::public_keys(self.0, secrets, out, scratch));
    }

    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey], out: &mut [ecdsa::Signature]) {
        with_scratch(|scratch| secret::sign_ecdsa(self.0, digests, secrets, out, scratch));
    }

    fn sign_schnorr(
        &self,
        messages: &[&[u8]],
        pairs: &[Keypair],
        aux: &[[u8; 32]],
        out: &mut [crate::schnorr::Signature],
    ) {
        with_scratch(|scratch| secret::sign_schnorr(self.0, messages, pairs, aux, out, scratch));
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]]) {
        with_scratch(|scratch| secret::shared_secrets(self.0, publics, secrets, out, scratch));
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut [Result<PublicKey, Error>]) {
        Portable.tweak_add_public(keys, tweaks, out);
    }

    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
        keys::lift(self.0, x, out);
    }

    fn decompress(&self, encoded: &[&[u8]], out: &mut [Result<PublicKey, Error>]) {
        keys::decompress(self.0, encoded, out);
    }
}
