//! The limb of a one-lane number: a `u64` whose products are 128 bits wide.

use super::Mask1;

/// A 64-bit limb with 128-bit products.
///
/// The callers' bounds keep every operation exact; tests with overflow checks and the interval implementor hold them.
pub trait Limb: Copy + 'static {
    /// What a product, or a sum of products, is held in.
    type Wide: Copy;

    /// A constant.
    fn literal(value: u64) -> Self;
    /// `self + other`.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// `self - other`, not below zero.
    #[must_use]
    fn sub(self, other: Self) -> Self;
    /// `self * factor`, within 64 bits.
    #[must_use]
    fn scale(self, factor: u64) -> Self;
    /// The low `bits` bits.
    #[must_use]
    fn low(self, bits: u32) -> Self;
    /// The value without its low `bits` bits, as a number.
    #[must_use]
    fn shr(self, bits: u32) -> Self;
    /// The value moved up by `bits` bits, within 64 bits.
    #[must_use]
    fn shl(self, bits: u32) -> Self;
    /// `if_set` or `if_clear`, without a branch.
    #[must_use]
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self;
    /// Whether the value is zero.
    fn is_zero(self) -> Mask1;
    /// The value itself, where the limb holds one (the interval gives its largest).
    fn value(self) -> u64;

    /// `self * other`.
    fn product(self, other: Self) -> Self::Wide;
    /// The limb as a wide number.
    fn wide(self) -> Self::Wide;
    /// `a + b`.
    fn wide_add(a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// `2 * a`.
    fn wide_double(a: Self::Wide) -> Self::Wide;
    /// The low `bits` bits, at most 64.
    fn wide_low(a: Self::Wide, bits: u32) -> Self;
    /// The value without its low `bits` bits.
    fn wide_shr(a: Self::Wide, bits: u32) -> Self::Wide;
    /// The value, which the caller's bound keeps within 64 bits.
    fn wide_narrow(a: Self::Wide) -> Self;
}

#[inline(always)]
const fn ones(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

impl Limb for u64 {
    type Wide = u128;

    #[inline(always)]
    fn literal(value: u64) -> Self {
        value
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        self * factor
    }
    #[inline(always)]
    fn low(self, bits: u32) -> Self {
        self & ones(bits)
    }
    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        self >> bits
    }
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        self << bits
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
    fn value(self) -> u64 {
        self
    }
    #[inline(always)]
    fn product(self, other: Self) -> u128 {
        self as u128 * other as u128
    }
    #[inline(always)]
    fn wide(self) -> u128 {
        self as u128
    }
    #[inline(always)]
    fn wide_add(a: u128, b: u128) -> u128 {
        a + b
    }
    #[inline(always)]
    fn wide_double(a: u128) -> u128 {
        a << 1
    }
    #[inline(always)]
    fn wide_low(a: u128, bits: u32) -> u64 {
        a as u64 & ones(bits)
    }
    #[inline(always)]
    fn wide_shr(a: u128, bits: u32) -> u128 {
        a >> bits
    }
    #[inline(always)]
    fn wide_narrow(a: u128) -> u64 {
        debug_assert!(a >> 64 == 0);
        a as u64
    }
}
