//! What scalars, field elements and points share: powers, batch inversion and the forms of operators that only forward.
//!
//! Knows neither modulus nor the curve. With the feature `group`, `ff_traits` holds the traits of the crate `ff`.

#[cfg(feature = "group")]
mod ff_traits;
#[cfg(test)]
pub(crate) mod number_tests;

use crate::tuning::ELEMENTS_PER_INVERSION;
use crate::wipe::overwrite;
use core::{cmp::Ordering, ops::Mul, slice};
use phalanx_engine::{limbs::less, mask::Mask1};
use subtle::{Choice, ConditionallySelectable};

/// The choice that a mask of all ones or zeros stands for.
#[inline]
pub(crate) fn choice(mask: u64) -> Choice {
    Choice::from((mask & 1) as u8)
}

/// A choice as the mask that arithmetic takes: the one place where one becomes the other.
#[inline]
pub(crate) fn mask(choice: Choice) -> Mask1 {
    Mask1::from_bit(u64::from(choice.unwrap_u8()))
}

/// The order of two numbers in little-endian limbs. Constant time.
#[inline]
pub(crate) fn compare(a: &[u64; 4], b: &[u64; 4]) -> Ordering {
    less(b, a).cmp(&less(a, b))
}

/// Comparison and selection of a type with `limbs()` and `from_canonical()`. Constant time. Values are ordered as the
/// representatives between 0 and the modulus are.
macro_rules! comparisons {
    ($type:ident) => {
        impl subtle::ConstantTimeEq for $type {
            #[inline]
            fn ct_eq(&self, other: &$type) -> Choice {
                let (a, b) = (self.limbs(), other.limbs());
                choice(is_zero(&core::array::from_fn(|i| a[i] ^ b[i])))
            }
        }

        impl PartialEq for $type {
            #[inline]
            fn eq(&self, other: &$type) -> bool {
                self.ct_eq(other).into()
            }
        }

        impl Eq for $type {}

        impl PartialOrd for $type {
            #[inline]
            fn partial_cmp(&self, other: &$type) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $type {
            #[inline]
            fn cmp(&self, other: &$type) -> core::cmp::Ordering {
                $crate::arithmetic::compare(&self.limbs(), &other.limbs())
            }
        }

        impl core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.limbs().hash(state);
            }
        }

        impl ConditionallySelectable for $type {
            #[inline]
            fn conditional_select(a: &$type, b: &$type, choice: Choice) -> $type {
                let mask = $crate::arithmetic::mask(choice).bits();
                $type::from_canonical(phalanx_engine::mask::select4(&a.limbs(), &b.limbs(), mask))
            }
        }

        impl $crate::wipe::Zero for $type {
            const ZERO: $type = $type::ZERO;
        }
    };
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
    by_digits(base, exponent, |result, powers, digit| {
        let mut factor = powers[0];
        for (i, power) in (0u64..).zip(powers).skip(1) {
            // i ^ digit is below 16, so i ^ digit - 1 borrows exactly where the two agree.
            factor.conditional_assign(power, Choice::from((((i ^ digit).wrapping_sub(1)) >> 63) as u8));
        }
        result * factor
    })
}

/// As [`pow`], with the factor looked up and none for the digit 0: in time that depends on the exponent, which must be
/// public.
#[cfg(any(test, feature = "group"))]
pub(crate) fn pow_vartime<F: Field>(base: &F, exponent: &[u64]) -> F {
    by_digits(base, exponent, |result, powers, digit| if digit == 0 { result } else { result * powers[digit as usize] })
}

