//! Complete additions in one lane, as functions of their own: they are long, and called from many places, from each
//! seldom. (In `vartime` they are inlined: as calls there, even if never made, a sum of eight products took 4% longer.)

use super::{Affine, Curve, Jacobian};
use crate::field::FieldX1;

impl<F: FieldX1> Jacobian<F> {
    /// The sum of any two points of the curve `C`. Constant time. As [`Self::add_complete_on`], but a call.
    #[inline(never)]
    #[must_use]
    pub fn add_any<C: Curve>(self, other: Self) -> Self {
        self.add_complete_on::<C>(other)
    }

    /// The sum with any finite point of the curve `C`. Constant time. As [`Self::add_mixed_complete_on`], but a call.
    #[inline(never)]
    #[must_use]
    pub fn add_mixed_any<C: Curve>(self, point: Affine<F>) -> Self {
        self.add_mixed_complete_on::<C>(point)
    }
}
