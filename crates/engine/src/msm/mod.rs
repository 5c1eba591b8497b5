//! Sums of many products, k_0 P_0 + k_1 P_1 + ..., for public scalars and points, over any curve.
//!
//! A sum is a set of *terms*: a point in a table, and the digits of the number by which it is multiplied. All additions
//! but those of the last chain are of affine points and independent of each other, in rounds: a round is a list of
//! pairs, which an [`AffineAdder`](crate::affine_add::AffineAdder) adds with one shared inversion, in as many lanes as
//! there are.
//!
//! | file | holds |
//! |---|---|
//! | `limits` | the thresholds, and what set them |
//! | `workspace` | the memory of one thread's sums, which the caller lends |
//! | `signed_digits` | numbers as signed digits, window by window |
//! | `pair_tree` | sums of sets of points, by rounds of pairs |
//! | `straus` | Straus' method: odd multiples of each point, chosen by the digits of non-adjacent forms |
//! | `pippenger` | Pippenger's method: points put into buckets by digit, piece by piece |
//! | `bucket_sums` | sums of buckets with their weights |
//! | `running_sums` | Pippenger's method as it is usually written, one addition after another |
//! | `horner` | the sum of points times powers of two, in one chain or in eight stretches |
//! | `sum` | all of it for one thread and one piece |
//! | `plan` | which method with which window for how many terms, and what it costs |
//!
//! Variable time throughout.

mod bucket_sums;
mod horner;
mod limits;
mod pair_tree;
mod pippenger;
mod plan;
mod running_sums;
mod signed_digits;
mod straus;
mod sum;
mod workspace;

pub use crate::word::{PointPair, PointRef};
pub use horner::{ShiftedPoint, Sum, horner};
pub use limits::MAX_WIDTH;
pub use pippenger::Buckets;
pub use plan::{Costs, Estimate, Method, Plan};
pub use running_sums::running_sums;
pub use signed_digits::{DigitMatrix, SignedInt};
pub use straus::{OddMultiples, straus_sums};
pub use sum::sum_of_products;
pub use workspace::{Workspace, WorkspaceOf};
