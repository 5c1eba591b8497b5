//! The traits of the crate `ff`: coordinates as other people's generic code wants a field.

use super::{FieldElement, is_below_modulus};
use crate::{arithmetic::ff_traits, encoding::words};
use group::ff::PrimeField;
use subtle::{Choice, CtOption};

ff_traits!(FieldElement, FieldElement::sqrt);

/// The encoding is that of [`FieldElement::to_bytes`]: 32 bytes, big-endian.
impl PrimeField for FieldElement {
    type Repr = [u8; 32];

    const MODULUS: &'static str = "0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
    const NUM_BITS: u32 = 256;
    const CAPACITY: u32 = 255;
    const TWO_INV: Self =
        FieldElement::from_hex_const("7fffffffffffffffffffffffffffffffffffffffffffffffffffffff7ffffe18");
    /// 3, the smallest: the primes that divide p - 1 are in this project's tests.
    const MULTIPLICATIVE_GENERATOR: Self = FieldElement::from_u128(3);
    /// p = 3 mod 4.
    const S: u32 = 1;
    /// -1.
    const ROOT_OF_UNITY: Self =
        FieldElement::from_hex_const("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2e");
    const ROOT_OF_UNITY_INV: Self = Self::ROOT_OF_UNITY;
    /// 3^2.
    const DELTA: Self = FieldElement::from_u128(9);

    fn from_repr(repr: [u8; 32]) -> CtOption<Self> {
        let limbs = words(&repr);
        CtOption::new(FieldElement::from_limbs_reduced(limbs), Choice::from(u8::from(is_below_modulus(&limbs))))
    }

    fn to_repr(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        FieldElement::is_odd(self)
    }
}
