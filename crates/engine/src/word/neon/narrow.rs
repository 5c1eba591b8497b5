//! Sixteen 32-bit lanes in four NEON registers.

use crate::word::{NARROW_LANES, Narrow};
use core::arch::aarch64::*;

/// Sixteen `u32` in four vector registers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Quad32([uint32x4_t; 4]);

/// The same count in every lane, constant where this is called: to the right where it is below zero.
#[inline(always)]
fn shifted(Quad32(a): Quad32, count: i32) -> Quad32 {
    let counts = [intrinsic!(vdupq_n_s32(count)); 4];
    Quad32(instructions!(vshlq_u32(a, counts)))
}

impl Quad32 {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(instructions!(veorq_u32(self.0, other.0)))
    }
}

impl Narrow for Quad32 {
    #[inline(always)]
    fn splat(value: u32) -> Self {
        Self([intrinsic!(vdupq_n_u32(value)); 4])
    }
    #[inline(always)]
    fn from_lanes(lanes: [u32; NARROW_LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes, read as four loads of 16, which need no alignment beyond a `u32`'s.
        let uint32x4x4_t(a, b, c, d) = unsafe { vld1q_u32_x4(lanes.as_ptr()) };
        Self([a, b, c, d])
    }
    #[inline(always)]
    fn to_lanes(self) -> [u32; NARROW_LANES] {
        let mut lanes = [0; NARROW_LANES];
        // SAFETY: the array is 64 writable bytes, written as four stores of 16, which need no alignment beyond a `u32`'s.
        unsafe { vst1q_u32_x4(lanes.as_mut_ptr(), uint32x4x4_t(self.0[0], self.0[1], self.0[2], self.0[3])) };
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(instructions!(vaddq_u32(self.0, other.0)))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        shifted(self, -(BITS as i32))
    }
    #[inline(always)]
    fn rotate_right<const BITS: i32>(self) -> Self {
        let (low, high) = (shifted(self, -BITS).0, shifted(self, u32::BITS as i32 - BITS).0);
        Self(instructions!(vorrq_u32(low, high)))
    }
    #[inline(always)]
    fn xor3(a: Self, b: Self, c: Self) -> Self {
        a.xor(b).xor(c)
    }
    #[inline(always)]
    fn choose(self, if_set: Self, if_clear: Self) -> Self {
        Self(instructions!(vbslq_u32(self.0, if_set.0, if_clear.0)))
    }
    #[inline(always)]
    fn majority(a: Self, b: Self, c: Self) -> Self {
        // Where a and b differ, c decides; elsewhere they do.
        a.xor(b).choose(c, a)
    }
}
