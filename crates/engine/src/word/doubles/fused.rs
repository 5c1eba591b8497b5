//! Doubles of a vector unit that fuses multiplication and addition: what a unit must offer, and the arithmetic made of
//! it.

use super::{Double, Split, Step, rounder};

/// Integers of 64 bits side by side in one register: the bits of doubles.
pub(in crate::word) trait Integers: Copy + 'static {
    /// The same value in every lane.
    fn splat(value: u64) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// `self + other` modulo 2^64.
    fn add(self, other: Self) -> Self;
    /// `self - other` modulo 2^64.
    fn sub(self, other: Self) -> Self;
    /// All bits of the lanes in which `self < other` as signed numbers, none of the others.
    fn less(self, other: Self) -> Self;
}

/// Doubles side by side in one register. Each operation rounds once.
pub(in crate::word) trait Register: Copy + 'static {
    /// The same register as integers.
    type Bits: Integers;

    /// The bits of each lane.
    fn to_bits(self) -> Self::Bits;
    /// Doubles of these bits.
    fn from_bits(bits: Self::Bits) -> Self;
    /// The same value in every lane.
    fn splat(value: f64) -> Self;
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `-self`.
    fn negate(self) -> Self;
    /// `self + a * b`.
    fn add_product(self, a: Self, b: Self) -> Self;
    /// `self - a * b`.
    fn sub_product(self, a: Self, b: Self) -> Self;
    /// `a * b - (high - low)` for a difference that is exact, so that a unit may take `a * b + (low - high)`: whichever
    /// it has an instruction for.
    fn product_less(a: Self, b: Self, high: Self, low: Self) -> Self;
}

/// [`Double`] by the operations of a register. `WHOLE` says that they stand inside a formula that is one call.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(in crate::word) struct Fused<R, const WHOLE: bool = false>(pub(in crate::word) R);

impl<R: Register, const WHOLE: bool> Double for Fused<R, WHOLE> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(R::splat(value))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        if factor == 2.0 { self.add(self) } else { Self(self.0.mul(R::splat(factor))) }
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(self.0.add_product(a.0, b.0))
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self(self.0.negate())
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        let high = self.add_product(a, b);
        Step { high, coarse: high.sub(self), fine: Self(R::product_less(a.0, b.0, high.0, self.0)) }
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        let high = Self(self.0.sub_product(a.0, b.0));
        Step { high, coarse: self.sub(high), fine: Self(R::product_less(a.0, b.0, self.0, high.0)) }
    }
    #[inline(always)]
    fn plus(self, small: Self) -> Step<Self> {
        let high = self.add(small);
        let coarse = high.sub(self);
        Step { high, coarse, fine: small.sub(coarse) }
    }
    #[inline(always)]
    fn split(self, grid: i32) -> Split<Self> {
        let zero = Self::splat(rounder(grid));
        let carry = self.add(zero).sub(zero);
        Split { carry, rest: self.sub(carry) }
    }
    #[inline(always)]
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self> {
        let (zero, factor) = (R::splat(rounder(grid)), R::splat(factor));
        let high = zero.add_product(self.0, factor);
        Split { carry: Self(high.sub(zero)), rest: Self(R::product_less(self.0, factor, high, zero)) }
    }
    #[inline(always)]
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        let (zero, factor) = (R::splat(rounder(grid)), R::splat(factor));
        let high = self.0.add_product(x.0, factor).add(zero);
        Split { carry: Self(high.sub(zero)), rest: Self(R::product_less(x.0, factor, high, zero).add(self.0)) }
    }
}
