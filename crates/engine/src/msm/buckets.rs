//! Pippenger's method: the points of a window are put into buckets by digit, and the buckets' sums weighted.
//!
//! Few terms are sorted by bucket and each bucket's points summed by rounds of pairs. Of many terms most can be added to their buckets
//! at once: those whose bucket no other term of the same round is added to. That needs no sorting, and no memory but the buckets.

use super::{
    chain::Part,
    plan::{IN_PLACE, ROUND, TOGETHER},
    rounds::{Additions, Sets, WorkspaceOf},
    terms::Terms,
    weights::{Line, weigh},
};
use crate::word::{Pair, Reference};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// The buckets of some windows: in each the sum of the points whose digit it is for, in any number of pieces. The sums are a part of a
/// workspace's table.
#[derive(Debug)]
pub struct Buckets {
    width: u32,
    windows: Vec<Span>,
    /// Where in the table the sums begin.
    base: usize,
    sums: Vec<Sum>,
    /// The round to come.
    round: u8,
    pairs: Vec<Pair>,
    /// Pairs that have to wait for another round, whatever the first references say of opposites.
    waiting: Vec<Pair>,
    /// The members of some windows' buckets, and how many each bucket has or where its next one goes: memory for
    /// [`Self::add`].
    sets: Sets,
    places: Vec<u32>,
}

/// A window and its buckets.
#[derive(Debug, Clone)]
struct Span {
    index: usize,
    /// One for each absolute value of digits, zero included.
    buckets: Range<usize>,
}

/// What stands for a bucket's sum in the table: [`Self::NONE`] nothing, or else the sum or, by the lowest bit, its opposite. The other
/// bits are of the last round in which the bucket had a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sum(u8);

impl Sum {
    /// The bucket is empty.
    const NONE: Sum = Sum(u8::MAX);
    /// The bucket of zero, which takes no part.
    const ZERO: Sum = Sum(u8::MAX - 1);
    /// Rounds that can be told apart.
    const ROUNDS: u8 = Self::ZERO.0 / 2;

    fn new(round: u8, opposite: bool) -> Sum {
        Sum(round << 1 | u8::from(opposite))
    }

    /// Neither a round nor a sum.
    fn is_special(self) -> bool {
        self.0 >= Self::ZERO.0
    }

    fn is_opposite(self) -> bool {
        self.0 & 1 != 0
    }

    /// What refers to a bucket's sum, whose place in the table this is.
    fn at(self, place: usize) -> Option<Reference> {
        (!self.is_special()).then(|| Reference::new(place, self.is_opposite()))
    }
}

/// A window puts down terms for one in so many of its buckets, and then it is another window's turn: so few of them wait.
const SPARSE: usize = 6;

/// The round before.
fn before(round: u8) -> u8 {
    round.checked_sub(1).unwrap_or(Sum::ROUNDS - 1)
}

impl Buckets {
    /// Empty buckets behind the table, for numbers below `2^bits`.
    pub fn behind<A: Additions>(
        width: u32,
        bits: u32,
        windows: Range<usize>,
        workspace: &mut WorkspaceOf<A>,
    ) -> Buckets {
        let mut count = 0;
        let span = |index| {
            let first = count;
            count += Terms::greatest(width, bits, index) + 1;
            Span { index, buckets: first..count }
        };
        let windows: Vec<_> = windows.map(span).collect();
        let base = workspace.extend::<A>(count);
        let mut sums = vec![Sum::NONE; count];
        windows.iter().for_each(|span| sums[span.buckets.start] = Sum::ZERO);
        let (pairs, waiting) = (Vec::with_capacity(ROUND), Vec::with_capacity(ROUND));
        Buckets { width, windows, base, sums, round: 1, pairs, waiting, sets: Sets::default(), places: Vec::new() }
    }

    /// Adds terms to the buckets; the table begins with their points.
    pub fn add<A: Additions>(&mut self, additions: &A, terms: &Terms, workspace: &mut WorkspaceOf<A>) {
        assert!(self.base >= terms.count() && terms.width() == self.width);
        if self.sums.len() < IN_PLACE * ROUND {
            self.add_sorted(additions, terms, 0..self.windows.len(), workspace);
            return;
        }
        for window in self.add_in_place(additions, terms, workspace) {
            self.add_sorted(additions, terms, window..window + 1, workspace);
        }
    }

    /// Adds the terms of wide windows to their buckets at once, a stretch of the terms after the other, and says which windows are not wide.
    fn add_in_place<A: Additions>(
        &mut self,
        additions: &A,
        terms: &Terms,
        workspace: &mut WorkspaceOf<A>,
    ) -> Vec<usize> {
        // What a window puts down at a time.
        let widest = self.windows.iter().map(|span| span.buckets.len()).max().unwrap_or(0);
        let stretch = (widest / SPARSE).clamp(ROUND / self.windows.len(), ROUND).max(1);
        let (wide, narrow): (Vec<_>, _) =
            (0..self.windows.len()).partition(|window| self.windows[*window].buckets.len() >= 2 * stretch);
        for start in (0..terms.count()).step_by(stretch) {
            for &window in &wide {
                let mut first = start;
                let last = terms.count().min(start + stretch);
                while first < last {
                    let next = last.min(first + ROUND - self.pairs.len());
                    self.offer(additions, terms, window, first..next, workspace);
                    if self.pairs.len() == ROUND || self.waiting.len() >= ROUND {
                        self.run_round(additions, workspace);
                        self.put_down_waiting(additions, workspace);
                    }
                    first = next;
                }
            }
        }
        // What waits then is one more round, and after it few terms, or many of few buckets, which rounds would take one by one.
        self.run_round(additions, workspace);
        self.put_down_waiting(additions, workspace);
        self.run_round(additions, workspace);
        self.add_waiting(additions, workspace);
        narrow
    }

