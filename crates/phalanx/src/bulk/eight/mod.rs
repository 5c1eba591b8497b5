//! The backend that computes on eight rows at a time, on any [`Machine`].
//!
//! A row that a check has refused keeps its verdict. From then on its lane computes with harmless values, and does not
//! disturb the other lanes. A row that meets an exceptional addition stays in its lane: see [`crate::lanes`].

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

use super::{
    Operation,
    kernels::{FoundKeys, Kernels, Lines, SchnorrSecrets},
    key_tables::TableKernels,
    memory::with_room,
    portable::Portable,
};
use crate::{
    LowS, PublicKey, SecretKey, Verdict, ecdsa,
    lanes::{Machine, Scratch, ScratchSize},
};
use multiples::KeyMultiples;
use phalanx_engine::{arena::Lists, word::LANES};

/// The backend on one machine.
#[derive(Clone, Copy)]
pub(super) struct LaneKernels<M>(pub(super) M);

/// The memory that a chunk takes: cache lines of lists, and what schedules work in.
#[derive(Clone, Copy)]
struct Size {
    lists: usize,
    scratch: ScratchSize,
}

impl Size {
    fn lines(self) -> usize {
        self.lists + self.scratch.lines()
    }
}

/// Calls `work` with lists and scratch memory of this size, out of `memory`.
fn in_room<'env, T>(
    memory: &mut Lines,
    size: Size,
    work: impl for<'a> FnOnce(&mut Lists<'a, 'env>, &mut Scratch<'a>) -> T,
) -> T {
    with_room(memory, size.lists, |lists, numbers| work(lists, &mut Scratch::new(size.scratch, numbers)))
}

/// The group and the lane of a row.
fn place(row: usize) -> (usize, usize) {
    (row / LANES, row % LANES)
}

impl<M: Machine> Kernels for LaneKernels<M> {
    fn table_kernels(&self) -> Option<&dyn TableKernels> {
        Some(self)
    }

    fn lines(&self, operation: Operation, rows: usize) -> usize {
        match operation {
            Operation::VerifyEcdsa => verify::size(rows, KeyMultiples::Keys).lines(),
            Operation::VerifySchnorr => schnorr::size(rows, KeyMultiples::Keys).lines(),
            Operation::Recover => recover::size(rows).lines(),
            Operation::PublicKeys => secret::size_of_public_keys(rows).lines(),
            Operation::SignEcdsa => secret::size_of_ecdsa(rows).lines(),
            Operation::SignSchnorr => secret::size_of_schnorr(rows).lines(),
            Operation::SharedSecrets => secret::size_of_shared(rows).lines(),
            Operation::TweakAddPublic => Portable.lines(operation, rows),
            Operation::Decompress => keys::size(rows).lines(),
        }
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict], memory: &mut Lines) {
        verify::verify(self.0, rows, KeyMultiples::Keys, low_s, out, memory);
    }

    fn verify_schnorr(&self, rows: &[crate::schnorr::Row<'_>], out: &mut [Verdict], memory: &mut Lines) {
        schnorr::verify(self.0, rows, KeyMultiples::Keys, out, memory);
    }

    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut FoundKeys, memory: &mut Lines) {
        recover::recover(self.0, rows, out, memory);
    }

    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey], memory: &mut Lines) {
        secret::public_keys(self.0, secrets, out, memory);
    }

    fn sign_ecdsa(
        &self,
        digests: &[[u8; 32]],
        secrets: &[SecretKey],
        out: &mut [ecdsa::Signature],
        memory: &mut Lines,
    ) {
        secret::sign_ecdsa(self.0, digests, secrets, out, memory);
    }

    fn sign_schnorr(&self, rows: SchnorrSecrets<'_>, out: &mut [crate::schnorr::Signature], memory: &mut Lines) {
        secret::sign_schnorr(self.0, rows, out, memory);
    }

    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]], memory: &mut Lines) {
        secret::shared_secrets(self.0, publics, secrets, out, memory);
    }

    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut FoundKeys, memory: &mut Lines) {
        Portable.tweak_add_public(keys, tweaks, out, memory);
    }

    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>], memory: &mut Lines) {
        keys::lift(self.0, x, out, memory);
    }

    fn decompress(&self, encoded: &[&[u8]], out: &mut FoundKeys, memory: &mut Lines) {
        keys::decompress(self.0, encoded, out, memory);
    }
}
