//! The additions of a round, in as many lanes as there are.
//!
//! A group of pairs, one a lane, is one division of [`phalanx_engine::field::batch_inversion`]. [`Ordinary`] takes two finite points
//! with different x; where some pair is not of that kind, its lane has a denominator of zero or a point at infinity, and
//! [`Complete`] does the round again for all pairs.

use super::parallel::Parallel;
use crate::tables::Entry;
use phalanx_engine::{
    curve::Affine,
    field::{Field, batch_inversion::BatchInverted},
    msm::PointPair,
    word::Mask,
};

/// Groups between asking for points and reading them.
const AHEAD: usize = 4;

/// The memory of a round, and where in it sums go.
pub(crate) trait Memory {
    /// The points.
    fn points(&self) -> &[Entry];

    /// Puts the sums of the first pairs, one a lane, where they belong; the first of them has this index in the round.
    fn put<F: Parallel>(&mut self, first: usize, pairs: &[PointPair], sum: Affine<F>);
}

/// Sums go behind each other, apart from the points.
pub(crate) struct Apart<'a> {
    pub(crate) points: &'a [Entry],
    pub(crate) sums: &'a mut [Entry],
}

impl Memory for Apart<'_> {
    #[inline(always)]
    fn points(&self) -> &[Entry] {
        self.points
    }
    #[inline(always)]
    fn put<F: Parallel>(&mut self, first: usize, _: &[PointPair], sum: Affine<F>) {
        let last = self.sums.len().min(first + F::LANES);
        F::scatter(sum, &mut self.sums[first..last]);
    }
}

/// A sum goes where the first point of its pair was. No pair's first point is in another pair.
pub(crate) struct InPlace<'a>(pub(crate) &'a mut [Entry]);

impl Memory for InPlace<'_> {
    #[inline(always)]
    fn points(&self) -> &[Entry] {
        self.0
    }
    #[inline(always)]
    fn put<F: Parallel>(&mut self, _: usize, pairs: &[PointPair], sum: Affine<F>) {
        F::scatter_to_firsts(sum, self.0, pairs);
    }
}

/// The pairs of a round.
pub(crate) struct Round<'a, M, S> {
    pub(crate) memory: M,
    pub(crate) pairs: &'a [PointPair],
    pub(crate) kept: &'a mut [S],
}

impl<M: Memory, S> Round<'_, M, S> {
    #[inline(always)]
    fn operands<F: Parallel<Stored = S>>(&self, group: usize) -> [Affine<F>; 2] {
        F::gather(self.memory.points(), &self.pairs[F::LANES * group..])
    }

    /// Asks for the points of a group before it is its turn: they lie anywhere in memory.
    #[inline(always)]
    fn prefetch<F: Parallel<Stored = S>>(&self, group: usize) {
        if let Some(pairs) = self.pairs.get(F::LANES * group..) {
            F::prefetch(self.memory.points(), pairs);
        }
    }

    #[inline(always)]
    fn finish<F: Parallel<Stored = S>>(&mut self, group: usize, sum: Affine<F>) {
        let first = F::LANES * group;
        self.memory.put(first, &self.pairs[first..], sum);
    }
}

/// A round of two finite points with different x each.
pub(crate) struct Ordinary<'r, 'a, M, S>(pub(crate) &'r mut Round<'a, M, S>);

impl<M: Memory, S, F: Parallel<Stored = S>> BatchInverted<F> for Ordinary<'_, '_, M, S> {
    type Operands = [Affine<F>; 2];
    type Result = Affine<F>;

    #[inline(always)]
    fn count(&self) -> usize {
        self.0.pairs.len().div_ceil(F::LANES)
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        self.0.operands(index)
    }
    #[inline(always)]
    fn denominator([a, b]: &Self::Operands) -> F {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn first_denominator(&self, index: usize) -> F {
        let [a, b] = F::gather_x(self.0.memory.points(), &self.0.pairs[F::LANES * index..]);
        Affine::chord_denominator(&Affine { x: a, y: a }, &Affine { x: b, y: b })
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: F) {
        self.0.prefetch::<F>(index + AHEAD);
        self.0.kept[index] = product.stored();
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> F {
        F::load(&self.0.kept[index])
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: F) -> Affine<F> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [F; 2]) -> [Affine<F>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, sum: Affine<F>) {
        self.0.finish(index, sum);
    }
}

/// A round of any points. Notes whether some sum is infinity.
pub(crate) struct Complete<'r, 'a, M, S> {
    pub(crate) round: &'r mut Round<'a, M, S>,
    pub(crate) infinity: &'r mut bool,
}

/// Two points and what is special about them.
#[derive(Clone, Copy)]
pub(crate) struct Special<F: Field> {
    a: Affine<F>,
    b: Affine<F>,
    /// The first point is infinity.
    no_a: F::Mask,
    /// The second point is infinity.
    no_b: F::Mask,
    /// The two have the same x, and the same y.
    equal: F::Mask,
    /// The two have the same x, and y of opposite sign.
    negated: F::Mask,
}

impl<M: Memory, S, F: Parallel<Stored = S>> BatchInverted<F> for Complete<'_, '_, M, S> {
    type Operands = Special<F>;
    type Result = (Affine<F>, F::Mask);

    #[inline(always)]
    fn count(&self) -> usize {
        self.round.pairs.len().div_ceil(F::LANES)
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Special<F> {
        let [a, b]: [Affine<F>; 2] = self.round.operands(index);
        let (a, b) = (Affine { x: a.x, y: a.y.weaken() }, Affine { x: b.x, y: b.y.weaken() });
        // No point of the curve has y = 0.
        let (no_a, no_b) = (a.y.is_zero(), b.y.is_zero());
        let (same_x, same_y) = (a.x.equals(b.x), a.y.equals(b.y));
        Special { a, b, no_a, no_b, equal: same_x.and(same_y), negated: same_x.and(same_y.not()) }
    }
    #[inline(always)]
    fn denominator(special: &Special<F>) -> F {
        let Special { a, b, no_a, no_b, equal, negated } = special;
        let chord = F::select(*equal, a.tangent_denominator(), a.chord_denominator(b));
        F::select(no_a.or(*no_b).or(*negated), F::one(), chord)
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: F) {
        self.round.kept[index] = product.stored();
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> F {
        F::load(&self.round.kept[index])
    }
    #[inline(always)]
    fn solve(special: &Special<F>, inverse: F) -> Self::Result {
        let Special { a, b, no_a, no_b, equal, negated } = *special;
        let sum = Affine::select(equal, a.double_with(inverse), a.add_with(b, inverse));
        let sum = Affine::select(no_b, a, Affine::select(no_a, b, sum));
        // Infinity is all zero, whichever way zero came about.
        let infinity = negated.or(no_a.and(no_b));
        (Affine::select(infinity, Affine { x: F::zero(), y: F::zero() }, sum), infinity)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, (sum, infinity): Self::Result) {
        *self.infinity |= infinity.any();
        self.round.finish(index, sum);
    }
}
