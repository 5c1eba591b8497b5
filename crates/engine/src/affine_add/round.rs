//! The additions of a round, generic over the number of lanes.
//!
//! A group is one pair per lane, and one division of [`crate::field::batch_inversion`]. [`Ordinary`] adds pairs of
//! finite points with different x. Two points with equal x make a denominator zero, and [`Complete`] then computes the
//! round again, for all pairs. A point at infinity need not show that way, so once some sum was infinity, all later
//! rounds go to [`Complete`] at once.

use super::packed::Packing;
use crate::{
    curve::{Affine, Curve},
    field::{Field, batch_inversion::BatchInverted},
    word::{CacheLine, Mask, PointPair},
};
use core::marker::PhantomData;

/// A group's points are prefetched when the group this number of places before it is read. Other numbers were not
/// measured apart.
const AHEAD: usize = 4;

/// The memory of one thread's rounds, as a caller lends it: products of denominators, one for each group of pairs.
#[derive(Debug)]
pub struct ArenaProducts<'m, S> {
    kept: &'m mut [S],
    /// Whether some sum so far was infinity.
    infinity: bool,
}

impl<'m, S> ArenaProducts<'m, S> {
    pub(super) fn new(kept: &'m mut [S]) -> Self {
        ArenaProducts { kept, infinity: false }
    }

    /// Prepares the memory for a new table of finite points. From then on infinity can only come of an addition.
    pub fn begin(&mut self) {
        self.infinity = false;
    }

    /// Whether some sum since then is infinity.
    pub fn met_infinity(&self) -> bool {
        self.infinity
    }

    /// Room for a given number of products, and whether some sum so far was infinity.
    pub(super) fn products(&mut self, groups: usize) -> (&mut [S], &mut bool) {
        (&mut self.kept[..groups], &mut self.infinity)
    }
}

/// The points of a round, and where its sums go: to rows among the points, or apart from them.
pub(super) trait Rows {
    /// The rows of each pair's first point, and those of its second point.
    fn points(&self) -> [&[CacheLine]; 2];

    /// The two points of the first of `pairs`, one pair per lane.
    fn gather<K: Packing>(&self, pairs: &[PointPair]) -> [Affine<K::Field>; 2];

    /// As [`Self::gather`], but only the x of the points.
    fn gather_x<K: Packing>(&self, pairs: &[PointPair]) -> [K::Field; 2];

    /// Puts the sums of the first of `pairs`, one per lane, where they belong. `pairs[0]` is pair `first` of the round.
    fn put<K: Packing>(&mut self, first: usize, pairs: &[PointPair], sum: Affine<K::Field>);
}

/// Any kind of rows, known when a round runs, so that rounds are compiled once.
pub enum AnyRows<'a> {
    /// Sums apart from the points.
    Apart(Apart<'a>),
    /// Sums in the places of first points.
    InPlace(InPlace<'a>),
    /// Sums in the places of first points, which lie apart from second ones.
    Onto(Onto<'a>),
}

impl Rows for AnyRows<'_> {
    #[inline(always)]
    fn points(&self) -> [&[CacheLine]; 2] {
        match self {
            AnyRows::Apart(Apart { points, .. }) => [points; 2],
            AnyRows::InPlace(InPlace(rows)) => [rows; 2],
            AnyRows::Onto(Onto { sums, table }) => [sums, table],
        }
    }
    #[inline(always)]
    fn gather<K: Packing>(&self, pairs: &[PointPair]) -> [Affine<K::Field>; 2] {
        match self {
            AnyRows::Onto(_) => K::gather_from(self.points(), pairs),
            _ => K::gather(self.points()[0], pairs),
        }
    }
    #[inline(always)]
    fn gather_x<K: Packing>(&self, pairs: &[PointPair]) -> [K::Field; 2] {
        match self {
            AnyRows::Onto(_) => K::gather_x_from(self.points(), pairs),
            _ => K::gather_x(self.points()[0], pairs),
        }
    }
    #[inline(always)]
    fn put<K: Packing>(&mut self, first: usize, pairs: &[PointPair], sum: Affine<K::Field>) {
        match self {
            AnyRows::Apart(Apart { sums, .. }) => {
                let last = sums.len().min(first + K::LANES);
                K::scatter(sum, &mut sums[first..last]);
            }
            AnyRows::InPlace(InPlace(rows)) | AnyRows::Onto(Onto { sums: rows, .. }) => {
                K::scatter_to_firsts(sum, rows, pairs);
            }
        }
    }
}

impl AnyRows<'_> {
    /// The same rows, for as long as this is borrowed.
    pub fn reborrowed(&mut self) -> AnyRows<'_> {
        match self {
            AnyRows::Apart(Apart { points, sums }) => AnyRows::Apart(Apart { points, sums }),
            AnyRows::InPlace(InPlace(rows)) => AnyRows::InPlace(InPlace(rows)),
            AnyRows::Onto(Onto { sums, table }) => AnyRows::Onto(Onto { sums, table }),
        }
    }
}

