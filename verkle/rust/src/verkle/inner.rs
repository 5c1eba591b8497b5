//! Inner nodes: commitments to the images of up to 256 children among the scalars.

use super::commitment::{Commitment, added_vartime};
use crate::{Commit, Scalar, Term, TermLists};
use alloc::vec::Vec;

/// The commitment of an inner node. The caller keeps its children. An empty child counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerNode {
    commitment: Commitment,
}

/// A child whose commitment changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildChange {
    /// The byte of the key that leads to the child.
    pub index: u8,
    /// The image of the child's commitment before, 0 for an empty child. It must be the one that the node commits to.
    pub old: Scalar,
    /// The image from now on.
    pub new: Scalar,
}

impl InnerNode {
    /// The node without children.
    pub fn empty() -> InnerNode {
        InnerNode { commitment: Commitment::empty() }
    }

    /// The node of a commitment that was computed before.
    pub fn of(commitment: Commitment) -> InnerNode {
        InnerNode { commitment }
    }

    /// The node of these children, each by its index and the image of its commitment.
    ///
    /// # Panics
    /// If an index stands there twice, or the basis is too short for a child; one of 256 elements never is.
    pub fn new_vartime<C: Commit + ?Sized>(committer: &mut C, children: &[(u8, Scalar)]) -> InnerNode {
        let mut seen = [false; 256];
        for (index, _) in children {
            assert!(!core::mem::replace(&mut seen[usize::from(*index)], true), "an index stands there once");
        }
        let mut node = InnerNode::empty();
        let changes: Vec<_> =
            children.iter().map(|(index, new)| ChildChange { index: *index, old: Scalar::ZERO, new: *new }).collect();
        node.update_vartime(committer, &changes);
        node
    }

    /// The commitment, with what the parent commits to.
    pub fn commitment(&self) -> Commitment {
        self.commitment
    }

    /// Changes children, by the differences that they make. A child may change more than once, in order.
    ///
    /// # Panics
    /// If the basis is too short for a change; one of 256 elements never is.
    pub fn update_vartime<C: Commit + ?Sized>(&mut self, committer: &mut C, changes: &[ChildChange]) {
        InnerNode::update_many_vartime(committer, core::slice::from_mut(self), &[changes]);
    }

    /// Changes children of many nodes: `changes[i]` are those of `nodes[i]`.
    ///
    /// # Panics
    /// If the slices differ in length, or the basis is too short for a change; one of 256 elements never is.
    pub fn update_many_vartime<C: Commit + ?Sized>(
        committer: &mut C,
        nodes: &mut [InnerNode],
        changes: &[&[ChildChange]],
    ) {
        assert_eq!(nodes.len(), changes.len(), "a list of changes per node");
        let mut lists = TermLists::new();
        for changes in changes {
            let terms =
                changes.iter().map(|change| Term { position: change.index.into(), scalar: change.new - change.old });
            lists.push(terms.filter(|term| !term.scalar.is_zero_vartime()));
        }
        let new = added_vartime(committer, &lists, nodes.iter().map(|node| node.commitment.element()));
        for (node, commitment) in nodes.iter_mut().zip(new) {
            node.commitment = commitment;
        }
    }
}
