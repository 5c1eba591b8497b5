//! The random coefficients of a batch.

use crate::{Scalar, glv::Half, hash::sha256_uncleared};
use alloc::vec::Vec;

/// Numbers of 128 bits and either sign that nobody could know when the rows were chosen: SHA-256 in counter mode, two
/// numbers a hash, from a seed that is the hash of all rows and of fresh bytes.
pub(super) struct Coefficients {
    seed: [u8; 32],
}

impl Coefficients {
    /// From fresh bytes and from bytes that commit to all rows.
    pub(super) fn new(fresh: &[u8; 32], rows: &[u8]) -> Coefficients {
        let mut inner = [0; 64];
        inner[..32].copy_from_slice(fresh);
        inner[32..].copy_from_slice(&sha256_uncleared(rows));
        Coefficients { seed: sha256_uncleared(&inner) }
    }

    /// As many numbers of 128 bits and either sign, none of them zero.
    pub(super) fn take(&self, count: usize) -> Vec<Half> {
        let mut numbers = Vec::with_capacity(count.next_multiple_of(SIGNS));
        for first in (0..count as u64).step_by(SIGNS) {
            // Pairs are counted from below, signs from above.
            let signs = self.hash(!first);
            for pair in 0..SIGNS as u64 / 2 {
                for magnitude in self.hash(first / 2 + pair).as_chunks::<16>().0 {
                    let index = numbers.len() % SIGNS;
                    let neg = u64::from(signs[index / 8] >> (index % 8) & 1).wrapping_neg();
                    // Zero stands for one, which with its sign comes up no more often than once in 2^128.
                    numbers.push(Half { neg, magnitude: u128::from_le_bytes(*magnitude).max(1) });
                }
                if numbers.len() >= count {
                    break;
                }
            }
        }
        numbers.truncate(count);
        numbers
    }

    fn hash(&self, counter: u64) -> [u8; 32] {
        let mut block = [0; 40];
        block[..32].copy_from_slice(&self.seed);
        block[32..].copy_from_slice(&counter.to_le_bytes());
        sha256_uncleared(&block)
    }
}

/// Signs of a hash.
const SIGNS: usize = 256;

/// The number modulo n.
pub(super) fn scalar(number: &Half) -> Scalar {
    let magnitude = Scalar::from_u128(number.magnitude);
    if number.neg == 0 { magnitude } else { -magnitude }
}

/// 32 bytes of the operating system's randomness; none when it fails.
#[cfg(feature = "getrandom")]
pub(super) fn fresh() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}

/// Without the feature `getrandom` the hash of the rows is all there is: `docs/batch.md` of this crate says what that
/// is worth.
#[cfg(not(feature = "getrandom"))]
pub(super) fn fresh() -> Option<[u8; 32]> {
    Some([0; 32])
}
