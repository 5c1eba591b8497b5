//! Small multiples of a point without an inversion: affine on another model of the curve.
//!
//! The map (x, y) -> (s^2 x, s^3 y) takes the curve y^2 = x^3 + B to y^2 = x^3 + s^6 B. No addition or doubling formula
//! contains B, so a whole multiplication can run on the image, where points that share the Jacobian denominator s are
//! affine, and only the result's Z is multiplied by s in the end.

use crate::group::{Affine, Fe, Secp256k1};
use phalanx_engine::field::Field;

/// Affine points on the model of the curve with this scale.
pub(crate) struct IsomorphicTable<const N: usize> {
    pub(crate) points: [Affine; N],
    pub(crate) scale: Fe,
    /// What Z grew by from the first point to the last.
    pub(crate) growth: Fe,
}

impl<const N: usize> IsomorphicTable<N> {
    /// P, P + D, P + 2 D, ... for a point and a step that are affine on the model of scale `scale`, where none but the
    /// last may be equal to or the negative of the step. 9M + 3S for each point after the first.
    #[inline]
    pub(crate) fn arithmetic_progression(first: Affine, step: Affine, scale: Fe) -> Self {
        let mut points = [first; N];
        let (scale, growth) = progress(&mut points, &mut [Fe::one(); N], step, scale);
        IsomorphicTable { points, scale, growth }
    }

    /// P, 3 P, 5 P, ..., (2 N - 1) P. Variable time in N only. The order of P must be above 2 N.
    #[inline]
    pub(crate) fn odd_multiples(point: &Affine) -> Self {
        let (step, first, scale) = point.double_co_z_on::<Secp256k1>();
        Self::arithmetic_progression(first, step, scale)
    }
}

/// Writes `points[0]` plus multiples of the step to the other points, with memory for as many ratios. Gives the scale of
/// the model they are affine on, and what Z grew by. A function of its own, since tables are of several lengths.
fn progress(points: &mut [Affine], ratios: &mut [Fe], mut step: Affine, mut scale: Fe) -> (Fe, Fe) {
    // ratios[i] is what Z grows by from point i - 1 to point i.
    for i in 1..points.len() {
        (points[i], step, ratios[i]) = step.add_co_z(points[i - 1]);
        scale = scale.mul(ratios[i]);
    }
    // Brings every point over the last one's denominator.
    let mut growth = Fe::one();
    for i in (0..points.len() - 1).rev() {
        growth = growth.mul(ratios[i + 1]);
        let square = growth.square();
        points[i].x = points[i].x.mul(square);
        points[i].y = points[i].y.mul(square.mul(growth));
    }
    (scale, growth)
}
