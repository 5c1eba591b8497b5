//! Pippenger's method: in each window the digit of a term puts its point into a bucket, and the sums of the buckets are
//! weighted.
//!
//! Where there are few buckets, terms are sorted by bucket, and the points of each bucket are summed by rounds of
//! pairs. Where there are many, terms are added *in place*, as they come. A round then adds at most one term to a
//! bucket, and a term whose bucket is taken waits for a later round. That needs no sorting, and no memory but the
//! buckets.

mod size;

pub(super) use size::PippengerSize;

use super::{
    bucket_sums::{LineSums, Lines},
    horner::ShiftedPoint,
    limits::{BUCKETS_PER_TERM, IN_PLACE_FROM, PAIRS_PER_ROUND},
    pair_tree::PointSets,
    radix::sort_by_key,
    signed_digits::DigitMatrix,
    workspace::SumMemory,
};
use crate::{
    affine_add::Rounds,
    arena::{Arena, List, NumberList},
    word::{PointPair, PointRef},
};
use core::ops::Range;
use size::windows_together;

/// The digits of terms, and the buckets of some windows. A bucket is for one absolute value of a digit, and has the sum
/// of all points with such a digit, negated where the digit is negative. Terms may be added in any number of pieces.
/// The sums are rows of a workspace's table.
pub(super) struct Pippenger<'m> {
    /// The digits of the terms of a piece.
    pub(super) digits: DigitMatrix<'m>,
    buckets: Buckets<'m>,
    lines: LineSums<'m>,
}

struct Buckets<'m> {
    width: u32,
    bits: u32,
    windows: Range<usize>,
    /// The row of the table where the sums begin.
    base: usize,
    sums: List<'m, BucketState>,
    /// The number of the next round, below `BucketState::ROUNDS`.
    round: u8,
    /// The pairs of the next round: the row of a bucket, and a point to be added to it.
    pairs: NumberList<'m, PointPair>,
    /// Pairs that wait for a later round. The sign of the first reference has no meaning.
    deferred: NumberList<'m, PointPair>,
    /// Memory to sort them in, and the buckets that they are of.
    spare: NumberList<'m, PointPair>,
    deferred_of: NumberList<'m, u32>,
    /// The members of the buckets of some windows, as sets. `places` has the number of members of each bucket, and then
    /// the place of its next member.
    sets: PointSets<'m>,
    places: NumberList<'m, u32>,
}

/// What is known of a bucket's row of the table. [`Self::NONE`]: it holds nothing. [`Self::ZERO`]: it is never used.
/// Otherwise the lowest bit says whether the row holds the bucket's sum or the negative of the sum, and the other bits
/// are the number of the last round that added to the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BucketState(u8);

impl BucketState {
    /// The bucket is empty.
    const NONE: BucketState = BucketState(u8::MAX);
    /// The bucket of digit zero, to which nothing is added.
    const ZERO: BucketState = BucketState(u8::MAX - 1);
    /// The number of round numbers. After the last one they begin at 0 again.
    const ROUNDS: u8 = Self::ZERO.0 / 2;

    fn new(round: u8, negated: bool) -> BucketState {
        BucketState(round << 1 | u8::from(negated))
    }

    /// Whether this is `NONE` or `ZERO`, which have neither a round nor a sum.
    fn is_special(self) -> bool {
        self.0 >= Self::ZERO.0
    }

    fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// The reference to the bucket's sum, which is row `place` of the table; `None` if there is no sum.
    fn at(self, place: usize) -> Option<PointRef> {
        (!self.is_special()).then(|| PointRef::new(place, self.is_negated()))
    }
}

/// The number of the round before `round`.
fn before(round: u8) -> u8 {
    round.checked_sub(1).unwrap_or(BucketState::ROUNDS - 1)
}

