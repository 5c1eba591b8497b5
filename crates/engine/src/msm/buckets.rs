//! Pippenger's method: the points of a window are sorted by digit, those of a digit summed, and the sums weighted.
//!
//! The weighted sum of the buckets S_1, 2 S_2, ... is taken apart by the bits of the index: the buckets whose index has bit i
//! are summed without a weight, and that sum stands for 2^i times itself. All of this is additions of pairs: level i of the
//! buckets is that of sums of two neighbours of level i - 1, and the sums of bit i are those of the odd ones in level i. A
//! window of B buckets costs fewer than 2 B additions, in about as many rounds as B has bits, all windows together.

use super::{
    chain::Part,
    plan::TOGETHER,
    rounds::{Additions, Sets, WorkspaceOf},
    terms::Terms,
};
use crate::word::Reference;
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// The buckets of some windows: of each digit from 1 to the greatest the sum of the points that had it, in any number of pieces.
/// The sums are a part of a workspace's table.
#[derive(Debug)]
pub struct Buckets {
    width: u32,
    windows: Range<usize>,
    /// Where in the table the sums begin: window by window, each from digit zero on.
    base: usize,
    sums: Vec<Sum>,
    /// The members of some windows' buckets, and how many each bucket has or where its next one goes: memory for
    /// [`Self::add`].
    sets: Sets,
    places: Vec<usize>,
}

/// What stands for a bucket's sum in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sum {
    /// Nothing: the bucket is empty.
    None,
    Itself,
    Opposite,
}

impl Sum {
    /// What refers to a bucket's sum, whose place in the table this is.
    fn at(self, place: usize) -> Option<Reference> {
        (self != Sum::None).then(|| Reference::new(place, self == Sum::Opposite))
    }
}

impl Buckets {
    /// Empty buckets behind the table.
    pub fn behind<A: Additions>(width: u32, windows: Range<usize>, workspace: &mut WorkspaceOf<A>) -> Buckets {
        let count = windows.len() * length(width);
        let base = workspace.extend::<A>(count);
        Buckets { width, windows, base, sums: vec![Sum::None; count], sets: Sets::default(), places: Vec::new() }
    }

    /// Adds terms to the buckets; the table begins with their points.
    pub fn add<A: Additions>(&mut self, additions: &A, terms: &Terms, workspace: &mut WorkspaceOf<A>) {
        assert!(self.base >= terms.count() && terms.width() == self.width);
        let length = length(self.width);
        let at_once = (TOGETHER / terms.count().max(1)).max(1);
        for first in self.windows.clone().step_by(at_once) {
            let base = (first - self.windows.start) * length;
            self.sets.clear();
            for window in first..self.windows.end.min(first + at_once) {
                self.sort(terms, window);
            }
            let sets = &mut self.sets;
            let mut done = 0;
            while done < sets.count() {
                let next = sets.up_to(done, TOGETHER);
                sets.open(done..next);
                while sets.is_open() {
                    sets.halve(workspace);
                    workspace.round(additions);
                }
                for set in done..next {
                    if let Some(sum) = sets.sum(set) {
                        workspace.put(self.base + base + set, sum);
                        self.sums[base + set] = if sum.is_opposite() { Sum::Opposite } else { Sum::Itself };
                    }
                }
                workspace.clear();
                done = next;
            }
        }
    }

    /// The terms of a window by the absolute value of their digits, with what is in the buckets already: a set for each value
    /// from 0 on, of which the first is left empty.
    fn sort(&mut self, terms: &Terms, window: usize) {
        let length = length(self.width);
        let first = (window - self.windows.start) * length;
        let digits = terms.raw(window);
        let Buckets { base, sums, sets, places, .. } = self;
        let (sums, base) = (&sums[first..first + length], *base + first);
        places.clear();
        places.resize(length, 0);
        for digit in digits {
            places[usize::from(digit & 0x7fff)] += 1;
        }
        places[0] = 0;
        for (place, sum) in places.iter_mut().zip(sums) {
            *place += usize::from(*sum != Sum::None);
        }
        let members = sets.reserve(places.iter().copied());
        let mut start = 0;
        for ((bucket, place), sum) in places.iter_mut().enumerate().zip(sums) {
            (*place, start) = (start, start + *place);
            if let Some(sum) = sum.at(base + bucket) {
                members[*place] = sum;
                *place += 1;
            }
        }
        for (term, &digit) in digits.iter().enumerate() {
            let bucket = usize::from(digit & 0x7fff);
            if bucket != 0 {
                members[places[bucket]] = Reference::new(term, digit >> 15 != 0);
                places[bucket] += 1;
            }
        }
    }

    /// The buckets' weighted sums, by bits.
    pub fn weigh<A: Additions>(&self, additions: &A, workspace: &mut WorkspaceOf<A>) -> Vec<Part<A::Entry>> {
        let at_once = (TOGETHER / length(self.width)).max(1);
        let windows = 0..self.windows.len();
        let batches = windows.clone().step_by(at_once).map(|first| first..windows.end.min(first + at_once));
        batches.flat_map(|windows| self.weigh_windows(additions, windows, workspace)).collect()
    }

    fn weigh_windows<A: Additions>(
        &self,
        additions: &A,
        windows: Range<usize>,
        workspace: &mut WorkspaceOf<A>,
    ) -> Vec<Part<A::Entry>> {
        let length = length(self.width);
        let bucket = |bucket: usize| self.sums[bucket].at(self.base + bucket);
        let buckets = |window| (length * window..length * (window + 1)).map(bucket).collect();
        let mut level: Vec<Vec<_>> = windows.clone().map(buckets).collect();
        let mut sets = Sets::default();
        for _ in 0..self.width {
            let known = sets.count();
            for buckets in &mut level {
                sets.push(buckets.iter().skip(1).step_by(2).flatten().copied());
            }
            sets.open(known..sets.count());
            for buckets in &mut level {
                let next = buckets.chunks(2).map(|pair| match *pair {
                    [Some(a), Some(b)] => Some(workspace.pair(a, b)),
                    [a, Some(b)] => a.or(Some(b)),
                    [a, ..] => a,
                    [] => None,
                });
                let mut next: Vec<_> = next.collect();
                // What had index one has no bit above it.
                next[0] = None;
                *buckets = next;
            }
            sets.halve(workspace);
            workspace.round(additions);
        }
        while sets.is_open() {
            sets.halve(workspace);
            workspace.round(additions);
        }
        let (width, first) = (self.width as usize, self.windows.start + windows.start);
        let place = |index: usize| width * (first + index % windows.len()) + index / windows.len();
        let part = |index| {
            let sum = sets.sum(index)?;
            Some(Part { bit: place(index), point: workspace.get(sum), opposite: sum.is_opposite() })
        };
        let parts = (0..sets.count()).filter_map(part).collect();
        workspace.clear();
        parts
    }
}

/// The buckets of a window, with an empty one for zero.
fn length(width: u32) -> usize {
    (1 << (width - 1)) + 1
}
