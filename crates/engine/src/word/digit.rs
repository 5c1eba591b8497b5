//! The digit of a one-lane number that leaves no bit unused: a `u64` with carries.

use super::{
    Mask1,
    carries::{self, Flag},
};
use crate::mask;

/// A digit to the base 2^64 with its carries and two-digit products, or a model of one to a smaller base.
///
/// A number of several digits may be signed; its top digit is then meant as two's complement. Nothing here is lost
/// unseen: what drops a carry says `last`, which tests with overflow checks, models and a proof hold to be none.
///
/// Constant time. A carry is only passed on to the next operation; [`Digit::mask`] hides it from the optimiser.
pub trait Digit: Copy + 'static {
    /// A carry or a borrow, none or one: what the CPU has for it, or what a proof knows of it.
    type Carry: Copy;
    /// None.
    const NO_CARRY: Self::Carry;

    /// A constant.
    fn literal(value: u64) -> Self;
    /// The sum of two digits and a carry: its low digit, and its carry.
    fn carrying_add(self, other: Self, carry: Self::Carry) -> (Self, Self::Carry);
    /// Twice the digit, and a carry: its low digit, and its carry.
    #[inline(always)]
    fn twice(self, carry: Self::Carry) -> (Self, Self::Carry) {
        self.carrying_add(self, carry)
    }
    /// The difference of two digits less a borrow: its low digit, and its borrow.
    fn borrowing_sub(self, other: Self, borrow: Self::Carry) -> (Self, Self::Carry);
    /// The digit and a carry, whose sum is a digit.
    #[must_use]
    fn last_add(self, carry: Self::Carry) -> Self;
    /// The difference of two digits, which is a digit.
    #[must_use]
    fn last_sub(self, other: Self) -> Self;
    /// The digit, plus a sign (see [`Digit::sign`]) and a carry, whose sum is a digit.
    #[must_use]
    fn last_signed_add(self, sign: Self, carry: Self::Carry) -> Self;
    /// The product of two digits: low and high.
    fn product(self, other: Self) -> (Self, Self);
    /// The product of a signed and an unsigned digit: low, and signed high. The unsigned one is in the lower half of
    /// its range.
    fn signed_product(self, other: Self) -> (Self, Self);
    /// The product of a signed and an unsigned digit, which is a signed digit.
    #[must_use]
    fn small_product(self, other: Self) -> Self;
    /// The sum of two signed digits and a carry, which is a signed digit.
    #[must_use]
    fn signed_add(self, other: Self, carry: Self::Carry) -> Self;
    /// The difference of two signed digits less a borrow, which is a signed digit.
    #[must_use]
    fn signed_sub(self, other: Self, borrow: Self::Carry) -> Self;
    /// What stands above a signed digit: all bits set below zero, else none.
    #[must_use]
    fn sign(self) -> Self;
    /// All bits set or none.
    fn mask(carry: Self::Carry) -> Self;
    /// The same digit, of which the optimiser knows nothing.
    #[must_use]
    fn opaque(self) -> Self;
    /// Bitwise and.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// Bitwise complement.
    #[must_use]
    fn not(self) -> Self;
    /// `if_set` or `if_clear`, without a branch.
    #[must_use]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self;
    /// Whether the digit is zero.
    fn is_zero(self) -> Mask1;
    /// Whether the digit is odd.
    fn is_odd(self) -> Mask1;
}

impl Digit for u64 {
    type Carry = Flag;
    const NO_CARRY: Flag = carries::NONE;

    #[inline(always)]
    fn literal(value: u64) -> Self {
        value
    }
    #[inline(always)]
    fn carrying_add(self, other: Self, carry: Flag) -> (Self, Flag) {
        carries::carrying_add(self, other, carry)
    }
    /// By shifts, which do not wait for each other as carries do.
    #[inline(always)]
    fn twice(self, carry: Flag) -> (Self, Flag) {
        (self << 1 | u64::from(carry), carries::top_bit(self))
    }
    #[inline(always)]
    fn borrowing_sub(self, other: Self, borrow: Flag) -> (Self, Flag) {
        carries::borrowing_sub(self, other, borrow)
    }
    #[inline(always)]
    fn last_add(self, carry: Flag) -> Self {
        self + u64::from(carry)
    }
    #[inline(always)]
    fn last_sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn last_signed_add(self, sign: Self, carry: Flag) -> Self {
        let (sum, over) = carries::carrying_add(self, sign, carry);
        debug_assert!(u64::from(over) == u64::from(sign != 0), "{self:#x} with {sign:#x} and {carry} leaves its digit");
        sum
    }
    #[inline(always)]
    fn product(self, other: Self) -> (Self, Self) {
        let wide = u128::from(self) * u128::from(other);
        (wide as u64, (wide >> 64) as u64)
    }
    #[inline(always)]
    fn signed_product(self, other: Self) -> (Self, Self) {
        debug_assert!(other >> 63 == 0);
        let wide = i128::from(self as i64) * i128::from(other as i64);
        (wide as u64, (wide >> 64) as u64)
    }
    #[inline(always)]
    fn small_product(self, other: Self) -> Self {
        debug_assert!(other >> 63 == 0);
        (self as i64 * other as i64) as u64
    }
    #[inline(always)]
    fn signed_add(self, other: Self, carry: Flag) -> Self {
        (self as i64 + other as i64 + i64::from(carry)) as u64
    }
    #[inline(always)]
    fn signed_sub(self, other: Self, borrow: Flag) -> Self {
        (self as i64 - other as i64 - i64::from(borrow)) as u64
    }
    #[inline(always)]
    fn sign(self) -> Self {
        (self as i64 >> 63) as u64
    }
    #[inline(always)]
    fn mask(carry: Flag) -> Self {
        mask::from_bit(carry.into())
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        mask::opaque(self)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        if_clear ^ (mask.bits() & (if_set ^ if_clear))
    }
    #[inline(always)]
    fn is_zero(self) -> Mask1 {
        Mask1::is_zero(self)
    }
    #[inline(always)]
    fn is_odd(self) -> Mask1 {
        Mask1::from_bit(self & 1)
    }
}
