//! What sums by Pippenger's method take.

use super::super::{
    bucket_sums,
    limits::{IN_PLACE_FROM, PAIRS_PER_ROUND, POINTS_PER_BATCH},
    signed_digits::DigitMatrix,
};
use core::ops::Range;

/// What sums of some terms take.
#[derive(Debug, Clone, Copy)]
pub(in crate::msm) struct PippengerSize {
    /// Rows of points.
    pub(in crate::msm) rows: usize,
    /// Pairs of a round.
    pub(in crate::msm) pairs: usize,
    /// Points times powers of two that come out.
    pub(in crate::msm) parts: usize,
    pub(super) digits: usize,
    pub(super) buckets: usize,
    /// Buckets of the widest window.
    pub(super) widest: usize,
    /// Scheduled pairs: none where terms are sorted.
    pub(super) scheduled: usize,
    pub(super) sets: usize,
    pub(super) members: usize,
    pub(super) lines: bucket_sums::BucketSumsSize,
}

impl PippengerSize {
    /// For so many terms at a time, of numbers below `2^bits`.
    pub(in crate::msm) fn new(width: u32, bits: u32, windows: Range<usize>, terms: usize) -> PippengerSize {
        let widths = || windows.clone().map(|window| DigitMatrix::greatest(width, bits, window) + 1);
        let (buckets, widest) = (widths().sum::<usize>(), widths().max().unwrap_or(1));
        let lines = bucket_sums::BucketSumsSize::new(windows.len(), widest);
        let in_place = buckets >= IN_PLACE_FROM * PAIRS_PER_ROUND;
        // Twice as many pairs may wait as a round has. Each may be of a bucket that has a sum.
        let scheduled = if in_place { PAIRS_PER_ROUND } else { 0 };
        let waiting = 2 * scheduled;
        // Terms are sorted of a given number of windows at a time.
        let together = if in_place { 1 } else { windows_together(terms).min(windows.len()) };
        let sorted_sets = buckets.min(together.saturating_mul(widest));
        let sorted = together.saturating_mul(terms).saturating_add(sorted_sets);
        let members = sorted.max(2 * waiting).max(lines.members);
        let results = sorted.min(POINTS_PER_BATCH + terms + 1).max(2 * waiting);
        PippengerSize {
            rows: terms.saturating_add(buckets).saturating_add(results.max(lines.rows)),
            pairs: (results / 2).max(lines.pairs).max(scheduled),
            parts: lines.parts,
            digits: windows.len().saturating_mul(terms),
            buckets,
            widest,
            scheduled,
            sets: sorted_sets.max(waiting).max(lines.sets),
            members,
            lines,
        }
    }
}

/// The number of windows whose terms, so many in each, are sorted at once.
pub(super) fn windows_together(terms: usize) -> usize {
    (POINTS_PER_BATCH / terms.max(1)).max(1)
}
