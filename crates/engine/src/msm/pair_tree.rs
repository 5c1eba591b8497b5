//! Sums of sets of points. Each set is summed by a tree of pairs: every round halves the number of points that are left
//! in each set.

use super::{
    limits::{LENGTHS_APART, POINTS_PER_BATCH},
    workspace::SumMemory,
};
use crate::{
    affine_add::Rounds,
    arena::{Arena, NumberList},
    word::PointRef,
};
use core::ops::Range;

/// Sets of points to be summed, each set on its own.
pub(super) struct PointSets<'m> {
    members: NumberList<'m, PointRef>,
    /// For each set the index in `members` where it begins, and the number of points that it began with.
    spans: NumberList<'m, StartAndLength>,
    /// The opened sets in which more than one point is left: where each begins, and the number of points left.
    open: NumberList<'m, StartAndLength>,
}

/// A start and a length.
type StartAndLength = [u32; 2];

impl<'m> PointSets<'m> {
    /// No sets yet, with room for so many that have so many members in all.
    pub(super) fn new(sets: usize, members: usize, arena: &mut Arena<'m, '_>) -> Self {
        PointSets { members: arena.number_list(members), spans: arena.number_list(sets), open: arena.number_list(sets) }
    }

    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.spans.clear();
        self.open.clear();
    }

    /// Appends a set with these members.
    pub(super) fn push(&mut self, members: impl Iterator<Item = PointRef>) {
        let start = self.members.len();
        members.for_each(|member| self.members.push(member));
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
        self.members.lengthen(start - first)
    }

    fn note(&mut self, start: usize, length: usize) {
        self.spans.push([start as u32, length as u32]);
    }

    /// The number of sets.
    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }

    /// The end of the shortest range of sets `from..end` that has at least `members` members in all; the number of all
    /// sets if there are not enough members.
    pub(super) fn prefix_with_members(&self, from: usize, members: usize) -> usize {
        let first = self.spans[from][0] as usize;
        from + 1 + self.spans[from + 1..].partition_point(|[start, _]| (*start as usize) < first + members)
    }

    /// Opens those of `sets` that have more than one point. They are sorted by falling size, but that all long ones
    /// count as equal. Sets of equal size then stand next to each other, so that the processor predicts the branches of
    /// `pair_up`.
    pub(super) fn open(&mut self, sets: Range<usize>) {
        let class = |length: u32| (length as usize).min(LENGTHS_APART - 1);
        let mut places = [0u32; LENGTHS_APART];
        let spans = || self.spans[sets.clone()].iter().filter(|[_, length]| *length > 1);
        spans().for_each(|[_, length]| places[class(*length)] += 1);
        let mut place = 0;
        for count in places.iter_mut().rev() {
            (*count, place) = (place, place + *count);
        }
        let open = self.open.lengthen(place as usize);
        for span in spans() {
            let place = &mut places[class(span[1])];
            open[*place as usize] = *span;
            *place += 1;
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes the pairs of one round, which halves each open set. A point without a partner stays in its set.
    pub(super) fn pair_up(&mut self, workspace: &mut SumMemory<'_>) {
        let PointSets { members, open, .. } = self;
        open.retain_mut(|[start, left]| {
            let half = *left / 2;
            let set = &mut members[*start as usize..][..*left as usize];
            let (kept, others) = set.split_at_mut((*left - half) as usize);
            workspace.pair_up(&mut kept[..half as usize], others);
            *left -= half;
            *left > 1
        });
    }

    /// Sums all sets. Calls `found(set, sum, workspace)` for each set that is not empty: `sum` refers to the set's sum,
    /// and is good during the call only.
    pub(super) fn sum_all(
        &mut self,
        additions: &mut impl Rounds,
        workspace: &mut SumMemory<'_>,
        mut found: impl FnMut(usize, PointRef, &mut SumMemory<'_>),
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
        let [start, length] = self.spans[set];
        (length > 0).then(|| self.members[start as usize])
    }
}
