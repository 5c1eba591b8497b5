//! b G of many rows on one lane, in affine coordinates. For public scalars.
//!
//! The digits and the order of additions are those of [`super::eight_rows`], where no addition is exceptional. The last
//! addition, of the two partial sums, may be. Then its round is computed again by the complete formula.

use crate::{
    Scalar,
    group::{Affine, Secp256k1, affine},
    mul::digits::{GENERATOR_WIDTH, GENERATOR_WINDOWS, generator_words},
    tables::{Entry, G_ODD_COMB_8},
};
use phalanx_engine::{
    affine_add::{AffineAdder, OneLane},
    arena::{Arena, List},
    lanes::{INFINITY, is_infinity},
    word::{PointPair, PointRef},
};

/// Sums of a row after the first round.
const SUMS: usize = GENERATOR_WINDOWS / 2;
/// Entries of a window.
const ENTRIES: usize = 1 << (GENERATOR_WIDTH - 1);

/// Multiples of the generator.
pub(crate) struct Multiples<'a>(List<'a, Entry>);

impl Multiples<'_> {
    /// The multiple by a scalar, none for infinity.
    pub(crate) fn get(&self, index: usize) -> Option<Affine> {
        let sum = &self.0[SUMS * index];
        (!is_infinity(sum)).then(|| affine(sum))
    }
}

/// The multiples by some scalars. Variable time.
pub(crate) fn multiples_on_one_lane<'a>(
    scalars: impl ExactSizeIterator<Item = Scalar>,
    arena: &mut Arena<'a, '_>,
) -> Multiples<'a> {
    let rows = scalars.len();
    let adder = OneLane::<Secp256k1>::new();
    let mut sums = arena.filled(SUMS * rows, INFINITY);
    let mut pairs = arena.list::<PointPair>(SUMS * rows);
    let mut work = OneLane::<Secp256k1>::arena_products(SUMS * rows, arena);
    for scalar in scalars {
        let words = generator_words(&scalar);
        (0..SUMS).for_each(|window| pairs.push([entry(&words, window), entry(&words, window + SUMS)]));
    }
    adder.add(&G_ODD_COMB_8, &pairs, &mut sums, false, &mut work);
    let mut left = SUMS;
    while left > 1 {
        left /= 2;
        pairs.clear();
        for first in (0..rows).map(|row| SUMS * row) {
            let place = |sum: usize| PointRef::new(first + sum, false);
            (0..left).for_each(|sum| pairs.push([place(sum), place(sum + left)]));
        }
        adder.add_in_place(&mut sums, &pairs, &mut work);
    }
    Multiples(sums)
}

/// The entry of a window for its digit.
fn entry(words: &[u64; 4], window: usize) -> PointRef {
    let bits = (words[window / 8] >> (GENERATOR_WIDTH * (window % 8))) as usize & (2 * ENTRIES - 1);
    let negative = bits < ENTRIES;
    let index = if negative { ENTRIES - 1 - bits } else { bits - ENTRIES };
    PointRef::new(ENTRIES * window + index, negative)
}
