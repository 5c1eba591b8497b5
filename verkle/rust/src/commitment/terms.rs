//! Sparse vectors of scalars.

use crate::Scalar;
use alloc::vec::Vec;

/// A scalar and its position in the basis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The position, from 0 on.
    pub position: usize,
    /// The scalar.
    pub scalar: Scalar,
}

impl Term {
    /// The terms of scalars that stand at the positions 0, 1, 2 and so on, zeroes left out. Variable time.
    pub fn dense(scalars: &[Scalar]) -> impl Iterator<Item = Term> {
        let terms = scalars.iter().enumerate().map(|(position, scalar)| Term { position, scalar: *scalar });
        terms.filter(|term| !term.scalar.is_zero_vartime())
    }
}

/// Many sparse vectors, one after another in one piece of memory.
///
/// ```
/// use phalanx_banderwagon::{Scalar, Term, TermLists};
///
/// let mut lists = TermLists::new();
/// lists.push([Term { position: 3, scalar: Scalar::ONE }]);
/// lists.push([]);
/// assert_eq!((lists.len(), lists.get(0)[0].position, lists.get(1).len()), (2, 3, 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TermLists {
    terms: Vec<Term>,
    /// Where each list ends in `terms`.
    ends: Vec<usize>,
}

impl TermLists {
    /// No lists.
    pub const fn new() -> TermLists {
        TermLists { terms: Vec::new(), ends: Vec::new() }
    }

    /// Removes all lists and keeps the memory.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// Adds a list behind the others.
    pub fn push(&mut self, terms: impl IntoIterator<Item = Term>) {
        self.terms.extend(terms);
        self.ends.push(self.terms.len());
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// List `index`.
    ///
    /// # Panics
    /// If there is no such list.
    pub fn get(&self, index: usize) -> &[Term] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.terms[start..self.ends[index]]
    }

    /// The lists in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[Term]> {
        (0..self.len()).map(|index| self.get(index))
    }
}
