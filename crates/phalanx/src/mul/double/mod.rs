//! The sum a P + b G.
//!
//! Besides the three schedules of every product there are `key_table` and `key_table_sums`, for eight rows that share a
//! point. The point's multiples are in a table, so these schedules need no doubling. A table holds the odd multiples of
//! 64^i P for the windows i of one half of a. Both halves read it. All rows of a group read the same table, so entries
//! are looked up within registers. A table takes 55 KiB. `by_x` has the equation of a sum under a key of which x alone
//! is known.

mod by_x;
mod eight_rows;
mod key_table;
pub(super) mod key_table_sums;
#[cfg(test)]
mod key_table_tests;
pub(crate) mod one_lane;
pub(super) mod one_row;

pub(crate) use by_x::{EquationsByX, TermsByX, leave_images, prove_by_x, prove_rows_by_x};
pub(crate) use eight_rows::{DoubleMulTerms, DoubleMuls, double_mul_rows, double_mul_terms, same_x, sum_terms};
pub(crate) use key_table::{KEY_TABLE_BYTES, KeyTable, build_key_tables};
pub(crate) use key_table_sums::{KeyTableSums, double_mul_with_tables};
pub(crate) use one_lane::Combine;
