//! Pippenger's method: the points of a window are sorted by digit, those of a digit summed, and the sums weighted.
//!
//! The weighted sum of the buckets S_1, 2 S_2, ... is taken apart by the bits of the index: the buckets whose index has bit i
//! are summed without a weight, and that sum stands for 2^i times itself. All of this is additions of pairs: level i of the
//! buckets is that of sums of two neighbours of level i - 1, and the sums of bit i are those of the odd ones in level i. A
//! window of B buckets costs fewer than 2 B additions, in about as many rounds as B has bits, all windows together.

use super::{
    chain::Part,
    rounds::{Additions, Reference, Sets, WorkspaceOf},
    terms::Terms,
};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// The sums of some windows, by bits; the table begins with the terms' points.
pub fn bucket_sums<A: Additions>(
    additions: &A,
    terms: &Terms,
    windows: Range<usize>,
    workspace: &mut WorkspaceOf<A>,
) -> Vec<Part<A::Entry>> {
    assert!(workspace.table().len() >= terms.count());
    workspace.clear();
    let mut sets = Sets::default();
    sort(terms, windows.clone(), &mut sets);
    while sets.is_open() {
        sets.halve(workspace);
        workspace.round(additions);
    }

    // Each window's buckets by index, with an empty one at zero.
    let length = (1 << (terms.width() - 1)) + 1;
    let sums: Vec<_> = sets.sums().collect();
    let mut level: Vec<Vec<_>> = sums.chunks(length).map(<[_]>::to_vec).collect();
    sets.clear();
    for _ in 0..terms.width() {
        for buckets in &mut level {
            sets.push(buckets.iter().skip(1).step_by(2).flatten().copied());
        }
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
    let width = terms.width() as usize;
    let place = |index: usize| width * (windows.start + index % windows.len()) + index / windows.len();
    let parts = sets.sums().enumerate();
    let part = |(index, sum): (usize, Option<Reference>)| {
        sum.map(|sum| Part { bit: place(index), point: workspace.get(sum), opposite: sum.is_opposite() })
    };
    parts.filter_map(part).collect()
}

/// The terms of each window by the absolute value of their digits: a set for each value from 0 on, of which the first is
/// left empty.
fn sort(terms: &Terms, windows: Range<usize>, sets: &mut Sets) {
    let buckets = (1 << (terms.width() - 1)) + 1;
    let mut places = vec![0usize; buckets];
    for window in windows {
        let digits = terms.raw(window);
        places.fill(0);
        for digit in digits {
            places[usize::from(digit & 0x7fff)] += 1;
        }
        places[0] = 0;
        let members = sets.reserve(places.iter().copied());
        let mut start = 0;
        for place in &mut places {
            (*place, start) = (start, start + *place);
        }
        for (term, &digit) in digits.iter().enumerate() {
            let bucket = usize::from(digit & 0x7fff);
            if bucket != 0 {
                members[places[bucket]] = Reference::signed(term, digit);
                places[bucket] += 1;
            }
        }
    }
}
