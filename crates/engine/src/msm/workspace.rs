//! The memory of one thread's sums.

use crate::{
    affine_add::{AffineAdder, Work},
    lanes::INFINITY,
    word::{CacheLine, Machine, PointPair, PointRef},
};
use alloc::vec::Vec;

/// The memory of one thread's sums: a table of points, and behind it the results of rounds.
pub struct Workspace<K> {
    memory: Vec<CacheLine>,
    table: usize,
    used: usize,
    pairs: Vec<PointPair>,
    work: K,
}

/// The memory of sums by some additions.
pub type WorkspaceOf<A> = Workspace<<A as AffineAdder>::Work>;

impl<K: Default> Default for Workspace<K> {
    fn default() -> Self {
        Workspace { memory: Vec::new(), table: 0, used: 0, pairs: Vec::new(), work: K::default() }
    }
}

impl<K> Workspace<K> {
    /// Begins anew, with a table of so many points for the caller to write.
    pub fn begin(&mut self, points: usize) -> &mut [CacheLine]
    where
        K: Work,
    {
        self.grow(points);
        (self.table, self.used) = (points, points);
        self.pairs.clear();
        self.work.begin();
        &mut self.memory[..points]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.memory.capacity() * size_of::<CacheLine>() + self.pairs.capacity() * size_of::<PointPair>()
    }

    /// Makes the results so far a part of the table.
    pub(super) fn keep(&mut self) {
        self.table = self.used;
    }

    /// Adds room for so many points to the table, and says where it begins. There are no results.
    pub fn extend(&mut self, points: usize) -> usize {
        let begin = self.table;
        self.grow(begin + points);
        (self.table, self.used) = (begin + points, begin + points);
        begin
    }

    /// The table up to a place, and from there on, for the caller to write.
    pub fn split(&mut self, place: usize) -> (&[CacheLine], &mut [CacheLine]) {
        let (before, after) = self.memory[..self.table].split_at_mut(place);
        (before, after)
    }

    /// The first points of the table, for the caller to write.
    pub fn points(&mut self, count: usize) -> &mut [CacheLine] {
        &mut self.memory[..self.table][..count]
    }

    /// Puts a point at a place of the table, whatever the reference says of negatives.
    pub(super) fn put(&mut self, place: usize, point: PointRef) {
        debug_assert!(place < self.table);
        self.memory[place] = self.memory[point.index()];
    }

    fn grow(&mut self, points: usize) {
        assert!(points < PointRef::LIMIT);
        let missing = points.saturating_sub(self.memory.len());
        // Not twice what there is, as a vector would grow: these are large.
        self.memory.reserve_exact(missing);
        self.memory.resize(self.memory.len() + missing, INFINITY);
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
    pub(super) fn round<A: AffineAdder<Work = K>>(&mut self, additions: &A) {
        self.add(additions, false);
    }

    /// Adds the pairs noted, some of which are a point twice.
    pub(super) fn round_with_doublings<A: AffineAdder<Work = K>>(&mut self, additions: &A) {
        self.add(additions, true);
    }

    fn add<A: AffineAdder<Work = K>>(&mut self, additions: &A, doublings: bool) {
        let end = self.used + self.pairs.len();
        self.grow(end);
        let (memory, out) = self.memory.split_at_mut(self.used);
        additions.add(memory, &self.pairs, &mut out[..self.pairs.len()], doublings, &mut self.work);
        self.used = end;
        self.pairs.clear();
    }

    /// Adds the pairs, of which the first points are in the table and keep the sums.
    pub(super) fn add_in_place<A: AffineAdder<Work = K>>(&mut self, additions: &A, pairs: &[PointPair]) {
        additions.add_in_place(&mut self.memory[..self.table], pairs, &mut self.work);
    }

    /// Asks for a point that will be read before long.
    #[inline(always)]
    pub(super) fn prefetch<A: AffineAdder<Work = K>>(&self, additions: &A, reference: PointRef) {
        additions.machine().prefetch(&self.memory, reference);
    }

    /// The point, whatever the reference says of negatives.
    pub(super) fn get(&self, reference: PointRef) -> CacheLine {
        self.memory[reference.index()]
    }
}
