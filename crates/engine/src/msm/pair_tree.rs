//! Sums of sets of points. Each set is summed by a tree of pairs: every round halves the number of points that are left
//! in each set.

use super::{
    limits::POINTS_PER_BATCH,
    workspace::{Workspace, WorkspaceOf},
};
use crate::{affine_add::AffineAdder, word::PointRef};
use alloc::vec::Vec;
use core::{cmp::Reverse, ops::Range};

/// Sets of points to be summed, each set on its own.
#[derive(Debug, Default)]
pub(super) struct PointSets {
    members: Vec<PointRef>,
    /// The index in `members` where each set begins, and the number of points that it began with.
    spans: Vec<(usize, usize)>,
    /// The opened sets in which more than one point is left.
    open: Vec<OpenSet>,
}

/// A set in which more than one point is left: `members[start..start + left]`.
#[derive(Debug, Clone, Copy)]
struct OpenSet {
    start: usize,
    left: usize,
}

impl PointSets {
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.spans.clear();
        self.open.clear();
    }

    /// Appends a set with these members.
    pub(super) fn push(&mut self, members: impl IntoIterator<Item = PointRef>) {
        let start = self.members.len();
        self.members.extend(members);
        self.note(start, self.members.len() - start);
    }

    /// Appends a set of each length. Returns the memory of their members, set after set, for the caller to write.
    pub(super) fn reserve(&mut self, lengths: impl Iterator<Item = usize>) -> &mut [PointRef] {
        let first = self.members.len();
        let mut start = first;
        for length in lengths {
            self.note(start, length);
            start += length;
        }
        self.members.resize(start, PointRef::new(0, false));
        &mut self.members[first..]
    }

    fn note(&mut self, start: usize, length: usize) {
        self.spans.push((start, length));
    }

    /// The number of sets.
    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }

    /// The end of the shortest range of sets `from..end` that has at least `members` members in all; the number of all
    /// sets if there are not enough members.
    pub(super) fn prefix_with_members(&self, from: usize, members: usize) -> usize {
        let first = self.spans[from].0;
        from + 1 + self.spans[from + 1..].partition_point(|(start, _)| *start < first + members)
    }

    /// Opens those of `sets` that have more than one point. Open sets are sorted by falling size. Sets of equal size
    /// then stand next to each other, so that the processor predicts the branches of `pair_up`.
    pub(super) fn open(&mut self, sets: Range<usize>) {
        let open = self.spans[sets].iter().filter(|(_, length)| *length > 1);
        self.open.extend(open.map(|&(start, left)| OpenSet { start, left }));
        self.open.sort_unstable_by_key(|set| Reverse(set.left));
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes the pairs of one round, which halves each open set. A point without a partner stays in its set.
    pub(super) fn pair_up<K>(&mut self, workspace: &mut Workspace<K>) {
        let PointSets { members, open, .. } = self;
        open.retain_mut(|OpenSet { start, left }| {
            let half = *left / 2;
            let (kept, others) = members[*start..*start + *left].split_at_mut(*left - half);
            workspace.pair_up(&mut kept[..half], others);
            *left -= half;
            *left > 1
        });
    }

    /// Sums all sets. Calls `found(set, sum, workspace)` for each set that is not empty: `sum` refers to the set's sum,
    /// and is good during the call only.
    pub(super) fn sum_all<A: AffineAdder>(
        &mut self,
        additions: &A,
        workspace: &mut WorkspaceOf<A>,
        mut found: impl FnMut(usize, PointRef, &mut WorkspaceOf<A>),
    ) {
        let mut done = 0;
        while done < self.count() {
            let next = self.prefix_with_members(done, POINTS_PER_BATCH);
            self.open(done..next);
            while self.is_open() {
                self.pair_up(workspace);
                workspace.round(additions);
            }
            for set in done..next {
                if let Some(sum) = self.sum(set) {
                    found(set, sum, workspace);
                }
            }
            workspace.clear();
            done = next;
        }
    }

    /// The sum of a set that was opened and is no longer open; `None` if the set is empty.
    pub(super) fn sum(&self, set: usize) -> Option<PointRef> {
        let (start, length) = self.spans[set];
        (length > 0).then(|| self.members[start])
    }
}
