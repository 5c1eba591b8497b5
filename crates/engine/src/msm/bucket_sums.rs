//! Sums of points with weights 0, 1, 2, and so on.
//!
//! The weighted sum S_1 + 2 S_2 + 3 S_3 + ... is taken apart by the bits of the index. Let T_i be the sum of all S_j
//! whose index j has bit i. Then the weighted sum is T_0 + 2 T_1 + 4 T_2 + ..., and T_i itself has no weights.
//!
//! All of this is additions of pairs. Level 0 is the points S_j. Each point of level i is the sum of two neighbours of
//! level i - 1: point j is the sum of points 2 j and 2 j + 1. T_i is the sum of the points of level i that have an odd
//! index. B points cost fewer than 2 B additions, in about log2(B) rounds. Many weighted sums, each of them a *line*,
//! share these rounds.

use super::{horner::ShiftedPoint, limits::POINTS_PER_BATCH, pair_tree::PointSets, workspace::SumMemory};
use crate::{
    affine_add::Rounds,
    arena::{Arena, List},
    word::PointRef,
};
use core::ops::Range;

/// What weighted sums take.
#[derive(Debug, Clone, Copy)]
pub(super) struct BucketSumsSize {
    /// Rows of results.
    pub(super) rows: usize,
    /// Pairs of a round.
    pub(super) pairs: usize,
    pub(super) sets: usize,
    pub(super) members: usize,
    /// Points times powers of two that come out.
    pub(super) parts: usize,
    /// Points of a line, and of all lines that are summed together.
    longest: usize,
    points: usize,
}

impl BucketSumsSize {
    /// Of so many lines, of a given number of points at most.
    pub(super) fn new(lines: usize, longest: usize) -> BucketSumsSize {
        let together = lines_together(longest).min(lines);
        let points = together.saturating_mul(longest);
        // A line is halved level by level, which takes fewer additions than it has points. All members of its sets are
        // fewer than its points, too.
        BucketSumsSize {
            rows: 2 * points,
            pairs: points,
            sets: together * levels(longest),
            members: points,
            parts: lines * levels(longest),
            longest,
            points,
        }
    }
}

/// The number of lines that are summed together.
fn lines_together(longest: usize) -> usize {
    (POINTS_PER_BATCH / longest.max(1)).max(1)
}

/// The bits of the index of the last point of a line.
fn levels(longest: usize) -> usize {
    (usize::BITS - longest.saturating_sub(1).leading_zeros()) as usize
}

/// Which lines are summed: point `j` of line `l` has the weight `j 2^(width l)`.
pub(super) struct Lines {
    pub(super) width: u32,
    pub(super) numbers: Range<usize>,
}

/// The lists of weighted sums.
pub(super) struct LineSums<'m> {
    longest: usize,
    /// The points of the level at hand, line after line: each has room for `longest` of them.
    level: List<'m, Option<PointRef>>,
}

impl<'m> LineSums<'m> {
    pub(super) fn new(size: BucketSumsSize, arena: &mut Arena<'m, '_>) -> Self {
        LineSums { longest: size.longest, level: arena.filled(size.points, None) }
    }

    /// Appends to `parts` the weighted sum of each line, taken apart by bits: a part `2^(bit + i) T_i` for each T_i
    /// that has members. Point `j` of line `l` is `member(l, j)`. Where there is no point, there is nothing to add.
    pub(super) fn sum(
        &mut self,
        additions: &mut impl Rounds,
        Lines { width, numbers }: Lines,
        member: impl Fn(usize, usize) -> Option<PointRef>,
        sets: &mut PointSets<'_>,
        workspace: &mut SumMemory<'_>,
        parts: &mut List<'_, ShiftedPoint>,
    ) {
        let at_once = lines_together(self.longest);
        for first in numbers.clone().step_by(at_once) {
            let lines = first..numbers.end.min(first + at_once);
            for (line, points) in lines.clone().zip(self.level.chunks_mut(self.longest)) {
                points.iter_mut().enumerate().for_each(|(index, point)| *point = member(line, index));
            }
            sets.clear();
            self.sum_together(additions, lines.len(), sets, workspace);
            for index in 0..sets.count() {
                if let Some(sum) = sets.sum(index) {
                    let bit = width as usize * (lines.start + index % lines.len()) + index / lines.len();
                    parts.push(ShiftedPoint { bit, point: workspace.get(sum), negated: sum.is_negated() });
                }
            }
            workspace.clear();
        }
    }

    /// Sums the sets T_i of each of a given number of lines: those of bit 0 of all lines, then those of bit 1, and so
    /// on.
    fn sum_together(
        &mut self,
        additions: &mut impl Rounds,
        lines: usize,
        sets: &mut PointSets<'_>,
        workspace: &mut SumMemory<'_>,
    ) {
        for bit in 0..levels(self.longest) {
            let length = self.longest.div_ceil(1 << bit);
            let known = sets.count();
            for points in self.level.chunks_mut(self.longest).take(lines) {
                sets.push(points[..length].iter().skip(1).step_by(2).flatten().copied());
            }
            sets.open(known..sets.count());
            for points in self.level.chunks_mut(self.longest).take(lines) {
                halve(&mut points[..length], workspace);
            }
            sets.pair_up(workspace);
            workspace.round(additions);
        }
        while sets.is_open() {
            sets.pair_up(workspace);
            workspace.round(additions);
        }
    }
}

/// Puts the next level, of half as many points, in the place of a level.
fn halve(points: &mut [Option<PointRef>], workspace: &mut SumMemory<'_>) {
    for index in 0..points.len().div_ceil(2) {
        let pair = [points[2 * index], points.get(2 * index + 1).copied().flatten()];
        points[index] = match pair {
            [Some(a), Some(b)] => Some(workspace.pair(a, b)),
            [a, b] => a.or(b),
        };
    }
    // Index 0 is then made of indices 0 and 1 of the level before, which have no bit above that one.
    points[0] = None;
}
