//! The model of a curve whose points one lane reads from rows as they are.
//!
//! The words of a row are a number in the form of eight lanes. To one lane they are u^2 times that number, where u
//! depends on the two forms ([`FieldX1::ROW_ROOT_BITS`]). For a point (x, y) the words of x are therefore u^2 x, and
//! those of y times u are u^3 y. That is a point of the isomorphic curve
//!
//! ```text
//! (u^2 x, u^3 y)   on   y^2 = x^3 + u^4 A x + u^6 B
//! ```
//!
//! and additions on the one are additions on the other. So one lane adds rows there, and leaves it once: what are the
//! coordinates X, Y and Z of a Jacobian point there are X, Y and u Z here.

use super::{Curve, GlvCurve, Jacobian};
use crate::{
    field::{BaseField, Field, FieldX1},
    limbs::times_power_of_two,
};
use core::marker::PhantomData;

/// The curve `C` as one lane reads its rows.
#[derive(Clone, Copy, Debug)]
pub struct RowModel<C>(PhantomData<C>);

/// A number in one lane.
type X1<C> = <<C as Curve>::Field as BaseField>::X1;

impl<C: Curve> RowModel<C> {
    /// `factor` u^power modulo p.
    const fn times(factor: &[u64; 4], power: u32) -> [u64; 4] {
        times_power_of_two(factor, power * X1::<C>::ROW_ROOT_BITS, C::Field::MODULUS.value())
    }

    /// The same point of `C`, by a point of this model.
    #[inline(always)]
    pub fn leave(point: Jacobian<X1<C>>) -> Jacobian<X1<C>> {
        Jacobian { z: point.z.normalize().times_row_root(), ..point }
    }
}

impl<C: Curve> Curve for RowModel<C> {
    type Field = C::Field;
    const A: [u64; 4] = Self::times(&C::A, 4);
    const B: [u64; 4] = Self::times(&C::B, 6);
    const GENERATOR: [[u64; 4]; 2] = [Self::times(&C::GENERATOR[0], 2), Self::times(&C::GENERATOR[1], 3)];
}

/// A multiple of x is the same multiple of u^2 x.
impl<C: GlvCurve> GlvCurve for RowModel<C> {
    const BETA: [u64; 4] = C::BETA;
}
