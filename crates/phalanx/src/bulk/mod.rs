//! Bulk calls: slices in, one answer per row out.
//!
//! A [`Bulk`] is a backend and a number of threads. Its answers are those of the single operations, row by row and bit
//! for bit; they do not depend on the backend, on the number of threads, on how rows are grouped or on what other rows
//! hold.
//!
//! - `builder`: choices;
//! - `kernels`: the interface that backends share; `portable`: the one for any CPU; `eight`: the one in lanes;
//! - `key_tables`: tables of keys that many rows share.

mod builder;
mod eight;
mod kernels;
mod key_tables;
mod portable;
mod select;

use crate::{
    Backend, Error, Keypair, LowS, PublicKey, SecretKey, Verdict,
    backend::{Builder, Threads, refuse},
    ecdsa, schnorr,
    tables::LookupWindow,
    wipe::{ChunkStack, ScalarStack},
};
use alloc::{vec, vec::Vec};
use core::fmt;
use kernels::Kernels;
use key_tables::{Keyed, Ordinary, TableKernels, TableScheduler};
use select::Code;

/// Bulk operations on one backend and a number of threads.
///
/// ```
/// use phalanx::{Bulk, LowS, SecretKey, Verdict, ecdsa};
/// let secrets: Vec<_> = (1..=100u8).map(|i| SecretKey::from_bytes(&[i; 32])).collect::<Result<_, _>>()?;
/// let digests: Vec<_> = (1..=100u8).map(|i| [i; 32]).collect();
///
/// let bulk = Bulk::new();
/// let keys = bulk.public_keys(&secrets);
/// let signatures = bulk.sign_ecdsa(&digests, &secrets)?;
/// let verdicts = bulk.verify_ecdsa(&ecdsa::rows(&digests, &signatures, &keys)?, LowS::Require);
/// assert!(verdicts.iter().all(|verdict| verdict.is_valid()));
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone)]
pub struct Bulk {
    backend: Backend,
    code: Code,
    threads: Threads,
    kept: alloc::sync::Arc<key_tables::KeyTableCache>,
}

/// Computes rows by the code of a backend that takes tables of keys.
type WithTables<'a, R> = dyn Fn(&dyn TableKernels, &[R], &[&[LookupWindow]], &mut [Verdict]) + Sync + 'a;

impl Bulk {
    /// The best backend and all cores, or the backend that the environment variable `PHALANX_BACKEND` names.
    ///
    /// # Panics
    /// If `PHALANX_BACKEND` names a backend that is not available: to go on with another would defeat its purpose.
    /// [`Bulk::builder`] gives an error instead.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// assert!(Bulk::new().threads() >= 1);
    /// ```
    pub fn new() -> Self {
        Self::builder().build().unwrap_or_else(|error| refuse(error))
    }

    pub(crate) fn with(backend: Backend, threads: Threads) -> Result<Self, Error> {
        Ok(Bulk { backend, code: Code::of(backend)?, threads, kept: key_tables::KeyTableCache::default().into() })
    }

    fn kernels(&self) -> &dyn Kernels {
        self.code.kernels()
    }

    pub(crate) fn backend_and_threads(&self) -> (Backend, Threads) {
        (self.backend, self.threads.clone())
    }

