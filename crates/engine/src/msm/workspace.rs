//! The memory of one thread's sums, and what a curve lends them: additions of pairs of points in memory.

use crate::word::{Op, PointPair, PointRef};
use alloc::vec::Vec;

/// The arithmetic of a curve's affine points in memory.
pub trait AffineAdder {
    /// A point in memory, infinity included.
    type Entry: Copy;
    /// Memory that the additions of one thread work in.
    type Work: Default;

    /// Any entry, for memory that is to be written.
    const FILLER: Self::Entry;

    /// Runs other work on the same machine.
    fn run<O: Op>(&self, op: O) -> O::Output;

    /// Prepares the memory of additions for a new table, of finite points: infinity comes about by additions only.
    fn begin(work: &mut Self::Work);

    /// The sum of each pair of points in `memory`, in order, whatever they are. The length of `out` is the number of pairs.
    /// `doublings` says that some pairs are a point twice, which would otherwise have to be found out.
    fn add(
        &self,
        memory: &[Self::Entry],
        pairs: &[PointPair],
        out: &mut [Self::Entry],
        doublings: bool,
        work: &mut Self::Work,
    );

    /// Adds to the first point of each pair the second one, whatever they are. No pair's first point is in another pair.
    fn add_in_place(&self, memory: &mut [Self::Entry], pairs: &[PointPair], work: &mut Self::Work);

    /// Asks for a point that will be read soon.
    #[inline(always)]
    fn prefetch(&self, _memory: &[Self::Entry], _reference: PointRef) {}
}

/// The memory of one thread's sums: a table of points, and behind it the results of rounds.
pub struct Workspace<E, K> {
    memory: Vec<E>,
    table: usize,
    used: usize,
    pairs: Vec<PointPair>,
    work: K,
}

/// The memory of sums by some additions.
pub type WorkspaceOf<A> = Workspace<<A as AffineAdder>::Entry, <A as AffineAdder>::Work>;

impl<E, K: Default> Default for Workspace<E, K> {
    fn default() -> Self {
        Workspace { memory: Vec::new(), table: 0, used: 0, pairs: Vec::new(), work: K::default() }
    }
}

impl<E: Copy, K> Workspace<E, K> {
    /// Begins anew, with a table of so many points for the caller to write.
    pub fn begin<A: AffineAdder<Entry = E, Work = K>>(&mut self, points: usize) -> &mut [E] {
        self.grow::<A>(points);
        (self.table, self.used) = (points, points);
        self.pairs.clear();
        A::begin(&mut self.work);
        &mut self.memory[..points]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.memory.capacity() * size_of::<E>() + self.pairs.capacity() * size_of::<PointPair>()
    }

    /// Makes the results so far a part of the table.
    pub(super) fn keep(&mut self) {
        self.table = self.used;
    }

    /// Adds room for so many points to the table, and says where it begins. There are no results.
    pub fn extend<A: AffineAdder<Entry = E, Work = K>>(&mut self, points: usize) -> usize {
        let begin = self.table;
        self.grow::<A>(begin + points);
        (self.table, self.used) = (begin + points, begin + points);
        begin
    }

    /// The table up to a place, and from there on, for the caller to write.
    pub fn split(&mut self, place: usize) -> (&[E], &mut [E]) {
        let (before, after) = self.memory[..self.table].split_at_mut(place);
        (before, after)
    }

    /// The first points of the table, for the caller to write.
    pub fn points(&mut self, count: usize) -> &mut [E] {
        &mut self.memory[..self.table][..count]
    }

    /// Puts a point at a place of the table, whatever the reference says of negatives.
    pub(super) fn put(&mut self, place: usize, point: PointRef) {
        debug_assert!(place < self.table);
        self.memory[place] = self.memory[point.index()];
    }

    fn grow<A: AffineAdder<Entry = E, Work = K>>(&mut self, points: usize) {
        assert!(points < PointRef::LIMIT);
        let missing = points.saturating_sub(self.memory.len());
        // Not twice what there is, as a vector would grow: these are large.
        self.memory.reserve_exact(missing);
        self.memory.resize(self.memory.len() + missing, A::FILLER);
    }

    /// Forgets all results.
    pub(super) fn clear(&mut self) {
        self.used = self.table;
    }

    /// Notes a pair for the next round and tells what will refer to its sum.
    #[inline(always)]
    pub(super) fn pair(&mut self, a: PointRef, b: PointRef) -> PointRef {
        let sum = PointRef::new(self.used + self.pairs.len(), false);
        self.pairs.push([a, b]);
        sum
    }

    /// Notes pairs of so many points in a row and so many others in a row, and tells where their sums will be.
    pub(super) fn pairs(&mut self, first: usize, second: usize, count: usize) -> usize {
        let sums = self.used + self.pairs.len();
        let reference = |place| PointRef::new(place, false);
        self.pairs.extend((0..count).map(|i| [reference(first + i), reference(second + i)]));
        sums
    }

    /// Notes a pair of each two, and puts what will refer to the sums in place of the first ones.
    #[inline(always)]
    pub(super) fn pair_up(&mut self, firsts: &mut [PointRef], seconds: &[PointRef]) {
        let next = self.used + self.pairs.len();
        self.pairs.extend(firsts.iter().zip(seconds).map(|(first, second)| [*first, *second]));
        for (index, first) in (next..).zip(firsts) {
            *first = PointRef::new(index, false);
        }
    }

    /// Adds the pairs noted, none of which is expected to be a point twice.
    pub(super) fn round<A: AffineAdder<Entry = E, Work = K>>(&mut self, additions: &A) {
        self.add(additions, false);
    }

    /// Adds the pairs noted, some of which are a point twice.
    pub(super) fn round_with_doublings<A: AffineAdder<Entry = E, Work = K>>(&mut self, additions: &A) {
        self.add(additions, true);
    }

    fn add<A: AffineAdder<Entry = E, Work = K>>(&mut self, additions: &A, doublings: bool) {
        let end = self.used + self.pairs.len();
        self.grow::<A>(end);
        let (memory, out) = self.memory.split_at_mut(self.used);
        additions.add(memory, &self.pairs, &mut out[..self.pairs.len()], doublings, &mut self.work);
        self.used = end;
        self.pairs.clear();
    }

    /// Adds the pairs, of which the first points are in the table and keep the sums.
    pub(super) fn add_in_place<A: AffineAdder<Entry = E, Work = K>>(&mut self, additions: &A, pairs: &[PointPair]) {
        additions.add_in_place(&mut self.memory[..self.table], pairs, &mut self.work);
    }

    /// Asks for a point that will be read before long.
    #[inline(always)]
    pub(super) fn prefetch<A: AffineAdder<Entry = E, Work = K>>(&self, additions: &A, reference: PointRef) {
        additions.prefetch(&self.memory, reference);
    }

    /// The point, whatever the reference says of negatives.
    pub(super) fn get(&self, reference: PointRef) -> E {
        self.memory[reference.index()]
    }
}
