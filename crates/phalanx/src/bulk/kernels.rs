//! The seam between the bulk calls and the backends: what every backend computes.

use super::key_tables::TableKernels;
use crate::{Error, Keypair, LowS, PublicKey, SecretKey, Verdict, ecdsa, schnorr};

/// The bulk operations on one chunk of rows, by one thread.
///
/// Slices of one call are equally long; every element of the last one, `out`, is written. Answers are those of the
/// single operation of the same name, whatever the neighbouring rows hold.
pub(super) trait Kernels: Sync {
    /// Verification by tables of keys, if this backend has it.
    fn table_kernels(&self) -> Option<&dyn TableKernels> {
        None
    }

    /// [`ecdsa::verify_row`] on each row.
    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS, out: &mut [Verdict]);

    /// [`schnorr::verify_row`] on each row.
    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], out: &mut [Verdict]);

    /// [`ecdsa::recover_row`] on each row.
    fn recover(&self, rows: &[ecdsa::RecoverRow<'_>], out: &mut [Result<PublicKey, Error>]);

    /// [`SecretKey::public_key`]. Constant time.
    fn public_keys(&self, secrets: &[SecretKey], out: &mut [PublicKey]);

    /// [`ecdsa::sign`]. Constant time.
    fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey], out: &mut [ecdsa::Signature]);

    /// [`schnorr::sign`]. Constant time.
    fn sign_schnorr(&self, messages: &[&[u8]], pairs: &[Keypair], aux: &[[u8; 32]], out: &mut [schnorr::Signature]);

    /// [`crate::ecdh::shared_secret`]. Constant time.
    fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey], out: &mut [[u8; 32]]);

    /// [`PublicKey::tweak_add`]. Constant time in the tweaks.
    fn tweak_add_public(&self, keys: &[PublicKey], tweaks: &[[u8; 32]], out: &mut [Result<PublicKey, Error>]);

    /// The points with these x coordinates, below p, and y of these parities, where there is one.
    fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]);

    /// [`PublicKey::from_bytes`].
    fn decompress(&self, encoded: &[&[u8]], out: &mut [Result<PublicKey, Error>]);
}
