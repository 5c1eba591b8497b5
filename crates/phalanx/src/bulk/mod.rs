//! Bulk calls: slices in, one answer per row out.
//!
//! A [`Bulk`] is a backend and a number of threads. Its answers are those of the single operations, row by row and bit
//! for bit. They do not depend on the backend, the number of threads, the grouping of rows or the other rows.
//!
//! From the bottom up:
//!
//! - `memory`: the memory in which a chunk of rows is computed;
//! - `rows`: rows in slices and in columns;
//! - `operation`: what an operation on rows is;
//! - `on_lanes`: operations chunk by chunk;
//! - `one_lane`, `eight_lanes`: what operations on one lane, and in eight, have in common;
//! - `key_tables`: tables of keys that many rows share;
//! - `columns`: rows in columns;
//! - `operations`: the operations;
//! - [`OneThread`]: bulk calls on the calling thread, in memory that the caller lends;
//! - `builder`: the caller's choices.

mod builder;
mod columns;
mod eight_lanes;
mod key_tables;
mod memory;
mod on_lanes;
mod one_lane;
mod one_thread;
mod operation;
mod operations;
mod rows;
#[cfg(test)]
mod workspace_tests;

pub use columns::{Answer, ColumnOptions};
pub use one_thread::OneThread;
pub use operations::Operation;
pub use rows::Rows;
pub(crate) use rows::{Made, check, gathered, sealed};

use crate::{
    Backend, Error, Keypair, LowS, PublicKey, SecretKey, Verdict,
    backend::{Builder, Lanes, Threads, refuse},
    ecdsa, schnorr,
    wipe::ScalarStack,
};
use alloc::{vec, vec::Vec};
use core::{fmt, ops::Range};
use key_tables::{Keyed, KeyedOperation, TableScheduler};
use operation::{RowOperation, RowSet};
use operations::{
    Decompress, LiftX, PublicKeys, Recover, SharedSecrets, SignEcdsa, SignSchnorr, TweakAddPublic, VerifyEcdsa,
    VerifySchnorr,
};
use phalanx_engine::word::CacheLine;

