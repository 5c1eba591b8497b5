//! Sums of independent pairs of points, eight lanes at a time. All pairs of a round share one inversion.

use super::digits::{POINT_WIDTH, POINT_WINDOWS};
use crate::group::Coordinates;
use crate::lanes::{
    inversion::BatchStep,
    memory::{AffineX8, FeX8, FeX8Mem},
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::{Field, batch_inversion::BatchInverted},
    word::Word,
};

/// Pairs of points, and where their sums go. The two points of a pair have different x in every lane; y may be of
/// magnitude 2.
///
/// Sums are put from the last to the first. Implementors mark everything `#[inline(always)]`.
pub(crate) trait PairSums {
    /// What `put` hands on from one sum to the next. It stays in registers, so it depends on the words.
    type State<W: Word>;

    /// Whether `put` is long (see [`BatchInverted::LONG`]).
    const LONG: bool = false;

    /// The state before the last sum is put.
    fn state<W: Word>() -> Self::State<W>;
    /// The number of pairs.
    fn count(&self) -> usize;
    /// The points of a pair.
    fn pair<W: Word>(&self, index: usize) -> [Affine<FeX8<W>>; 2];
    /// The x of the points of a pair, when they are asked for the first time. May keep them for [`Self::pair`].
    #[inline(always)]
    fn first_x<W: Word>(&mut self, index: usize) -> [FeX8<W>; 2] {
        let [a, b] = self.pair::<W>(index);
        [a.x, b.x]
    }
    /// Memory of pair `index` alone, until its sum is put.
    fn spare(&self, index: usize) -> &FeX8Mem;
    /// The same, to write to.
    fn spare_mut(&mut self, index: usize) -> &mut FeX8Mem;
    /// Puts the sum of a pair where it belongs.
    fn put<W: Word>(&mut self, state: &mut Self::State<W>, index: usize, sum: Affine<FeX8<W>>);
    /// What is left to do when all sums are put.
    #[inline(always)]
    fn end<W: Word>(&mut self) {}
}

/// A [`PairSums`] as a [`BatchStep`].
pub(crate) struct Adding<S>(pub(crate) S);

/// The same with the words named.
pub(crate) struct AddingWords<'a, S: PairSums, W: Word> {
    sums: &'a mut S,
    state: S::State<W>,
}

impl<S: PairSums> BatchStep for Adding<S> {
    type Field = Coordinates;
    type ForWord<'a, W: Word>
        = AddingWords<'a, S, W>
    where
        Self: 'a;

    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> AddingWords<'_, S, W> {
        AddingWords { sums: &mut self.0, state: S::state() }
    }
    fn is_empty(&self) -> bool {
        self.0.count() == 0
    }
    #[inline(always)]
    fn end<W: Word>(adding: AddingWords<'_, S, W>) {
        adding.sums.end::<W>();
    }
}

impl<S: PairSums, W: Word> BatchInverted<FeX8<W>> for AddingWords<'_, S, W> {
    type Operands = [Affine<FeX8<W>>; 2];
    type Result = Affine<FeX8<W>>;

    const LONG: bool = S::LONG;

    #[inline(always)]
    fn count(&self) -> usize {
        self.sums.count()
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> Self::Operands {
        self.sums.pair(index)
    }
    #[inline(always)]
    fn denominator([a, b]: &Self::Operands) -> FeX8<W> {
        a.chord_denominator(b)
    }
    #[inline(always)]
    fn first_denominator(&mut self, index: usize) -> FeX8<W> {
        let [a, b] = self.sums.first_x::<W>(index);
        Affine::chord_denominator(&Affine { x: a, y: a }, &Affine { x: b, y: b })
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.sums.spare_mut(index).store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.sums.spare(index).load()
    }
    #[inline(always)]
    fn solve([a, b]: &Self::Operands, inverse: FeX8<W>) -> Affine<FeX8<W>> {
        a.add_with(*b, inverse)
    }
    #[inline(always)]
    fn solve_two(pairs: [&Self::Operands; 2], inverses: [FeX8<W>; 2]) -> [Affine<FeX8<W>>; 2] {
        Affine::add_two_with(pairs, inverses)
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, sum: Affine<FeX8<W>>) {
        self.sums.put(&mut self.state, index, sum);
    }
}

