//! Batch verification: many signatures by one sum of products, with a verdict per row.
//!
//! Each row's equation is multiplied by a random coefficient, and the products are added. One sum of products tells
//! whether the total is infinity. If every row holds, the total is infinity. If some row does not hold, the total is
//! infinity with probability at most 2^-128, whoever chose the rows. If the total is not infinity, `search` looks for
//! the rows that do not hold, and every row that no sum clears is verified alone. Where the operating system gives no
//! randomness, rows are verified one by one.
//!
//! So a row gets the verdict of the single call. The exception is a wrong row that a sum clears; its probability is
//! less than 2^-124. The [argument](crate::Batch#batch-verification) stands at [`Batch`](crate::Batch).
//!
//! All is variable time.

mod backend;
mod coefficients;
pub(crate) mod ecdsa;
mod equation;
mod lifts;
mod one_thread;
mod schnorr;
mod search;
mod verdicts;

#[cfg(feature = "std")]
use crate::tuning::KEPT_WORKSPACE_BYTES;
use crate::{Bulk, msm::Msm};
#[cfg(feature = "bindings")]
use crate::{
    Error, Verdict,
    bulk::{Rows, check},
    tuning::ROWS_PER_SUM,
};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::cell::Cell;
use phalanx_engine::{arena::Arena, word::CacheLine};

// Memory that a thread keeps from batch to batch. It holds no values between them: to give it values, zeros, took a
// twentieth of a batch of 16,384 rows.
#[cfg(feature = "std")]
std::thread_local! {
    static LINES: Cell<Vec<CacheLine>> = const { Cell::new(Vec::new()) };
}

/// Batch verification, on a backend and a number of threads: many signatures by one sum of products, with a verdict for
/// each row.
///
/// ```
/// use phalanx::{Batch, Keypair, schnorr};
/// let pairs: Vec<_> = (0..20).map(|_| Keypair::random()).collect();
/// let signatures: Vec<_> = pairs.iter().map(|pair| schnorr::sign(b"m", pair, &[0; 32]).to_bytes()).collect();
/// let keys: Vec<_> = pairs.iter().map(|pair| pair.x_only()).collect();
/// let verdicts = Batch::new().verify_schnorr(&schnorr::rows(&[b"m"; 20], &signatures, &keys)?);
/// assert!(verdicts.iter().all(|verdict| verdict.is_valid()));
/// # Ok::<(), phalanx::Error>(())
/// ```
///
#[doc = include_str!("../../docs/batch.md")]
#[derive(Debug, Clone)]
pub struct Batch {
    bulk: Bulk,
    msm: Msm,
}

impl Batch {
    /// By the means of [`Bulk::new`].
    ///
    /// # Panics
    /// As [`Bulk::new`].
    pub fn new() -> Self {
        Self::with(&Bulk::new())
    }

    /// By the means of these bulk operations.
    pub fn with(bulk: &Bulk) -> Self {
        Batch { bulk: bulk.clone(), msm: Msm::with(bulk) }
    }

    /// Calls `work` with a given number of lines, which hold nothing secret.
    fn in_arena<'r>(&self, lines: usize, work: impl for<'m> FnOnce(&mut Arena<'m, 'r>)) {
        #[cfg(feature = "std")]
        let mut memory = LINES.take();
        #[cfg(not(feature = "std"))]
        let mut memory = Vec::new();
        if memory.capacity() < lines {
            memory = Vec::<CacheLine>::with_capacity(lines);
        }
        work(&mut Arena::unread(&mut memory.spare_capacity_mut()[..lines]));
        #[cfg(feature = "std")]
        if memory.capacity() * size_of::<CacheLine>() <= KEPT_WORKSPACE_BYTES {
            LINES.set(memory);
        }
    }

    /// The bulk operations by which single rows are verified.
    pub fn bulk(&self) -> &Bulk {
        &self.bulk
    }
}

/// Verifies the rows of each sum together, and writes their verdicts.
///
/// # Errors
/// [`Error::LengthMismatch`] if there are not as many verdicts as rows.
#[cfg(feature = "bindings")]
fn verify_chunks<R>(
    rows: impl Rows<R>,
    out: &mut [Verdict],
    mut verify: impl FnMut(&[R]) -> Vec<Verdict>,
) -> Result<(), Error> {
    check(&rows, out)?;
    for (first, out) in (0..).step_by(ROWS_PER_SUM).zip(out.chunks_mut(ROWS_PER_SUM)) {
        let chunk: Vec<R> = (first..first + out.len()).map(|row| rows.row(row)).collect();
        out.copy_from_slice(&verify(&chunk));
    }
    Ok(())
}

impl Default for Batch {
    /// As [`Batch::new`].
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Keypair, LowS, Verdict};
    use alloc::vec::Vec;

    #[test]
    fn without_randomness_each_row_is_verified_alone() {
        let pair = Keypair::from_secret(crate::SecretKey::from_bytes(&[7; 32]).unwrap());
        let (signature, id) = crate::ecdsa::sign_recoverable(&[1; 32], pair.secret_key());
        let digests: Vec<_> = (0..40).map(|i| [if i == 5 { 2 } else { 1 }; 32]).collect();
        let (signatures, keys) = ([signature; 40], [pair.public_key(); 40]);
        let rows = crate::ecdsa::rows(&digests, &signatures, &keys).unwrap();
        let hint = crate::ecdsa::Hint::RecoveryId(id.to_u8());
        let rows: Vec<_> = rows.into_iter().map(|row| crate::ecdsa::HintedRow { row, hint }).collect();
        let signed = [crate::schnorr::sign(b"m", &pair, &[0; 32]).to_bytes(); 40];
        let messages: Vec<&[u8]> = (0..40).map(|i| if i == 5 { &b"n"[..] } else { b"m" }).collect();
        let keys = [pair.x_only(); 40];
        let others = crate::schnorr::rows(&messages, &signed, &keys).unwrap();
        let batch = Batch::new();
        let into = |verify: &dyn Fn(&mut [Verdict]) -> Result<(), Error>| {
            let mut verdicts = alloc::vec![Verdict::Valid; 40];
            assert_eq!(verify(&mut verdicts[1..]), Err(Error::LengthMismatch { left: 40, right: 39 }));
            verify(&mut verdicts).unwrap();
            verdicts
        };
        for fresh in [None, Some([3; 32])] {
            let found = [
                batch.ecdsa_chunk(&rows, LowS::Require, fresh),
                batch.schnorr_chunk(&others, fresh),
                into(&|out| batch.verify_ecdsa_into(&rows[..], LowS::Require, fresh.as_ref(), out)),
                into(&|out| batch.verify_schnorr_into(&others[..], fresh.as_ref(), out)),
            ];
            for verdicts in found {
                let bad: Vec<_> = (0..40).filter(|&i| !verdicts[i].is_valid()).collect();
                assert_eq!(bad, [5]);
            }
        }
    }
}
