//! Sums of many points by rounds of pairs.

use super::plan::TOGETHER;
use crate::word::{Op, Pair, Reference};
use alloc::vec::Vec;
use core::{cmp::Reverse, ops::Range};

/// The arithmetic of a curve's affine points in memory.
pub trait Additions {
    /// A point in memory, infinity included.
    type Entry: Copy;
    /// Memory that the additions of one thread work in.
    type Work: Default;

    /// Any entry, for memory that is to be written.
    const FILLER: Self::Entry;

    /// Runs other work on the same machine.
    fn run<O: Op>(&self, op: O) -> O::Output;

    /// Prepares the memory of additions for a new table, of finite points: infinity comes about by additions only.
    fn begin(work: &mut Self::Work);

    /// The sum of each pair of points in `memory`, in order, whatever they are. The length of `out` is the number of pairs.
    /// `doublings` says that some pairs are a point twice, which would otherwise have to be found out.
    fn add(
        &self,
        memory: &[Self::Entry],
        pairs: &[Pair],
        out: &mut [Self::Entry],
        doublings: bool,
        work: &mut Self::Work,
    );

    /// Adds to the first point of each pair the second one, whatever they are. No pair's first point is in another pair.
    fn add_in_place(&self, memory: &mut [Self::Entry], pairs: &[Pair], work: &mut Self::Work);

    /// Asks for a point that will be read soon.
    #[inline(always)]
    fn prefetch(&self, _memory: &[Self::Entry], _reference: Reference) {}
}

/// The memory of one thread's sums: a table of points, and behind it the results of rounds.
pub struct Workspace<E, K> {
    memory: Vec<E>,
    table: usize,
    used: usize,
    pairs: Vec<Pair>,
    work: K,
}

/// The memory of sums by some additions.
pub type WorkspaceOf<A> = Workspace<<A as Additions>::Entry, <A as Additions>::Work>;

impl<E, K: Default> Default for Workspace<E, K> {
    fn default() -> Self {
        Workspace { memory: Vec::new(), table: 0, used: 0, pairs: Vec::new(), work: K::default() }
    }
}

impl<E: Copy, K> Workspace<E, K> {
    /// Begins anew, with a table of so many points for the caller to write.
    pub fn begin<A: Additions<Entry = E, Work = K>>(&mut self, points: usize) -> &mut [E] {
        self.grow::<A>(points);
        (self.table, self.used) = (points, points);
        self.pairs.clear();
        A::begin(&mut self.work);
        &mut self.memory[..points]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.memory.capacity() * size_of::<E>() + self.pairs.capacity() * size_of::<Pair>()
    }

    /// Makes the results so far a part of the table.
    pub(super) fn keep(&mut self) {
        self.table = self.used;
    }

    /// Adds room for so many points to the table, and says where it begins. There are no results.
    pub fn extend<A: Additions<Entry = E, Work = K>>(&mut self, points: usize) -> usize {
        let begin = self.table;
        self.grow::<A>(begin + points);
        (self.table, self.used) = (begin + points, begin + points);
        begin
    }

    /// The table up to a place, and from there on, for the caller to write.
    pub fn split(&mut self, place: usize) -> (&[E], &mut [E]) {
        let (before, after) = self.memory[..self.table].split_at_mut(place);
        (before, after)
    }

    /// The first points of the table, for the caller to write.
    pub fn points(&mut self, count: usize) -> &mut [E] {
        &mut self.memory[..self.table][..count]
    }

    /// Puts a point at a place of the table, whatever the reference says of opposites.
    pub(super) fn put(&mut self, place: usize, point: Reference) {
        debug_assert!(place < self.table);
        self.memory[place] = self.memory[point.index()];
    }

    fn grow<A: Additions<Entry = E, Work = K>>(&mut self, points: usize) {
        assert!(points < Reference::LIMIT);
        let missing = points.saturating_sub(self.memory.len());
        // Not twice what there is, as a vector would grow: these are large.
        self.memory.reserve_exact(missing);
        self.memory.resize(self.memory.len() + missing, A::FILLER);
    }

    /// Forgets all results.
    pub(super) fn clear(&mut self) {
        self.used = self.table;
    }

    /// Notes a pair for the next round and tells what will refer to its sum.
    #[inline(always)]
    pub(super) fn pair(&mut self, a: Reference, b: Reference) -> Reference {
        let sum = Reference::new(self.used + self.pairs.len(), false);
        self.pairs.push([a, b]);
        sum
    }

    /// Notes pairs of so many points in a row and so many others in a row, and tells where their sums will be.
    pub(super) fn pairs(&mut self, first: usize, second: usize, count: usize) -> usize {
        let sums = self.used + self.pairs.len();
        let reference = |place| Reference::new(place, false);
        self.pairs.extend((0..count).map(|i| [reference(first + i), reference(second + i)]));
        sums
    }

