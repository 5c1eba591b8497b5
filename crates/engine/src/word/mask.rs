//! Truth values a lane, without branches.

use crate::mask::from_bit;

/// A truth value for each lane of a computation.
pub trait Mask: Copy {
    /// False in every lane.
    const NONE: Self;
    /// True in every lane.
    const ALL: Self;
    /// The lanes set in both.
    #[must_use]
    fn and(self, other: Self) -> Self;
    /// The lanes set in either.
    #[must_use]
    fn or(self, other: Self) -> Self;
    /// The lanes set in exactly one.
    #[must_use]
    fn xor(self, other: Self) -> Self;
    /// The lanes not set.
    #[must_use]
    fn not(self) -> Self;
    /// Whether some lane is set. The answer is meant to be branched on: public values only.
    fn any(self) -> bool;
    /// Whether the lane is set.
    fn lane(self, index: usize) -> bool;
}

/// A truth value for one lane: all bits set or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask1(u64);

impl Mask1 {
    /// From the bit 0 or 1; the compiler is kept from learning that only two values occur, so that it cannot turn a
    /// selection back into a branch.
    #[inline(always)]
    pub fn from_bit(bit: u64) -> Self {
        debug_assert!(bit <= 1);
        Self(from_bit(bit))
    }

    /// From a value that is zero or not.
    #[inline(always)]
    pub fn is_zero(value: u64) -> Self {
        Self::from_bit(((value | value.wrapping_neg()) >> 63) ^ 1)
    }

    /// All bits set, or none.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }
}

impl Mask for Mask1 {
    const NONE: Self = Self(0);
    const ALL: Self = Self(u64::MAX);
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        debug_assert!(index == 0);
        self.0 != 0
    }
}

/// A truth value for each of eight lanes, lane `i` in bit `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask8(pub u8);

impl Mask for Mask8 {
    const NONE: Self = Self(0);
    const ALL: Self = Self(0xff);
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }
}
