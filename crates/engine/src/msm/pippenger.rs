//! Pippenger's method: the points of a window are put into buckets by digit, and the buckets' sums weighted.
//!
//! Few terms are sorted by bucket and each bucket's points summed by rounds of pairs. Of many terms most can be added
//! to their buckets at once: those whose bucket no other term of the same round is added to. That needs no sorting, and
//! no memory but the buckets.

use super::{
    bucket_sums::{Weighted, weighted_sums},
    horner::ShiftedPoint,
    limits::{BUCKETS_PER_TERM, IN_PLACE_FROM, PAIRS_PER_ROUND, POINTS_PER_BATCH},
    pair_tree::PointSets,
    signed_digits::DigitMatrix,
    workspace::{Workspace, WorkspaceOf},
};
use crate::{
    affine_add::AffineAdder,
    word::{PointPair, PointRef},
};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// The buckets of some windows: in each the sum of the points whose digit it is for, in any number of pieces. The sums
/// are a part of a workspace's table.
#[derive(Debug)]
pub struct Buckets {
    width: u32,
    windows: Vec<Span>,
    /// Where in the table the sums begin.
    base: usize,
    sums: Vec<Sum>,
    /// The round to come.
    round: u8,
    pairs: Vec<PointPair>,
    /// Pairs that have to wait for another round, whatever the first references say of negatives.
    deferred: Vec<PointPair>,
    /// The members of some windows' buckets, and how many each bucket has or where its next one goes: memory for
    /// [`Self::add`].
    sets: PointSets,
    places: Vec<u32>,
}

/// A window and its buckets.
#[derive(Debug, Clone)]
struct Span {
    index: usize,
    /// One for each absolute value of digits, zero included.
    buckets: Range<usize>,
}

/// What stands for a bucket's sum in the table: [`Self::NONE`] nothing, or else the sum or, by the lowest bit, its
/// negative. The other bits are of the last round in which the bucket had a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sum(u8);

impl Sum {
    /// The bucket is empty.
    const NONE: Sum = Sum(u8::MAX);
    /// The bucket of zero, which takes no part.
    const ZERO: Sum = Sum(u8::MAX - 1);
    /// Rounds that can be told apart.
    const ROUNDS: u8 = Self::ZERO.0 / 2;

    fn new(round: u8, negated: bool) -> Sum {
        Sum(round << 1 | u8::from(negated))
    }

    /// Neither a round nor a sum.
    fn is_special(self) -> bool {
        self.0 >= Self::ZERO.0
    }

    fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// What refers to a bucket's sum, whose place in the table this is.
    fn at(self, place: usize) -> Option<PointRef> {
        (!self.is_special()).then(|| PointRef::new(place, self.is_negated()))
    }
}

/// The round before.
fn before(round: u8) -> u8 {
    round.checked_sub(1).unwrap_or(Sum::ROUNDS - 1)
}

impl Buckets {
    /// Empty buckets behind the table, for numbers below `2^bits`.
    pub fn new_after_table<K>(width: u32, bits: u32, windows: Range<usize>, workspace: &mut Workspace<K>) -> Buckets {
        let mut count = 0;
        let span = |index| {
            let first = count;
            count += DigitMatrix::greatest(width, bits, index) + 1;
            Span { index, buckets: first..count }
        };
        let windows: Vec<_> = windows.map(span).collect();
        let base = workspace.extend(count);
        let mut sums = vec![Sum::NONE; count];
        windows.iter().for_each(|span| sums[span.buckets.start] = Sum::ZERO);
        let (pairs, deferred) = (Vec::with_capacity(PAIRS_PER_ROUND), Vec::with_capacity(PAIRS_PER_ROUND));
        Buckets {
            width,
            windows,
            base,
            sums,
            round: 1,
            pairs,
            deferred,
            sets: PointSets::default(),
            places: Vec::new(),
        }
    }

    /// Adds terms to the buckets; the table begins with their points.
    pub fn add<A: AffineAdder>(&mut self, additions: &A, terms: &DigitMatrix, workspace: &mut WorkspaceOf<A>) {
        assert!(self.base >= terms.count() && terms.width() == self.width);
        if self.sums.len() < IN_PLACE_FROM * PAIRS_PER_ROUND {
            self.add_sorted(additions, terms, 0..self.windows.len(), workspace);
            return;
        }
        for window in self.add_in_place(additions, terms, workspace) {
            self.add_sorted(additions, terms, window..window + 1, workspace);
        }
    }