/// A round of a tree of additions. Where `[a, b] = places.of(i)`, pair `i` is `sums[a]` and `sums[b]`, and its sum
/// replaces `sums[a]`.
pub(crate) struct TreeRound<'a> {
    pub(crate) sums: &'a mut [AffineX8],
    /// An element per pair.
    pub(crate) spare: &'a mut [FeX8Mem],
    pub(crate) places: Places,
    /// Whether what is no longer needed is wiped at once, while it is near.
    pub(crate) secret: bool,
}

/// The places of the points of pairs, which are in one run or in two: the points of a pair are `apart` places from each
/// other. No place is in two pairs. A value and no function, so that all trees are compiled once.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// The first pair of the second run, and the place of its first point.
    second: [usize; 2],
    /// For each run.
    apart: [usize; 2],
}

impl Places {
    /// One run, from place 0 on.
    pub(crate) fn apart(apart: usize) -> Self {
        Places { second: [usize::MAX; 2], apart: [apart; 2] }
    }

    /// The same, but from pair `pair` on a second run, whose first points begin at `place`.
    pub(crate) fn then(self, pair: usize, place: usize, apart: usize) -> Self {
        Places { second: [pair, place], apart: [self.apart[0], apart] }
    }

    #[inline(always)]
    fn of(&self, index: usize) -> [usize; 2] {
        let [pair, place] = self.second;
        let (first, apart) =
            if index < pair { (index, self.apart[0]) } else { (place + (index - pair), self.apart[1]) };
        [first, first + apart]
    }
}

impl PairSums for TreeRound<'_> {
    type State<W: Word> = ();

    #[inline(always)]
    fn state<W: Word>() {}
    #[inline(always)]
    fn count(&self) -> usize {
        self.spare.len()
    }
    #[inline(always)]
    fn pair<W: Word>(&self, index: usize) -> [Affine<FeX8<W>>; 2] {
        let [a, b] = self.places.of(index);
        [self.sums[a].load(), self.sums[b].load()]
    }
    #[inline(always)]
    fn spare(&self, index: usize) -> &FeX8Mem {
        &self.spare[index]
    }
    #[inline(always)]
    fn spare_mut(&mut self, index: usize) -> &mut FeX8Mem {
        &mut self.spare[index]
    }
    #[inline(always)]
    fn put<W: Word>(&mut self, _: &mut (), index: usize, sum: Affine<FeX8<W>>) {
        let [first, second] = self.places.of(index);
        self.sums[first].store(sum);
        if self.secret {
            let zero = FeX8::<W>::zero();
            self.sums[second].store(Affine { x: zero, y: zero });
            self.spare[index].store(zero);
        }
    }
}

/// The pairs of chains of doublings, a chain per group: pair `POINT_WINDOWS i + w` is that of window `w` of group `i`.
/// A chain takes the sums from the last window to the first, and they are put in that order. As in a [`LeafRound`], the x
/// of points are chosen once.
pub(crate) struct ChainRound<'a, C> {
    pub(crate) chains: C,
    /// For each pair a product and the x of both points.
    pub(crate) spare: &'a mut [[FeX8Mem; 3]],
}

/// Reads the pairs of a [`ChainRound`], and ends its chains.
pub(crate) trait ChainPairs {
    /// Whether what is no longer needed is wiped at once.
    const SECRET: bool = false;

    /// The x of the points of a window's pair.
    fn x<W: Word>(&self, group: usize, window: usize) -> [FeX8<W>; 2];
    /// The y of these points, of magnitude 2 at most.
    fn y<W: Word>(&self, group: usize, window: usize) -> [FeX8<W>; 2];
    /// Adds `addend`, the sum of window 0, to the group's chain, and so ends the chain.
    fn end<W: Word>(&mut self, group: usize, chain: Jacobian<FeX8<W>>, addend: Affine<FeX8<W>>);
}

