//! Straus' method: the multiples 1, 2, 3, ... of each point, from which the digits choose.

use super::{
    chain::Part,
    plan::TOGETHER,
    rounds::{Additions, Sets, WorkspaceOf},
    terms::Terms,
};
use crate::word::Reference;
use alloc::vec::Vec;

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

/// The sum of each window, from the multiples of the terms' points.
pub fn table_sums<A: Additions>(additions: &A, terms: &Terms, workspace: &mut WorkspaceOf<A>) -> Vec<Part<A::Entry>> {
    assert!(workspace.table().len() >= terms.count() << (terms.width() - 1));
    let at_once = (TOGETHER / terms.count().max(1)).max(1);
    let (windows, mut parts) = (terms.windows(), Vec::new());
    for windows in windows.clone().step_by(at_once).map(|first| first..windows.end.min(first + at_once)) {
        workspace.clear();
        let mut sets = Sets::default();
        for window in windows.clone() {
            let member = |(term, digit, negative)| Reference::new((digit - 1) * terms.count() + term, negative);
            sets.push(terms.window(window).map(member));
        }
        sets.open(0..sets.count());
        while sets.is_open() {
            sets.halve(workspace);
            workspace.round(additions);
        }
        let part = |(set, window): (usize, usize)| {
            let (sum, bit) = (sets.sum(set)?, terms.width() as usize * window);
            Some(Part { bit, point: workspace.get(sum), opposite: sum.is_opposite() })
        };
        parts.extend(windows.enumerate().filter_map(part));
    }
    parts
}
