//! What scalars, field elements and points share: powers, batch inversion and the forms of operators that only forward.
//!
//! Knows neither modulus nor the curve.

use core::{cmp::Ordering, ops::Mul};
use phalanx_engine::mask::from_bit;
use subtle::{Choice, ConditionallySelectable};

/// The choice that a mask of all ones or zeros stands for.
#[inline]
pub(crate) fn choice(mask: u64) -> Choice {
    Choice::from((mask & 1) as u8)
}

/// All ones for a set choice, else zero.
#[inline]
pub(crate) fn mask(choice: Choice) -> u64 {
    from_bit(u64::from(choice.unwrap_u8()))
}

/// The order of two numbers in little-endian limbs. Constant time.
#[inline]
pub(crate) fn compare(a: &[u64; 4], b: &[u64; 4]) -> Ordering {
    let below = |a: &[u64; 4], b: &[u64; 4]| (0..4).fold(false, |borrow, i| a[i].borrowing_sub(b[i], borrow).1);
    below(b, a).cmp(&below(a, b))
}

/// What powers and batch inversion need of a field.
pub(crate) trait Field: Copy + ConditionallySelectable + Mul<Output = Self> {
    const ONE: Self;

    fn square(&self) -> Self;

    fn is_zero(&self) -> Choice;

    /// The inverse in constant time, 0 for 0.
    fn invert_or_zero(&self) -> Self;
}

/// `base` to the power of little-endian limbs: four squarings and one multiplication for each hexadecimal digit, the
/// factor selected by a scan over all sixteen.
pub(crate) fn pow<F: Field>(base: &F, exponent: &[u64]) -> F {
    let powers = powers(base);
    let mut result = F::ONE;
    for limb in exponent.iter().rev() {
        for digit in (0..16).rev().map(|i| limb >> (4 * i) & 15) {
            for _ in 0..4 {
                result = result.square();
            }
            let mut factor = powers[0];
            for (i, power) in (0u64..).zip(&powers).skip(1) {
                // i ^ digit is below 16, so i ^ digit - 1 borrows exactly where the two agree.
                factor.conditional_assign(power, Choice::from((((i ^ digit).wrapping_sub(1)) >> 63) as u8));
            }
            result = result * factor;
        }
    }
    result
}

/// As [`pow`], with the factor looked up and none for the digit 0.
pub(crate) fn pow_vartime<F: Field>(base: &F, exponent: &[u64]) -> F {
    let powers = powers(base);
    let mut result = F::ONE;
    for limb in exponent.iter().rev() {
        for digit in (0..16).rev().map(|i| limb >> (4 * i) & 15) {
            for _ in 0..4 {
                result = result.square();
            }
            if digit != 0 {
                result = result * powers[digit as usize];
            }
        }
    }
    result
}

/// `base` to the powers 0 to 15.
fn powers<F: Field>(base: &F) -> [F; 16] {
    let mut powers = [F::ONE; 16];
    for i in 1..16 {
        powers[i] = powers[i - 1] * *base;
    }
    powers
}

/// Elements a block of [`batch_invert`] holds on the stack: enough that one inversion spread over them weighs less than
/// one multiplication.
const BATCH: usize = 128;

/// Inverts every element in place, 0 to 0, by Montgomery's trick in blocks. Zeros stand as 1 in the products, selected
/// without branching, so that one of them neither spoils a block nor shows in the time.
pub(crate) fn batch_invert<F: Field>(values: &mut [F]) {
    let mut products = [F::ONE; BATCH];
    for block in values.chunks_mut(BATCH) {
        let mut product = F::ONE;
        for (slot, value) in products.iter_mut().zip(block.iter()) {
            *slot = product;
            product = product * F::conditional_select(value, &F::ONE, value.is_zero());
        }
        // Invariant going backwards: `inverse` is 1 / (product of the guarded values up to and with this one).
        let mut inverse = product.invert_or_zero();
        for (slot, value) in products.iter().zip(block.iter_mut()).rev() {
            let zero = value.is_zero();
            let next = inverse * F::conditional_select(value, &F::ONE, zero);
            *value = F::conditional_select(&(inverse * *slot), value, zero);
            inverse = next;
        }
    }
}

