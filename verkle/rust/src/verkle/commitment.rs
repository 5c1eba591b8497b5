//! A commitment with its image among the scalars, which its parent commits to.

use crate::{Commit, Element, Scalar, TermLists};
use alloc::{vec, vec::Vec};

/// A commitment and what [`Element::map_to_scalar_field`] makes of it, kept together because the one follows from the
/// other by an inversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    element: Element,
    scalar: Scalar,
}

impl Commitment {
    /// The commitment of this element. One inversion. Variable time.
    pub fn new_vartime(element: Element) -> Commitment {
        Commitment { element, scalar: element.map_to_scalar_field_vartime() }
    }

    /// The commitment to nothing: the neutral element, and 0.
    pub fn empty() -> Commitment {
        Commitment { element: Element::identity(), scalar: Scalar::ZERO }
    }

    /// The commitments of many elements, with one inversion for 256. Variable time.
    pub fn batch_vartime(elements: &[Element]) -> Vec<Commitment> {
        let mut scalars = vec![Scalar::ZERO; elements.len()];
        Element::batch_map_to_scalar_field_vartime(elements, &mut scalars);
        elements.iter().zip(scalars).map(|(element, scalar)| Commitment { element: *element, scalar }).collect()
    }

    /// The element.
    pub fn element(&self) -> Element {
        self.element
    }

    /// Its image among the scalars: what a parent commits to.
    pub fn scalar(&self) -> Scalar {
        self.scalar
    }
}

/// The commitment to each list added to what was committed to before, if there was anything.
pub(super) fn added_vartime<C: Commit + ?Sized>(
    committer: &mut C,
    lists: &TermLists,
    before: impl Iterator<Item = Element>,
) -> Vec<Commitment> {
    let mut sums = vec![Element::identity(); lists.len()];
    committer.commit_many_vartime(lists, &mut sums);
    sums.iter_mut().zip(before).for_each(|(sum, before)| *sum += before);
    Commitment::batch_vartime(&sums)
}
