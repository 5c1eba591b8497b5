//! References to points, pairs of them, and sums of many points by rounds of pairs.

use alloc::vec::Vec;

/// A point in memory, or its opposite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference(u32);

impl Reference {
    /// The bit that stands for the opposite.
    pub const OPPOSITE: u32 = 1 << 31;

    /// Points a memory may have.
    pub const LIMIT: usize = Self::OPPOSITE as usize;

    /// A point, or its opposite.
    #[inline(always)]
    pub fn new(index: usize, opposite: bool) -> Self {
        debug_assert!(index < Self::LIMIT);
        Self(index as u32 | u32::from(opposite) << 31)
    }

    /// A digit's point: the digit's sign is its highest bit, of 16.
    #[inline(always)]
    pub(super) fn signed(index: usize, digit: u16) -> Self {
        Self(index as u32 | u32::from(digit & 1 << 15) << 16)
    }

    /// Where the point is.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & !Self::OPPOSITE) as usize
    }

    /// Whether the point's opposite is meant.
    #[inline(always)]
    pub fn is_opposite(self) -> bool {
        self.0 & Self::OPPOSITE != 0
    }
}

/// Two points to be added.
#[derive(Debug, Clone, Copy)]
pub struct Pair(u64);

impl Pair {
    /// A pair of the two.
    #[inline(always)]
    pub fn new(a: Reference, b: Reference) -> Self {
        Self(u64::from(a.0) | u64::from(b.0) << 32)
    }

    /// The two references, the first in the lower half.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The first point.
    #[inline(always)]
    pub fn first(self) -> Reference {
        Reference(self.0 as u32)
    }

    /// The second point.
    #[inline(always)]
    pub fn second(self) -> Reference {
        Reference((self.0 >> 32) as u32)
    }
}

/// The arithmetic of a curve's affine points in memory.
pub trait Additions {
    /// A point in memory, infinity included.
    type Entry: Copy;
    /// Memory that the additions of one thread work in.
    type Work: Default;

    /// Any entry, for memory that is to be written.
    const FILLER: Self::Entry;

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
        assert!(points < Reference::LIMIT);
        if self.memory.len() < points {
            self.memory.resize(points, A::FILLER);
        }
        (self.table, self.used) = (points, points);
        self.pairs.clear();
        A::begin(&mut self.work);
        &mut self.memory[..points]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.memory.capacity() * size_of::<E>() + self.pairs.capacity() * size_of::<Pair>()
    }

    /// The points from which sums start.
    pub fn table(&self) -> &[E] {
        &self.memory[..self.table]
    }

    /// Makes the results so far a part of the table.
    pub(super) fn keep(&mut self) {
        self.table = self.used;
    }

    /// Forgets all results.
    pub(super) fn clear(&mut self) {
        self.used = self.table;
    }

    /// Notes a pair for the next round and tells what will refer to its sum.
    #[inline(always)]
    pub(super) fn pair(&mut self, a: Reference, b: Reference) -> Reference {
        let sum = Reference::new(self.used + self.pairs.len(), false);
        self.pairs.push(Pair::new(a, b));
        sum
    }

    /// Notes a pair of each two, and puts what will refer to the sums in place of the first ones.
    #[inline(always)]
    fn pair_up(&mut self, firsts: &mut [Reference], seconds: &[Reference]) {
        let next = (self.used + self.pairs.len()) as u32;
        self.pairs.extend(firsts.iter().zip(seconds).map(|(first, second)| Pair::new(*first, *second)));
        for (index, first) in (next..).zip(firsts) {
            *first = Reference(index);
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
        assert!(end < Reference::LIMIT);
        if self.memory.len() < end {
            self.memory.resize(end, A::FILLER);
        }
        let (memory, out) = self.memory.split_at_mut(self.used);
        additions.add(memory, &self.pairs, &mut out[..self.pairs.len()], doublings, &mut self.work);
        self.used = end;
        self.pairs.clear();
    }

    /// The point of a reference that is not an opposite.
    pub(super) fn get(&self, reference: Reference) -> E {
        self.memory[reference.index()]
    }
}

/// Sets of points to be summed, each set on its own.
#[derive(Debug, Default)]
pub(super) struct Sets {
    members: Vec<Reference>,
    /// Where each set begins in `members`, and how many points are left of it.
    spans: Vec<(usize, usize)>,
    /// The sets of more than one point.
    open: Vec<usize>,
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
        self.members.resize(start, Reference(0));
        &mut self.members[first..]
    }

    fn note(&mut self, start: usize, length: usize) {
        if length > 1 {
            self.open.push(self.spans.len());
        }
        self.spans.push((start, length));
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Notes the pairs of one round: halves each set.
    pub(super) fn halve<E: Copy, K>(&mut self, workspace: &mut Workspace<E, K>) {
        let Sets { members, spans, open } = self;
        open.retain(|&set| {
            let (start, length) = &mut spans[set];
            let half = *length / 2;
            let (kept, others) = members[*start..*start + *length].split_at_mut(*length - half);
            workspace.pair_up(&mut kept[..half], others);
            *length -= half;
            *length > 1
        });
    }

    /// The sum of each set, none of an empty one, once none is open.
    pub(super) fn sums(&self) -> impl Iterator<Item = Option<Reference>> {
        debug_assert!(!self.is_open());
        self.spans.iter().map(|&(start, length)| (length > 0).then(|| self.members[start]))
    }
}
