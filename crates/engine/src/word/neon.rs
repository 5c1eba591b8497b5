//! Eight lanes in four NEON registers of 128 bits, for aarch64.
//!
//! This module is part of builds alone whose target has NEON, as nearly every target of this architecture does:
//! whatever runs any of the build has it. So no function here needs features of its own, and the token proves nothing.
//!
//! Numbers modulo p are in doubles, and products of 52 bits are made of doubles ([`floats`]), as on the machine of
//! AVX2 and FMA.
#![allow(unsafe_code)]

use super::{CacheLine, Kernel, LANES, Mask8, Op, PointPair, ReducedProduct, Table32, Word, state::DefaultState};
use core::arch::aarch64::*;

/// Wraps an intrinsic whose only obligation is that the CPU has NEON.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: this build's target has NEON (see the module); the intrinsic reads and writes registers only.
        unsafe { $call }
    };
}

/// A function on each register of its operands.
macro_rules! each {
    ($function:path; $($operand:expr),*) => {
        [
            $function($($operand[0]),*),
            $function($($operand[1]),*),
            $function($($operand[2]),*),
            $function($($operand[3]),*),
        ]
    };
}

/// An instruction on each register of its operands.
macro_rules! instructions {
    ($name:ident($($operand:expr),*)) => {
        intrinsic!(each!($name; $($operand),*))
    };
}

mod floats;
mod gather;
mod narrow;

/// The machine of these words. That there is one proves nothing more than the target does.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// The machine, which every CPU is that runs this build.
    pub fn detect() -> Option<Self> {
        Some(Self(()))
    }

    /// Runs the work on words of four registers, which multiply by way of doubles.
    #[inline(always)]
    pub fn run<O: Op>(self, op: O) -> O::Output {
        Quad::root(op)
    }
}

/// The registers of a word: two lanes each.
type Registers = [uint64x2_t; 4];

/// Eight `u64` in four vector registers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Quad(Registers);

/// The function that every root is an instance of.
#[inline(never)]
fn neon_root<O: Op>(op: O) -> O::Output {
    op.call::<Quad>()
}

/// A kernel as a call (see [`Word::call`]).
#[inline(never)]
fn neon_call<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// A product as a call (see [`Word::product`]).
#[inline(never)]
fn neon_product<P: ReducedProduct<N>, const N: usize>(operands: [&[Quad; 5]; 4]) -> [Quad; N] {
    P::run(operands)
}

/// A register of two lanes.
#[inline(always)]
fn two([a, b]: [u64; 2]) -> uint64x2_t {
    intrinsic!(vcombine_u64(vcreate_u64(a), vcreate_u64(b)))
}

/// The bit of each lane of a mask, of the register with the lanes from `first` on.
#[inline(always)]
fn bits_of_lanes(first: u32) -> uint64x2_t {
    two([1 << first, 2 << first])
}

/// From all or no bits of each lane.
#[inline(always)]
fn mask_of_lanes([a, b, c, d]: Registers) -> Mask8 {
    let low = intrinsic!(vorrq_u64(vandq_u64(a, bits_of_lanes(0)), vandq_u64(b, bits_of_lanes(2))));
    let high = intrinsic!(vorrq_u64(vandq_u64(c, bits_of_lanes(4)), vandq_u64(d, bits_of_lanes(6))));
    Mask8(intrinsic!(vaddvq_u64(vorrq_u64(low, high))) as u8)
}

/// All bits of the lanes below zero, none of the others.
#[inline(always)]
fn below_zero(a: uint64x2_t) -> uint64x2_t {
    intrinsic!(vcltzq_s64(vreinterpretq_s64_u64(a)))
}

/// `a * 2^count`, or as much to the right for a count below zero. Where the counts are constant, the compiler takes the
/// shift by a constant.
#[inline(always)]
fn shift(a: uint64x2_t, counts: uint64x2_t) -> uint64x2_t {
    intrinsic!(vshlq_u64(a, vreinterpretq_s64_u64(counts)))
}