impl<'m> Pippenger<'m> {
    /// Empty buckets behind the table, of the windows `windows` of numbers below `2^bits`. A window has `width` bits.
    pub(super) fn new(
        size: PippengerSize,
        width: u32,
        bits: u32,
        windows: Range<usize>,
        arena: &mut Arena<'m, '_>,
        workspace: &mut SumMemory<'_>,
    ) -> Self {
        let digits = DigitMatrix::empty(width, bits, windows.clone(), arena.number_list(size.digits));
        let base = workspace.extend(size.buckets);
        let mut buckets = Buckets {
            width,
            bits,
            windows: windows.clone(),
            base,
            sums: arena.filled(size.buckets, BucketState::NONE),
            round: 1,
            pairs: arena.number_list(size.scheduled),
            deferred: arena.number_list(2 * size.scheduled),
            spare: arena.number_list(2 * size.scheduled),
            deferred_of: arena.number_list(2 * size.scheduled),
            sets: PointSets::new(size.sets, size.members, arena),
            places: arena.number_list(size.widest),
        };
        for window in windows.clone() {
            let zero = buckets.span(window).start;
            // None where the memory is only counted.
            if let Some(sum) = buckets.sums.get_mut(zero) {
                *sum = BucketState::ZERO;
            }
        }
        Pippenger { digits, buckets, lines: LineSums::new(size.lines, arena) }
    }

    /// Adds the terms whose digits these are to the buckets. Row `i` of the table is the point of term `i`.
    pub(super) fn add(&mut self, additions: &mut impl Rounds, workspace: &mut SumMemory<'_>) {
        self.buckets.add(additions, &self.digits, workspace);
    }

    /// Appends the sum of digit times bucket, over all buckets of all windows, as points times powers of two.
    pub(super) fn weighted_sums(
        &mut self,
        additions: &mut impl Rounds,
        workspace: &mut SumMemory<'_>,
        parts: &mut List<'_, ShiftedPoint>,
    ) {
        let Pippenger { buckets, lines, .. } = self;
        let Buckets { width, bits, windows, base, sums, sets, .. } = buckets;
        let member = |window: usize, bucket: usize| {
            let span = span(*width, *bits, windows, window);
            let bucket = span.start + bucket;
            if bucket < span.end { sums[bucket].at(*base + bucket) } else { None }
        };
        lines.sum(additions, Lines { width: *width, numbers: windows.clone() }, member, sets, workspace, parts);
    }
}

/// The indices of the buckets of a window among `windows`: one for each absolute value of a digit, zero included. All
/// windows but the last one of a number have as many.
fn span(width: u32, bits: u32, windows: &Range<usize>, window: usize) -> Range<usize> {
    let first = (window - windows.start) * ((1 << (width - 1)) + 1);
    first..first + DigitMatrix::greatest(width, bits, window) + 1
}

