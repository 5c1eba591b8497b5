//! Operators of [`Scalar`] and conversions from integers.

use super::{Scalar, modn};
use crate::arithmetic::operators;
use core::ops::{Add, Mul, Neg, Sub};

impl Add for &Scalar {
    type Output = Scalar;

    #[inline]
    fn add(self, other: &Scalar) -> Scalar {
        Scalar(modn::add(&self.0, &other.0))
    }
}

impl Sub for &Scalar {
    type Output = Scalar;

    #[inline]
    fn sub(self, other: &Scalar) -> Scalar {
        Scalar(modn::subtract(&self.0, &other.0))
    }
}

impl Mul for &Scalar {
    type Output = Scalar;

    #[inline]
    fn mul(self, other: &Scalar) -> Scalar {
        Scalar(modn::multiply(&self.0, &other.0))
    }
}

impl Neg for &Scalar {
    type Output = Scalar;

    #[inline]
    fn neg(self) -> Scalar {
        Scalar(modn::negate(&self.0))
    }
}

operators!(Scalar);
