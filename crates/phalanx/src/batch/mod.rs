//! Batch verification: many signatures by one sum of products, a verdict per row all the same.
//!
//! ```
//! use phalanx::{Batch, Keypair, schnorr};
//! let pairs: Vec<_> = (0..20).map(|_| Keypair::random()).collect();
//! let signatures: Vec<_> = pairs.iter().map(|pair| schnorr::sign(b"m", pair, &[0; 32]).to_bytes()).collect();
//! let keys: Vec<_> = pairs.iter().map(|pair| pair.x_only()).collect();
//! let verdicts = Batch::new().verify_schnorr(&schnorr::rows(&[b"m"; 20], &signatures, &keys)?);
//! assert!(verdicts.iter().all(|verdict| verdict.is_valid()));
//! # Ok::<(), phalanx::Error>(())
//! ```
//!
//! The equations of all rows are added up, each times a random coefficient, and one sum of products tells whether the total
//! is infinity. If every row holds, it is; if some row does not, it is with probability at most 2^-128, whoever chose the
//! rows: `docs/batch.md` has the argument. When it is not, the culprits are searched for (`search`), and every row that is not
//! cleared by a sum is verified alone, so that verdicts are exact.
//!
//! - `coefficients`: the random numbers;
//! - `schnorr`, `ecdsa`: the equations;
//! - `search`: which rows do not hold.
//!
//! Variable time. Looks at `bulk`, `ecdsa`, `hash`, `keys`, `msm`, `schnorr` and `scalar`.

mod coefficients;
mod ecdsa;
mod schnorr;
mod search;

pub use ecdsa::{Hint, HintedRow};

use crate::{Bulk, Error, Verdict, msm::Msm};

/// Batch verification on a backend and a number of threads.
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

    /// The bulk operations by which single rows are verified.
    pub fn bulk(&self) -> &Bulk {
        &self.bulk
    }
}

impl Default for Batch {
    /// As [`Batch::new`].
    fn default() -> Self {
        Self::new()
    }
}

/// Rows of one sum: a longer one costs little less a row, and its points no longer stay near.
const LARGEST: usize = 1 << 14;

/// The verdict of a row that was refused before any equation.
fn refused(error: Error) -> Verdict {
    Err(error).into()
}
