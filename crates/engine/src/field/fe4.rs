//! One lane modulo p = 2^256 - C: four 64-bit digits, which leave no bit unused.
//!
//! # Sums
//!
//! A sum would need a carry out of the fourth digit, and a difference a borrow. They go to a fifth digit, the *top*,
//! which is signed; so sums, differences, negations and multiples are exact integers, one chain of carries each, and
//! nothing is folded before a factor is needed. A number of magnitude m has a top from -2m to 2m.
//!
//! A factor is *closed*: its top is zero. Products, squares, constants and what [`Field::carry`], [`Field::weaken`] and
//! [`Field::difference`] give are.
//!
//! # No carry is lost
//!
//! C is below 2^36. The top of a long product is at most C, of four at most 4 (C + 1), and an addend's at most 160. So
//! a top times C is far below 2^127 ([`close`]). The top of a sum of magnitude 24 is at most 48, so that times C it is
//! far below 2^63 ([`close_small`]). The proofs stand at the chains of carries in `digits`. `tests/engine/carries.rs` runs
//! this code, and every point formula on it, on digits that may be any, and `tests/engine/digits.rs` on all inputs of
//! models with digits of three and four bits.

use super::columns::limbs_of;
use super::digits::{add, close, close_small, close_unsigned, closed_difference, fold, product, square, sub, times};
use super::{Field, FieldX1, Prime};
use crate::word::{Digit, Mask, Mask1};
use core::marker::PhantomData;

/// A number modulo 2^256 - C in one lane. See [`Field`] for magnitudes.
#[derive(Clone, Copy, Debug)]
pub struct Fe4<P, L = u64> {
    digits: [L; 5],
    prime: PhantomData<P>,
}

/// A product that is to be subtracted from another.
#[derive(Clone, Copy, Debug)]
pub struct Subtrahend<L>([L; 5]);

impl<P, L> Fe4<P, L> {
    /// From four digits, least significant first, and a signed top digit of the magnitude that the caller vouches for.
    #[inline(always)]
    pub const fn from_digits(digits: [L; 5]) -> Self {
        Self { digits, prime: PhantomData }
    }
}

impl<P: Prime, L: Digit> Fe4<P, L> {
    /// The four digits and the top.
    #[inline(always)]
    pub fn digits(self) -> [L; 5] {
        self.digits
    }

    #[inline(always)]
    fn c() -> L {
        L::literal(P::C)
    }

    #[inline(always)]
    fn closed([a, b, c, d]: [L; 4]) -> Self {
        Self::from_digits([a, b, c, d, L::literal(0)])
    }

    /// The four digits of a closed number.
    #[inline(always)]
    fn factor(self) -> [L; 4] {
        let [a, b, c, d, top] = self.digits;
        debug_assert!(top.is_zero().any(), "a factor is not carried");
        [a, b, c, d]
    }

    /// A number congruent to the product, not closed; its top is at most C.
    #[inline(always)]
    fn long_product(self, other: Self) -> [L; 5] {
        fold(product(self.factor(), other.factor()), Self::c())
    }

    #[inline(always)]
    fn long_square(self) -> [L; 5] {
        fold(square(self.factor()), Self::c())
    }

    /// The closed number congruent to any sum.
    #[inline(always)]
    fn close_sum(self) -> [L; 4] {
        close_small(self.digits, Self::c())
    }
}

impl<P: Prime> Fe4<P, u64> {
    /// The modulus in four words.
    pub const MODULUS: [u64; 4] = [P::C.wrapping_neg(), u64::MAX, u64::MAX, u64::MAX];

    /// The canonical number as four 64-bit words, least significant first. The value must be normalised.
    #[inline(always)]
    pub const fn to_words(self) -> [u64; 4] {
        let [a, b, c, d, _] = self.digits;
        [a, b, c, d]
    }

    /// From four 64-bit words, least significant first; any 256-bit number is taken, modulo p. The result has magnitude
    /// 1.
    #[inline(always)]
    pub const fn from_words(words: [u64; 4]) -> Self {
        let [a, b, c, d] = words;
        Self::from_digits([a, b, c, d, 0])
    }

    /// From the limbs of one of eight lanes, carried and of magnitude 1: limbs 0 to 3 are below 2^52.
    #[inline(always)]
    pub fn from_limbs(limbs: [u64; 5]) -> Self {
        let [a, b, c, d, e] = limbs;
        let words = [a | b << 52, b >> 12 | c << 40, c >> 24 | d << 28, d >> 36 | e << 16];
        let [a, b, c, d] = words;
        Self::from_digits([a, b, c, d, e >> 48]).weaken()
    }

    /// The limbs of a carried number, as one of eight lanes has them.
    #[inline(always)]
    pub fn limbs(self) -> [u64; 5] {
        limbs_of(self.factor())
    }

    /// Whether the number is zero modulo p, quickly answered no for nearly every number. Variable time.
    #[inline(always)]
    pub fn is_zero_vartime(self) -> bool {
        let [lowest, .., top] = self.digits;
        (lowest == 0 || lowest == P::C.wrapping_neg() || top != 0) && self.is_zero().any()
    }
}

