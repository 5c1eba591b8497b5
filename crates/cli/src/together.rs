//! Whether rows are verified each by its own equation or together, by one sum of products for many.
//!
//! Verdicts are the same. Together is faster where all rows of a batch hold and few share a key: 1.3 times from 256 rows on
//! and 1.5 to 2.2 times from 1,024. A sum that is not infinity has been for nothing, and tables of keys that many rows
//! share, which the IFMA backend makes for single rows, are faster than either.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};

use phalanx::batch::{Hint, HintedRow};
use phalanx::ecdsa::RecoverRow;
use phalanx::{Backend, Bulk, LowS, PublicKeyRef, Verdict, XOnlyKeyRef, ecdsa, schnorr};

/// The user's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Together {
    /// Where it promises to be faster: many rows, few under the same key, and no bad ones in the batches before.
    Auto,
    /// Schnorr rows, and ECDSA rows with a recovery id.
    Always,
    /// No rows.
    Never,
}

/// Fewer rows than this gain little.
const FEWEST_ROWS: usize = 256;

/// From so many rows a key on, tables of keys win where there are any.
const ROWS_A_KEY: usize = 6;

/// Rows whose recovery ids are tried before a batch relies on them all.
const TRIED: usize = 8;

/// Batches that are verified row by row after the sum of one has failed, at most.
const LONGEST_DOUBT: u32 = 64;

/// Computes on the thread that calls it.
pub(crate) struct Means {
    batch: phalanx::Batch,
    together: Together,
    /// Batches still to be verified row by row before the next sum is tried.
    doubt: AtomicU32,
    /// How many there will be when the next sum fails: twice as many each time, until one holds.
    next_doubt: AtomicU32,
}

impl Means {
    pub(crate) fn new(bulk: &Bulk, together: Together) -> Means {
        let batch = phalanx::Batch::with(bulk);
        Means { batch, together, doubt: AtomicU32::new(0), next_doubt: AtomicU32::new(1) }
    }

    pub(crate) fn bulk(&self) -> &Bulk {
        self.batch.bulk()
    }

    /// The verdict of each row.
    pub(crate) fn verify_ecdsa(&self, rows: &[HintedRow<'_>], low_s: LowS) -> Vec<Verdict> {
        let keys = rows.iter().filter(|row| row.hint != Hint::None).map(|row| encoded(row.row.public_key));
        if self.gains(keys) && (self.together == Together::Always || self.hints_are_right(rows)) {
            return self.learn(self.batch.verify_ecdsa(rows, low_s));
        }
        let rows: Vec<ecdsa::Row<'_>> = rows.iter().map(|row| row.row).collect();
        self.bulk().verify_ecdsa(&rows, low_s)
    }

    /// The verdict of each row.
    pub(crate) fn verify_schnorr(&self, rows: &[schnorr::Row<'_>]) -> Vec<Verdict> {
        let keys = rows.iter().map(|row| match row.public_key {
            XOnlyKeyRef::Encoded(bytes) => bytes,
            XOnlyKeyRef::Parsed(_) => &[],
        });
        if self.gains(keys) { self.learn(self.batch.verify_schnorr(rows)) } else { self.bulk().verify_schnorr(rows) }
    }

    /// Whether rows under these keys are to be verified together.
    fn gains<'a>(&self, keys: impl Iterator<Item = &'a [u8]>) -> bool {
        match self.together {
            Together::Always => return true,
            Together::Never => return false,
            Together::Auto => {}
        }
        let keys: Vec<&[u8]> = keys.collect();
        if keys.len() < FEWEST_ROWS || self.doubts() {
            return false;
        }
        let distinct = keys.iter().collect::<HashSet<_>>().len();
        self.bulk().backend() == Backend::Portable || distinct * ROWS_A_KEY > keys.len()
    }

    /// Whether the sums of late have failed. Each answer takes away a doubt.
    fn doubts(&self) -> bool {
        self.doubt.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |doubt| doubt.checked_sub(1)).is_ok()
    }

    fn fails(&self) {
        let doubt = self.next_doubt.load(Ordering::Relaxed);
        self.doubt.store(doubt, Ordering::Relaxed);
        self.next_doubt.store((2 * doubt).min(LONGEST_DOUBT), Ordering::Relaxed);
    }

    /// Remembers whether the sum of a batch held.
    fn learn(&self, verdicts: Vec<Verdict>) -> Vec<Verdict> {
        if verdicts.contains(&Verdict::InvalidSignature) {
            self.fails();
        } else {
            self.next_doubt.store(1, Ordering::Relaxed);
        }
        verdicts
    }

    /// Whether some rows' recovery ids lead to their keys. One wrong id spoils a sum, though the row be valid.
    fn hints_are_right(&self, rows: &[HintedRow<'_>]) -> bool {
        let tried = rows.iter().step_by(rows.len().div_ceil(TRIED).max(1));
        let tried = tried.filter_map(|HintedRow { row, hint }| match hint {
            Hint::RecoveryId(recovery_id) => {
                let question = RecoverRow { digest: row.digest, signature: row.signature, recovery_id: *recovery_id };
                Some((question, encoded(row.public_key)))
            }
            _ => None,
        });
        let (questions, keys): (Vec<_>, Vec<_>) = tried.unzip();
        let found = self.bulk().recover(&questions);
        assert_eq!(found.len(), keys.len(), "as many results as rows");
        let right = found.into_iter().zip(keys).all(|(found, key)| {
            // Of an uncompressed key only x is compared: a hybrid one has another prefix.
            found.is_ok_and(|found| key.get(1..33) == Some(&found.to_bytes()[1..]))
        });
        if !right {
            self.fails();
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
