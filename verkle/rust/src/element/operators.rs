//! The traits of elements: operators, comparison, choice, text.

use super::{Element, edwards::Extended};
use crate::{Scalar, operator::operator};
use core::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign},
};
use phalanx_engine::word::Mask1;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

operator!(Element: Add add, AddAssign add_assign, |a: Element, b: Element| Element(a.0.add(&b.0.to_addend())));
operator!(Element: Sub sub, SubAssign sub_assign, |a: Element, b: Element| a + -b);

impl Neg for Element {
    type Output = Element;
    #[inline]
    fn neg(self) -> Element {
        Element(self.0.negate())
    }
}

/// Constant time, as [`Element::mul`].
impl Mul<Scalar> for Element {
    type Output = Element;
    fn mul(self, scalar: Scalar) -> Element {
        Element::mul(&self, &scalar)
    }
}

impl Sum for Element {
    fn sum<I: Iterator<Item = Element>>(elements: I) -> Element {
        elements.fold(Element::identity(), Add::add)
    }
}

/// The neutral element.
impl Default for Element {
    fn default() -> Element {
        Element::identity()
    }
}

impl ConstantTimeEq for Element {
    fn ct_eq(&self, other: &Element) -> Choice {
        Choice::from((self.0.equals(&other.0).bits() & 1) as u8)
    }
}

impl PartialEq for Element {
    fn eq(&self, other: &Element) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Element {}

impl ConditionallySelectable for Element {
    fn conditional_select(a: &Element, b: &Element, choice: Choice) -> Element {
        Element(Extended::select(Mask1::from_bit(choice.unwrap_u8().into()), &b.0, &a.0))
    }
}

/// The encoding, in hexadecimal digits.
impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Element(0x")?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