/// The forms of operators that forward to those on two references: by value, mixed, assigning, sums and products, and
/// conversions from unsigned integers through `from_u128`.
macro_rules! operators {
    ($type:ident) => {
        $crate::arithmetic::operators!(@binary $type, Add, add, AddAssign, add_assign);
        $crate::arithmetic::operators!(@binary $type, Sub, sub, SubAssign, sub_assign);
        $crate::arithmetic::operators!(@binary $type, Mul, mul, MulAssign, mul_assign);

        impl Neg for $type {
            type Output = $type;

            #[inline]
            fn neg(self) -> $type {
                -&self
            }
        }

        impl core::iter::Sum for $type {
            fn sum<I: Iterator<Item = $type>>(iter: I) -> $type {
                iter.fold($type::ZERO, |sum, term| sum + term)
            }
        }

        impl<'a> core::iter::Sum<&'a $type> for $type {
            fn sum<I: Iterator<Item = &'a $type>>(iter: I) -> $type {
                iter.fold($type::ZERO, |sum, term| sum + term)
            }
        }

        impl core::iter::Product for $type {
            fn product<I: Iterator<Item = $type>>(iter: I) -> $type {
                iter.fold($type::ONE, |product, factor| product * factor)
            }
        }

        impl<'a> core::iter::Product<&'a $type> for $type {
            fn product<I: Iterator<Item = &'a $type>>(iter: I) -> $type {
                iter.fold($type::ONE, |product, factor| product * factor)
            }
        }

        $crate::arithmetic::operators!(@from $type, u8, u16, u32, u64, u128);

        impl $crate::arithmetic::Field for $type {
            const ONE: $type = $type::ONE;

            #[inline]
            fn square(&self) -> $type {
                $type::square(self)
            }

            #[inline]
            fn is_zero(&self) -> subtle::Choice {
                $type::is_zero(self)
            }

            fn invert_or_zero(&self) -> $type {
                self.inverse()
            }
        }
    };
    (@binary $type:ident, $trait:ident, $method:ident, $assign_trait:ident, $assign:ident) => {
        $crate::arithmetic::operators!(@forward $type, $trait, $method, $type, $type);
        $crate::arithmetic::operators!(@assign $type, $method, $assign_trait, $assign, $type);
    };
    (@forward $type:ident, $trait:ident, $method:ident, $other:ident, $output:ident) => {
        impl $trait<$other> for $type {
            type Output = $output;

            #[inline]
            fn $method(self, other: $other) -> $output {
                (&self).$method(&other)
            }
        }

        impl $trait<&$other> for $type {
            type Output = $output;

            #[inline]
            fn $method(self, other: &$other) -> $output {
                (&self).$method(other)
            }
        }

        impl $trait<$other> for &$type {
            type Output = $output;

            #[inline]
            fn $method(self, other: $other) -> $output {
                self.$method(&other)
            }
        }
    };
    (@assign $type:ident, $method:ident, $assign_trait:ident, $assign:ident, $other:ident) => {
        impl core::ops::$assign_trait<$other> for $type {
            #[inline]
            fn $assign(&mut self, other: $other) {
                *self = (&*self).$method(&other);
            }
        }

        impl core::ops::$assign_trait<&$other> for $type {
            #[inline]
            fn $assign(&mut self, other: &$other) {
                *self = (&*self).$method(other);
            }
        }
    };
    (@from $type:ident, $($integer:ident),*) => {
        $(
            impl From<$integer> for $type {
                #[inline]
                fn from(value: $integer) -> $type {
                    $type::from_u128(u128::from(value))
                }
            }
        )*
    };
}

pub(crate) use operators;
