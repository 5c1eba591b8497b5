//! Sums of points in one lane, whatever the points are. Variable time, for public points.
//!
//! The formula that is not complete comes first: where it is not valid it says so by Z = 0, and only then the complete
//! one runs.

use super::{Affine, Curve, Jacobian};
use crate::field::FieldX1;

impl<F: FieldX1> Jacobian<F> {
    /// Twice the point of the curve `C`, at no cost for infinity.
    #[must_use]
    pub fn double_vartime<C: Curve>(self) -> Self {
        if self.z.is_zero_vartime() { self } else { self.double_on::<C>() }
    }

    /// The sum with a finite point of the curve `C`.
    #[must_use]
    pub fn add_mixed_vartime<C: Curve>(self, point: Affine<F>) -> Self {
        let (sum, _) = self.add_mixed(point);
        if sum.z.is_zero_vartime() { self.add_mixed_complete_on::<C>(point) } else { sum }
    }

    /// The sum with any point of the curve `C`.
    #[must_use]
    pub fn add_vartime<C: Curve>(self, other: Self) -> Self {
        if self.z.is_zero_vartime() {
            return other;
        }
        if other.z.is_zero_vartime() {
            return self;
        }
        let (sum, _) = self.add(other);
        if sum.z.is_zero_vartime() { self.add_complete_on::<C>(other) } else { sum }
    }
}
