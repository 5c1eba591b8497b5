//! Sums of points in one lane, whatever the points are. Variable time, for public points.
//!
//! The formula that is not complete comes first: where it is not valid it says so by Z = 0, and only then the complete
//! one runs.

use super::{Affine, Jacobian};
use crate::field::FieldX1;

impl<F: FieldX1> Jacobian<F> {
    /// Twice the point, at no cost for infinity.
    #[must_use]
    pub fn double_vartime(self) -> Self {
        if self.z.is_zero_vartime() { self } else { self.double() }
    }

    /// The sum with a finite point.
    #[must_use]
    pub fn add_mixed_vartime(self, point: Affine<F>) -> Self {
        let (sum, _) = self.add_mixed(point);
        if sum.z.is_zero_vartime() { self.add_mixed_complete(point) } else { sum }
    }

    /// The sum with any point.
    #[must_use]
    pub fn add_vartime(self, other: Self) -> Self {
        if self.z.is_zero_vartime() {
            return other;
        }
        if other.z.is_zero_vartime() {
            return self;
        }
        let (sum, _) = self.add(other);
        if sum.z.is_zero_vartime() { self.add_complete(other) } else { sum }
    }
}