/// The same of signed numbers, with copies of the sign from the left.
#[inline(always)]
fn shift_signed(a: uint64x2_t, counts: uint64x2_t) -> uint64x2_t {
    intrinsic!(vreinterpretq_u64_s64(vshlq_s64(vreinterpretq_s64_u64(a), vreinterpretq_s64_u64(counts))))
}

/// `-a` modulo 2^64.
#[inline(always)]
fn negated(a: uint64x2_t) -> uint64x2_t {
    intrinsic!(vreinterpretq_u64_s64(vnegq_s64(vreinterpretq_s64_u64(a))))
}

/// Where the bytes of words are that these indices point to, in eight words one after another.
#[inline(always)]
fn places(index: uint64x2_t) -> uint8x16_t {
    let word =
        intrinsic!(vqtbl1q_u8(vreinterpretq_u8_u64(index), vreinterpretq_u8_u64(two([0, 0x0808_0808_0808_0808]))));
    intrinsic!(vorrq_u8(vshlq_n_u8::<3>(word), vreinterpretq_u8_u64(vdupq_n_u64(0x0706_0504_0302_0100))))
}

/// Eight words as a table of bytes.
#[inline(always)]
fn table(words: Registers) -> uint8x16x4_t {
    let [a, b, c, d] = instructions!(vreinterpretq_u8_u64(words));
    uint8x16x4_t(a, b, c, d)
}

/// The word of eight that each index below 8 points to.
#[inline(always)]
fn choose8(words: uint8x16x4_t, index: uint64x2_t) -> uint64x2_t {
    intrinsic!(vreinterpretq_u64_u8(vqtbl4q_u8(words, places(index))))
}

/// The integers of a table that four indices below 32 point to. A place beyond a register's bytes gives zero in the first
/// step, and leaves what is there in the second.
#[inline(always)]
fn choose32(table: &Table32, [low, high]: [uint64x2_t; 2]) -> [uint64x2_t; 2] {
    let halves = |table: &[u32; 32]| {
        let at = table.as_ptr().cast::<u8>();
        // SAFETY: the table is 128 readable bytes, read as two times 64; bytes need no alignment.
        unsafe { [vld1q_u8_x4(at), vld1q_u8_x4(at.add(size_of::<Registers>()))] }
    };
    let (lower, upper) = (halves(&table[0]), halves(&table[1]));
    intrinsic!({
        let index = vuzp1q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high));
        let places = vaddq_u32(vmulq_n_u32(index, 0x0404_0404), vdupq_n_u32(0x0302_0100));
        let places = vreinterpretq_u8_u32(places);
        let beyond = vsubq_u8(places, vdupq_n_u8(size_of::<Registers>() as u8));
        let chosen = |[first, second]: [uint8x16x4_t; 2]| {
            vreinterpretq_u32_u8(vqtbx4q_u8(vqtbl4q_u8(first, places), second, beyond))
        };
        let (lower, upper) = (chosen(lower), chosen(upper));
        [vreinterpretq_u64_u32(vzip1q_u32(lower, upper)), vreinterpretq_u64_u32(vzip2q_u32(lower, upper))]
    })
}

impl Word for Quad {
    const NAME: &'static str = "neon";

    type Narrow = narrow::Quad32;

