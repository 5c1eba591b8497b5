//! The interface between the bulk calls and the backends: the computations that every backend offers.

use super::{Operation, key_tables::TableKernels};
use crate::{Error, Keypair, LowS, PublicKey, SecretKey, Verdict, ecdsa, schnorr};
use phalanx_engine::word::CacheLine;

/// The memory of a chunk.
pub(super) type Lines = [CacheLine];

/// A key for each row, or why there is none.
pub(super) type FoundKeys = [Result<PublicKey, Error>];

/// What BIP-340 signs, and by which keys and randomness.
#[derive(Clone, Copy)]
pub(super) struct SchnorrSecrets<'a> {
    pub(super) messages: &'a [&'a [u8]],
    pub(super) pairs: &'a [Keypair],
    pub(super) aux: &'a [[u8; 32]],
}

/// The bulk operations on one chunk of rows, by one thread.
///
/// Slices of one call are equally long; every element of `out` is written. Answers are those of the single operation of
/// the same name, whatever the neighbouring rows hold.
///
/// All memory that a call needs, beyond the stack, is `memory`: at least [`Kernels::lines`] of it.
pub(super) trait Kernels: Sync {
    /// Verification by tables of keys, if this backend has it.
    fn table_kernels(&self) -> Option<&dyn TableKernels> {
        None
    }

    /// The cache lines that an operation on a given number of rows takes.
    fn lines(&self, operation: Operation, rows: usize) -> usize;

    /// [`ecdsa::verify_row`] on each row.
    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict], memory: &mut Lines);

    /// [`schnorr::verify_row`] on each row.
    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], out: &mut [Verdict], memory: &mut Lines);

    /// [`ecdsa::recover_row`] on each row.
    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut FoundKeys, memory: &mut Lines);

    /// [`SecretKey::public_key`]. Constant time.
    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey], memory: &mut Lines);

    /// [`ecdsa::sign`]. Constant time.
    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey], out: &mut [ecdsa::Signature], memory: &mut Lines);

    /// [`schnorr::sign`]. Constant time.
    fn sign_schnorr(&self, rows: SchnorrSecrets<'_>, out: &mut [schnorr::Signature], memory: &mut Lines);

    /// [`crate::ecdh::shared_secret`]. Constant time.
    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]], memory: &mut Lines);

    /// [`PublicKey::tweak_add`]. Constant time in the tweaks.
    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut FoundKeys, memory: &mut Lines);

    /// The points with these x coordinates, below p, and y of these parities, where there is one.
    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>], memory: &mut Lines);

    /// [`PublicKey::from_bytes`].
    fn decompress(&self, encoded: &[&[u8]], out: &mut FoundKeys, memory: &mut Lines);
}
