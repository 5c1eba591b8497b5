//! The random coefficients of a batch.

use crate::{glv::Half, hash::sha256};
use alloc::vec::Vec;

/// Numbers below 2^128 that nobody could know when the rows were chosen: SHA-256 in counter mode, two numbers a hash, from a
/// seed that is the hash of all rows and of fresh randomness of the operating system where there is one.
pub(super) struct Coefficients {
    seed: [u8; 32],
}

impl Coefficients {
    /// From bytes that commit to all rows.
    pub(super) fn new(rows: &[u8]) -> Coefficients {
        let mut inner = [0; 64];
        inner[..32].copy_from_slice(&fresh());
        inner[32..].copy_from_slice(&sha256(rows));
        Coefficients { seed: sha256(&inner) }
    }

    /// As many numbers, none of them zero.
    pub(super) fn take(&self, count: usize) -> Vec<Half> {
        let mut numbers = Vec::with_capacity(count + 1);
        let mut block = [0; 40];
        block[..32].copy_from_slice(&self.seed);
        for counter in 0..(count as u64).div_ceil(2) {
            block[32..].copy_from_slice(&counter.to_le_bytes());
            let hash = sha256(&block);
            for half in hash.as_chunks::<16>().0 {
                // Zero comes up as often as any other number and stands for one: of the 2^128 numbers one is taken twice.
                numbers.push(Half { neg: 0, magnitude: u128::from_le_bytes(*half).max(1) });
            }
        }
        numbers.truncate(count);
        numbers
    }
}

#[cfg(feature = "std")]
fn fresh() -> [u8; 32] {
    let mut seed = [0; 32];
    // Without the system's randomness the hash of the rows is what is left.
    let _ = getrandom::fill(&mut seed);
    seed
}

#[cfg(not(feature = "std"))]
fn fresh() -> [u8; 32] {
    [0; 32]
}
