//! Chance that can be repeated.

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

/// A stream of random numbers.
pub(crate) struct Draw(ChaCha20Rng);

impl Draw {
    /// The stream of one case: it follows from the seed and the case's number.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        random.set_stream(number);
        Self(random)
    }

    /// 32 bits.
    pub(crate) fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A byte.
    pub(crate) fn byte(&mut self) -> u8 {
        self.word() as u8
    }

    /// A number below another, and 0 below 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.word() as usize % bound.max(1)
    }

    /// One of some values.
    pub(crate) fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// So many bytes.
    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
}