    /// Notes a pair of each two, and puts what will refer to the sums in place of the first ones.
    #[inline(always)]
    fn pair_up(&mut self, firsts: &mut [Reference], seconds: &[Reference]) {
        let next = self.used + self.pairs.len();
        self.pairs.extend(firsts.iter().zip(seconds).map(|(first, second)| [*first, *second]));
        for (index, first) in (next..).zip(firsts) {
            *first = Reference::new(index, false);
        }
    }

    /// Adds the pairs noted, none of which is expected to be a point twice.
    pub(super) fn round<A: Additions<Entry = E, Work = K>>(&mut self, additions: &A) {
        self.add(additions, false);
    }

    /// Adds the pairs noted, some of which are a point twice.
    pub(super) fn round_with_doublings<A: Additions<Entry = E, Work = K>>(&mut self, additions: &A) {
        self.add(additions, true);
    }

    fn add<A: Additions<Entry = E, Work = K>>(&mut self, additions: &A, doublings: bool) {
        let end = self.used + self.pairs.len();
        self.grow::<A>(end);
        let (memory, out) = self.memory.split_at_mut(self.used);
        additions.add(memory, &self.pairs, &mut out[..self.pairs.len()], doublings, &mut self.work);
        self.used = end;
        self.pairs.clear();
    }

    /// Adds the pairs, of which the first points are in the table and keep the sums.
    pub(super) fn add_in_place<A: Additions<Entry = E, Work = K>>(&mut self, additions: &A, pairs: &[Pair]) {
        additions.add_in_place(&mut self.memory[..self.table], pairs, &mut self.work);
    }

    /// Asks for a point that will be read before long.
    #[inline(always)]
    pub(super) fn prefetch<A: Additions<Entry = E, Work = K>>(&self, additions: &A, reference: Reference) {
        additions.prefetch(&self.memory, reference);
    }

    /// The point, whatever the reference says of opposites.
    pub(super) fn get(&self, reference: Reference) -> E {
        self.memory[reference.index()]
    }
}

/// Sets of points to be summed, each set on its own.
#[derive(Debug, Default)]
pub(super) struct Sets {
    members: Vec<Reference>,
    /// Where each set begins in `members`, and how many points it began with.
    spans: Vec<(usize, usize)>,
    /// The sets of more than one point.
    open: Vec<Open>,
}

/// A set of which more than one point is left.
#[derive(Debug, Clone, Copy)]
struct Open {
    start: usize,
    left: usize,
}

impl Sets {
    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.spans.clear();
        self.open.clear();
    }

    /// One more set.
    pub(super) fn push(&mut self, members: impl IntoIterator<Item = Reference>) {
        let start = self.members.len();
        self.members.extend(members);
        self.note(start, self.members.len() - start);
    }

    /// Sets one after another, whose members the caller puts in place; the first set starts at the first new member.
    pub(super) fn reserve(&mut self, lengths: impl Iterator<Item = usize>) -> &mut [Reference] {
        let first = self.members.len();
        let mut start = first;
        for length in lengths {
            self.note(start, length);
            start += length;
        }
        self.members.resize(start, Reference::new(0, false));
        &mut self.members[first..]
    }

    fn note(&mut self, start: usize, length: usize) {
        self.spans.push((start, length));
    }

    /// The number of sets.
    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }

    /// The end of sets from one on that have so many members, or a few more, or that are all.
    pub(super) fn up_to(&self, from: usize, members: usize) -> usize {
        let first = self.spans[from].0;
        from + 1 + self.spans[from + 1..].partition_point(|(start, _)| *start < first + members)
    }

    /// Turns to these sets: opens those of more than one point. The sets of many points come first, so that sets of one size are
    /// next to each other and the machine comes to expect it.
    pub(super) fn open(&mut self, sets: Range<usize>) {
        let open = self.spans[sets].iter().filter(|(_, length)| *length > 1);
        self.open.extend(open.map(|&(start, left)| Open { start, left }));
        self.open.sort_unstable_by_key(|set| Reverse(set.left));
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes the pairs of one round: halves each open set.
    pub(super) fn halve<E: Copy, K>(&mut self, workspace: &mut Workspace<E, K>) {
        let Sets { members, open, .. } = self;
        open.retain_mut(|Open { start, left }| {
            let half = *left / 2;
            let (kept, others) = members[*start..*start + *left].split_at_mut(*left - half);
            workspace.pair_up(&mut kept[..half], others);
            *left -= half;
            *left > 1
        });
    }

    /// Sums all sets, and tells of those that are not empty where in the workspace the sum is, until the next results come.
    pub(super) fn sum_all<A: Additions>(
        &mut self,
        additions: &A,
        workspace: &mut WorkspaceOf<A>,
        mut found: impl FnMut(usize, Reference, &mut WorkspaceOf<A>),
    ) {
        let mut done = 0;
        while done < self.count() {
            let next = self.up_to(done, TOGETHER);
            self.open(done..next);
            while self.is_open() {
                self.halve(workspace);
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

    /// The sum of a set, none of an empty one, once it has been open and is no more.
    pub(super) fn sum(&self, set: usize) -> Option<Reference> {
        let (start, length) = self.spans[set];
        (length > 0).then(|| self.members[start])
    }
}
