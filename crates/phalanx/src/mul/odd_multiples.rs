//! The odd multiples P, 3 P, 5 P, ... of the points of a chunk, as a table per lane.
//!
//! Round 0 doubles P. Round r, from 1 on, adds 2^r P to the odd multiples known, and doubles 2^r P for the next round.
//! So round 1 makes 3 P, round 2 makes 5 P and 7 P, and so on. All multiples are below 64, and the order of P is a
//! large prime, so no addition is exceptional.

use super::digits::POINT_WIDTH;
use crate::{
    group::Coordinates,
    lanes::{
        inversion::{BatchStep, divide},
        memory::{AffineLanes, AffineX8, FeX8, FeX8Mem, Machine, Numbers, write_entries},
    },
    tables::Entry,
};
use phalanx_engine::{
    curve::Affine,
    field::batch_inversion::BatchInverted,
    word::{LANES, Mask8, Op, Word},
};

/// Entries of a lane's table in an ordinary multiplication: the multiples below 32.
pub(crate) const ENTRIES: usize = 1 << (POINT_WIDTH - 1);

/// The number of points that a group has in memory: `count` odd multiples, and the doubles 2 P, 4 P, ...
#[inline(always)]
pub(crate) const fn per_group(count: usize) -> usize {
    count + doubles(count)
}

/// The number of doublings on the way to `entries` odd multiples.
#[inline(always)]
const fn doubles(entries: usize) -> usize {
    entries.ilog2() as usize
}

/// The tables of the points of each group: `(2 j + 1) P` for the point P in lane `l` of group `i` is at
/// `(8 i + l) ENTRIES + j`. And the lanes in which a denominator was zero.
pub(crate) fn tables<'m, M: Machine>(
    machine: M,
    points: &[AffineLanes],
    numbers: &mut Numbers<'m>,
) -> (&'m [Entry], Mask8) {
    let entries = numbers.take(LANES * ENTRIES * points.len());
    let staying = ENTRIES / 2;
    let mut step = Numbers::new(numbers.spare());
    let multiples = step.take((staying + doubles(ENTRIES)) * points.len());
    let zero_denominator = rounds(machine, points, ENTRIES, staying, multiples, entries, &mut step);
    (entries, zero_denominator)
}

/// `count` odd multiples of the points of each group, eight lanes in one: `(2 j + 1) P` for group `i` is at
/// `per_group(count) i + j`. `count` is a power of two, at most 32. And the lanes in which a denominator was zero.
pub(crate) fn odd_multiples<'m, M: Machine>(
    machine: M,
    points: &[AffineLanes],
    count: usize,
    numbers: &mut Numbers<'m>,
) -> (&'m [AffineX8], Mask8) {
    let multiples = numbers.take(per_group(count) * points.len());
    let step = &mut Numbers::new(numbers.spare());
    let zero_denominator = rounds(machine, points, count, count, multiples, &mut [], step);
    (multiples, zero_denominator)
}

/// Computes `count` odd multiples of the points of each group. The first `staying` of them are kept in `multiples`. If
/// that is not all of them, the last round writes all to the tables in `entries`.
fn rounds<M: Machine>(
    machine: M,
    points: &[AffineLanes],
    count: usize,
    staying: usize,
    multiples: &mut [AffineX8],
    entries: &mut [Entry],
    numbers: &mut Numbers<'_>,
) -> Mask8 {
    let per_group = staying + doubles(count);
    // A round has at most `count / 2` divisions per group, and keeps a product for each.
    let kept: &mut [FeX8Mem] = numbers.take(count / 2 * points.len());
    machine.run(Firsts { points, multiples: &mut *multiples, per_group });
    let mut zero_denominator = 0;
    for round in 0..=doubles(count) {
        zero_denominator |= divide(
            machine,
            &mut Round { round, count, staying, multiples: &mut *multiples, kept: &mut *kept, entries: &mut *entries },
        )
        .0;
    }
    Mask8(zero_denominator)
}

/// Puts each group's points where its first multiples are.
struct Firsts<'a> {
    points: &'a [AffineLanes],
    multiples: &'a mut [AffineX8],
    per_group: usize,
}

