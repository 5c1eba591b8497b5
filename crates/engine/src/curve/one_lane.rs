//! Complete additions in one lane, as functions of their own: they are long, and called from many places, from each
//! seldom.

use super::{
    Affine, Curve, Jacobian,
    coefficient::{Coefficient, Of, Zero, by_coefficient},
};
use crate::field::FieldX1;

impl<F: FieldX1> Jacobian<F> {
    /// The sum of any two points of the curve `C`. Constant time. As [`Self::add_complete_on`], but a call.
    #[inline]
    #[must_use]
    pub fn add_any<C: Curve>(self, other: Self) -> Self {
        by_coefficient!(self.add_with_any::<C>(other))
    }

    /// The sum with any finite point of the curve `C`. Constant time. As [`Self::add_mixed_complete_on`], but a call.
    #[inline]
    #[must_use]
    pub fn add_mixed_any<C: Curve>(self, point: Affine<F>) -> Self {
        by_coefficient!(self.add_mixed_with_any::<C>(point))
    }

    #[inline(never)]
    pub(super) fn add_with_any<A: Coefficient>(self, other: Self) -> Self {
        self.add_with_coefficient::<A>(other)
    }

    #[inline(never)]
    pub(super) fn add_mixed_with_any<A: Coefficient>(self, point: Affine<F>) -> Self {
        self.add_mixed_with_coefficient::<A>(point)
    }
}
