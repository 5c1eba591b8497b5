//! Doubles in two halves of the same kind: registers, or pairs of them.

use super::{Double, Lanewise, Split, Step};

/// The lower lanes and the upper ones.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(in crate::word) struct Pair<D>(pub(in crate::word) [D; 2]);

impl<D: Double> Pair<D> {
    #[inline(always)]
    fn steps([low, high]: [Step<D>; 2]) -> Step<Self> {
        Step {
            high: Self([low.high, high.high]),
            coarse: Self([low.coarse, high.coarse]),
            fine: Self([low.fine, high.fine]),
        }
    }
    #[inline(always)]
    fn splits([low, high]: [Split<D>; 2]) -> Split<Self> {
        Split { carry: Self([low.carry, high.carry]), rest: Self([low.rest, high.rest]) }
    }

    /// One half of five digits.
    #[inline(always)]
    pub(in crate::word) fn half([a, b, c, d, e]: &[Self; 5], half: usize) -> [D; 5] {
        [a.0[half], b.0[half], c.0[half], d.0[half], e.0[half]]
    }
    /// Replaces one half of five digits.
    #[inline(always)]
    pub(in crate::word) fn set_half([a, b, c, d, e]: &mut [Self; 5], half: usize, digits: [D; 5]) {
        [a.0[half], b.0[half], c.0[half], d.0[half], e.0[half]] = digits;
    }
    /// Replaces `a` by a function of digits on both halves.
    ///
    /// One half after the other, because registers are few and a machine that reorders overlaps the two. In a loop, so
    /// that the function is compiled once.
    #[inline(always)]
    pub(in crate::word) fn in_turn<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        for half in 0..2 {
            let digits = L::run(Self::half(a, half), Self::half(b, half), Self::half(c, half));
            Self::set_half(a, half, digits);
        }
    }
    /// The same for a function of one number.
    #[inline(always)]
    pub(in crate::word) fn in_turn_of_one<L: Lanewise>(a: &mut [Self; 5]) {
        for half in 0..2 {
            let digits = Self::half(a, half);
            Self::set_half(a, half, L::run(digits, digits, digits));
        }
    }
}

impl<D: Double> Double for Pair<D> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([D::splat(value), D::splat(value)])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self([self.0[0].add(other.0[0]), self.0[1].add(other.0[1])])
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0].sub(other.0[0]), self.0[1].sub(other.0[1])])
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        Self([self.0[0].times(factor), self.0[1].times(factor)])
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self([self.0[0].add_product(a.0[0], b.0[0]), self.0[1].add_product(a.0[1], b.0[1])])
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self([self.0[0].negate(), self.0[1].negate()])
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        Self::steps([self.0[0].plus_product(a.0[0], b.0[0]), self.0[1].plus_product(a.0[1], b.0[1])])
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        Self::steps([self.0[0].minus_product(a.0[0], b.0[0]), self.0[1].minus_product(a.0[1], b.0[1])])
    }
    #[inline(always)]
    fn plus(self, small: Self) -> Step<Self> {
        Self::steps([self.0[0].plus(small.0[0]), self.0[1].plus(small.0[1])])
    }
    #[inline(always)]
    fn split(self, grid: i32) -> Split<Self> {
        Self::splits([self.0[0].split(grid), self.0[1].split(grid)])
    }
    #[inline(always)]
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self> {
        Self::splits([self.0[0].split_multiple(factor, grid), self.0[1].split_multiple(factor, grid)])
    }
    #[inline(always)]
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        Self::splits([self.0[0].fold(x.0[0], factor, grid), self.0[1].fold(x.0[1], factor, grid)])
    }
}