    /// Adds the terms of wide windows to their buckets at once, a stretch of the terms after the other, and says which
    /// windows are not wide.
    fn add_in_place<A: AffineAdder>(
        &mut self,
        additions: &A,
        terms: &DigitMatrix,
        workspace: &mut WorkspaceOf<A>,
    ) -> Vec<usize> {
        // What a window puts down at a time.
        let widest = self.windows.iter().map(|span| span.buckets.len()).max().unwrap_or(0);
        let stretch = (widest / BUCKETS_PER_TERM).clamp(PAIRS_PER_ROUND / self.windows.len(), PAIRS_PER_ROUND).max(1);
        let (wide, narrow): (Vec<_>, _) =
            (0..self.windows.len()).partition(|window| self.windows[*window].buckets.len() >= 2 * stretch);
        for start in (0..terms.count()).step_by(stretch) {
            for &window in &wide {
                let mut first = start;
                let last = terms.count().min(start + stretch);
                while first < last {
                    let next = last.min(first + PAIRS_PER_ROUND - self.pairs.len());
                    self.schedule(additions, terms, window, first..next, workspace);
                    if self.pairs.len() == PAIRS_PER_ROUND || self.deferred.len() >= PAIRS_PER_ROUND {
                        self.run_round(additions, workspace);
                        self.reschedule_deferred(additions, workspace);
                    }
                    first = next;
                }
            }
        }
        // What waits then is one more round, and after it few terms, or many of few buckets, which rounds would take
        // one by one.
        self.run_round(additions, workspace);
        self.reschedule_deferred(additions, workspace);
        self.run_round(additions, workspace);
        self.flush_deferred(additions, workspace);
        narrow
    }

    /// Puts some terms of a window down for the round to come, or makes them wait if their bucket has a part in it
    /// already.
    #[inline(never)]
    fn schedule<A: AffineAdder>(
        &mut self,
        additions: &A,
        terms: &DigitMatrix,
        window: usize,
        some: Range<usize>,
        workspace: &mut WorkspaceOf<A>,
    ) {
        let Span { index, ref buckets } = self.windows[window];
        let base = self.base + buckets.start;
        let sums = &mut self.sums[buckets.clone()];
        let (now, earlier) = (Sum::new(self.round, false), before(self.round));
        let (mut noted, mut deferred) = (self.pairs.len(), self.deferred.len());
        // Each term is written to both and counted in one, because a branch would often be a surprise.
        let filler = [PointRef::new(0, false); 2];
        self.pairs.resize(noted + some.len(), filler);
        self.deferred.resize(deferred + some.len(), filler);
        let (pairs, deferrals) = (&mut self.pairs[..], &mut self.deferred[..]);
        for (digit, term) in terms.digits(index)[some.clone()].iter().zip(some) {
            let (bucket, point) = (digit.bucket(), digit.of(term));
            let sum = sums[bucket];
            if sum.is_special() {
                if sum == Sum::NONE {
                    workspace.put(base + bucket, point);
                    sums[bucket] = Sum::new(earlier, point.is_negated());
                }
                continue;
            }
            let place = PointRef::new(base + bucket, sum.is_negated());
            workspace.prefetch(additions, place);
            workspace.prefetch(additions, point);
            let busy = sum == now;
            (pairs[noted], deferrals[deferred]) = ([place, point], [place, point]);
            noted += usize::from(!busy);
            deferred += usize::from(busy);
            // What has a part in a round is the sum itself after it.
            sums[bucket] = now;
        }
        self.pairs.truncate(noted);
        self.deferred.truncate(deferred);
    }

    /// Adds what is put down.
    fn run_round<A: AffineAdder>(&mut self, additions: &A, workspace: &mut WorkspaceOf<A>) {
        workspace.add_in_place(additions, &self.pairs);
        self.pairs.clear();
        self.round = (self.round + 1) % Sum::ROUNDS;
    }

