//! Sums of many products, k_0 P_0 + k_1 P_1 + ..., for public scalars and points, over any curve.
//!
//! A sum is a set of *terms*. A term is a point in a table and the digits of the number that multiplies it. Nearly all
//! additions are of affine points and independent of each other. Only the additions of the last chain depend on each
//! other. Independent additions are collected in rounds. A round is a list of pairs. An
//! [`AffineAdder`](crate::affine_add::AffineAdder) adds the pairs with one shared inversion, `AffineAdder::LANES` pairs
//! at a time.
//!
//! | file | holds |
//! |---|---|
//! | `limits` | the thresholds, and the measurements that set them |
//! | `workspace` | rows of points and pairs of a round |
//! | `signed_digits` | numbers as signed digits, one per window |
//! | `pair_tree` | sums of sets of points, by rounds of pairs |
//! | `straus` | Straus' method: the digits of non-adjacent forms choose odd multiples of each point |
//! | `in_lanes` | Straus' method in eight lanes, each with an eighth of the bits: `multiples`, `rounds`, `chain` |
//! | `pippenger` | Pippenger's method: each digit puts its point into a bucket, piece by piece |
//! | `bucket_sums` | weighted sums of buckets |
//! | `horner` | the sum of points times powers of two, in one chain or in eight stretches |
//! | `radix` | a sort that calls no function |
//! | `sum` | a whole sum, on one thread, in memory that the caller lends |
//! | `plan` | the method and the window width for a number of terms, and what they are expected to cost |
//!
//! All is variable time.

mod bucket_sums;
mod horner;
mod in_lanes;
mod limits;
mod pair_tree;
mod pippenger;
mod plan;
mod radix;
mod signed_digits;
mod straus;
mod sum;
mod workspace;

pub use crate::word::{PointPair, PointRef};
pub use horner::{ShiftedPoint, Sum, horner};
pub use limits::MAX_WIDTH;
pub use plan::{Costs, Estimate, Method, SumPlan};
pub use signed_digits::SignedInt;
pub use sum::{Extent, Summation};