impl<C: ChainPairs> PairSums for ChainRound<'_, C> {
    /// The chain's sum.
    type State<W: Word> = Jacobian<FeX8<W>>;

    /// Five doublings and an addition.
    const LONG: bool = true;

    #[inline(always)]
    fn state<W: Word>() -> Jacobian<FeX8<W>> {
        Jacobian::infinity()
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.spare.len()
    }
    #[inline(always)]
    fn pair<W: Word>(&self, index: usize) -> [Affine<FeX8<W>>; 2] {
        let [first, second] = self.chains.y(index / POINT_WINDOWS, index % POINT_WINDOWS);
        let [_, first_x, second_x] = &self.spare[index];
        [Affine { x: first_x.load(), y: first }, Affine { x: second_x.load(), y: second }]
    }
    #[inline(always)]
    fn first_x<W: Word>(&mut self, index: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.chains.x(index / POINT_WINDOWS, index % POINT_WINDOWS);
        let [_, first_x, second_x] = &mut self.spare[index];
        first_x.store(first);
        second_x.store(second);
        [first, second]
    }
    #[inline(always)]
    fn spare(&self, index: usize) -> &FeX8Mem {
        &self.spare[index][0]
    }
    #[inline(always)]
    fn spare_mut(&mut self, index: usize) -> &mut FeX8Mem {
        &mut self.spare[index][0]
    }
    #[inline(always)]
    fn put<W: Word>(&mut self, chain: &mut Jacobian<FeX8<W>>, index: usize, addend: Affine<FeX8<W>>) {
        let (group, window) = (index / POINT_WINDOWS, index % POINT_WINDOWS);
        if C::SECRET {
            for spare in &mut self.spare[index] {
                spare.store(FeX8::<W>::zero());
            }
        }
        if window == POINT_WINDOWS - 1 {
            *chain = addend.to_jacobian();
            return;
        }
        for _ in 0..POINT_WIDTH {
            *chain = chain.double();
        }
        if window > 0 {
            *chain = chain.add_mixed(addend).0;
        } else {
            self.chains.end(group, *chain, addend);
        }
    }
}

/// The first round of a tree: `read` gives the points of pair `i`, and their sum goes to `sums[i]`.
///
/// Points are chosen from tables, which takes a good part of an addition. So the x of both are chosen once: those of the
/// first points are kept where the y of the sum will be.
pub(crate) struct LeafRound<'a, R> {
    pub(crate) sums: &'a mut [AffineX8],
    /// The x of the second points: an element per pair.
    pub(crate) second_x: &'a mut [FeX8Mem],
    pub(crate) read: R,
}

/// Reads the pairs of a [`LeafRound`].
pub(crate) trait ReadPairs {
    /// Whether what is no longer needed is wiped at once.
    const SECRET: bool = false;

    /// The number of pairs.
    fn count(&self) -> usize;
    /// The x of a pair's points.
    fn x<W: Word>(&self, index: usize) -> [FeX8<W>; 2];
    /// The y of a pair's points, of magnitude 2 at most.
    fn y<W: Word>(&self, index: usize) -> [FeX8<W>; 2];
}

impl<R: ReadPairs> PairSums for LeafRound<'_, R> {
    type State<W: Word> = ();

    #[inline(always)]
    fn state<W: Word>() {}
    #[inline(always)]
    fn count(&self) -> usize {
        self.read.count()
    }
    #[inline(always)]
    fn pair<W: Word>(&self, index: usize) -> [Affine<FeX8<W>>; 2] {
        let [first, second] = self.read.y::<W>(index);
        [Affine { x: self.sums[index].y.load(), y: first }, Affine { x: self.second_x[index].load(), y: second }]
    }
    #[inline(always)]
    fn first_x<W: Word>(&mut self, index: usize) -> [FeX8<W>; 2] {
        let [first, second] = self.read.x::<W>(index);
        self.sums[index].y.store(first);
        self.second_x[index].store(second);
        [first, second]
    }
    #[inline(always)]
    fn spare(&self, index: usize) -> &FeX8Mem {
        &self.sums[index].x
    }
    #[inline(always)]
    fn spare_mut(&mut self, index: usize) -> &mut FeX8Mem {
        &mut self.sums[index].x
    }
    #[inline(always)]
    fn put<W: Word>(&mut self, _: &mut (), index: usize, sum: Affine<FeX8<W>>) {
        self.sums[index].store(sum);
        if R::SECRET {
            self.second_x[index].store(FeX8::<W>::zero());
        }
    }
}
