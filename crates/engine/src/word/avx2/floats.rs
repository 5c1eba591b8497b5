//! Eight doubles in two AVX2 registers, multiplied by fused multiplication and addition.
//!
//! `intrinsic` is about AVX2 elsewhere; here it stands for FMA too, because a [`Half`] is only ever worked on under
//! `Fma::run`.
//!
//! These instructions take the same time for all numbers but those below 2^-1022, which never occur here.

use super::{LANES, Mask8, Pair256, Word};
use crate::word::doubles::{self, Double, Lanewise, Split, Step, rounder};
use core::arch::x86_64::*;

/// AVX2 and FMA, without integer products of 52 bits: [`super::madd52`] makes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubles;

/// Four doubles in a register.
///
/// Like a `Pair256<Doubles>`, beside which it stands, only code under `Fma::run` comes to work on it: that is the safety
/// argument of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Half(__m256d);

/// `a * b + c`.
#[inline(always)]
fn fma(a: Half, b: Half, c: Half) -> Half {
    Half(intrinsic!(_mm256_fmadd_pd(a.0, b.0, c.0)))
}

/// `a * b - c`.
#[inline(always)]
fn fms(a: Half, b: Half, c: Half) -> Half {
    Half(intrinsic!(_mm256_fmsub_pd(a.0, b.0, c.0)))
}

/// `c - a * b`.
#[inline(always)]
fn fnma(a: Half, b: Half, c: Half) -> Half {
    Half(intrinsic!(_mm256_fnmadd_pd(a.0, b.0, c.0)))
}

impl Double for Half {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(intrinsic!(_mm256_set1_pd(value)))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(intrinsic!(_mm256_add_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(intrinsic!(_mm256_sub_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        if factor == 2.0 { self.add(self) } else { Self(intrinsic!(_mm256_mul_pd(self.0, Self::splat(factor).0))) }
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        fma(a, b, self)
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self(intrinsic!(_mm256_xor_pd(self.0, Self::splat(-0.0).0)))
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Step<Self> {
        let high = fma(a, b, self);
        let coarse = high.sub(self);
        Step { high, coarse, fine: fms(a, b, coarse) }
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Step<Self> {
        let high = fnma(a, b, self);
        let coarse = self.sub(high);
        Step { high, coarse, fine: fms(a, b, coarse) }
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
        let (zero, factor) = (Self::splat(rounder(grid)), Self::splat(factor));
        let carry = fma(self, factor, zero).sub(zero);
        Split { carry, rest: fms(self, factor, carry) }
    }
    #[inline(always)]
    fn fold(self, x: Self, factor: f64, grid: i32) -> Split<Self> {
        let (zero, factor) = (Self::splat(rounder(grid)), Self::splat(factor));
        let carry = fma(x, factor, self).add(zero).sub(zero);
        Split { carry, rest: fms(x, factor, carry).add(self) }
    }
}

/// Eight doubles in two registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair(Half, Half);

impl Pair {
    #[inline(always)]
    fn both(self, f: impl Fn(Half) -> Half) -> Self {
        Self(f(self.0), f(self.1))
    }
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(Half, Half) -> Half) -> Self {
        Self(f(self.0, other.0), f(self.1, other.1))
    }
    #[inline(always)]
    fn steps(low: Step<Half>, high: Step<Half>) -> Step<Self> {
        Step { high: Self(low.high, high.high), coarse: Self(low.coarse, high.coarse), fine: Self(low.fine, high.fine) }
    }
    #[inline(always)]
    fn splits(low: Split<Half>, high: Split<Half>) -> Split<Self> {
        Split { carry: Self(low.carry, high.carry), rest: Self(low.rest, high.rest) }
    }
}

impl Double for Pair {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(Half::splat(value), Half::splat(value))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, Half::add)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, Half::sub)
    }
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self.both(|half| half.times(factor))
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(self.0.add_product(a.0, b.0), self.1.add_product(a.1, b.1))
    }
    #[inline(always)]
    fn negate(self) -> Self {
        self.both(Half::negate)
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

/// A function of digits on both halves, one after the other: sixteen registers are few, and a machine that reorders
/// overlaps the two.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi2")]
fn lanewise<L: Lanewise>(a: &[Pair; 5], b: &[Pair; 5], c: &[Pair; 5]) -> [Pair; 5] {
    let [v0, v1, v2, v3, v4] = L::run(low(a), low(b), low(c));
    let [w0, w1, w2, w3, w4] = L::run(high(a), high(b), high(c));
    [Pair(v0, w0), Pair(v1, w1), Pair(v2, w2), Pair(v3, w3), Pair(v4, w4)]
}

#[inline(always)]
fn low([a, b, c, d, e]: &[Pair; 5]) -> [Half; 5] {
    [a.0, b.0, c.0, d.0, e.0]
}

#[inline(always)]
fn high([a, b, c, d, e]: &[Pair; 5]) -> [Half; 5] {
    [a.1, b.1, c.1, d.1, e.1]
}

impl doubles::Doubles for Pair {
    const NAME: &'static str = "fma";

    type Word = Pair256<Doubles>;

    #[inline(always)]
    fn to_bits(self) -> Self::Word {
        Pair256::new(both!(_mm256_castpd_si256([self.0.0, self.1.0])))
    }
    #[inline(always)]
    fn from_bits(bits: Self::Word) -> Self {
        let [low, high] = both!(_mm256_castsi256_pd(bits.0));
        Self(Half(low), Half(high))
    }
    #[inline(always)]
    fn to_integers(self, grid: i32) -> Self::Word {
        doubles::to_integers(self, grid)
    }
    #[inline(always)]
    fn from_integers(integers: Self::Word, bias: u64, grid: i32) -> Self {
        doubles::from_integers(integers, bias, grid)
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self::from_bits(Word::select(mask, if_set.to_bits(), if_clear.to_bits()))
    }
    #[inline(always)]
    fn apply<L: Lanewise>(a: &[Self; 5], b: &[Self; 5], c: &[Self; 5]) -> [Self; 5] {
        // SAFETY: see `Half`: we are under `Fma::run`, so the CPU has the features.
        unsafe { lanewise::<L>(a, b, c) }
    }
}

const _: () = assert!(size_of::<Pair>() == size_of::<[u64; LANES]>());
