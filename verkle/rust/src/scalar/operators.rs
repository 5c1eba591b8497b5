//! The traits of scalars: operators, comparison, choice, conversion from integers, text.

use super::{Scalar, modr};
use crate::operator::operator;
use core::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign},
};
use phalanx_engine::mask::{from_bit, select4};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

operator!(Scalar: Add add, AddAssign add_assign, |a: Scalar, b: Scalar| Scalar(modr::add(&a.0, &b.0)));
operator!(Scalar: Sub sub, SubAssign sub_assign, |a: Scalar, b: Scalar| Scalar(modr::subtract(&a.0, &b.0)));
operator!(Scalar: Mul mul, MulAssign mul_assign, |a: Scalar, b: Scalar| Scalar(modr::multiply(&a.0, &b.0)));

impl Neg for Scalar {
    type Output = Scalar;
    #[inline]
    fn neg(self) -> Scalar {
        Scalar::ZERO - self
    }
}

impl Sum for Scalar {
    fn sum<I: Iterator<Item = Scalar>>(scalars: I) -> Scalar {
        scalars.fold(Scalar::ZERO, Add::add)
    }
}

impl From<u64> for Scalar {
    #[inline]
    fn from(value: u64) -> Scalar {
        Scalar::from_u128(value.into())
    }
}

impl From<u128> for Scalar {
    #[inline]
    fn from(value: u128) -> Scalar {
        Scalar::from_u128(value)
    }
}

impl ConstantTimeEq for Scalar {
    #[inline]
    fn ct_eq(&self, other: &Scalar) -> Choice {
        Choice::from((self.equality(other) & 1) as u8)
    }
}

impl PartialEq for Scalar {
    #[inline]
    fn eq(&self, other: &Scalar) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Scalar {}

impl ConditionallySelectable for Scalar {
    #[inline]
    fn conditional_select(a: &Scalar, b: &Scalar, choice: Choice) -> Scalar {
        Scalar(select4(&a.0, &b.0, from_bit(choice.unwrap_u8().into())))
    }
}

/// For callers whose scalars are secret: a scalar is copied freely, and so does not wipe itself.
impl Zeroize for Scalar {
    #[inline]
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "0x{d:016x}{c:016x}{b:016x}{a:016x}")
    }
}