    /// Puts down what waits for the round to come; or, if it is much, sums it.
    fn reschedule_deferred<A: AffineAdder>(&mut self, additions: &A, workspace: &mut WorkspaceOf<A>) {
        if self.deferred.len() >= PAIRS_PER_ROUND {
            self.flush_deferred(additions, workspace);
        }
        let Buckets { base, sums, round, pairs, deferred, .. } = self;
        let now = Sum::new(*round, false);
        deferred.retain(|&[place, point]| {
            let sum = &mut sums[place.index() - *base];
            let busy = *sum == now;
            if !busy {
                pairs.push([PointRef::new(place.index(), sum.is_negated()), point]);
                *sum = now;
            }
            busy
        });
    }

    /// Sums what waits bucket by bucket: there may be many terms of one bucket, and a round takes one. Nothing is put
    /// down for a round.
    fn flush_deferred<A: AffineAdder>(&mut self, additions: &A, workspace: &mut WorkspaceOf<A>) {
        let mut deferred = core::mem::take(&mut self.deferred);
        deferred.sort_unstable_by_key(|[place, _]| place.index());
        self.sets.clear();
        let mut buckets = Vec::new();
        for members in deferred.chunk_by(|a, b| a[0].index() == b[0].index()) {
            let place = members[0][0].index();
            let sum = self.sums[place - self.base].at(place);
            self.sets.push(members.iter().map(|[_, point]| *point).chain(sum));
            buckets.push(place - self.base);
        }
        self.sum_sets(additions, |set| buckets[set], workspace);
        deferred.clear();
        self.deferred = deferred;
    }

    /// Sums the points of some windows bucket by bucket.
    fn add_sorted<A: AffineAdder>(
        &mut self,
        additions: &A,
        terms: &DigitMatrix,
        windows: Range<usize>,
        workspace: &mut WorkspaceOf<A>,
    ) {
        let at_once = (POINTS_PER_BATCH / terms.count().max(1)).max(1);
        for first in windows.clone().step_by(at_once) {
            self.sets.clear();
            for window in first..windows.end.min(first + at_once) {
                self.sort(terms, window);
            }
            let base = self.windows[first].buckets.start;
            self.sum_sets(additions, |set| base + set, workspace);
        }
    }

    /// Sums all sets, of which each has the bucket's sum so far as a member, to be the sums of these buckets.
    fn sum_sets<A: AffineAdder>(
        &mut self,
        additions: &A,
        bucket: impl Fn(usize) -> usize,
        workspace: &mut WorkspaceOf<A>,
    ) {
        let Buckets { base, sums, sets, round, .. } = self;
        sets.sum_all(additions, workspace, |set, sum, workspace| {
            let bucket = bucket(set);
            workspace.put(*base + bucket, sum);
            sums[bucket] = Sum::new(before(*round), sum.is_negated());
        });
    }

    /// The terms of a window by bucket, with what is in the buckets already: a set for each bucket, of which the first
    /// is left empty.
    fn sort(&mut self, terms: &DigitMatrix, window: usize) {
        let Buckets { base, windows, sums, sets, places, .. } = self;
        let Span { index, ref buckets } = windows[window];
        let base = *base + buckets.start;
        let digits = terms.digits(index);
        let sums = &sums[buckets.clone()];
        places.clear();
        places.resize(sums.len(), 0);
        for digit in digits {
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
        for (term, digit) in digits.iter().enumerate() {
            let bucket = digit.bucket();
            if bucket != 0 {
                members[places[bucket] as usize] = digit.of(term);
                places[bucket] += 1;
            }
        }
    }

    /// The buckets' weighted sums, by bits.
    pub fn weighted_sums<A: AffineAdder>(&self, additions: &A, workspace: &mut WorkspaceOf<A>) -> Vec<ShiftedPoint> {
        let bucket = |bucket: usize| self.sums[bucket].at(self.base + bucket);
        let line = |span: &Span| {
            let members = span.buckets.clone().map(bucket).collect();
            Weighted { bit: self.width as usize * span.index, members }
        };
        weighted_sums(&self.windows.iter().map(line).collect::<Vec<_>>(), additions, workspace)
    }
}