impl<P: Prime, L: Digit> Field for Fe4<P, L> {
    type Mask = Mask1;
    type Product = Subtrahend<L>;

    #[inline(always)]
    fn zero() -> Self {
        Self::constant([0; 4])
    }
    #[inline(always)]
    fn one() -> Self {
        Self::constant([1, 0, 0, 0])
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        Self::closed(words.map(L::literal))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::from_digits(add(self.digits, other.digits))
    }
    #[inline(always)]
    fn negate(self, magnitude: u64) -> Self {
        Self::zero().sub(self, magnitude)
    }
    #[inline(always)]
    fn sub(self, other: Self, _magnitude: u64) -> Self {
        Self::from_digits(sub(self.digits, other.digits))
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        Self::from_digits(times(self.digits, factor))
    }
    #[inline(always)]
    fn carry(self) -> Self {
        Self::closed(self.close_sum())
    }
    #[inline(always)]
    fn weaken(self) -> Self {
        Self::closed(self.close_sum())
    }
    #[inline(always)]
    fn difference(self, other: Self, magnitude: u64) -> Self {
        // Numbers of magnitude 1, and loose ones, are closed.
        if magnitude == 1 {
            Self::closed(closed_difference(self.factor(), other.factor(), Self::c()))
        } else {
            self.sub(other, magnitude).carry()
        }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::closed(close_unsigned(self.long_product(other), Self::c()))
    }
    #[inline(always)]
    fn square(self) -> Self {
        Self::closed(close_unsigned(self.long_square(), Self::c()))
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        Self::closed(close_unsigned(times(self.long_product(other), K), Self::c()))
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul_scaled::<K>(other)
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        Self::closed(close_unsigned(times(self.long_square(), K), Self::c()))
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self::closed(close(add(self.long_product(other), addend.digits), Self::c()))
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        Self::closed(close(add(self.long_square(), addend.digits), Self::c()))
    }
    #[inline(always)]
    fn minus_product(self, other: Self, _magnitude: u64) -> Subtrahend<L> {
        Subtrahend(self.long_product(other))
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, _magnitude: u64) -> Subtrahend<L> {
        Subtrahend(times(self.long_square(), K))
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: Subtrahend<L>) -> Self {
        Self::closed(close(sub(self.long_product(other), product.0), Self::c()))
    }
    #[inline(always)]
    fn square_plus(self, product: Subtrahend<L>) -> Self {
        Self::closed(close(sub(self.long_square(), product.0), Self::c()))
    }

    /// A closed number is below 2^256 < 2p. It is at least p exactly when adding C to it reaches 2^256, and then it is
    /// p plus a number below C, in the lowest digit.
    #[inline(always)]
    fn normalize(self) -> Self {
        let [a, b, c, d] = self.close_sum();
        let zero = L::literal(0);
        let (less, carry) = a.carrying_add(Self::c(), L::NO_CARRY);
        let (_, carry) = b.carrying_add(zero, carry);
        let (_, carry) = c.carrying_add(zero, carry);
        let (_, carry) = d.carrying_add(zero, carry);
        let at_least_p = L::mask(carry);
        let below = at_least_p.not();
        let a = a.xor(at_least_p.and(a.xor(less)));
        Self::closed([a, b.and(below), c.and(below), d.and(below)])
    }
    /// A closed number is zero where it is 0 or p.
    #[inline(always)]
    fn is_zero(self) -> Mask1 {
        let [a, b, c, d] = self.close_sum();
        let (of_modulus, _) = L::literal(0).borrowing_sub(Self::c(), L::NO_CARRY);
        let not_modulus = a.xor(of_modulus).or(b.and(c).and(d).not());
        a.or(b).or(c.or(d)).is_zero().or(not_modulus.is_zero())
    }
    #[inline(always)]
    fn is_odd(self) -> Mask1 {
        self.digits[0].is_odd()
    }
    #[inline(always)]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        let ([a, b, c, d, e], [f, g, h, i, j]) = (if_set.digits, if_clear.digits);
        let select = |a, b| L::select(mask, a, b);
        Self::from_digits([select(a, f), select(b, g), select(c, h), select(d, i), select(e, j)])
    }
    fn invert(self) -> Self {
        P::invert(self)
    }
}

/// A row holds numbers as they are.
impl<P: Prime> FieldX1 for Fe4<P> {
    #[inline(always)]
    fn from_words(words: [u64; 4]) -> Self {
        Fe4::from_words(words)
    }
    #[inline(always)]
    fn to_words(self) -> [u64; 4] {
        Fe4::to_words(self)
    }
    #[inline(always)]
    fn from_row(words: [u64; 4]) -> Self {
        Fe4::from_words(words)
    }
    #[inline(always)]
    fn to_row(self) -> [u64; 4] {
        Fe4::to_words(self)
    }
    #[inline(always)]
    fn is_zero_vartime(self) -> bool {
        Fe4::is_zero_vartime(self)
    }
}