/// Four squarings for each hexadecimal digit, then what `multiply` makes of the result, the powers 0 to 15 and the
/// digit.
#[inline(always)]
fn by_digits<F: Field>(base: &F, exponent: &[u64], multiply: impl Fn(F, &[F; 16], u64) -> F) -> F {
    let mut powers = powers(base);
    let mut result = F::ONE;
    for limb in exponent.iter().rev() {
        for digit in (0..16).rev().map(|i| limb >> (4 * i) & 15) {
            for _ in 0..4 {
                result = result.square();
            }
            result = multiply(result, &powers, digit);
        }
    }
    overwrite(&mut powers, F::ONE);
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

/// Inverts every element in place, 0 to 0. Zeros stand as 1 in the products, selected without branching, so that one of
/// them neither spoils a block nor shows in the time.
pub(crate) fn batch_invert<F: Field>(values: &mut [F]) {
    let guarded = |value: &F| F::conditional_select(value, &F::ONE, value.is_zero());
    invert_guarded(values, guarded, |value, inverse| F::conditional_select(&inverse, value, value.is_zero()));
}

/// As [`batch_invert`], for values none of which is zero: a zero makes its whole block zero.
pub(crate) fn batch_invert_nonzero<F: Field>(values: &mut [F]) {
    invert_guarded(values, |value| *value, |_, inverse| inverse);
}

/// Inverts what `guarded` makes of each value, by Montgomery's trick in blocks. There are two products, of every second
/// value each, because a CPU multiplies in both at once. `answer` takes a value and the inverse of what was made of it.
///
/// The values may be nonces. The first product of each chain is one, and two products in a row tell another. So all
/// products are wiped.
#[inline(always)]
fn invert_guarded<F: Field>(values: &mut [F], guarded: impl Fn(&F) -> F, answer: impl Fn(&F, F) -> F) {
    let mut products = [F::ONE; ELEMENTS_PER_INVERSION];
    for block in values.chunks_mut(ELEMENTS_PER_INVERSION) {
        // The next value belongs to the first of the two.
        let mut last = [F::ONE; 2];
        for (slot, value) in products.iter_mut().zip(block.iter()) {
            *slot = last[0];
            last = [last[1], last[0] * guarded(value)];
        }
        let mut both = (last[0] * last[1]).invert_or_zero();
        // Going backwards, `inverse` is 1 / (product of this guarded value and of every second one before it).
        let mut inverses = [both * last[0], both * last[1]];
        for (slot, value) in products.iter().zip(block.iter_mut()).rev() {
            let [inverse, next] = inverses;
            inverses = [next, inverse * guarded(value)];
            *value = answer(value, inverse * *slot);
        }
        overwrite(&mut last, F::ONE);
        overwrite(slice::from_mut(&mut both), F::ONE);
        overwrite(&mut inverses, F::ONE);
    }
    overwrite(&mut products, F::ONE);
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

        impl<T: core::borrow::Borrow<$type>> core::iter::Sum<T> for $type {
            fn sum<I: Iterator<Item = T>>(iter: I) -> $type {
                iter.fold($type::ZERO, |sum, term| sum + term.borrow())
            }
        }

        impl<T: core::borrow::Borrow<$type>> core::iter::Product<T> for $type {
            fn product<I: Iterator<Item = T>>(iter: I) -> $type {
                iter.fold($type::ONE, |product, factor| product * factor.borrow())
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

#[cfg(feature = "group")]
pub(crate) use ff_traits::ff_traits;
pub(crate) use {comparisons, operators};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::{Scalar, hash::sha256};
    use std::{fs::File, hint::black_box, os::unix::fs::FileExt, ptr, vec, vec::Vec};

    /// How many of the words stand in the stack that work in a frame below has just left. Reading uses some of that
    /// stack too, but far less than the products of a whole block take. Out of line: inlined,
    /// it would take what its caller keeps for what the work left.
    #[inline(never)]
    fn left_on_the_stack(words: &[u64], work: impl FnOnce()) -> usize {
        let memory = File::open("/proc/self/mem").unwrap();
        let mut stack = vec![0; 16 << 10];
        let here = 0u64;
        let start = ptr::from_ref(black_box(&here)).addr() - stack.len();
        in_a_frame_below(work);
        memory.read_exact_at(&mut stack, start as u64).unwrap();
        let left = stack.as_chunks().0.iter().map(|word| u64::from_ne_bytes(*word));
        left.filter(|word| words.contains(word)).count()
    }

    #[inline(never)]
    fn in_a_frame_below(work: impl FnOnce()) {
        work();
    }

    /// For callers that do not clear the stack themselves. The first two products are nonces, which the test's own making
    /// of them leaves, and the last two make the inversion's operand: those between stand nowhere else.
    #[test]
    fn products_of_nonces_do_not_stay_on_the_stack() {
        let nonce = |i: usize| Scalar::from_bytes_reduced(&sha256(&i.to_be_bytes()));
        let nonces: Vec<Scalar> = (0..ELEMENTS_PER_INVERSION).map(nonce).collect();
        let mut products = [nonce(0), nonce(1)];
        let mut words = Vec::new();
        for i in 2..ELEMENTS_PER_INVERSION - 2 {
            products[i % 2] *= nonce(i);
            words.extend(products[i % 2].limbs());
        }
        for invert in [batch_invert, batch_invert_nonzero] {
            assert_eq!(left_on_the_stack(&words, || invert(black_box(&mut nonces.clone()))), 0);
        }
        let planted = left_on_the_stack(&words, || {
            let copy: [u64; 4 * (ELEMENTS_PER_INVERSION - 4)] = words[..].try_into().unwrap();
            black_box(&copy);
        });
        assert!(planted > words.len() / 2, "{planted}");
    }
}
