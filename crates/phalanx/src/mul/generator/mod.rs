//! The product k G, and P + k G.

pub(super) mod eight_rows;
pub(super) mod eight_rows_ct;
mod eight_rows_plus_point;
mod one_lane;
pub(super) mod one_row_ct;

pub(crate) use eight_rows_ct::mul_generator_rows_ct;
#[cfg(test)]
pub(crate) use eight_rows_ct::terms_of_windows;
pub(crate) use eight_rows_plus_point::{PointsPlusMultiples, points_plus_multiples};
pub(crate) use one_lane::mul_generator_ct;