impl Buckets<'_> {
    fn span(&self, window: usize) -> Range<usize> {
        span(self.width, self.bits, &self.windows, window)
    }

    fn add(&mut self, additions: &mut impl Rounds, terms: &DigitMatrix<'_>, workspace: &mut SumMemory<'_>) {
        assert!(self.base >= terms.count() && terms.width() == self.width);
        if self.sums.len() < IN_PLACE_FROM * PAIRS_PER_ROUND {
            self.add_sorted(additions, terms, self.windows.clone(), workspace);
        } else {
            self.add_in_place(additions, terms, workspace);
        }
    }

    /// Adds terms in place in all windows that have enough buckets for that. The windows take turns: each schedules a
    /// stretch of the terms, and then the next window schedules the same stretch. The windows that have too few buckets
    /// follow, sorted.
    fn add_in_place(&mut self, additions: &mut impl Rounds, terms: &DigitMatrix<'_>, workspace: &mut SumMemory<'_>) {
        let windows = self.windows.clone();
        // The number of terms that a window schedules in one turn.
        let widest = windows.clone().map(|window| self.span(window).len()).max().unwrap_or(0);
        let stretch = (widest / BUCKETS_PER_TERM).clamp(PAIRS_PER_ROUND / windows.len(), PAIRS_PER_ROUND).max(1);
        let is_wide = |buckets: &Self, window| buckets.span(window).len() >= 2 * stretch;
        for start in (0..terms.count()).step_by(stretch) {
            for window in windows.clone() {
                if !is_wide(self, window) {
                    continue;
                }
                let mut first = start;
                let last = terms.count().min(start + stretch);
                while first < last {
                    let next = last.min(first + PAIRS_PER_ROUND - self.pairs.len());
                    self.schedule(terms, window, first..next, workspace);
                    if self.pairs.len() == PAIRS_PER_ROUND || self.deferred.len() >= PAIRS_PER_ROUND {
                        self.run_round(additions, workspace);
                        self.reschedule_deferred(additions, workspace);
                    }
                    first = next;
                }
            }
        }
        // The terms that wait now get one more round. If some still wait after it, they are few, or many of few
        // buckets. Rounds would take these one by one, so they are summed as sets.
        self.run_round(additions, workspace);
        self.reschedule_deferred(additions, workspace);
        self.run_round(additions, workspace);
        self.flush_deferred(additions, workspace);
        for window in windows {
            if !is_wide(self, window) {
                self.add_sorted(additions, terms, window..window + 1, workspace);
            }
        }
    }

    /// Schedules the terms `some` of a window for the next round. A term waits if its bucket already has a term in that
    /// round. The point of a term whose bucket is empty is copied at once.
    #[inline(never)]
    fn schedule(&mut self, terms: &DigitMatrix<'_>, window: usize, some: Range<usize>, workspace: &mut SumMemory<'_>) {
        let span = self.span(window);
        let base = self.base + span.start;
        let sums = &mut self.sums[span];
        let (now, earlier) = (BucketState::new(self.round, false), before(self.round));
        let (mut noted, mut deferred) = (self.pairs.len(), self.deferred.len());
        // Each term is written to both lists and counted in one, because a branch would often be mispredicted.
        self.pairs.lengthen(some.len());
        self.deferred.lengthen(some.len());
        let (pairs, deferrals) = (&mut self.pairs[..], &mut self.deferred[..]);
        for (digit, term) in terms.digits_of(window, some.clone()).zip(some) {
            let (bucket, point) = (digit.bucket(), digit.of(term));
            let sum = sums[bucket];
            if sum.is_special() {
                if sum == BucketState::NONE {
                    workspace.put(base + bucket, point);
                    sums[bucket] = BucketState::new(earlier, point.is_negated());
                }
                continue;
            }
            let place = PointRef::new(base + bucket, sum.is_negated());
            workspace.prefetch(place);
            workspace.prefetch(point);
            let busy = sum == now;
            (pairs[noted], deferrals[deferred]) = ([place, point], [place, point]);
            noted += usize::from(!busy);
            deferred += usize::from(busy);
            // After a round that adds to the bucket, its row holds the sum, not the negative.
            sums[bucket] = now;
        }
        self.pairs.truncate(noted);
        self.deferred.truncate(deferred);
    }

    /// Adds the scheduled pairs.
    fn run_round(&mut self, additions: &mut impl Rounds, workspace: &mut SumMemory<'_>) {
        workspace.add_in_place(additions, &self.pairs);
        self.pairs.clear();
        self.round = (self.round + 1) % BucketState::ROUNDS;
    }

    /// Schedules the waiting pairs for the next round, as far as their buckets are free. If there are too many of them,
    /// they are summed as sets first.
    fn reschedule_deferred(&mut self, additions: &mut impl Rounds, workspace: &mut SumMemory<'_>) {
        if self.deferred.len() >= PAIRS_PER_ROUND {
            self.flush_deferred(additions, workspace);
        }
        let Buckets { base, sums, round, pairs, deferred, .. } = self;
        let now = BucketState::new(*round, false);
        deferred.retain_mut(|&mut [place, point]| {
            let sum = &mut sums[place.index() - *base];
            let busy = *sum == now;
            if !busy {
                pairs.push([PointRef::new(place.index(), sum.is_negated()), point]);
                *sum = now;
            }
            busy
        });
    }

    /// Adds all waiting pairs to their buckets: a set per bucket is summed. Many of them may be of one bucket, of which
    /// a round takes only one. No pair may be scheduled when this is called.
    fn flush_deferred(&mut self, additions: &mut impl Rounds, workspace: &mut SumMemory<'_>) {
        let Buckets { base, sums, deferred, spare, deferred_of, sets, round, .. } = self;
        spare.clear();
        let spare = spare.lengthen(deferred.len());
        sort_by_key(deferred, spare, |[place, _]| place.index() - *base);
        sets.clear();
        deferred_of.clear();
        for members in deferred.chunk_by(|a, b| a[0].index() == b[0].index()) {
            let place = members[0][0].index();
            let sum = sums[place - *base].at(place);
            sets.push(members.iter().map(|[_, point]| *point).chain(sum));
            deferred_of.push((place - *base) as u32);
        }
        sum_sets(additions, *base, before(*round), sums, sets, |set| deferred_of[set] as usize, workspace);
        deferred.clear();
    }

    /// Adds the terms of `windows` to their buckets, by sorting them into a set per bucket.
    fn add_sorted(
        &mut self,
        additions: &mut impl Rounds,
        terms: &DigitMatrix<'_>,
        windows: Range<usize>,
        workspace: &mut SumMemory<'_>,
    ) {
        let at_once = windows_together(terms.count());
        for first in windows.clone().step_by(at_once) {
            self.sets.clear();
            for window in first..windows.end.min(first + at_once) {
                self.sort(terms, window);
            }
            let start = self.span(first).start;
            let Buckets { base, sums, sets, round, .. } = self;
            sum_sets(additions, *base, before(*round), sums, sets, |set| start + set, workspace);
        }
    }

    /// Appends a set for each bucket of a window: the bucket's sum so far, and the points of its terms. The set of
    /// bucket zero is empty.
    fn sort(&mut self, terms: &DigitMatrix<'_>, window: usize) {
        let span = self.span(window);
        let Buckets { base, sums, sets, places, .. } = self;
        let base = *base + span.start;
        let sums = &sums[span];
        places.clear();
        let places = places.lengthen(sums.len());
        places.fill(0);
        for digit in terms.digits(window) {
            places[digit.bucket()] += 1;
        }
        places[0] = 0;
        for (place, sum) in places.iter_mut().zip(sums) {
            *place += u32::from(!sum.is_special());
        }
        let members = sets.reserve(places.iter().map(|&length| length as usize));
        let mut start = 0;
        for ((bucket, place), sum) in places.iter_mut().enumerate().zip(sums) {
            (*place, start) = (start, start + *place);
            if let Some(sum) = sum.at(base + bucket) {
                members[*place as usize] = sum;
                *place += 1;
            }
        }
        for (term, digit) in terms.digits(window).enumerate() {
            let bucket = digit.bucket();
            if bucket != 0 {
                members[places[bucket] as usize] = digit.of(term);
                places[bucket] += 1;
            }
        }
    }
}

/// Sums all sets, and makes the sum of set `i` the sum of bucket `bucket(i)`, which was last added to in round `round`.
/// Each set has the bucket's sum so far as a member, if there is one.
fn sum_sets(
    additions: &mut impl Rounds,
    base: usize,
    round: u8,
    sums: &mut [BucketState],
    sets: &mut PointSets<'_>,
    bucket: impl Fn(usize) -> usize,
    workspace: &mut SumMemory<'_>,
) {
    sets.sum_all(additions, workspace, |set, sum, workspace| {
        let bucket = bucket(set);
        workspace.put(base + bucket, sum);
        sums[bucket] = BucketState::new(round, sum.is_negated());
    });
}
