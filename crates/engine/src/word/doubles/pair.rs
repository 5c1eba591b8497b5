//! Doubles in two halves of the same kind: registers, or pairs of them.

use super::{Double, Lanewise, Split, Step};

/// The lower lanes and the upper ones.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(in crate::word) struct Pair<D>(pub(in crate::word) D, pub(in crate::word) D);

impl<D: Double> Pair<D> {
    #[inline(always)]
    fn steps(low: Step<D>, high: Step<D>) -> Step<Self> {
        Step { high: Self(low.high, high.high), coarse: Self(low.coarse, high.coarse), fine: Self(low.fine, high.fine) }
    }
    #[inline(always)]
    fn splits(low: Split<D>, high: Split<D>) -> Split<Self> {
        Split { carry: Self(low.carry, high.carry), rest: Self(low.rest, high.rest) }
    }

    /// The lower lanes of five digits.
    #[inline(always)]
    pub(in crate::word) fn low([a, b, c, d, e]: &[Self; 5]) -> [D; 5] {
        [a.0, b.0, c.0, d.0, e.0]
    }
    /// The upper lanes of five digits.
    #[inline(always)]
    pub(in crate::word) fn high([a, b, c, d, e]: &[Self; 5]) -> [D; 5] {
        [a.1, b.1, c.1, d.1, e.1]
    }
    /// Five digits of these lower lanes and upper ones.
    #[inline(always)]
    pub(in crate::word) fn join([a, b, c, d, e]: [D; 5], [v, w, x, y, z]: [D; 5]) -> [Self; 5] {
        [Self(a, v), Self(b, w), Self(c, x), Self(d, y), Self(e, z)]
    }

    /// A function of digits on both halves, one after the other: registers are few, and a machine that reorders
    /// overlaps the two.
    #[inline(always)]
    pub(in crate::word) fn in_turn<L: Lanewise>(a: &[Self; 5], b: &[Self; 5], c: &[Self; 5]) -> [Self; 5] {
        let low = L::run(Self::low(a), Self::low(b), Self::low(c));
        Self::join(low, L::run(Self::high(a), Self::high(b), Self::high(c)))
    }
}

impl<D: Double> Double for Pair<D> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(D::splat(value), D::splat(value))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0), self.1.add(other.1))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0), self.1.sub(other.1))
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        Self(self.0.times(factor), self.1.times(factor))
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(self.0.add_product(a.0, b.0), self.1.add_product(a.1, b.1))
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self(self.0.negate(), self.1.negate())
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        Self::steps(self.0.plus_product(a.0, b.0), self.1.plus_product(a.1, b.1))
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        Self::steps(self.0.minus_product(a.0, b.0), self.1.minus_product(a.1, b.1))
    }
    #[inline(always)]
    fn plus(self, small: Self) -> Step<Self> {
        Self::steps(self.0.plus(small.0), self.1.plus(small.1))
    }
    #[inline(always)]
    fn split(self, grid: i32) -> Split<Self> {
        Self::splits(self.0.split(grid), self.1.split(grid))
    }
    #[inline(always)]
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self> {
        Self::splits(self.0.split_multiple(factor, grid), self.1.split_multiple(factor, grid))
    }
    #[inline(always)]
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        Self::splits(self.0.fold(x.0, factor, grid), self.1.fold(x.1, factor, grid))
    }
}