/// The sum of pair `i` goes to `sums[i]`, apart from the points.
pub struct Apart<'a> {
    /// The points.
    pub points: &'a [CacheLine],
    /// A row for each pair.
    pub sums: &'a mut [CacheLine],
}

/// A sum goes where the first point of its pair was. No pair's first point is in another pair.
pub struct InPlace<'a>(pub &'a mut [CacheLine]);

/// The first point of a pair is in `sums`, where the pair's sum goes, and the second one in `table`. No pair's first
/// point is in another pair.
pub struct Onto<'a> {
    /// The first points.
    pub sums: &'a mut [CacheLine],
    /// The second points.
    pub table: &'a [CacheLine],
}

/// The pairs of a round, and memory for an element per group.
pub(super) struct Round<'a, R, S> {
    pub(super) rows: R,
    pub(super) pairs: &'a [PointPair],
    pub(super) kept: &'a mut [S],
}

impl<R: Rows, S> Round<'_, R, S> {
    #[inline(always)]
    fn operands<K: Packing<Stored = S>>(&self, group: usize) -> [Affine<K::Field>; 2] {
        self.rows.gather::<K>(&self.pairs[K::LANES * group..])
    }

    /// Prefetches the points of a group, which may lie anywhere in memory.
    #[inline(always)]
    fn prefetch<K: Packing<Stored = S>>(&self, group: usize) {
        if let Some(pairs) = self.pairs.get(K::LANES * group..) {
            K::prefetch(self.rows.points(), pairs);
        }
    }

    #[inline(always)]
    fn finish<K: Packing<Stored = S>>(&mut self, group: usize, sum: Affine<K::Field>) {
        let first = K::LANES * group;
        self.rows.put::<K>(first, &self.pairs[first..], sum);
    }
}

/// A round in which each pair is two finite points with different x.
pub(super) struct Ordinary<'r, 'a, R, K: Packing>(pub(super) &'r mut Round<'a, R, K::Stored>);

impl<R: Rows, K: Packing> BatchInverted<K::Field> for Ordinary<'_, '_, R, K> {
    type Operands = [Affine<K::Field>; 2];
    type Result = Affine<K::Field>;

    const ODD_ALONE: bool = K::LANES == 1;

