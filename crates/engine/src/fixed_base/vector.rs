//! Vectors of scalars, and the entries that they add up.

use super::{
    configuration::Configuration,
    lookups::{Lookup, PlacedScalar},
    scalar::{negate, plus, reduce},
};

/// Scalars for the points of a basis, as words, least significant first. Any 256-bit number is taken; it counts modulo
/// the order.
#[derive(Clone, Copy, Debug)]
pub enum Vector<'a> {
    /// The scalars of the first points; the others have zero.
    Dense(&'a [[u64; 4]]),
    /// Places of the basis with their scalars, by rising places; all others have zero.
    Sparse(&'a [(usize, [u64; 4])]),
}

impl<'a> Vector<'a> {
    /// The terms that are not zero.
    pub(super) fn terms(self, order: &'a [u64; 4]) -> impl Iterator<Item = PlacedScalar> + Clone + use<'a> {
        let (dense, sparse): (&[[u64; 4]], &[PlacedScalar]) = match self {
            Vector::Dense(scalars) => (scalars, &[]),
            Vector::Sparse(terms) => (&[], terms),
        };
        let terms = dense.iter().copied().enumerate().chain(sparse.iter().copied());
        terms.map(|(place, scalar)| (place, reduce(&scalar, order))).filter(|(_, scalar)| *scalar != [0; 4])
    }

    /// The number of terms that are given, zeros among them.
    pub(super) fn len(self) -> usize {
        match self {
            Vector::Dense(scalars) => scalars.len(),
            Vector::Sparse(terms) => terms.len(),
        }
    }

    /// # Panics
    /// If a place is not in a basis of a given number of points, or places do not rise.
    pub(super) fn assert_places(self, points: usize) {
        match self {
            Vector::Dense(scalars) => assert!(scalars.len() <= points, "more scalars than points"),
            Vector::Sparse(terms) => {
                assert!(terms.is_sorted_by(|a, b| a.0 < b.0), "places do not rise");
                assert!(terms.last().is_none_or(|last| last.0 < points), "a place beyond the last point");
            }
        }
    }
}

/// `new` - `old` modulo the order: the scalar by which a sum changes where a scalar does. Any 256-bit numbers are
/// taken. Variable time.
#[must_use]
pub fn scalar_difference(new: &[u64; 4], old: &[u64; 4], order: &[u64; 4]) -> [u64; 4] {
    plus(&reduce(new, order), &negate(&reduce(old, order), order), order)
}

/// What a sum costs, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Entries that are added.
    pub additions: usize,
    /// Doublings between columns.
    pub doublings: usize,
}

impl Configuration {
    /// Finds the entries of a vector: rows count from the first of all tables. Returns the number of columns.
    pub(super) fn lookups(&self, vector: Vector<'_>, mut found: impl FnMut(Lookup)) -> usize {
        let terms = vector.terms(&self.order);
        let nonzero = terms.clone().count();
        for &table in self.rule(nonzero).tables.iter() {
            let (places, layout, first) = (&self.tables[table].places, self.layout(table), self.first_row(table));
            let terms = terms.clone().skip_while(|(place, _)| *place < places.start);
            let terms = terms.take_while(|(place, _)| *place < places.end);
            let terms = terms.map(|(place, scalar)| (place - places.start, scalar));
            layout.lookups(&self.order, terms, |lookup| found(Lookup { row: first + lookup.row, ..lookup }));
        }
        self.columns(nonzero)
    }

    /// Counts the additions and doublings of a vector's sum.
    ///
    /// # Panics
    /// If the configuration does not pass [`Configuration::check`], or the vector is not one over its basis.
    pub fn operations(&self, vector: Vector<'_>) -> Operations {
        vector.assert_places(self.points);
        let mut additions = 0;
        let columns = self.lookups(vector, |_| additions += 1);
        Operations { additions, doublings: if additions == 0 { 0 } else { columns - 1 } }
    }
}
