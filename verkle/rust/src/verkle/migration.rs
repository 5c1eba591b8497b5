//! The tree of many keys and values at once, as a migration of a state builds it (EIP-6800, `compute_verkle_root`).

use super::{
    commitment::Commitment,
    inner::{ChildChange, InnerNode},
    leaf::{Leaf, Stem, Value},
};
use crate::{Commit, Scalar};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// How many leaves are committed to at once: their terms take a few megabytes where leaves are small.
const LEAVES_AT_ONCE: usize = 4096;

/// The tree of a migration.
#[derive(Clone, Debug)]
pub struct Migrated {
    /// The leaves with their stems, in ascending order.
    pub leaves: Vec<(Stem, Leaf)>,
    /// The inner nodes, by depth. The first is the root; without leaves it is the only one.
    pub nodes: Vec<MigratedNode>,
}

/// An inner node of a migration.
#[derive(Clone, Debug)]
pub struct MigratedNode {
    /// The number of bytes of a stem that lead here; 0 for the root.
    pub depth: usize,
    /// The leaves under the node: all whose stems begin with the node's bytes.
    pub leaves: Range<usize>,
    /// Its commitment.
    pub node: InnerNode,
}

impl Migrated {
    /// The root's commitment.
    pub fn root(&self) -> Commitment {
        self.nodes[0].node.commitment()
    }

    /// The bytes that lead to a node.
    pub fn prefix(&self, node: &MigratedNode) -> &[u8] {
        self.leaves.get(node.leaves.start).map_or(&[], |(stem, _)| &stem[..node.depth])
    }
}

/// Builds the tree of keys and values, which are sorted on the way. Of the same key twice, the later value counts.
///
/// ```
/// use phalanx_banderwagon::{Basis, Obvious, verkle::migrate_vartime};
///
/// let basis = Basis::verkle();
/// let tree = migrate_vartime(&mut Obvious(&basis), &mut [([1; 32], [2; 32]), ([3; 32], [4; 32])]);
/// assert_eq!((tree.leaves.len(), tree.nodes.len()), (2, 1));
/// ```
///
/// # Panics
/// If the basis has fewer than 256 elements.
pub fn migrate_vartime<C: Commit + ?Sized>(committer: &mut C, entries: &mut [([u8; 32], Value)]) -> Migrated {
    // Stable, so that of equal keys the later stays behind.
    entries.sort_by_key(|(key, _)| *key);
    let leaves = leaves(committer, entries);
    let nodes = nodes(committer, &leaves);
    Migrated { leaves, nodes }
}

/// The leaves of sorted entries.
fn leaves<C: Commit + ?Sized>(committer: &mut C, entries: &[([u8; 32], Value)]) -> Vec<(Stem, Leaf)> {
    let mut leaves = Vec::new();
    let mut values: Vec<(u8, Value)> = Vec::new();
    // Stems with where their values end.
    let mut stems: Vec<(Stem, usize)> = Vec::new();
    let mut groups = entries.chunk_by(|(a, _), (b, _)| a[..31] == b[..31]).peekable();
    while let Some(group) = groups.next() {
        for (i, (key, value)) in group.iter().enumerate() {
            if group.get(i + 1).is_none_or(|(next, _)| next != key) {
                values.push((key[31], *value));
            }
        }
        let (stem, _) = group[0].0.as_chunks::<31>();
        stems.push((stem[0], values.len()));
        if stems.len() == LEAVES_AT_ONCE || groups.peek().is_none() {
            let starts = [0].into_iter().chain(stems.iter().map(|(_, end)| *end));
            let requests: Vec<_> =
                stems.iter().zip(starts).map(|((stem, end), start)| (*stem, &values[start..*end])).collect();
            let new = Leaf::new_many_vartime(committer, &requests);
            leaves.extend(stems.drain(..).map(|(stem, _)| stem).zip(new));
            values.clear();
        }
    }
    leaves
}

/// What is at an index of a node.
enum Child {
    Leaf(usize),
    Node(usize),
}

/// The inner nodes over sorted leaves: their shape from the root down, their commitments from the deepest up, all of
/// one depth at once.
fn nodes<C: Commit + ?Sized>(committer: &mut C, leaves: &[(Stem, Leaf)]) -> Vec<MigratedNode> {
    let node = |depth, leaves| MigratedNode { depth, leaves, node: InnerNode::empty() };
    let mut nodes = vec![node(0, 0..leaves.len())];
    let mut children: Vec<Vec<(u8, Child)>> = Vec::new();
    // Breadth first, so that nodes of one depth stand side by side.
    while let Some(MigratedNode { depth, leaves: range, .. }) = nodes.get(children.len()).cloned() {
        let mut start = range.start;
        let mut of_node = Vec::new();
        for group in leaves[range].chunk_by(|(a, _), (b, _)| a[depth] == b[depth]) {
            let child = if group.len() == 1 {
                Child::Leaf(start)
            } else {
                nodes.push(node(depth + 1, start..start + group.len()));
                Child::Node(nodes.len() - 1)
            };
            of_node.push((group[0].0[depth], child));
            start += group.len();
        }
        children.push(of_node);
    }
    let mut end = nodes.len();
    while end > 0 {
        let depth = nodes[end - 1].depth;
        let start = nodes.partition_point(|node| node.depth < depth);
        let scalar = |child: &Child| match child {
            Child::Leaf(leaf) => leaves[*leaf].1.commitment().scalar(),
            Child::Node(node) => nodes[*node].node.commitment().scalar(),
        };
        let change =
            |(index, child): &(u8, Child)| ChildChange { index: *index, old: Scalar::ZERO, new: scalar(child) };
        let changes: Vec<Vec<ChildChange>> =
            children[start..end].iter().map(|of_node| of_node.iter().map(change).collect()).collect();
        let changes: Vec<&[ChildChange]> = changes.iter().map(Vec::as_slice).collect();
        let mut level = vec![InnerNode::empty(); end - start];
        InnerNode::update_many_vartime(committer, &mut level, &changes);
        for (place, node) in nodes[start..end].iter_mut().zip(level) {
            place.node = node;
        }
        end = start;
    }
    nodes
}
