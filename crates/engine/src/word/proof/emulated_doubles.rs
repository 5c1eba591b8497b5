//! Eight doubles as an array: the meaning of the operations, on any CPU.

use crate::word::doubles::{self, Double, Doubles, Lanewise, Split, Step, rounder};
use crate::word::{Emulated, LANES, Word};
use core::array::from_fn;

/// Eight `f64`, each operation lane by lane. Not fast. Operations stay calls: inlined, they would make tests compile for
/// minutes.
#[derive(Clone, Copy, Debug)]
pub struct EmulatedDoubles([f64; LANES]);

impl EmulatedDoubles {
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(from_fn(|i| f(self.0[i], other.0[i])))
    }
    fn fused(self, a: Self, b: Self) -> Self {
        Self(from_fn(|i| a.0[i].mul_add(b.0[i], self.0[i])))
    }
    fn step(high: Self, coarse: Self, fine: Self) -> Step<Self> {
        Step { high, coarse, fine }
    }
}

impl Double for EmulatedDoubles {
    #[inline(never)]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }
    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
    #[inline(never)]
    fn times(self, factor: f64) -> Self {
        Self(self.0.map(|a| a * factor))
    }
    #[inline(never)]
    fn add_product(self, a: Self, b: Self) -> Self {
        self.fused(a, b)
    }
    #[inline(never)]
    fn negate(self) -> Self {
        Self(self.0.map(|a| -a))
    }
    #[inline(never)]
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        let high = self.fused(a, b);
        let coarse = high.sub(self);
        Self::step(high, coarse, coarse.negate().fused(a, b))
    }
    #[inline(never)]
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        let high = self.fused(a.negate(), b);
        let coarse = self.sub(high);
        Self::step(high, coarse, coarse.negate().fused(a, b))
    }
    #[inline(never)]
    fn plus(self, small: Self) -> Step<Self> {
        let high = self.add(small);
        let coarse = high.sub(self);
        Self::step(high, coarse, small.sub(coarse))
    }
    #[inline(never)]
    fn split(self, grid: i32) -> Split<Self> {
        self.split_multiple(1.0, grid)
    }
    #[inline(never)]
    fn split_multiple(self, factor: f64, grid: i32) -> Split<Self> {
        let (zero, factor) = (Self::splat(rounder(grid)), Self::splat(factor));
        let carry = zero.fused(self, factor).sub(zero);
        Split { carry, rest: carry.negate().fused(self, factor) }
    }
    #[inline(never)]
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        let (zero, factor) = (Self::splat(rounder(grid)), Self::splat(factor));
        let carry = self.fused(x, factor).add(zero).sub(zero);
        Split { carry, rest: carry.negate().fused(x, factor).add(self) }
    }
}

impl Doubles for EmulatedDoubles {
    const NAME: &'static str = "emulated doubles";

    type Word = Emulated;

    #[inline(never)]
    fn to_bits(self) -> Emulated {
        Emulated::from_lanes(self.0.map(f64::to_bits))
    }
    #[inline(never)]
    fn from_bits(bits: Emulated) -> Self {
        Self(bits.to_lanes().map(f64::from_bits))
    }
    doubles::by_bits::by_bits!(never);
    #[inline(never)]
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        *a = L::run(*a, *b, *c);
    }
}
