//! The product k G, and P + k G.

pub(super) mod eight_rows;
pub(super) mod eight_rows_ct;
mod eight_rows_plus_point;
mod one_lane;
#[cfg(feature = "bulk")]
mod one_lane_rows;
pub(super) mod one_row_ct;

pub(crate) use eight_rows_ct::mul_generator_rows_ct;
#[cfg(test)]
pub(crate) use eight_rows_ct::terms_of_windows;
pub(crate) use eight_rows_plus_point::{PointsPlusMultiples, points_plus_multiples};
pub(crate) use one_lane::mul_generator_ct;
#[cfg(feature = "bulk")]
pub(crate) use one_lane_rows::multiples_on_one_lane;

use crate::lanes::memory::{AffineX8, FeX8, U256x8};
use phalanx_engine::{
    curve::Affine,
    word::{Op, Word},
};

/// Writes the coordinates of sums.
struct Normalize<'a> {
    sums: &'a [AffineX8],
    coordinates: &'a mut [[U256x8; 2]],
}

impl Op for Normalize<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for (sum, [x, y]) in self.sums.iter().zip(self.coordinates) {
            let sum: Affine<FeX8<W>> = sum.load();
            let sum = sum.normalize();
            x.store(sum.x.to_words());
            y.store(sum.y.to_words());
        }
    }
}