    const PRODUCTS_ARE_CALLS: bool = true;
    const SEVERAL_REGISTERS: bool = true;
    const IN_DOUBLES: bool = true;
    type Doubles = floats::Eight;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Self([intrinsic!(vdupq_n_u64(value)); 4])
    }
    #[inline(always)]
    fn from_lanes([a, b, c, d, e, f, g, h]: [u64; LANES]) -> Self {
        Self([two([a, b]), two([c, d]), two([e, f]), two([g, h])])
    }
    #[inline(always)]
    fn to_lanes(self) -> [u64; LANES] {
        let mut lanes = [0; LANES];
        // SAFETY: the array is 64 writable bytes, written as four stores of 16, which need no alignment beyond a
        // `u64`'s.
        unsafe { vst1q_u64_x4(lanes.as_mut_ptr(), uint64x2x4_t(self.0[0], self.0[1], self.0[2], self.0[3])) };
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(instructions!(vaddq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(instructions!(vsubq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(instructions!(vandq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(instructions!(vorrq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(instructions!(veorq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        let counts = [intrinsic!(vdupq_n_u64(u64::from(BITS))); 4];
        Self(each!(shift; self.0, counts))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        let counts = [intrinsic!(vdupq_n_u64(u64::from(BITS).wrapping_neg())); 4];
        Self(each!(shift; self.0, counts))
    }
    #[inline(always)]
    fn sar<const BITS: u32>(self) -> Self {
        let counts = [intrinsic!(vdupq_n_u64(u64::from(BITS).wrapping_neg())); 4];
        Self(each!(shift_signed; self.0, counts))
    }
    #[inline(always)]
    fn rotate_right<const BITS: u32>(self) -> Self {
        let up = Self::splat(u64::from(u64::BITS - BITS));
        self.shr::<BITS>().or(self.shl_lanes(up))
    }
    #[inline(always)]
    fn shr_lanes(self, bits: Self) -> Self {
        let counts = each!(negated; bits.0);
        Self(each!(shift; self.0, counts))
    }
    #[inline(always)]
    fn shl_lanes(self, bits: Self) -> Self {
        Self(each!(shift; self.0, bits.0))
    }
    #[inline(always)]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        Self(each!(floats::madd_lo; self.0, a.0, b.0))
    }
    #[inline(always)]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        Self(each!(floats::madd_hi; self.0, a.0, b.0))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> Mask8 {
        mask_of_lanes(instructions!(vceqq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Mask8 {
        mask_of_lanes(instructions!(vcltq_u64(self.0, other.0)))
    }
    #[inline(always)]
    fn negative(self) -> Mask8 {
        mask_of_lanes(each!(below_zero; self.0))
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        let mask = [intrinsic!(vdupq_n_u64(u64::from(mask.0))); 4];
        let bits = [bits_of_lanes(0), bits_of_lanes(2), bits_of_lanes(4), bits_of_lanes(6)];
        let lanes = instructions!(vtstq_u64(mask, bits));
        Self(instructions!(vbslq_u64(lanes, if_set.0, if_clear.0)))
    }
    #[inline(always)]
    fn lookup32(table: &Table32, index: Self) -> Self {
        let [a, b, c, d] = index.0;
        let ([a, b], [c, d]) = (choose32(table, [a, b]), choose32(table, [c, d]));
        Self([a, b, c, d])
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        let words = [table(self.0); 4];
        Self(each!(choose8; words, index.0))
    }
    #[inline(always)]
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        let ([a, b], [c, d]) = (gather::transposed::<0>(rows), gather::transposed::<2>(rows));
        let ([e, f], [g, h]) = (gather::transposed::<4>(rows), gather::transposed::<6>(rows));
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn gather(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES]; 2] {
        let rows = gather::checked(rows, pairs);
        [Self::transpose(rows.rows::<0>()), Self::transpose(rows.rows::<1>())]
    }
    #[inline(always)]
    fn gather_half(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES / 2]; 2] {
        let rows = gather::checked(rows, pairs);
        [gather::transposed_halves(rows.rows::<0>()), gather::transposed_halves(rows.rows::<1>())]
    }
    #[inline(always)]
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let words = gather::words(pairs);
        let (first, second) = ([intrinsic!(vdupq_n_u64(1)); 4], [intrinsic!(vdupq_n_u64(1 << 32)); 4]);
        [mask_of_lanes(instructions!(vtstq_u64(words, first))), mask_of_lanes(instructions!(vtstq_u64(words, second)))]
    }
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        neon_call(kernel)
    }
    #[inline(always)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Self; 5],
        b: &[Self; 5],
        c: &[Self; 5],
        d: &[Self; 5],
    ) -> [Self; N] {
        neon_product::<P, N>([a, b, c, d])
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        let _state = (!O::INTEGERS).then(DefaultState::enter);
        neon_root(op)
    }
}
