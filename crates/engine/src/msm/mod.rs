//! Sums of many products, k_0 P_0 + k_1 P_1 + ..., for public scalars and points: everything but the arithmetic of points.
//!
//! A sum is a set of *terms*: a point in a table, and the digits of the number by which it is multiplied. All additions but
//! those of the last chain are of affine points and independent of each other, in rounds: a round is a list of pairs, which
//! whoever computes adds with one shared inversion ([`Additions`]), in as many lanes as there are.
//!
//! | file | holds |
//! |---|---|
//! | `terms` | numbers as signed digits, window by window |
//! | `rounds` | sums of many points by rounds of pairs |
//! | `buckets` | Pippenger's method: points put into buckets by digit, piece by piece |
//! | `weights` | sums of buckets with their weights |
//! | `running` | Pippenger's method as it is usually written, one addition after another |
//! | `tables` | Straus' method: odd multiples of each point, chosen by the digits of non-adjacent forms |
//! | `chain` | the sum of points times powers of two |
//! | `plan` | which method with which window for how many terms, and what it costs |
//!
//! Variable time throughout.

mod buckets;
mod chain;
mod plan;
mod rounds;
mod running;
mod tables;
mod terms;
mod weights;

pub use crate::word::{Pair, Reference};
pub use buckets::Buckets;
pub use chain::{Part, chain};
pub use plan::{Costs, Estimate, Method, Plan};
pub use rounds::{Additions, Workspace, WorkspaceOf};
pub use running::running_sums;
pub use tables::{odd_multiples, table_sums};
pub use terms::{MAX_WIDTH, Term, Terms};