    /// To choose backend and threads.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// assert_eq!(Bulk::builder().threads(2).build()?.threads(), 2);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn builder() -> Builder<Bulk> {
        Builder::default()
    }

    /// The backend that computes.
    ///
    /// ```
    /// # use phalanx::{Backend, Bulk};
    /// assert!(Backend::available().contains(&Bulk::new().backend()));
    /// ```
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The number of threads that a call made from here uses.
    ///
    /// ```
    /// # use phalanx::Bulk;
    /// assert_eq!(Bulk::builder().threads(1).build()?.threads(), 1);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// [`ecdsa::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see [`prepared_memory`](Builder::prepared_memory).
    ///
    /// ```
    /// # use phalanx::{Bulk, LowS, PublicKeyRef, Verdict, ecdsa};
    /// let row = ecdsa::Row {
    ///     digest: &[1; 32],
    ///     signature: ecdsa::SignatureRef::Compact(&[1; 64]),
    ///     public_key: PublicKeyRef::Encoded(&[0; 33]),
    /// };
    /// assert_eq!(Bulk::new().verify_ecdsa(&[row], LowS::Allow), [Verdict::BadPublicKey]);
    /// ```
    pub fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], low_s: LowS) -> Vec<Verdict> {
        let tables = |code: &dyn TableKernels, rows: &[_], tables: &[&[_]], out: &mut [_]| {
            code.verify_ecdsa(rows, tables, low_s, out);
        };
        self.verify(rows, &|rows, out| self.kernels().verify_ecdsa(rows, low_s, out), &tables)
    }

    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see [`prepared_memory`](Builder::prepared_memory).
    ///
    /// ```
    /// # use phalanx::{Bulk, Keypair, schnorr};
    /// let pair = Keypair::random();
    /// let signatures = [schnorr::sign(b"m", &pair, &[0; 32]).to_bytes()];
    /// let keys = [pair.x_only()];
    /// let verdicts = Bulk::new().verify_schnorr(&schnorr::rows(&[b"m"], &signatures, &keys)?);
    /// assert!(verdicts[0].is_valid());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        let tables = |code: &dyn TableKernels, rows: &[_], tables: &[&[_]], out: &mut [_]| {
            code.verify_schnorr(rows, tables, out);
        };
        self.verify(rows, &|rows, out| self.kernels().verify_schnorr(rows, out), &tables)
    }

    /// The verdicts of rows: by tables of keys that many rows share, where the backend has these, else without.
    fn verify<R: Keyed>(&self, rows: &[R], ordinary: &Ordinary<'_, R>, by_tables: &WithTables<'_, R>) -> Vec<Verdict> {
        // Stands where no kernel writes, which would be an error of this program.
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        match self.kernels().table_kernels() {
            Some(table_kernels) => {
                let prepared = |rows: &[R], tables: &[&[LookupWindow]], out: &mut [Verdict]| {
                    by_tables(table_kernels, rows, tables, out)
                };
                let (threads, kept) = (&self.threads, &*self.kept);
                TableScheduler { table_kernels, threads, kept, rows, ordinary, prepared: &prepared }.verify(&mut out);
            }
            None => self.threads.fill(&mut out, |range, out| ordinary(&rows[range], out)),
        }
        out
    }

    /// [`ecdsa::recover_row`] on each row. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdsa};
    /// let secret = SecretKey::random();
    /// let (signature, id) = ecdsa::sign_recoverable(&[1; 32], &secret);
    /// let keys = Bulk::new().recover(&ecdsa::recover_rows(&[[1; 32]], &[signature], &[id])?);
    /// assert_eq!(keys, [Ok(secret.public_key())]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn recover(&self, rows: &[ecdsa::RecoverRow<'_>]) -> Vec<Result<PublicKey, Error>> {
        let mut out = vec![Err(Error::InvalidSignature); rows.len()];
        self.threads.fill(&mut out, |range, out| self.kernels().recover(&rows[range], out));
        out
    }

    /// [`SecretKey::public_key`] of each key. Constant time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey};
    /// let secret = SecretKey::random();
    /// assert_eq!(Bulk::new().public_keys(&[secret.clone()]), [secret.public_key()]);
    /// ```
    pub fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey> {
        let mut out = vec![PublicKey::GENERATOR; secrets.len()];
        self.threads
            .fill(&mut out, |range, out| ChunkStack::cleared(|| self.kernels().public_keys(&secrets[range], out)));
        out
    }

    /// [`ecdsa::sign`] with each digest and key. Constant time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdsa};
    /// let secret = SecretKey::random();
    /// let signatures = Bulk::new().sign_ecdsa(&[[1; 32]], &[secret.clone()])?;
    /// assert_eq!(signatures, [ecdsa::sign(&[1; 32], &secret)]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_ecdsa(&self, digests: &[[u8; 32]], secrets: &[SecretKey]) -> Result<Vec<ecdsa::Signature>, Error> {
        Error::check_lengths(digests.len(), secrets.len())?;
        let mut out = vec![ecdsa::Signature::PLACEHOLDER; digests.len()];
        self.threads.fill(&mut out, |range, out| {
            ChunkStack::cleared(|| self.kernels().sign_ecdsa(&digests[range.clone()], &secrets[range], out));
        });
        Ok(out)
    }

    /// [`schnorr::sign`] with each message, pair and auxiliary randomness. Constant time.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Keypair, schnorr};
    /// let pair = Keypair::random();
    /// let signatures = Bulk::new().sign_schnorr(&[b"m"], &[pair.clone()], &[[0; 32]])?;
    /// assert_eq!(signatures, [schnorr::sign(b"m", &pair, &[0; 32])]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn sign_schnorr(
        &self,
        messages: &[&[u8]],
        pairs: &[Keypair],
        aux: &[[u8; 32]],
    ) -> Result<Vec<schnorr::Signature>, Error> {
        Error::check_lengths(messages.len(), pairs.len())?;
        Error::check_lengths(messages.len(), aux.len())?;
        let mut out = vec![schnorr::Signature::PLACEHOLDER; messages.len()];
        self.threads.fill(&mut out, |range, out| {
            let (messages, pairs) = (&messages[range.clone()], &pairs[range.clone()]);
            ChunkStack::cleared(|| self.kernels().sign_schnorr(messages, pairs, &aux[range], out));
        });
        Ok(out)
    }

    /// [`crate::ecdh::shared_secret`] of each pair of keys. Constant time in the secret keys.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey, ecdh};
    /// let (mine, theirs) = (SecretKey::random(), SecretKey::random().public_key());
    /// let shared = Bulk::new().shared_secrets(&[theirs], &[mine.clone()])?;
    /// assert_eq!(shared, [ecdh::shared_secret(&theirs, &mine)]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn shared_secrets(&self, publics: &[PublicKey], secrets: &[SecretKey]) -> Result<Vec<[u8; 32]>, Error> {
        Error::check_lengths(publics.len(), secrets.len())?;
        let mut out = vec![[0; 32]; publics.len()];
        self.threads.fill(&mut out, |range, out| {
            ChunkStack::cleared(|| self.kernels().shared_secrets(&publics[range.clone()], &secrets[range], out));
        });
        Ok(out)
    }

    /// [`PublicKey::tweak_add`] of each key and tweak. Constant time in the tweaks, except that it tells whether the
    /// result is a key.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// let tweaked = Bulk::new().tweak_add_public(&[key, key], &[[1; 32], [0xff; 32]])?;
    /// assert_eq!(tweaked, [key.tweak_add(&[1; 32]), Err(Error::BadTweak)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn tweak_add_public(
        &self,
        keys: &[PublicKey],
        tweaks: &[[u8; 32]],
    ) -> Result<Vec<Result<PublicKey, Error>>, Error> {
        Error::check_lengths(keys.len(), tweaks.len())?;
        let mut out = vec![Err(Error::BadTweak); keys.len()];
        self.threads.fill(&mut out, |range, out| {
            ChunkStack::cleared(|| self.kernels().tweak_add_public(&keys[range.clone()], &tweaks[range], out));
        });
        Ok(out)
    }

    /// [`SecretKey::tweak_add`] of each key and tweak. Constant time, except that it tells whether the result is a key.
    ///
    /// An addition modulo the group order is so little work that one thread does it, the same way on every backend.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey};
    /// let secret = SecretKey::random();
    /// let tweaked = Bulk::new().tweak_add_secret(&[secret.clone()], &[[1; 32]])?;
    /// assert_eq!(tweaked, [secret.tweak_add(&[1; 32])]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_add_secret(
        &self,
        secrets: &[SecretKey],
        tweaks: &[[u8; 32]],
    ) -> Result<Vec<Result<SecretKey, Error>>, Error> {
        Error::check_lengths(secrets.len(), tweaks.len())?;
        let tweaked = || secrets.iter().zip(tweaks).map(|(secret, tweak)| secret.tweak_add(tweak)).collect();
        Ok(ScalarStack::cleared(tweaked))
    }

    /// The points with these x coordinates, below p, and y of these parities, where there is one.
    pub(crate) fn lift(&self, x: &[([u64; 4], bool)]) -> Vec<Option<PublicKey>> {
        let mut out = vec![None; x.len()];
        self.threads.fill(&mut out, |range, out| self.kernels().lift(&x[range], out));
        out
    }

    /// [`PublicKey::from_bytes`] of each encoding. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(Bulk::new().decompress(&[&key.to_bytes(), &[]]), [Ok(key), Err(Error::BadPublicKey)]);
    /// ```
    pub fn decompress(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>> {
        let mut out = vec![Err(Error::BadPublicKey); encoded.len()];
        self.threads.fill(&mut out, |range, out| self.kernels().decompress(&encoded[range], out));
        out
    }
}

