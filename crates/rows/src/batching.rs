//! The choice between two ways to verify rows: each row by its own equation, or many rows together by one sum of
//! products.
//!
//! Both ways give the same verdicts. Together is faster if all rows of a batch hold and few share a key: 1.3 times from
//! 256 rows on, and 1.5 to 2.2 times from 1,024 rows on. If some row does not hold, the sum of the batch was in vain.
//! If many rows share a key, single rows are faster on the IFMA backend, which makes a table for such a key.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};

use phalanx::ecdsa::RecoverRow;
use phalanx::ecdsa::{Hint, HintedRow};
use phalanx::{Backend, Bulk, LowS, PublicKeyRef, Verdict, XOnlyKeyRef, ecdsa, schnorr};

/// Which rows are verified together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchMode {
    /// Rows for which that promises to be faster: many rows, few under the same key, and no bad ones in the batches
    /// before.
    Auto,
    /// All Schnorr rows, and all ECDSA rows with a recovery id.
    Always,
    /// No rows.
    Never,
}

// The thresholds of this crate. `lab/trials.md` of the repository, "Files", says what sums gain on real files; other
// values were not measured apart.

/// With fewer rows per sum gains little.
const MIN_ROWS: usize = 256;

/// So few rows are faster one by one: lanes take as long for one row as for all that they hold, which is the time of
/// three rows on `ifma` and of six on `fma`.
const FEW_ROWS: usize = 2;

/// From this number of rows per key on, single rows are faster where the backend makes tables of keys. By that page
/// they are twice as fast with 16 rows per key, and sums are 1.4 times as fast with four.
const ROWS_PER_KEY: usize = 6;

/// The number of rows whose recovery ids are checked before a batch relies on all recovery ids.
const SAMPLED_HINTS: usize = 8;

/// The most batches that are verified row by row after a sum has failed.
const MAX_BACKOFF: u32 = 64;

/// Verifies rows by the cheaper of two ways, and learns from the batches before. Threads may share one.
#[derive(Debug)]
pub struct Verifier {
    batch: phalanx::Batch,
    mode: BatchMode,
    /// Batches still to be verified row by row before the next sum is tried.
    backoff: AtomicU32,
    /// What `backoff` becomes when the next sum fails. It doubles each time, up to [`MAX_BACKOFF`], and is 1 again
    /// after a sum that holds.
    next_backoff: AtomicU32,
}

impl Verifier {
    /// With the backend and the threads of `bulk`, in this mode.
    pub fn new(bulk: &Bulk, mode: BatchMode) -> Verifier {
        let batch = phalanx::Batch::with(bulk);
        Verifier { batch, mode, backoff: AtomicU32::new(0), next_backoff: AtomicU32::new(1) }
    }

    /// The bulk operations by which single rows are verified.
    pub fn bulk(&self) -> &Bulk {
        self.batch.bulk()
    }

    /// The verdict of each row.
    pub(crate) fn verify_ecdsa(&self, rows: &[HintedRow<'_>], low_s: LowS) -> Vec<Verdict> {
        let keys = rows.iter().filter(|row| row.hint != Hint::None).map(|row| encoded(row.row.public_key));
        if self.should_batch(keys) && (self.mode == BatchMode::Always || self.hints_are_right(rows)) {
            return self.record(self.batch.verify_ecdsa(rows, low_s));
        }
        let rows: Vec<ecdsa::Row<'_>> = rows.iter().map(|row| row.row).collect();
        if rows.len() <= FEW_ROWS {
            let one_thread = self.bulk().one_thread();
            return rows.iter().map(|row| one_thread.verify_ecdsa_row(row, low_s)).collect();
        }
        self.bulk().verify_ecdsa(&rows, low_s)
    }

    /// The verdict of each row.
    pub(crate) fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        let keys = rows.iter().map(|row| match row.public_key {
            XOnlyKeyRef::Encoded(bytes) => bytes,
            XOnlyKeyRef::Parsed(_) => &[],
        });
        if self.should_batch(keys) {
            self.record(self.batch.verify_schnorr(rows))
        } else if rows.len() <= FEW_ROWS {
            rows.iter().map(|row| self.bulk().one_thread().verify_schnorr_row(row)).collect()
        } else {
            self.bulk().verify_schnorr(rows)
        }
    }

    /// Whether rows under these keys are to be verified together.
    fn should_batch<'a>(&self, keys: impl Iterator<Item = &'a [u8]>) -> bool {
        match self.mode {
            BatchMode::Always => return true,
            BatchMode::Never => return false,
            BatchMode::Auto => {}
        }
        let keys: Vec<&[u8]> = keys.collect();
        if keys.len() < MIN_ROWS || self.consume_backoff() {
            return false;
        }
        let distinct = keys.iter().collect::<HashSet<_>>().len();
        self.bulk().backend() == Backend::Portable || distinct * ROWS_PER_KEY > keys.len()
    }

    /// Whether this batch is to be verified row by row because a sum has failed. If so, `backoff` goes down by one.
    fn consume_backoff(&self) -> bool {
        self.backoff.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    fn increase_backoff(&self) {
        let backoff = self.next_backoff.load(Ordering::Relaxed);
        self.backoff.store(backoff, Ordering::Relaxed);
        self.next_backoff.store((2 * backoff).min(MAX_BACKOFF), Ordering::Relaxed);
    }

    /// Remembers whether the sum of a batch held.
    fn record(&self, verdicts: Vec<Verdict>) -> Vec<Verdict> {
        if verdicts.contains(&Verdict::InvalidSignature) {
            self.increase_backoff();
        } else {
            self.next_backoff.store(1, Ordering::Relaxed);
        }
        verdicts
    }

    /// Whether the recovery ids of some sampled rows lead to the rows' keys. One wrong id spoils the sum, even if its
    /// row is valid.
    fn hints_are_right(&self, rows: &[HintedRow<'_>]) -> bool {
        let sampled = rows.iter().step_by(rows.len().div_ceil(SAMPLED_HINTS).max(1));
        let sampled = sampled.filter_map(|HintedRow { row, hint }| match hint {
            Hint::RecoveryId(recovery_id) => {
                let question = RecoverRow { digest: row.digest, signature: row.signature, recovery_id: *recovery_id };
                Some((question, encoded(row.public_key)))
            }
            _ => None,
        });
        let (questions, keys): (Vec<_>, Vec<_>) = sampled.unzip();
        let found = self.bulk().recover(&questions);
        assert_eq!(found.len(), keys.len(), "as many results as rows");
        let right = found.into_iter().zip(keys).all(|(found, key)| {
            // Of an uncompressed key only x is compared: a hybrid one has another prefix.
            found.is_ok_and(|found| key.get(1..33) == Some(&found.to_bytes()[1..]))
        });
        if !right {
            self.increase_backoff();
        }
        right
    }
}

fn encoded(key: PublicKeyRef<'_>) -> &[u8] {
    match key {
        PublicKeyRef::Encoded(bytes) | PublicKeyRef::EncodedHybrid(bytes) => bytes,
        PublicKeyRef::Parsed(_) => &[],
    }
}
