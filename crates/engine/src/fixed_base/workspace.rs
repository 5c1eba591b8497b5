//! The memory of one thread's sums: lists of entries, and partial sums, in lines that are lent.

use super::{
    configuration::Configuration,
    limits::{PAIRS_PER_ROUND, REFERENCES_AT_ONCE, SPREAD_UP_TO},
    scheme::MAX_COLUMNS,
    vector::Vector,
};
use crate::{
    affine_add::{AffineAdder, ArenaProducts},
    arena::{Arena, List, NumberList},
    lanes::is_infinity,
    word::{CacheLine, LANES, Mask, Mask8, PointPair, PointRef},
};
use alloc::vec::Vec;
use core::ops::Range;

/// The memory of one thread's sums over tables, which grows. Warm, it allocates nothing.
#[derive(Default)]
pub struct Workspace {
    lines: Vec<CacheLine>,
}

impl Workspace {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<CacheLine>()
    }

    /// At least so many lines, with any values.
    pub(super) fn lines(&mut self, count: usize) -> &mut [CacheLine] {
        if self.lines.len() < count {
            self.lines.resize(count, CacheLine([0; 8]));
        }
        &mut self.lines
    }
}

/// How much the lists of some vectors hold at most.
#[derive(Clone, Copy, Default)]
pub(super) struct Needs {
    vectors: usize,
    sets: usize,
    entries: usize,
}

impl Needs {
    /// Those of a vector with a given number of terms, of which any may be zero.
    pub(super) fn of(configuration: &Configuration, terms: usize) -> Needs {
        let mut needs = Needs { vectors: 1, ..Needs::default() };
        let last = configuration.rules.iter().position(|rule| terms <= rule.nonzero);
        for rule in configuration.rules.iter().take(last.map_or(usize::MAX, |last| last + 1)) {
            let layouts = || rule.tables.iter().map(|table| configuration.layout(*table));
            let columns = layouts().map(|layout| layout.columns()).max().unwrap_or(1);
            let room: usize = layouts()
                .zip(rule.tables.iter())
                .map(|(layout, table)| {
                    terms.min(configuration.tables[*table].places.len()) * layout.entries_per_scalar()
                })
                .sum();
            needs.sets = needs.sets.max(columns);
            needs.entries = needs.entries.max(columns * room);
        }
        needs
    }

    pub(super) fn and(self, other: Needs) -> Needs {
        Needs {
            vectors: self.vectors + other.vectors,
            sets: self.sets + other.sets,
            entries: self.entries + other.entries,
        }
    }

    /// Whether these are as many as are summed at once.
    pub(super) fn are_enough(self) -> bool {
        self.sets >= PAIRS_PER_ROUND || self.entries >= REFERENCES_AT_ONCE
    }

    /// Partial sums, and pairs of a round: some for each set, and no more than entries.
    fn rows(self) -> usize {
        self.entries.min(PAIRS_PER_ROUND.max(self.sets))
    }

    /// Steps of a vector that is dealt to lanes: one an entry at most, and doublings between.
    fn steps(self) -> usize {
        if self.vectors == 1 { self.entries.min(SPREAD_UP_TO) + MAX_COLUMNS as usize / LANES } else { 0 }
    }

    /// The lines of [`Self::memory`].
    pub(super) fn lines<A: AffineAdder>(self) -> usize {
        Arena::count(|arena| {
            self.memory::<A>(arena);
        })
    }

    /// Calls `work` with empty lists that hold so much, and memory for the rounds of their sums.
    pub(super) fn with_lists<A: AffineAdder, T>(
        self,
        memory: &mut [CacheLine],
        work: impl for<'m> FnOnce(&mut Listed<'m>, &mut ArenaProducts<'m, A::Kept>) -> T,
    ) -> T {
        // All of it is public.
        Arena::over(
            memory,
            |_| {},
            |arena| {
                let (mut listed, mut products) = self.memory::<A>(arena);
                work(&mut listed, &mut products)
            },
        )
    }

    fn memory<'m, 'env: 'm, A: AffineAdder<Kept: 'env>>(
        self,
        arena: &mut Arena<'m, 'env>,
    ) -> (Listed<'m>, ArenaProducts<'m, A::Kept>) {
        (Listed::new(self, arena), A::arena_products(self.rows(), arena))
    }
}

/// The lists of some vectors.
pub(super) struct Listed<'m> {
    /// The entries of all sets.
    pub(super) entries: NumberList<'m, PointRef>,
    /// A set for each column of each vector.
    pub(super) sets: List<'m, Set>,
    /// The sets of each vector.
    pub(super) vectors: List<'m, ColumnSets>,
    /// Partial sums.
    pub(super) rows: NumberList<'m, CacheLine>,
    pub(super) pairs: NumberList<'m, PointPair>,
    pub(super) steps: Steps<'m>,
}

