//! a P + b G for points P with a table each, without a doubling.
//!
//! - `table`: the tables of eight points;
//! - `sum`: the sums by them.
//!
//! A table holds the odd multiples of 64^i P for the windows i of a half of a; both halves read it. The rows of a group share
//! their point, so that entries are looked up within registers. 55 KiB a point.

mod sum;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use sum::{Prepared, combine_prepared};
pub(crate) use table::{TABLE_BYTES, Table, prepare};

/// Bits of a window of a half of the point's scalar.
pub(super) const WIDTH: usize = 6;
/// Windows of a half: 132 bits.
pub(super) const WINDOWS: usize = 22;
/// Entries of a window: the odd multiples below 64.
const ENTRIES: usize = 1 << (WIDTH - 1);
