//! Sixteen 32-bit lanes in one AVX-512 register.

use crate::word::{
    NARROW_LANES, Narrow,
    shadow::{known, mixed},
};
use core::arch::x86_64::*;

/// Sixteen `u32` in a vector register. Like [`super::Word512`], which names it, only code under the `run` of a token
/// comes to work on it: that is the safety argument of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Vector32(__m512i);

/// Any function of three bits, as the table of its eight values.
#[inline(always)]
fn ternary<const TABLE: i32>([a, b, c]: [__m512i; 3]) -> Vector32 {
    Vector32(mixed!(4, intrinsic!(_mm512_ternarylogic_epi32::<TABLE>(known(a), known(b), known(c))), a, b, c))
}

impl Narrow for Vector32 {
    #[inline(always)]
    fn splat(value: u32) -> Self {
        Self(intrinsic!(_mm512_set1_epi32(value as i32)))
    }
    #[inline(always)]
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes, and the load has no alignment requirement; CPU support as above.
        Self(unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn to_lanes(self) -> [u32; NARROW_LANES] {
        let mut lanes = [0; NARROW_LANES];
        // SAFETY: the array is 64 writable bytes, and the store has no alignment requirement; CPU support as above.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(mixed!(4, intrinsic!(_mm512_add_epi32(self.0, other.0)), self.0, other.0))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        Self(intrinsic!(_mm512_srli_epi32::<BITS>(self.0)))
    }
    #[inline(always)]
    fn rotate_right<const BITS: i32>(self) -> Self {
        Self(intrinsic!(_mm512_ror_epi32::<BITS>(self.0)))
    }
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        ternary::<0x96>([a.0, b.0, c.0])
    }
    #[inline(always)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        ternary::<0xca>([self.0, if_set.0, if_clear.0])
    }
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        ternary::<0xe8>([a.0, b.0, c.0])
    }
}
