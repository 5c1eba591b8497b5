//! The random coefficients of a batch.

use crate::{hash::sha256, msm::Short};
use alloc::vec::Vec;

/// Numbers u + v lambda, u and v any of 64 bits with sign, that nobody could know when the rows were chosen: 2^128 of them, all
/// different modulo n, since no multiple of n but zero is u + v lambda with u and v that small. SHA-256 in counter mode, two numbers a hash, from a seed that is the hash of all rows and of fresh randomness of the operating system where there is one.
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

    /// As many numbers u + v lambda, none of them zero.
    pub(super) fn take(&self, count: usize) -> Vec<Short> {
        let mut numbers = Vec::with_capacity(count.next_multiple_of(2));
        for pair in 0..count.div_ceil(2) as u64 {
            for bytes in self.hash(pair).as_chunks::<16>().0 {
                let number = u128::from_le_bytes(*bytes);
                // Zero stands for one, which so comes up no more often than twice in 2^128.
                numbers.push(Short { u: number.max(1) as i64, v: (number >> 64) as i64 });
            }
        }
        numbers.truncate(count);
        numbers
    }

    fn hash(&self, counter: u64) -> [u8; 32] {
        let mut block = [0; 40];
        block[..32].copy_from_slice(&self.seed);
        block[32..].copy_from_slice(&counter.to_le_bytes());
        sha256(&block)
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
