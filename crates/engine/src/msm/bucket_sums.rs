//! Sums of points with weights 0, 1, 2, and so on.
//!
//! The weighted sum S_1 + 2 S_2 + 3 S_3 + ... is taken apart by the bits of the index. Let T_i be the sum of all S_j
//! whose index j has bit i. Then the weighted sum is T_0 + 2 T_1 + 4 T_2 + ..., and T_i itself has no weights.
//!
//! All of this is additions of pairs. Level 0 is the points S_j. Each point of level i is the sum of two neighbours of
//! level i - 1: point j is the sum of points 2 j and 2 j + 1. T_i is the sum of the points of level i that have an odd
//! index. B points cost fewer than 2 B additions, in about log2(B) rounds. Many weighted sums, each of them a *line*,
//! share these rounds.

use super::{horner::ShiftedPoint, limits::POINTS_PER_BATCH, pair_tree::PointSets, workspace::WorkspaceOf};
use crate::{affine_add::AffineAdder, word::PointRef};
use alloc::vec::Vec;

/// A line: the weight of `members[j]` is `j 2^bit`. Where there is no point, there is nothing to add.
#[derive(Debug)]
pub(super) struct Weighted {
    pub(super) bit: usize,
    pub(super) members: Vec<Option<PointRef>>,
}

/// The weighted sum of each line, taken apart by bits: a part `2^(bit + i) T_i` for each T_i that has members.
pub(super) fn weighted_sums<A: AffineAdder>(
    lines: &[Weighted],
    additions: &A,
    workspace: &mut WorkspaceOf<A>,
) -> Vec<ShiftedPoint> {
    let longest = lines.iter().map(|line| line.members.len()).max().unwrap_or(0);
    let at_once = (POINTS_PER_BATCH / longest.max(1)).max(1);
    lines.chunks(at_once).flat_map(|lines| weighted_sums_together(lines, longest, additions, workspace)).collect()
}

fn weighted_sums_together<A: AffineAdder>(
    lines: &[Weighted],
    longest: usize,
    additions: &A,
    workspace: &mut WorkspaceOf<A>,
) -> Vec<ShiftedPoint> {
    let mut levels: Vec<_> = lines.iter().map(|line| line.members.clone()).collect();
    let mut sets = PointSets::default();
    let bits = usize::BITS - longest.saturating_sub(1).leading_zeros();
    for _ in 0..bits {
        let known = sets.count();
        for level in &mut levels {
            sets.push(level.iter().skip(1).step_by(2).flatten().copied());
        }
        sets.open(known..sets.count());
        for level in &mut levels {
            let next = level.chunks(2).map(|pair| match *pair {
                [Some(a), Some(b)] => Some(workspace.pair(a, b)),
                [a, Some(b)] => a.or(Some(b)),
                [a, ..] => a,
                [] => None,
            });
            let mut next: Vec<_> = next.collect();
            // Index 0 is then made of indices 0 and 1 of this level, which have no bit above this one.
            next[0] = None;
            *level = next;
        }
        sets.pair_up(workspace);
        workspace.round(additions);
    }
    while sets.is_open() {
        sets.pair_up(workspace);
        workspace.round(additions);
    }
    let part = |index: usize| {
        let sum = sets.sum(index)?;
        let bit = lines[index % lines.len()].bit + index / lines.len();
        Some(ShiftedPoint { bit, point: workspace.get(sum), negated: sum.is_negated() })
    };
    let parts = (0..sets.count()).filter_map(part).collect();
    workspace.clear();
    parts
}
