//! Straus' method: the multiples 1, 2, 3, ... of each point, from which the digits choose.

use super::{
    chain::Part,
    rounds::{Additions, Reference, Sets, WorkspaceOf},
    terms::Terms,
};
use alloc::vec::Vec;
use core::ops::Range;

/// Behind the points of a table their multiples up to 2^(width - 1): multiple m of point i comes to be at
/// `(m - 1) points + i`.
pub fn multiples<A: Additions>(additions: &A, width: u32, workspace: &mut WorkspaceOf<A>) {
    let points = workspace.table().len();
    let at = |multiple: usize, point: usize| Reference::new((multiple - 1) * points + point, false);
    // With the multiples up to `known` known, those up to twice that are sums of the last one and one of them.
    let mut known = 1;
    while known < 1 << (width - 1) {
        for (multiple, point) in (1..=known).flat_map(|multiple| (0..points).map(move |point| (multiple, point))) {
            workspace.pair(at(known, point), at(multiple, point));
        }
        workspace.round_with_doublings(additions);
        known *= 2;
    }
    workspace.keep();
}

/// The sum of each of some windows, from the multiples of the terms' points.
pub fn table_sums<A: Additions>(
    additions: &A,
    terms: &Terms,
    windows: Range<usize>,
    workspace: &mut WorkspaceOf<A>,
) -> Vec<Part<A::Entry>> {
    assert!(workspace.table().len() >= terms.count() << (terms.width() - 1));
    workspace.clear();
    let mut sets = Sets::default();
    for window in windows.clone() {
        let member = |(term, digit, negative)| Reference::new((digit - 1) * terms.count() + term, negative);
        sets.push(terms.window(window).map(member));
    }
    while sets.is_open() {
        sets.halve(workspace);
        workspace.round(additions);
    }
    let part = |(window, sum): (usize, Option<Reference>)| {
        let bit = terms.width() as usize * window;
        sum.map(|sum| Part { bit, point: workspace.get(sum), opposite: sum.is_opposite() })
    };
    windows.zip(sets.sums()).filter_map(part).collect()
}
