//! Operators of [`FieldElement`] and conversions from integers.

use super::FieldElement;
use crate::arithmetic::operators;
use core::ops::{Add, Mul, Neg, Sub};
use phalanx_engine::field::Field;

impl Add for &FieldElement {
    type Output = FieldElement;

    #[inline]
    fn add(self, other: &FieldElement) -> FieldElement {
        FieldElement::from_fe(self.0.add(other.0))
    }
}

impl Sub for &FieldElement {
    type Output = FieldElement;

    #[inline]
    fn sub(self, other: &FieldElement) -> FieldElement {
        FieldElement::from_fe(self.0.sub(other.0, 1))
    }
}

impl Mul for &FieldElement {
    type Output = FieldElement;

    #[inline]
    fn mul(self, other: &FieldElement) -> FieldElement {
        FieldElement::from_fe(self.0.mul(other.0))
    }
}

impl Neg for &FieldElement {
    type Output = FieldElement;

    #[inline]
    fn neg(self) -> FieldElement {
        FieldElement::from_fe(self.0.negate(1))
    }
}

operators!(FieldElement);
