//! The x of each lane's point plus keys that all lanes share. Constant time.
//!
//! A sum whose point is the key or its negative has no chord. Both come from a hash and from keys that were there before
//! it, so only one who makes a key from the hash meets this. The lane is named, and the caller computes it elsewhere.

use super::{
    inversion::{BatchStep, divide_secret, step_of_any_word},
    memory::{CacheLine, FeX8, FeX8Mem, Machine, Numbers, U256x8, wipe},
};
use crate::{group::Coordinates, tables::Entry};
use phalanx_engine::{
    curve::Affine,
    field::{Field, FieldPair, batch_inversion::BatchInverted},
    word::{Mask8, Word},
};

/// The points of groups by their coordinates, and keys.
#[derive(Clone, Copy)]
pub(crate) struct KeyTerms<'a> {
    pub(crate) points: &'a [[U256x8; 2]],
    pub(crate) keys: &'a [Entry],
}

/// Writes the x of each sum: those of the first key for all groups, then those of the next one. Lanes in which some sum
/// has no chord come back; there all sums are void.
pub(crate) fn key_sums<M: Machine>(
    machine: M,
    terms: KeyTerms<'_>,
    sums: &mut [U256x8],
    memory: &mut [CacheLine],
) -> Mask8 {
    let products: &mut [FeX8Mem] = Numbers::new(memory).take(terms.points.len() * terms.keys.len());
    let exceptional = divide_secret(machine, &mut KeySums { terms, sums, products: &mut *products });
    wipe(products, FeX8Mem::ZERO);
    exceptional
}

struct KeySums<'a> {
    terms: KeyTerms<'a>,
    sums: &'a mut [U256x8],
    products: &'a mut [FeX8Mem],
}

step_of_any_word!(KeySums, Coordinates, products);

impl<W: Word> BatchInverted<FeX8<W>> for &mut KeySums<'_> {
    type Operands = [Affine<FeX8<W>>; 2];
    type Result = FeX8<W>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.products.len()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        let KeyTerms { points, keys } = self.terms;
        let ([x, y], key) = (&points[index % points.len()], &keys[index / points.len()].0);
        let point = Affine { x: FeX8::from_words(x.load()), y: FeX8::from_words(y.load()) };
        // Written out: a function given to `map` is not inlined here, and would be compiled without vectors.
        let [x0, x1, x2, x3] = [W::splat(key[0]), W::splat(key[1]), W::splat(key[2]), W::splat(key[3])];
        let [y0, y1, y2, y3] = [W::splat(key[4]), W::splat(key[5]), W::splat(key[6]), W::splat(key[7])];
        [point, Affine { x: FeX8::from_words([x0, x1, x2, x3]), y: FeX8::from_words([y0, y1, y2, y3]) }]
    }
    #[inline(always)]
    fn denominator([point, key]: &Self::Operands) -> FeX8<W> {
        point.chord_denominator(key)
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.products[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.products[index].load()
    }
    #[inline(always)]
    fn solve([point, key]: &Self::Operands, inverse: FeX8<W>) -> FeX8<W> {
        point.add_x_with(*key, inverse)
    }
    #[inline(always)]
    fn solve_two([[a, b], [c, d]]: [&Self::Operands; 2], inverses: [FeX8<W>; 2]) -> [FeX8<W>; 2] {
        let FieldPair(first, second) = Affine::zip(*a, *c).add_x_with(Affine::zip(*b, *d), inverses.into());
        [first, second]
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, x: FeX8<W>) {
        self.sums[index].store(x.normalize().to_words());
    }
}
