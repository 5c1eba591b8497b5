//! Eight doubles in four NEON registers, multiplied by fused multiplication and addition.
//!
//! These instructions take the same time for all numbers but those below 2^-1022, which never occur here.

use super::{LANES, Quad};
use crate::word::doubles::{
    self, Lanewise,
    fused::{Fused, Integers, Register},
    halves52::Halves52,
    pair::Pair,
};
use core::arch::aarch64::*;

/// Two doubles in a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Two(float64x2_t);

/// Four doubles in two registers.
type Four = Pair<Fused<Two>>;

/// Eight doubles in four registers.
pub(super) type Eight = Pair<Four>;

impl Integers for uint64x2_t {
    #[inline(always)]
    fn splat(value: u64) -> Self {
        intrinsic!(vdupq_n_u64(value))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        intrinsic!(vandq_u64(self, other))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        intrinsic!(vorrq_u64(self, other))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        intrinsic!(vaddq_u64(self, other))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        intrinsic!(vsubq_u64(self, other))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self {
        intrinsic!(vcltq_s64(vreinterpretq_s64_u64(self), vreinterpretq_s64_u64(other)))
    }
}

impl Register for Two {
    type Bits = uint64x2_t;

    #[inline(always)]
    fn to_bits(self) -> uint64x2_t {
        intrinsic!(vreinterpretq_u64_f64(self.0))
    }
    #[inline(always)]
    fn from_bits(bits: uint64x2_t) -> Self {
        Self(intrinsic!(vreinterpretq_f64_u64(bits)))
    }
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(intrinsic!(vdupq_n_f64(value)))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(intrinsic!(vaddq_f64(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(intrinsic!(vsubq_f64(self.0, other.0)))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(intrinsic!(vmulq_f64(self.0, other.0)))
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self(intrinsic!(vnegq_f64(self.0)))
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(vfmaq_f64(self.0, a.0, b.0)))
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(vfmsq_f64(self.0, a.0, b.0)))
    }
    /// NEON takes nothing away from a product, so that the difference is the other way round.
    #[inline(always)]
    fn product_less(a: Self, b: Self, high: Self, low: Self) -> Self {
        low.sub(high).add_product(a, b)
    }
}

/// `sum + low52(a * b)`, where only the low 52 bits of `a` and `b` take part.
#[inline(always)]
pub(super) fn madd_lo(sum: uint64x2_t, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    sum.add(Halves52::of::<Two>(a, b).low())
}

/// `sum + ((a * b) >> 52)`, where only the low 52 bits of `a` and `b` take part.
#[inline(always)]
pub(super) fn madd_hi(sum: uint64x2_t, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    Halves52::of::<Two>(a, b).add_high(sum)
}

/// A function of digits on each register, one after the other, as a call.
#[inline(never)]
fn lanewise<L: Lanewise>(a: &mut [Eight; 5], b: &[Eight; 5], c: &[Eight; 5]) {
    for half in 0..2 {
        let mut digits = Pair::half(a, half);
        Pair::in_turn::<L>(&mut digits, &Pair::half(b, half), &Pair::half(c, half));
        Pair::set_half(a, half, digits);
    }
}

/// The same for a function of one number.
#[inline(never)]
fn lanewise_of_one<L: Lanewise>(a: &mut [Eight; 5]) {
    for half in 0..2 {
        let mut digits = Pair::half(a, half);
        Pair::in_turn_of_one::<L>(&mut digits);
        Pair::set_half(a, half, digits);
    }
}

impl doubles::Doubles for Eight {
    const NAME: &'static str = "neon";

    type Word = Quad;

    #[inline(always)]
    fn to_bits(self) -> Quad {
        let [Pair([a, b]), Pair([c, d])] = self.0;
        Quad([a.0.to_bits(), b.0.to_bits(), c.0.to_bits(), d.0.to_bits()])
    }
    #[inline(always)]
    fn from_bits(Quad([a, b, c, d]): Quad) -> Self {
        let two = |bits| Fused(Two::from_bits(bits));
        Self([Pair([two(a), two(b)]), Pair([two(c), two(d)])])
    }
    doubles::by_bits::by_bits!(always);
    #[inline(always)]
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        lanewise::<L>(a, b, c);
    }
    #[inline(always)]
    fn apply_to_one<L: Lanewise>(a: &mut [Self; 5]) {
        lanewise_of_one::<L>(a);
    }
}

const _: () = assert!(size_of::<Eight>() == size_of::<[u64; LANES]>());