/// What eight lanes do, step by step: an entry is added in some of them, in others it is the first; or all sums double.
pub(super) struct Steps<'m> {
    /// The entry of each lane.
    pub(super) entries: NumberList<'m, [PointRef; LANES]>,
    /// The lanes that add, and above them those that take it as their first; none where all double.
    pub(super) lanes: NumberList<'m, u32>,
}

impl Steps<'_> {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.lanes.clear();
    }

    pub(super) fn push_double(&mut self) {
        self.push_add([PointRef::new(0, false); LANES], Mask8::NONE, Mask8::NONE);
    }

    pub(super) fn push_add(&mut self, entries: [PointRef; LANES], added: Mask8, first: Mask8) {
        self.entries.push(entries);
        self.lanes.push(u32::from(added.0) | u32::from(first.0) << LANES);
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.lanes.len()
    }

    /// The entries of each of these steps, the lanes that add, and those that take it as their first.
    #[inline(always)]
    pub(super) fn part(&self, steps: Range<usize>) -> impl Iterator<Item = (&[PointRef; LANES], [Mask8; 2])> {
        self.entries[steps.clone()].iter().zip(&self.lanes[steps]).map(|(entries, lanes)| {
            let [added, first, ..] = lanes.to_le_bytes();
            (entries, [Mask8(added), Mask8(first)])
        })
    }
}

/// The entries of one column of one vector. Those of a vector's columns take turns in memory: a round of additions
/// takes the next entry of every column, and they lie side by side.
#[derive(Clone, Copy, Default)]
pub(super) struct Set {
    /// Where its entries begin.
    pub(super) start: usize,
    /// How far apart they are.
    pub(super) step: usize,
    /// The number of its entries.
    pub(super) count: usize,
    /// The row of its first partial sum.
    pub(super) first: usize,
    /// The number of its partial sums.
    pub(super) left: usize,
}

impl Set {
    /// Its entries from this number on, among those of all sets.
    #[inline(always)]
    pub(super) fn entries_from(self, first: usize, entries: &[PointRef]) -> impl Iterator<Item = PointRef> {
        let of_set = entries.get(self.start + first * self.step..).unwrap_or_default();
        of_set.iter().step_by(self.step).take(self.count.saturating_sub(first)).copied()
    }
}

/// The sets of one vector: that of column c is `first + c`. The last one is not empty.
#[derive(Clone, Copy, Default)]
pub(super) struct ColumnSets {
    pub(super) first: usize,
    pub(super) count: usize,
}

impl<'m> Listed<'m> {
    fn new(needs: Needs, arena: &mut Arena<'m, '_>) -> Self {
        Listed {
            entries: arena.number_list(needs.entries),
            sets: arena.list(needs.sets),
            vectors: arena.list(needs.vectors),
            rows: arena.number_list(needs.rows()),
            pairs: arena.number_list(needs.rows()),
            steps: Steps { entries: arena.number_list(needs.steps()), lanes: arena.number_list(needs.steps()) },
        }
    }

    /// Lists the entries of a vector. `rows` are those of the tables where some may be infinity: these are left out.
    pub(super) fn list(&mut self, configuration: &Configuration, vector: Vector<'_>, rows: Option<&[CacheLine]>) {
        vector.assert_places(configuration.points);
        let terms = vector.terms(&configuration.order);
        let nonzero = terms.clone().count();
        let (rule, columns) = (configuration.rule(nonzero), configuration.columns(nonzero));
        let most = |table: &usize| {
            let places = &configuration.tables[*table].places;
            let here = if rule.tables.len() == 1 {
                nonzero
            } else {
                terms.clone().filter(|(place, _)| places.contains(place)).count()
            };
            here * configuration.layout(*table).entries_per_scalar()
        };
        let room: usize = rule.tables.iter().map(most).sum();
        let (first, start) = (self.sets.len(), self.entries.len());
        (0..columns).for_each(|column| self.sets.push(Set { start: start + column, step: columns, ..Set::default() }));
        self.entries.lengthen(columns * room).fill(PointRef::new(0, false));
        let (entries, sets) = (&mut self.entries, &mut self.sets[first..]);
        configuration.lookups(vector, |lookup| {
            if rows.is_none_or(|rows| !is_infinity(&rows[lookup.row])) {
                let set = &mut sets[lookup.column];
                entries[set.start + set.count * columns] = PointRef::new(lookup.row, lookup.negated);
                set.count += 1;
            }
        });
        let count = sets.iter().rposition(|set| set.count > 0).map_or(0, |last| last + 1);
        self.sets.truncate(first + count);
        self.vectors.push(ColumnSets { first, count });
    }

    /// The entries of a set.
    pub(super) fn entries_of(&self, set: usize) -> impl Iterator<Item = PointRef> {
        self.sets[set].entries_from(0, &self.entries)
    }

    /// The number of entries of a vector.
    pub(super) fn entries_of_vector(&self, vector: usize) -> usize {
        let ColumnSets { first, count } = self.vectors[vector];
        self.sets[first..first + count].iter().map(|set| set.count).sum()
    }
}