impl Op for Firsts<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for (group, point) in self.multiples.chunks_exact_mut(self.per_group).zip(self.points) {
            group[0].store::<W>(point.load());
        }
    }
}

struct Round<'a> {
    round: usize,
    count: usize,
    staying: usize,
    multiples: &'a mut [AffineX8],
    kept: &'a mut [FeX8Mem],
    entries: &'a mut [Entry],
}

impl BatchStep for Round<'_> {
    type Field = Coordinates;
    type ForWord<'b, W: Word>
        = Running<'b>
    where
        Self: 'b;
    #[inline(always)]
    fn for_word<W: Word>(&mut self) -> Running<'_> {
        // Round 0 only doubles, the last one only adds.
        let additions = if self.round == 0 { 0 } else { 1 << (self.round - 1) };
        let steps = additions + usize::from(self.round < doubles(self.count));
        let Round { round, count, staying, multiples, kept, entries } = self;
        Running { round: *round, count: *count, staying: *staying, additions, steps, multiples, kept, entries }
    }
    fn is_empty(&self) -> bool {
        self.multiples.is_empty()
    }
}

struct Running<'a> {
    round: usize,
    count: usize,
    staying: usize,
    additions: usize,
    steps: usize,
    multiples: &'a mut [AffineX8],
    kept: &'a mut [FeX8Mem],
    entries: &'a mut [Entry],
}

/// Two points, the same twice for a doubling.
#[derive(Clone, Copy)]
struct PairOrDouble<W: Word> {
    doubling: bool,
    a: Affine<FeX8<W>>,
    b: Affine<FeX8<W>>,
}

impl Running<'_> {
    #[inline(always)]
    fn per_group(&self) -> usize {
        self.staying + doubles(self.count)
    }

    /// The place in `multiples` where the group of division `index` begins, and the number of the division's step.
    #[inline(always)]
    fn place(&self, index: usize) -> (usize, usize) {
        (index / self.steps * self.per_group(), index % self.steps)
    }
}

impl<W: Word> BatchInverted<FeX8<W>> for Running<'_> {
    type Operands = PairOrDouble<W>;
    /// The pair stays beside the sum: both its first point and the sum may go to a table.
    type Result = (PairOrDouble<W>, Affine<FeX8<W>>);

    #[inline(always)]
    fn count(&self) -> usize {
        self.multiples.len() / self.per_group() * self.steps
    }
    #[inline(always)]
    fn operands(&self, index: usize) -> PairOrDouble<W> {
        let (base, step) = self.place(index);
        let doubled = if self.round == 0 { base } else { base + self.staying + self.round - 1 };
        let b = self.multiples[doubled].load();
        let doubling = step == self.additions;
        let a = if doubling { b } else { self.multiples[base + step].load() };
        PairOrDouble { doubling, a, b }
    }
    #[inline(always)]
    fn denominator(pair: &PairOrDouble<W>) -> FeX8<W> {
        if pair.doubling { pair.a.tangent_denominator() } else { pair.a.chord_denominator(&pair.b) }
    }
    #[inline(always)]
    fn store_prefix(&mut self, index: usize, product: FeX8<W>) {
        self.kept[index].store(product);
    }
    #[inline(always)]
    fn load_prefix(&self, index: usize) -> FeX8<W> {
        self.kept[index].load()
    }
    #[inline(always)]
    fn solve(pair: &PairOrDouble<W>, inverse: FeX8<W>) -> Self::Result {
        (*pair, if pair.doubling { pair.a.double_with(inverse) } else { pair.a.add_with(pair.b, inverse) })
    }
    #[inline(always)]
    fn finish(&mut self, index: usize, (pair, sum): Self::Result) {
        let (base, step) = self.place(index);
        if pair.doubling {
            self.multiples[base + self.staying + self.round].store(sum);
            return;
        }
        let multiple = self.additions + step;
        if multiple < self.staying {
            self.multiples[base + multiple].store(sum);
        } else {
            let group = base / self.per_group();
            let entries = &mut self.entries[group * LANES * self.count..][..LANES * self.count];
            write_entries(pair.a, &mut entries[step..], self.count);
            write_entries(sum, &mut entries[multiple..], self.count);
        }
    }
}