    #[inline(always)]
    fn count(&self) -> usize {
        self.0.pairs.len().div_ceil(K::LANES)
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        self.0.operands::<K>(index)
    }
    #[inline(always)]
    fn denominator([a, b]: &Self::Operands) -> K::Field {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn first_denominator(&mut self, index: usize) -> K::Field {
        let [a, b] = self.0.rows.gather_x::<K>(&self.0.pairs[K::LANES * index..]);
        Affine::chord_denominator(&Affine { x: a, y: a }, &Affine { x: b, y: b })
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: K::Field) {
        self.0.prefetch::<K>(index + AHEAD);
        self.0.kept[index] = K::stored(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> K::Field {
        K::load(&self.0.kept[index])
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: K::Field) -> Affine<K::Field> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [K::Field; 2]) -> [Affine<K::Field>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, sum: Affine<K::Field>) {
        self.0.finish::<K>(index, sum);
    }
}

/// A round in which pairs are any points of the curve `C`. Notes whether some sum is infinity.
pub(super) struct Complete<'r, 'a, C, R, K: Packing> {
    round: &'r mut Round<'a, R, K::Stored>,
    infinity: &'r mut bool,
    curve: PhantomData<C>,
}

impl<'r, 'a, C, R, K: Packing> Complete<'r, 'a, C, R, K> {
    #[inline(always)]
    pub(super) fn new(round: &'r mut Round<'a, R, K::Stored>, infinity: &'r mut bool) -> Self {
        Complete { round, infinity, curve: PhantomData }
    }
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

impl<F: Field> Special<F> {
    /// The points of a pair, of which either may be infinity, with y = 0.
    #[inline(always)]
    pub(crate) fn of([a, b]: [Affine<F>; 2]) -> Self {
        let (a, b) = (a.weaken(), b.weaken());
        // No point of the curve has y = 0.
        let (no_a, no_b) = (a.y.is_zero(), b.y.is_zero());
        let (same_x, same_y) = (a.x.equals(b.x), a.y.equals(b.y));
        Special { a, b, no_a, no_b, equal: same_x.and(same_y), negated: same_x.and(same_y.not()) }
    }

    /// What [`Self::sum`] divides by, which is never zero.
    #[inline(always)]
    pub(crate) fn denominator(&self) -> F {
        let Special { a, b, no_a, no_b, equal, negated } = self;
        let chord = Field::select(*equal, a.tangent_denominator(), a.chord_denominator(b));
        Field::select(no_a.or(*no_b).or(*negated), Field::one(), chord)
    }

    /// The sum on the curve `C`, given the inverse of the denominator; and where it is infinity, which is zeros.
    #[inline(always)]
    pub(crate) fn sum<C: Curve>(&self, inverse: F) -> (Affine<F>, F::Mask) {
        let Special { a, b, no_a, no_b, equal, negated } = *self;
        let sum = Affine::select(equal, a.double_with_on::<C>(inverse), a.add_with(b, inverse));
        let sum = Affine::select(no_b, a, Affine::select(no_a, b, sum));
        // Infinity is written as zeros, whether the points cancel or both are infinity.
        let infinity = negated.or(no_a.and(no_b));
        (Affine::select(infinity, Affine { x: Field::zero(), y: Field::zero() }, sum), infinity)
    }
}

impl<C: Curve, R: Rows, K: Packing> BatchInverted<K::Field> for Complete<'_, '_, C, R, K> {
    type Operands = Special<K::Field>;
    type Result = (Affine<K::Field>, <K::Field as Field>::Mask);

    const SELDOM: bool = true;

    #[inline(always)]
    fn count(&self) -> usize {
        self.round.pairs.len().div_ceil(K::LANES)
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Special<K::Field> {
        // By one way for rows of any kind, so that there is one copy of it.
        Special::of(K::gather_from(self.round.rows.points(), &self.round.pairs[K::LANES * index..]))
    }
    #[inline(always)]
    fn denominator(special: &Special<K::Field>) -> K::Field {
        special.denominator()
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: K::Field) {
        self.round.kept[index] = K::stored(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> K::Field {
        K::load(&self.round.kept[index])
    }
    #[inline(always)]
    fn solve(special: &Special<K::Field>, inverse: K::Field) -> Self::Result {
        special.sum::<C>(inverse)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, (sum, infinity): Self::Result) {
        *self.infinity |= infinity.any();
        self.round.finish::<K>(index, sum);
    }
}
