//! Sums of points in one lane, whatever the points are. Variable time, for public points.
//!
//! The formula that is not complete comes first: where it is not valid it says so by Z = 0, and only then the complete
//! one runs.

use super::{
    Affine, Curve, Jacobian,
    coefficient::{Coefficient, Of, Zero, by_coefficient},
};
use crate::field::FieldX1;

impl<F: FieldX1> Jacobian<F> {
    /// Twice the point of the curve `C`, at no cost for infinity.
    #[inline]
    #[must_use]
    pub fn double_vartime<C: Curve>(self) -> Self {
        by_coefficient!(self.double_with_vartime::<C>())
    }

    /// The sum with a finite point of the curve `C`.
    #[inline]
    #[must_use]
    pub fn add_mixed_vartime<C: Curve>(self, point: Affine<F>) -> Self {
        by_coefficient!(self.add_mixed_with_vartime::<C>(point))
    }

    /// The sum with any point of the curve `C`.
    #[inline]
    #[must_use]
    pub fn add_vartime<C: Curve>(self, other: Self) -> Self {
        by_coefficient!(self.add_with_vartime::<C>(other))
    }

    fn double_with_vartime<A: Coefficient>(self) -> Self {
        if self.z.is_zero_vartime() { self } else { self.double_with_coefficient::<A>() }
    }

    fn add_mixed_with_vartime<A: Coefficient>(self, point: Affine<F>) -> Self {
        let (sum, _) = self.add_mixed(point);
        if sum.z.is_zero_vartime() { self.add_mixed_with_any::<A>(point) } else { sum }
    }

    fn add_with_vartime<A: Coefficient>(self, other: Self) -> Self {
        if self.z.is_zero_vartime() {
            return other;
        }
        if other.z.is_zero_vartime() {
            return self;
        }
        let (sum, _) = self.add(other);
        if sum.z.is_zero_vartime() { self.add_with_any::<A>(other) } else { sum }
    }
}
