//! Bulk calls: slices in, one answer per row out.
//!
//! A [`Bulk`] is a backend and a number of threads. Its answers are those of the single operations, row by row and bit
//! for bit. They do not depend on the backend, the number of threads, the grouping of rows or the other rows.
//!
//! From the bottom up:
//!
//! - `memory`: the memory in which a chunk of rows is computed;
//! - `rows`: the rows of a call, a slice or columns;
//! - `operation`: what an operation on rows is;
//! - `on_lanes`: operations chunk by chunk;
//! - `one_lane`, `eight_lanes`: what operations on one lane, and in eight, have in common;
//! - `one_lane_by_x`: verification on one lane without square roots;
//! - `key_tables`: tables of keys that many rows share;
//! - `schedule`: which thread computes which rows, and in what order;
//! - `columns`: calls on columns of bytes, with a verdict for each row;
//! - `operations`: the operations;
//! - `one_thread`: rows on the calling thread, in memory that the caller lends;
//! - `builder`: the caller's choices.

mod builder;
pub(crate) mod columns;
mod eight_lanes;
mod key_tables;
mod memory;
mod on_lanes;
mod one_lane;
mod one_lane_by_x;
mod one_thread;
mod operation;
pub(crate) mod operations;
mod rows;
mod schedule;
#[cfg(test)]
mod workspace_tests;

pub(crate) use operations::Operation;
pub use rows::Rows;
pub(crate) use rows::{IndexedRows, check, sealed};

use crate::{
    Backend, Error, OneThread, SecretKey,
    backend::{Builder, Lanes, Threads, refuse},
    wipe::ScalarStack,
};
use alloc::{vec, vec::Vec};
use core::{fmt, ops::Range};
use operation::{RowOperation, RowSet};
use phalanx_engine::word::CacheLine;
use schedule::Schedule;

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
    cache: alloc::sync::Arc<key_tables::KeyTableCache>,
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
        Ok(Bulk { lanes: Lanes::of(backend)?, threads, cache: key_tables::KeyTableCache::default().into() })
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
    /// use phalanx::{Bulk, SecretKey, Verdict};
    /// use phalanx::bindings::{Column, ColumnOptions, Operation};
    /// let numbers: Vec<u8> = (1..=100).collect();
    /// let mut keys = vec![[0; 33]; 100];
    /// Bulk::new().in_chunks(&mut keys, |rows, keys, bulk, workspace| {
    ///     let secrets: Vec<[u8; 32]> = numbers[rows].iter().map(|i| [*i; 32]).collect();
    ///     let (columns, options) = ([Column::of(&secrets)], ColumnOptions::default());
    ///     let mut verdicts = vec![Verdict::InvalidSignature; keys.len()];
    ///     let write = |row: usize, _: usize, key: &[u8]| keys[row].copy_from_slice(key);
    ///     bulk.in_columns(Operation::PublicKeys, &columns, options, &mut verdicts, workspace, write)
    ///         .expect("a chunk's workspace");
    /// });
    /// assert_eq!(keys[41], SecretKey::from_bytes(&[42; 32])?.public_key().to_bytes());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    #[cfg(feature = "bindings")]
    pub fn in_chunks<T: Send>(
        &self,
        out: &mut [T],
        work: impl Fn(Range<usize>, &mut [T], OneThread, &mut [CacheLine]) + Sync,
    ) {
        let bulk = self.one_thread();
        self.schedule().chunks(out, |range, out, memory| work(range, out, bulk, memory));
    }

    /// The same backend on the calling thread, in memory that the caller lends.
    #[cfg(feature = "bindings")]
    pub fn one_thread(&self) -> OneThread {
        OneThread::with(self.lanes)
    }

    /// Who computes which rows.
    fn schedule(&self) -> Schedule<'_> {
        Schedule { threads: &self.threads, lines: self.lanes.lines_of_rows(), cache: &self.cache }
    }

    /// The answers to rows.
    fn answers<O: RowOperation>(&self, operation: O, rows: O::Rows<'_>) -> Result<Vec<O::Out>, Error> {
        let mut out = vec![O::NONE; rows.count()?];
        self.answer(operation, rows, &mut out);
        Ok(out)
    }

    /// Writes the answers to rows, of which there are as many as answers.
    fn answer<O: RowOperation>(&self, operation: O, rows: O::Rows<'_>, out: &mut [O::Out]) {
        self.schedule().chunks(out, |range, out, memory| self.lanes.run(operation, rows.part(range), out, memory));
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
    use super::{
        key_tables::{Keyed, KeyedOperation, TableRows},
        operation::OnRows,
        *,
    };
    use crate::{
        Keypair, LowS, Verdict, XOnlyKeyRef,
        ecdsa::{self, SignatureRef},
        keys::PublicKeyRef,
        lanes::Machine,
        schnorr,
    };

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
                bulk.schedule().verify(bulk.lanes, Silent, &&rows[..], ecdsa);
                bulk.schedule().verify(bulk.lanes, Silent, &&schnorr_rows[..], schnorr);
                assert_eq!(found, [vec![Verdict::InvalidSignature; count], vec![Verdict::InvalidSignature; count]]);
            }
            assert_eq!(bulk.verify_ecdsa(&[row; 300], LowS::Require), [Verdict::Valid; 300]);
        }
    }
}