    /// Puts some terms of a window down for the round to come, or makes them wait if their bucket has a part in it already.
    #[inline(never)]
    fn offer<A: Additions>(
        &mut self,
        additions: &A,
        terms: &Terms,
        window: usize,
        some: Range<usize>,
        workspace: &mut WorkspaceOf<A>,
    ) {
        let Span { index, ref buckets } = self.windows[window];
        let base = self.base + buckets.start;
        let sums = &mut self.sums[buckets.clone()];
        let (now, earlier) = (Sum::new(self.round, false), before(self.round));
        let (mut noted, mut waiting) = (self.pairs.len(), self.waiting.len());
        // Each term is written to both and counted in one, because a branch would often be a surprise.
        let filler = [Reference::new(0, false); 2];
        self.pairs.resize(noted + some.len(), filler);
        self.waiting.resize(waiting + some.len(), filler);
        let (pairs, waits) = (&mut self.pairs[..], &mut self.waiting[..]);
        for (digit, term) in terms.digits(index)[some.clone()].iter().zip(some) {
            let (bucket, point) = (digit.bucket(), digit.of(term));
            let sum = sums[bucket];
            if sum.is_special() {
                if sum == Sum::NONE {
                    workspace.put(base + bucket, point);
                    sums[bucket] = Sum::new(earlier, point.is_opposite());
                }
                continue;
            }
            let place = Reference::new(base + bucket, sum.is_opposite());
            workspace.prefetch(additions, place);
            workspace.prefetch(additions, point);
            let busy = sum == now;
            (pairs[noted], waits[waiting]) = ([place, point], [place, point]);
            noted += usize::from(!busy);
            waiting += usize::from(busy);
            // What has a part in a round is the sum itself after it.
            sums[bucket] = now;
        }
        self.pairs.truncate(noted);
        self.waiting.truncate(waiting);
    }

    /// Adds what is put down.
    fn run_round<A: Additions>(&mut self, additions: &A, workspace: &mut WorkspaceOf<A>) {
        workspace.add_in_place(additions, &self.pairs);
        self.pairs.clear();
        self.round = (self.round + 1) % Sum::ROUNDS;
    }

    /// Puts down what waits for the round to come; or, if it is much, sums it.
    fn put_down_waiting<A: Additions>(&mut self, additions: &A, workspace: &mut WorkspaceOf<A>) {
        if self.waiting.len() >= ROUND {
            self.add_waiting(additions, workspace);
        }
        let Buckets { base, sums, round, pairs, waiting, .. } = self;
        let now = Sum::new(*round, false);
        waiting.retain(|&[place, point]| {
            let sum = &mut sums[place.index() - *base];
            let busy = *sum == now;
            if !busy {
                pairs.push([Reference::new(place.index(), sum.is_opposite()), point]);
                *sum = now;
            }
            busy
        });
    }

    /// Sums what waits bucket by bucket: there may be many terms of one bucket, and a round takes one. Nothing is put down for a round.
    fn add_waiting<A: Additions>(&mut self, additions: &A, workspace: &mut WorkspaceOf<A>) {
        let mut waiting = core::mem::take(&mut self.waiting);
        waiting.sort_unstable_by_key(|[place, _]| place.index());
        self.sets.clear();
        let mut buckets = Vec::new();
        for members in waiting.chunk_by(|a, b| a[0].index() == b[0].index()) {
            let place = members[0][0].index();
            let sum = self.sums[place - self.base].at(place);
            self.sets.push(members.iter().map(|[_, point]| *point).chain(sum));
            buckets.push(place - self.base);
        }
        self.sum_sets(additions, |set| buckets[set], workspace);
        waiting.clear();
        self.waiting = waiting;
    }

    /// Sums the points of some windows bucket by bucket.
    fn add_sorted<A: Additions>(
        &mut self,
        additions: &A,
        terms: &Terms,
        windows: Range<usize>,
        workspace: &mut WorkspaceOf<A>,
    ) {
        let at_once = (TOGETHER / terms.count().max(1)).max(1);
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
    fn sum_sets<A: Additions>(
        &mut self,
        additions: &A,
        bucket: impl Fn(usize) -> usize,
        workspace: &mut WorkspaceOf<A>,
    ) {
        let Buckets { base, sums, sets, round, .. } = self;
        sets.sum_all(additions, workspace, |set, sum, workspace| {
            let bucket = bucket(set);
            workspace.put(*base + bucket, sum);
            sums[bucket] = Sum::new(before(*round), sum.is_opposite());
        });
    }

    /// The terms of a window by bucket, with what is in the buckets already: a set for each bucket, of which the first is left empty.
    fn sort(&mut self, terms: &Terms, window: usize) {
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
    pub fn weigh<A: Additions>(&self, additions: &A, workspace: &mut WorkspaceOf<A>) -> Vec<Part<A::Entry>> {
        let bucket = |bucket: usize| self.sums[bucket].at(self.base + bucket);
        let line = |span: &Span| {
            let members = span.buckets.clone().map(bucket).collect();
            Line { bit: self.width as usize * span.index, members }
        };
        weigh(&self.windows.iter().map(line).collect::<Vec<_>>(), additions, workspace)
    }
}
