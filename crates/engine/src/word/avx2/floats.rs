//! Eight doubles in two AVX2 registers, multiplied by fused multiplication and addition.
//!
//! These instructions take the same time for all numbers but those below 2^-1022, which never occur here.

use super::{LANES, Pair256, splat};
use crate::word::doubles::{
    self, Lanewise,
    fused::{Fused, Integers, Register},
    pair::Pair,
};
use core::arch::x86_64::*;

/// Four doubles in a register.
///
/// Like a `Pair256`, beside which it stands, only code under `Fma::run` comes to work on it and on its bits: that is the
/// safety argument of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Half(__m256d);

/// Eight doubles in two registers.
pub(super) type Eight = Pair<Fused<Half>>;

impl Integers for __m256i {
    #[inline(always)]
    fn splat(value: u64) -> Self {
        splat(value)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        intrinsic!(_mm256_and_si256(self, other))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        intrinsic!(_mm256_or_si256(self, other))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        intrinsic!(_mm256_add_epi64(self, other))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        intrinsic!(_mm256_sub_epi64(self, other))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self {
        intrinsic!(_mm256_cmpgt_epi64(other, self))
    }
}

impl Register for Half {
    type Bits = __m256i;

    #[inline(always)]
    fn to_bits(self) -> __m256i {
        intrinsic!(_mm256_castpd_si256(self.0))
    }
    #[inline(always)]
    fn from_bits(bits: __m256i) -> Self {
        Self(intrinsic!(_mm256_castsi256_pd(bits)))
    }
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
    fn mul(self, other: Self) -> Self {
        Self(intrinsic!(_mm256_mul_pd(self.0, other.0)))
    }
    #[inline(always)]
    fn negate(self) -> Self {
        Self(intrinsic!(_mm256_xor_pd(self.0, Self::splat(-0.0).0)))
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(_mm256_fmadd_pd(a.0, b.0, self.0)))
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        Self(intrinsic!(_mm256_fnmadd_pd(a.0, b.0, self.0)))
    }
    #[inline(always)]
    fn product_less(a: Self, b: Self, high: Self, low: Self) -> Self {
        Self(intrinsic!(_mm256_fmsub_pd(a.0, b.0, high.sub(low).0)))
    }
}

/// A function of digits on both halves, as a call.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi2")]
fn lanewise<L: Lanewise>(a: &mut [Eight; 5], b: &[Eight; 5], c: &[Eight; 5]) {
    Pair::in_turn::<L>(a, b, c);
}

/// The same for a function of one number.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi2")]
fn lanewise_of_one<L: Lanewise>(a: &mut [Eight; 5]) {
    Pair::in_turn_of_one::<L>(a);
}

impl doubles::Doubles for Eight {
    const NAME: &'static str = "fma";

    type Word = Pair256;

    #[inline(always)]
    fn to_bits(self) -> Self::Word {
        Pair256([self.0[0].0.to_bits(), self.0[1].0.to_bits()])
    }
    #[inline(always)]
    fn from_bits(bits: Self::Word) -> Self {
        let [low, high] = bits.0;
        Self([Fused(Half::from_bits(low)), Fused(Half::from_bits(high))])
    }
    doubles::by_bits::by_bits!(always);
    #[inline(always)]
    fn apply<L: Lanewise>(a: &mut [Self; 5], b: &[Self; 5], c: &[Self; 5]) {
        // SAFETY: see `Eight`: we are under `Fma::run`, so the CPU has the features.
        unsafe { lanewise::<L>(a, b, c) }
    }
    #[inline(always)]
    fn apply_to_one<L: Lanewise>(a: &mut [Self; 5]) {
        // SAFETY: as above.
        unsafe { lanewise_of_one::<L>(a) }
    }
}

const _: () = assert!(size_of::<Eight>() == size_of::<[u64; LANES]>());
