//! The product k P.

mod eight_rows_ct;
mod one_lane;
pub(super) mod one_row_ct;

pub(crate) use eight_rows_ct::mul_point_rows_ct;
pub(crate) use one_lane::mul_point_ct;
