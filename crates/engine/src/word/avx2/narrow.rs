//! Sixteen 32-bit lanes in two 256-bit registers.

use super::{Halves, load, store};
use crate::word::{NARROW_LANES, Narrow, shadow::mixed};
use core::arch::x86_64::*;

/// Sixteen `u32` in two vector registers. Like [`super::Pair256`], which names it, only code under the `run` of a token
/// comes to work on it: that is the safety argument of every block below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair32(Halves);

/// The same count in every lane: constant where this is called, so that the compiler takes the shift by a constant.
#[inline(always)]
fn counts(bits: u32) -> Halves {
    [intrinsic!(_mm256_set1_epi32(bits as i32)); 2]
}

/// A rotation to the right. It is inlined when the optimiser has made it simple, as kernels are: hash functions have
/// some hundred.
#[inline]
#[target_feature(enable = "avx2")]
fn rotated<const BITS: i32>(half: __m256i) -> __m256i {
    let (down, up) = (_mm256_set1_epi32(BITS), _mm256_set1_epi32(u32::BITS as i32 - BITS));
    _mm256_or_si256(_mm256_srlv_epi32(half, down), _mm256_sllv_epi32(half, up))
}

impl Pair32 {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(both!(_mm256_xor_si256(self.0, other.0)))
    }
}

impl Narrow for Pair32 {
    #[inline(always)]
    fn splat(value: u32) -> Self {
        Self([intrinsic!(_mm256_set1_epi32(value as i32)); 2])
    }
    #[inline(always)]
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes; CPU support as above.
        Self(unsafe { load(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn to_lanes(self) -> [u32; NARROW_LANES] {
        let mut lanes = [0; NARROW_LANES];
        // SAFETY: the array is 64 writable bytes; CPU support as above.
        unsafe { store(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(both_mixed!(4, a = self.0, b = other.0; intrinsic!(_mm256_add_epi32(a, b))))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        let counts = counts(BITS);
        Self(both!(_mm256_srlv_epi32(self.0, counts)))
    }
    #[inline(always)]
    fn rotate_right<const BITS: i32>(self) -> Self {
        let [low, high] = self.0;
        Self([intrinsic!(rotated::<BITS>(low)), intrinsic!(rotated::<BITS>(high))])
    }
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        a.xor(b).xor(c)
    }
    #[inline(always)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        let differences = if_set.xor(if_clear);
        Self(both!(_mm256_and_si256(self.0, differences.0))).xor(if_clear)
    }
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        // Where a and b differ, c decides; elsewhere they do.
        a.xor(b).choose(c, a)
    }
}
