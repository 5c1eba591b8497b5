//! The obvious way: each scalar times its element.

use super::{Commit, Term};
use crate::{Basis, Element};

/// Commits by one multiplication per scalar, without tables: the reference for faster ways.
///
/// ```
/// use phalanx_banderwagon::{Basis, Commit, Element, Obvious, Scalar};
///
/// let basis = Basis::new(vec![Element::generator(); 2]);
/// let two = Obvious(&basis).commit_vartime(&[Scalar::ONE; 2]);
/// assert_eq!(two, Element::generator().double());
/// ```
#[derive(Clone, Copy)]
pub struct Obvious<'a>(pub &'a Basis);

impl Commit for Obvious<'_> {
    fn basis(&self) -> &Basis {
        self.0
    }

    fn commit_sparse_vartime(&mut self, terms: &[Term]) -> Element {
        terms.iter().map(|term| self.0.elements()[term.position].mul_vartime(&term.scalar)).sum()
    }
}
