//! The memory of one thread's sums: lists of entries, and partial sums.

use super::{configuration::Configuration, vector::Vector};
use crate::{
    affine_add::AffineAdder,
    lanes::is_infinity,
    word::{CacheLine, LANES, Mask8, PointPair, PointRef},
};
use alloc::vec::Vec;

/// The memory of one thread's sums over tables. Warm, it allocates nothing.
pub struct Workspace<K> {
    /// The entries of all sets.
    pub(super) entries: Vec<PointRef>,
    /// A set for each column of each vector.
    pub(super) sets: Vec<Set>,
    /// The sets of each vector.
    pub(super) vectors: Vec<Columns>,
    /// Partial sums.
    pub(super) rows: Vec<CacheLine>,
    pub(super) pairs: Vec<PointPair>,
    pub(super) steps: Vec<Step>,
    pub(super) work: K,
}

/// The workspace for sums by the adder `A`.
pub type WorkspaceOf<A> = Workspace<<A as AffineAdder>::Work>;

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
pub(super) struct Columns {
    pub(super) first: usize,
    pub(super) count: usize,
}

/// What eight lanes do next: an entry is added in some of them, in others it is the first; or all sums double.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Add { entries: [PointRef; LANES], added: Mask8, first: Mask8 },
    Double,
}

impl<K: Default> Default for Workspace<K> {
    fn default() -> Self {
        Workspace {
            entries: Vec::new(),
            sets: Vec::new(),
            vectors: Vec::new(),
            rows: Vec::new(),
            pairs: Vec::new(),
            steps: Vec::new(),
            work: K::default(),
        }
    }
}

impl<K> Workspace<K> {
    /// Bytes held, but for what the additions themselves hold.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<PointRef>()
            + self.sets.capacity() * size_of::<Set>()
            + self.vectors.capacity() * size_of::<Columns>()
            + self.rows.capacity() * size_of::<CacheLine>()
            + self.pairs.capacity() * size_of::<PointPair>()
            + self.steps.capacity() * size_of::<Step>()
    }

    /// Forgets all lists.
    pub(super) fn begin(&mut self) {
        self.entries.clear();
        self.sets.clear();
        self.vectors.clear();
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
        self.sets.extend((0..columns).map(|column| Set { start: start + column, step: columns, ..Set::default() }));
        self.entries.resize(start + columns * room, PointRef::new(0, false));
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
        self.vectors.push(Columns { first, count });
    }

    /// The entries of a set.
    pub(super) fn entries_of(&self, set: usize) -> impl Iterator<Item = PointRef> {
        self.sets[set].entries_from(0, &self.entries)
    }

    /// The number of entries of a vector.
    pub(super) fn entries_of_vector(&self, vector: usize) -> usize {
        let Columns { first, count } = self.vectors[vector];
        self.sets[first..first + count].iter().map(|set| set.count).sum()
    }
}