impl Default for Bulk {
    /// As [`Bulk::new`].
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Bulk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").field("backend", &self.backend).field("threads", &self.threads()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Keypair, XOnlyKeyRef, ecdsa::SignatureRef, keys::PublicKeyRef};

    /// The rows are under one key, and there are enough of them for a table to pay.
    #[test]
    fn a_row_that_no_kernel_writes_is_not_valid() {
        let pair = Keypair::from_secret(SecretKey::from_bytes(&[7; 32]).unwrap());
        let (key, x_only) = (pair.public_key(), pair.x_only());
        let signature = ecdsa::sign(&[1; 32], pair.secret_key());
        let row = ecdsa::Row {
            digest: &[1; 32],
            signature: SignatureRef::Parsed(&signature),
            public_key: PublicKeyRef::Parsed(&key),
        };
        let signature = schnorr::sign(&[1; 32], &pair, &[0; 32]).to_bytes();
        let schnorr_row =
            schnorr::Row { message: &[1; 32], signature: &signature, public_key: XOnlyKeyRef::Parsed(&x_only) };
        for backend in Backend::available() {
            let bulk = Bulk::builder().backend(*backend).build().unwrap();
            for count in [1, 8, 300] {
                let found = [
                    bulk.verify(&vec![row; count], &|_, _| {}, &|_, _, _, _| {}),
                    bulk.verify(&vec![schnorr_row; count], &|_, _| {}, &|_, _, _, _| {}),
                ];
                assert_eq!(found, [vec![Verdict::InvalidSignature; count], vec![Verdict::InvalidSignature; count]]);
            }
            assert_eq!(bulk.verify_ecdsa(&[row; 300], LowS::Require), [Verdict::Valid; 300]);
        }
    }
}
