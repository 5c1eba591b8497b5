//! One multiplication spread over the lanes: what a single call computes on a CPU with vector words.
//!
//! | file | holds |
//! |---|---|
//! | `lines` | points moved from lane to lane, and out of the lanes |
//! | `table` | the odd multiples of one point, a few in each lane |
//! | `point` | k P for secrets |
//! | `generator` | k G for secrets |
//! | `combination` | a P + b G |
//!
//! The digits of one scalar are dealt out to the lanes, each lane sums its own, and three additions fold the eight sums. A
//! doubling of eight lanes takes less time than one on the one-lane field, so a point's chain of 125 doublings gains too.
//!
//! What is given back are two points, in whose sum alone an addition may be exceptional: the caller adds them by a complete
//! formula, or looks whether Z is zero.

mod combination;
mod generator;
mod lines;
mod point;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use combination::combination;
pub(crate) use generator::generator_multiple;
pub(crate) use point::point_multiple;
