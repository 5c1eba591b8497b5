//! Sums of points with weights 0, 1, 2, and so on.
//!
//! The weighted sum S_1 + 2 S_2 + ... is taken apart by the bits of the index: the points whose index has bit i are
//! summed without a weight, and that sum stands for 2^i times itself. All of this is additions of pairs: level i of the
//! points is that of sums of two neighbours of level i - 1, and the sums of bit i are those of the odd ones in level i.
//! B points cost fewer than 2 B additions, in about as many rounds as B has bits, many lines together.

use super::{horner::ShiftedPoint, limits::POINTS_PER_BATCH, pair_tree::PointSets, workspace::WorkspaceOf};
use crate::{affine_add::AffineAdder, word::PointRef};
use alloc::vec::Vec;

/// Points with the weights `2^bit` times 0, 1, 2, and so on.
#[derive(Debug)]
pub(super) struct Weighted {
    pub(super) bit: usize,
    pub(super) members: Vec<Option<PointRef>>,
}

/// The weighted sums of the lines, by bits.
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
            // What had index one has no bit above it.
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
