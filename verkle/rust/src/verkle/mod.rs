//! The work of a Verkle tree (EIP-6800) over the 256-point basis: keys, leaves, inner nodes, whole states.
//!
//! | file | holds |
//! |---|---|
//! | `commitment` | a commitment with its image among the scalars |
//! | `position` | where a tree keeps an account's header, code and storage |
//! | `tree_key` | the keys of these places |
//! | `leaf` | leaves: creation and updates, one and many |
//! | `inner` | inner nodes: creation and updates, one and many |
//! | `migration` | the tree of many keys and values at once |
//!
//! Elsewhere an inner node is called an internal or branch node, a leaf an extension node, and its two halves suffix
//! commitments.
//!
//! Everything takes a [`Commit`](crate::Commit), a way to commit over [`Basis::verkle`](crate::Basis::verkle), and
//! everything is over public data: `_vartime`. What works on many items shares inversions between them and hands the
//! committer all sums at once.
//!
//! Values of 32 bytes are as the tree stores them. Scalars are little-endian throughout, as the specification has them.

mod commitment;
mod inner;
mod leaf;
mod migration;
mod position;
mod tree_key;

pub use commitment::Commitment;
pub use inner::{ChildChange, InnerNode};
pub use leaf::{Leaf, Stem, Value, ValueChange};
pub use migration::{Migrated, MigratedNode, migrate_vartime};
pub use position::{Address, Position};
pub use tree_key::{AddressSum, TreeKeys};
