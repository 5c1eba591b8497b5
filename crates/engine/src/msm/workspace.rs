//! The memory of one thread's sums: rows of points, and the pairs of a round.

use crate::{
    affine_add::{AnyRows, Apart, InPlace, Rounds},
    arena::NumberList,
    word::{CacheLine, PointPair, PointRef, prefetch_for_later},
};

/// The memory of one thread's sums: a table of points, and behind it the results of rounds. A point is a row of the
/// memory. The memory is as large as the largest sum needs.
pub(super) struct SumMemory<'m> {
    memory: &'m mut [CacheLine],
    /// The number of rows of the table.
    table: usize,
    /// The number of rows of the table and of the results behind it.
    used: usize,
    /// The pairs noted for the next round.
    pairs: NumberList<'m, PointPair>,
}

impl<'m> SumMemory<'m> {
    pub(super) fn new(memory: &'m mut [CacheLine], pairs: NumberList<'m, PointPair>) -> Self {
        assert!(memory.len() < PointRef::LIMIT, "more rows than references reach");
        SumMemory { memory, table: 0, used: 0, pairs }
    }

    /// Forgets what the workspace holds, and returns a new table of `points` rows for the caller to write.
    pub(super) fn begin(&mut self, points: usize) -> &mut [CacheLine] {
        self.reset(points);
        &mut self.memory[..points]
    }

    /// Forgets what the workspace holds. The table has `points` rows, of which nothing is known.
    pub(super) fn reset(&mut self, points: usize) {
        (self.table, self.used) = (points, points);
        self.pairs.clear();
    }

    /// Makes the results so far a part of the table.
    pub(super) fn keep(&mut self) {
        self.table = self.used;
    }

    /// Makes the table `points` rows longer, and returns the index of the first new row. All results are forgotten.
    pub(super) fn extend(&mut self, points: usize) -> usize {
        let begin = self.table;
        (self.table, self.used) = (begin + points, begin + points);
        begin
    }

    /// The rows of the table before `place`; and those from `place` on, for the caller to write.
    pub(super) fn split(&mut self, place: usize) -> (&[CacheLine], &mut [CacheLine]) {
        let (before, after) = self.memory[..self.table].split_at_mut(place);
        (before, after)
    }

    /// The first `count` rows of the table, for the caller to write.
    pub(super) fn points(&mut self, count: usize) -> &mut [CacheLine] {
        &mut self.memory[..self.table][..count]
    }

    /// Copies the row that `point` refers to to row `place` of the table. The sign of the reference is ignored.
    pub(super) fn put(&mut self, place: usize, point: PointRef) {
        debug_assert!(place < self.table);
        self.memory[place] = self.memory[point.index()];
    }

    /// Forgets all results.
    pub(super) fn clear(&mut self) {
        self.used = self.table;
    }

    /// Notes the pair (`a`, `b`) for the next round, and returns the reference to its sum.
    #[inline(always)]
    pub(super) fn pair(&mut self, a: PointRef, b: PointRef) -> PointRef {
        let sum = PointRef::new(self.used + self.pairs.len(), false);
        self.pairs.push([a, b]);
        sum
    }

    /// Notes the `count` pairs (row `first + i`, row `second + i`). Returns the row where the sum of pair 0 will be;
    /// the sum of pair `i` will be `i` rows behind it.
    pub(super) fn pairs(&mut self, first: usize, second: usize, count: usize) -> usize {
        let sums = self.used + self.pairs.len();
        let reference = |place| PointRef::new(place, false);
        self.pairs.extend((0..count).map(|i| [reference(first + i), reference(second + i)]));
        sums
    }

    /// Notes the pairs (`firsts[i]`, `seconds[i]`), and replaces `firsts[i]` by the reference to their sum.
    #[inline(always)]
    pub(super) fn pair_up(&mut self, firsts: &mut [PointRef], seconds: &[PointRef]) {
        let next = self.used + self.pairs.len();
        self.pairs.extend(firsts.iter().zip(seconds).map(|(first, second)| [*first, *second]));
        for (index, first) in (next..).zip(firsts) {
            *first = PointRef::new(index, false);
        }
    }

    /// Adds the pairs noted. A pair that is the same point twice is allowed, but not expected.
    pub(super) fn round(&mut self, additions: &mut impl Rounds) {
        self.add(additions, false);
    }

    /// Adds the pairs noted, of which some are the same point twice.
    pub(super) fn round_with_doublings(&mut self, additions: &mut impl Rounds) {
        self.add(additions, true);
    }

    fn add(&mut self, additions: &mut impl Rounds, doublings: bool) {
        let (points, out) = self.memory.split_at_mut(self.used);
        let sums = &mut out[..self.pairs.len()];
        additions.round(AnyRows::Apart(Apart { points, sums }), &self.pairs, doublings);
        self.used += self.pairs.len();
        self.pairs.clear();
    }

    /// Adds `pairs`. The first point of a pair is a row of the table, and the sum replaces it.
    pub(super) fn add_in_place(&mut self, additions: &mut impl Rounds, pairs: &[PointPair]) {
        additions.round(AnyRows::InPlace(InPlace(&mut self.memory[..self.table])), pairs, false);
    }

    /// Prefetches the row that `reference` refers to, which will be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, reference: PointRef) {
        prefetch_for_later(self.memory, reference);
    }

    /// The row that `reference` refers to. The sign of the reference is ignored.
    pub(super) fn get(&self, reference: PointRef) -> CacheLine {
        self.memory[reference.index()]
    }
}
