//! The random coefficients of a batch.

use crate::{
    Scalar,
    glv::Half,
    hash::{BuiltIn, Sha256By, sha256_uncleared},
};

/// Numbers of 128 bits and either sign that nobody could know when the rows were chosen: SHA-256 in counter mode, two
/// numbers per hash, from a seed that is the hash of all rows and of fresh bytes.
pub(super) struct Coefficients {
    seed: [u8; 32],
}

impl Coefficients {
    /// From fresh bytes and from the hash of bytes that commit to all rows.
    pub(super) fn new(fresh: &[u8; 32], rows: Commitment) -> Coefficients {
        let mut inner = [0; 64];
        inner[..32].copy_from_slice(fresh);
        inner[32..].copy_from_slice(&rows.finish());
        Coefficients { seed: sha256_uncleared(&inner) }
    }

    /// Calls `tell` with as many numbers of 128 bits and either sign, none of them zero.
    pub(super) fn take(&self, count: usize, mut tell: impl FnMut(Half)) {
        let (mut signs, mut pair) = ([0; 32], [0; 32]);
        for index in 0..count {
            // Pairs are counted from below, signs from above.
            if index % SIGNS == 0 {
                signs = self.hash(!(index as u64));
            }
            if index % 2 == 0 {
                pair = self.hash(index as u64 / 2);
            }
            let bit = index % SIGNS;
            let neg = u64::from(signs[bit / 8] >> (bit % 8) & 1).wrapping_neg();
            let magnitude = u128::from_le_bytes(pair.as_chunks::<16>().0[index % 2]);
            // Zero stands for one, which with its sign comes up no more often than once in 2^128.
            tell(Half { neg, magnitude: magnitude.max(1) });
        }
    }

    fn hash(&self, counter: u64) -> [u8; 32] {
        let mut block = [0; 40];
        block[..32].copy_from_slice(&self.seed);
        block[32..].copy_from_slice(&counter.to_le_bytes());
        sha256_uncleared(&block)
    }
}

/// The hash of what commits to all rows.
pub(super) struct Commitment(Sha256By<BuiltIn>);

impl Commitment {
    pub(super) fn new() -> Self {
        Commitment(Sha256By::new(BuiltIn))
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.update_uncleared(bytes);
    }

    fn finish(mut self) -> [u8; 32] {
        self.0.finish_uncleared()
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