/// Bulk operations on one backend and a number of threads.
///
/// On a vector unit, eight rows are computed side by side, and a call of fewer takes as long as one of eight. So for a
/// row or two, single calls may be faster.
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
    lanes: Lanes,
    threads: Threads,
    kept: alloc::sync::Arc<key_tables::KeyTableCache>,
}

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
        Ok(Bulk { lanes: Lanes::of(backend)?, threads, kept: key_tables::KeyTableCache::default().into() })
    }

    pub(crate) fn backend_and_threads(&self) -> (Backend, Threads) {
        (self.backend(), self.threads.clone())
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
        self.lanes.backend()
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

    /// Deals rows to the threads of this `Bulk`, in chunks: `work` gets the numbers of a chunk's rows, the elements of
    /// `out` for them, and the means to compute on the thread that it runs on, with a workspace. A thread keeps that
    /// memory from call to call.
    ///
    /// For work that surrounds a bulk operation, such as reading rows and writing answers.
    ///
    /// ```
    /// use phalanx::{Bulk, PublicKey, SecretKey};
    /// let numbers: Vec<u8> = (1..=100).collect();
    /// let mut keys = vec![[0; 33]; 100];
    /// Bulk::new().in_chunks(&mut keys, |rows, keys, bulk, workspace| {
    ///     let secrets: Vec<_> =
    ///         numbers[rows].iter().map(|i| SecretKey::from_bytes(&[*i; 32]).expect("below the order")).collect();
    ///     let mut points = vec![PublicKey::GENERATOR; secrets.len()];
    ///     bulk.public_keys(&secrets, &mut points, workspace).expect("a chunk's workspace");
    ///     keys.iter_mut().zip(points).for_each(|(key, point)| *key = point.to_bytes());
    /// });
    /// assert_eq!(keys[41], SecretKey::from_bytes(&[42; 32])?.public_key().to_bytes());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn in_chunks<T: Send>(
        &self,
        out: &mut [T],
        work: impl Fn(Range<usize>, &mut [T], OneThread, &mut [CacheLine]) + Sync,
    ) {
        let bulk = self.one_thread();
        self.threads.fill(out, |range, out| {
            memory::own(bulk.workspace_lines(), |memory| work(range, out, bulk, memory));
        });
    }

    /// The same backend on the calling thread, in memory that the caller lends.
    pub fn one_thread(&self) -> OneThread {
        OneThread::with(self.lanes)
    }

    /// The answers to rows.
    fn answers<O: RowOperation>(&self, operation: O, rows: O::Rows<'_>) -> Result<Vec<O::Out>, Error> {
        let mut out = vec![O::NONE; rows.count()?];
        self.answer(operation, rows, &mut out);
        Ok(out)
    }

    /// Writes the answers to rows, of which there are as many as answers.
    fn answer<O: RowOperation>(&self, operation: O, rows: O::Rows<'_>, out: &mut [O::Out]) {
        self.threads.fill(out, |range, out| {
            memory::own(self.lanes.lines_of_rows(), |memory| {
                self.lanes.run(operation, rows.part(range), out, memory);
            });
        });
    }

    /// The verdicts of rows, of which there are as many as verdicts: by tables of keys that many rows share, where
    /// there are eight lanes.
    fn verify<R: Keyed, O: KeyedOperation<R>>(&self, operation: O, rows: &dyn sealed::Rows<R>, out: &mut [Verdict]) {
        // Stands where no operation writes, which would be an error of this program.
        out.fill(O::NONE);
        match self.lanes {
            Lanes::Eight(machine) => {
                let (lines, threads, kept) = (self.lanes.lines_of_rows(), &self.threads, &self.kept);
                TableScheduler { operation, machine, lines, threads, kept, rows }.verify(out);
            }
            Lanes::One => self.threads.fill(out, |range, out| {
                memory::own(self.lanes.lines_of_rows(), |memory| {
                    gathered(rows, range, memory, |rows, memory| {
                        self.lanes.run(operation, O::rows(rows), out, memory);
                    });
                });
            }),
        }
    }

    /// [`ecdsa::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see
    /// [`key_table_memory`](crate::Builder::key_table_memory).
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
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        self.verify(VerifyEcdsa(low_s), &rows, &mut out);
        out
    }

    /// [`Bulk::verify_ecdsa`] into the caller's slice, of rows in a slice or in columns. A thread keeps the memory
    /// that it computes in from call to call, so that a later call of no more rows allocates nothing, unless keys
    /// repeat or the system's threads do.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows. Then every verdict is
    /// [`Verdict::InvalidSignature`].
    pub fn verify_ecdsa_into<'r>(
        &self,
        rows: impl Rows<ecdsa::Row<'r>>,
        low_s: LowS,
        out: &mut [Verdict],
    ) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.verify(VerifyEcdsa(low_s), &rows, out);
        Ok(())
    }

    /// [`schnorr::verify_row`] on each row. Variable time.
    ///
    /// Keys that many rows share get tables, which are kept: see
    /// [`key_table_memory`](crate::Builder::key_table_memory).
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
        let mut out = vec![Verdict::InvalidSignature; rows.len()];
        self.verify(VerifySchnorr, &rows, &mut out);
        out
    }

    /// [`Bulk::verify_schnorr`] into the caller's slice, as [`Bulk::verify_ecdsa_into`].
    ///
    /// # Errors
    /// As [`Bulk::verify_ecdsa_into`].
    pub fn verify_schnorr_into<'r>(&self, rows: impl Rows<schnorr::Row<'r>>, out: &mut [Verdict]) -> Result<(), Error> {
        out.fill(Verdict::InvalidSignature);
        check(&rows, out)?;
        self.verify(VerifySchnorr, &rows, out);
        Ok(())
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
        self.answers(Recover, rows).expect("one slice")
    }

    /// [`SecretKey::public_key`] of each key. Constant time.
    ///
    /// ```
    /// # use phalanx::{Bulk, SecretKey};
    /// let secret = SecretKey::random();
    /// assert_eq!(Bulk::new().public_keys(&[secret.clone()]), [secret.public_key()]);
    /// ```
    pub fn public_keys(&self, secrets: &[SecretKey]) -> Vec<PublicKey> {
        self.answers(PublicKeys, secrets).expect("one slice")
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
        self.answers(SignEcdsa, (digests, secrets))
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
        self.answers(SignSchnorr, (messages, pairs, aux))
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
        self.answers(SharedSecrets, (publics, secrets))
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
        self.answers(TweakAddPublic, (keys, tweaks))
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
    pub(crate) fn lift(&self, x: &[([u64; 4], bool)], out: &mut [Option<PublicKey>]) {
        assert_eq!(x.len(), out.len(), "a place for each point");
        self.answer(LiftX, x, out);
    }

    /// [`PublicKey::from_bytes`] of each encoding. Variable time.
    ///
    /// ```
    /// # use phalanx::{Bulk, Error, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(Bulk::new().decompress(&[&key.to_bytes(), &[]]), [Ok(key), Err(Error::BadPublicKey)]);
    /// ```
    pub fn decompress(&self, encoded: &[&[u8]]) -> Vec<Result<PublicKey, Error>> {
        self.answers(Decompress, encoded).expect("one slice")
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
        f.debug_struct("Bulk").field("backend", &self.backend()).field("threads", &self.threads()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{key_tables::TableRows, operation::OnRows, *};
    use crate::{XOnlyKeyRef, ecdsa::SignatureRef, keys::PublicKeyRef, lanes::Machine};

    /// An operation on `R` that writes no verdict.
    #[derive(Clone, Copy)]
    struct Silent;

    impl RowOperation for Silent {
        type Rows<'a> = &'a [()];
        type Out = Verdict;
        const NONE: Verdict = Verdict::InvalidSignature;
        const SECRET: bool = false;

        fn one_lane(self, _: &[()], _: &mut [Verdict], _: &mut [CacheLine]) {}
        fn eight_lanes<M: Machine>(self, _: M, _: &[()], _: &mut [Verdict], _: &mut [CacheLine]) {}
    }

    impl<R: Keyed> OnRows<R> for Silent {
        fn rows(rows: &[R]) -> &[()] {
            &[(); 1 << 12][..rows.len()]
        }
    }

    impl<R: Keyed> KeyedOperation<R> for Silent {
        fn by_tables<M: Machine>(self, _: M, _: TableRows<'_, R>, _: &mut [Verdict], _: &mut [CacheLine]) {}
    }

    /// The rows are under one key, and there are enough of them for a table to pay.
    #[test]
    fn a_row_that_no_operation_writes_is_not_valid() {
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
                let (rows, schnorr_rows) = (vec![row; count], vec![schnorr_row; count]);
                let mut found = [vec![Verdict::Valid; count], vec![Verdict::Valid; count]];
                let [ecdsa, schnorr] = &mut found;
                bulk.verify(Silent, &&rows[..], ecdsa);
                bulk.verify(Silent, &&schnorr_rows[..], schnorr);
                assert_eq!(found, [vec![Verdict::InvalidSignature; count], vec![Verdict::InvalidSignature; count]]);
            }
            assert_eq!(bulk.verify_ecdsa(&[row; 300], LowS::Require), [Verdict::Valid; 300]);
        }
    }
}
