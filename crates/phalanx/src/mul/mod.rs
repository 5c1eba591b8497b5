//! Products of points and scalars: a folder per product, a file per schedule.
//!
//! | folder | computes | for |
//! |---|---|---|
//! | `generator` | k G, P + k G | secrets, and as part of a P + b G; P + k G: variable time |
//! | `point` | k P | secrets |
//! | `double` | a P + b G | verification: variable time, any [`crate::group::Group`] |
//!
//! | schedule | computes |
//! |---|---|
//! | `one_lane` | one row on one lane, on any CPU |
//! | `one_row` | one row spread over eight lanes: each lane sums its share of the digits, and the sums are added |
//! | `eight_rows` | a row per lane, in affine coordinates; the divisions of many rows share one inversion |
//!
//! A schedule whose name ends in `_ct` is constant time, for secrets. A secret chooses among values by
//! [`Word::lookup32`](phalanx_engine::word::Word::lookup32) and by selections, both within registers. Each file proves
//! that its additions are right for every secret.
//!
//! Schedules share these files:
//!
//! | file | holds |
//! |---|---|
//! | `digits`, `digits_ct` | scalars as digits that are never zero |
//! | `pair_sums` | rounds of affine additions |
//! | `odd_multiples` | odd multiples of eight points |
//! | `row_multiples` | odd multiples of one point, in the lanes |
//! | `fold` | points moved from lane to lane |
//! | `isomorphic_curve` | small multiples without an inversion |
//! | `unit` | the unit on which a multiplication runs |
//!
//! The room uses `group`, `tables`, `glv` and `lanes`.

mod digits;
mod digits_ct;
pub(crate) mod double;
mod fold;
mod generator;
pub(crate) mod isomorphic_curve;
mod odd_multiples;
mod pair_sums;
mod point;
mod row_multiples;
#[cfg(test)]
mod row_tests;
mod unit;

pub(crate) use digits::{Digits, Windows};
#[cfg(test)]
pub(crate) use digits_ct::EQUAL_SUMS;
pub(crate) use digits_ct::{GeneratorDigits, PointDigits};
pub(crate) use double::{
    Combine, DoubleMulTerms, DoubleMuls, EquationsByX, KEY_TABLE_BYTES, KeyTable, KeyTableSums, TermsByX,
    build_key_tables, double_mul_rows, double_mul_terms, double_mul_with_tables, leave_images, prove_by_x,
    prove_rows_by_x, same_x, sum_terms,
};
#[cfg(feature = "bulk")]
pub(crate) use generator::multiples_on_one_lane;
#[cfg(test)]
pub(crate) use generator::terms_of_windows;
pub(crate) use generator::{PointsPlusMultiples, mul_generator_ct, mul_generator_rows_ct, points_plus_multiples};
pub(crate) use point::{mul_point_ct, mul_point_rows_ct};
pub(crate) use unit::Unit;
