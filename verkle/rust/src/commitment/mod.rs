//! Commitments to vectors of scalars: sums of scalars times the elements of a basis.
//!
//! | file | holds |
//! |---|---|
//! | `terms` | sparse vectors, one and many |
//! | `obvious` | one multiplication per scalar: what faster ways are checked by |
//! | `tables` | sums over tables of multiples: the fast way |
//! | `in_workspace` | the same in a caller's memory |
//! | `saved` | tables as files, also mapped to memory |
//! | `published` | configurations that others published, to compare with |
//! | `known_answers` | the test by which a vector unit proves itself |
//! | `detected` | commitments on the lanes that the CPU has |
//! | `threads` | many vectors on several threads |
//! | `secret` | commitments to secret scalars, in constant time |
//!
//! # Which to use
//!
//! A Verkle tree commits to public data: [`Commit`] and all that says `_vartime`. There the time depends on the
//! scalars, on how many are zero and on which bits are set. A commitment that is to **hide** its scalars, as in a
//! protocol with blinding, takes [`Basis::commit`](crate::Basis::commit), whose time depends on the number of scalars
//! alone. Both give the same element.

mod detected;
mod in_workspace;
mod known_answers;
mod obvious;
mod published;
mod saved;
mod secret;
mod tables;
mod terms;
#[cfg(feature = "std")]
mod threads;

pub use detected::{Lanes, LanesCommitter};
pub use in_workspace::commit_in_vartime;
pub use obvious::Obvious;
pub use tables::{Committer, Tables};
pub use terms::{Term, TermLists};
#[cfg(feature = "std")]
pub use threads::ThreadsCommitter;

use crate::{Basis, Element, Scalar};
use alloc::{vec, vec::Vec};

/// A way to commit over a basis, for public scalars, with the memory that it works in. Variable time throughout.
///
/// [`Obvious`] is the obvious way.
pub trait Commit {
    /// The basis.
    fn basis(&self) -> &Basis;

    /// The sum of each term's scalar times the element at its position. Positions may repeat.
    ///
    /// # Panics
    /// If a position is not in the basis.
    fn commit_sparse_vartime(&mut self, terms: &[Term]) -> Element;

    /// The commitment to `scalars`, which stand at the first positions; behind them is zero.
    ///
    /// # Panics
    /// If there are more scalars than elements in the basis.
    fn commit_vartime(&mut self, scalars: &[Scalar]) -> Element {
        assert!(scalars.len() <= self.basis().len(), "an element per scalar");
        let terms: Vec<Term> = Term::dense(scalars).collect();
        self.commit_sparse_vartime(&terms)
    }

    /// Writes the commitment to list i of `lists` to `out[i]`.
    ///
    /// # Panics
    /// If there are not as many places as lists, or a position is not in the basis.
    fn commit_many_vartime(&mut self, lists: &TermLists, out: &mut [Element]) {
        assert_eq!(lists.len(), out.len(), "a place per list");
        for (out, terms) in out.iter_mut().zip(lists.iter()) {
            *out = self.commit_sparse_vartime(terms);
        }
    }

    /// Writes the image among the scalars of `offset` plus the commitment to list i of `lists` to `out[i]`: what hashes
    /// of many lists need, where all have a part in common.
    ///
    /// # Panics
    /// If there are not as many places as lists, or a position is not in the basis.
    fn map_many_vartime(&mut self, offset: &Element, lists: &TermLists, out: &mut [Scalar]) {
        assert_eq!(lists.len(), out.len(), "a place per list");
        let mut sums = vec![Element::identity(); lists.len()];
        self.commit_many_vartime(lists, &mut sums);
        sums.iter_mut().for_each(|sum| *sum += *offset);
        Element::batch_map_to_scalar_field_vartime(&sums, out);
    }

    /// The commitment to a vector that differs from the one behind `commitment` by `differences`: the new scalar less
    /// the old one, at each position that changes.
    ///
    /// # Panics
    /// If a position is not in the basis.
    fn update_vartime(&mut self, commitment: &Element, differences: &[Term]) -> Element {
        *commitment + self.commit_sparse_vartime(differences)
    }
}
