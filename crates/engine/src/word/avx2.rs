//! Eight lanes in two 256-bit registers, for CPUs without registers of 512.
//!
//! All but the multiplication is AVX2. Products are of doubles (see [`floats`]).
//!
//! What a mask register does on AVX-512 takes two steps here. A comparison's sign bits are collected into a [`Mask8`];
//! a choice compares the mask's bits with those of each lane, which the compiler does once for all choices by one mask.
#![allow(unsafe_code)]

use super::{
    CacheLine, Kernel, LANES, Mask8, Op, PointPair, ReducedProduct, Table32, Word,
    shadow::{known, mixed},
};
use core::arch::x86_64::*;

/// Wraps what asks only that the CPU have AVX2, FMA and BMI2.
macro_rules! intrinsic {
    ($call:expr) => {
        // SAFETY: a `Pair256` is only ever worked on under the `run` of a token, so the CPU has these (see `Pair256`);
        // what is wrapped reads and writes registers only.
        unsafe { $call }
    };
}

/// An instruction on both halves of its operands.
macro_rules! both {
    ($name:ident($($operand:expr),*)) => {
        [intrinsic!($name($($operand[0]),*)), intrinsic!($name($($operand[1]),*))]
    };
}

/// What a function makes of both halves of its operands, unknown in each lane of so many bytes that an unknown bit of
/// an operand entered (see [`super::shadow`]).
macro_rules! both_mixed {
    ($lane:literal, $($half:ident = $operand:expr),+; $call:expr) => {
        [
            { let ($($half),+) = ($($operand[0]),+); mixed!($lane, $call, $($half),+) },
            { let ($($half),+) = ($($operand[1]),+); mixed!($lane, $call, $($half),+) },
        ]
    };
}

mod floats;
mod fma;
mod gather;
mod narrow;

pub use fma::Fma;

/// The halves of a word: four lanes each.
type Halves = [__m256i; 2];

/// Eight `u64` in two vector registers.
///
/// The type is private to this module. The only way by which code instantiated with it comes to run is the `run` of a
/// token ([`Fma`]), which only detection of AVX2, FMA and BMI2 makes: that is the safety argument of every block below.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Pair256(Halves);

/// The 64 bytes at an address, whatever its alignment.
///
/// # Safety
/// They must be readable, and the CPU must have AVX2.
#[inline(always)]
unsafe fn load(at: *const __m256i) -> Halves {
    // SAFETY: two loads of 32 bytes, by the caller's promise.
    unsafe { [_mm256_loadu_si256(at), _mm256_loadu_si256(at.add(1))] }
}

/// Writes 64 bytes at an address, whatever its alignment.
///
/// # Safety
/// They must be writable, and the CPU must have AVX2.
#[inline(always)]
unsafe fn store(at: *mut __m256i, [low, high]: Halves) {
    // SAFETY: two stores of 32 bytes, by the caller's promise.
    unsafe {
        _mm256_storeu_si256(at, low);
        _mm256_storeu_si256(at.add(1), high);
    }
}

/// The same value in all lanes of a half.
#[inline(always)]
fn splat(value: u64) -> __m256i {
    intrinsic!(_mm256_set1_epi64x(value as i64))
}

/// The top bits of the lanes.
#[inline(always)]
fn top_bits([low, high]: Halves) -> Mask8 {
    let low = intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(low)));
    let high = intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(high)));
    Mask8((low | high << (LANES / 2)) as u8)
}

/// `if_set` in the lanes whose top bit in `choice` is set, `if_clear` elsewhere.
#[inline(always)]
fn by_top_bit(choice: __m256i, if_set: __m256i, if_clear: __m256i) -> __m256i {
    intrinsic!({
        let (clear, set) = (_mm256_castsi256_pd(if_clear), _mm256_castsi256_pd(if_set));
        _mm256_castpd_si256(_mm256_blendv_pd(clear, set, _mm256_castsi256_pd(choice)))
    })
}

/// `if_set` in the lanes of the mask, `if_clear` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn by_mask(mask: Mask8, if_set: Halves, if_clear: Halves) -> Halves {
    let (low, high) = (lanes_of_mask(mask, 0), lanes_of_mask(mask, 4));
    [by_top_bit(low, if_set[0], if_clear[0]), by_top_bit(high, if_set[1], if_clear[1])]
}

/// All bits of the lanes of a mask, of which the half has those from `first` on.
#[inline(always)]
fn lanes_of_mask(mask: Mask8, first: u32) -> __m256i {
    let bit = |lane: u32| 1i64 << (first + lane);
    let bits = intrinsic!(_mm256_setr_epi64x(bit(0), bit(1), bit(2), bit(3)));
    intrinsic!(_mm256_cmpeq_epi64(_mm256_and_si256(splat(u64::from(mask.0)), bits), bits))
}

/// Where the words are that indices point to, for [`choose4`]: the two 32-bit halves of each.
#[inline(always)]
fn places(index: __m256i) -> __m256i {
    let doubled = intrinsic!(_mm256_or_si256(_mm256_slli_epi64::<1>(index), _mm256_slli_epi64::<33>(index)));
    intrinsic!(_mm256_or_si256(doubled, splat(1 << 32)))
}

/// The word of four that the lowest two bits of an index point to.
#[inline(always)]
fn choose4(words: __m256i, places: __m256i) -> __m256i {
    intrinsic!(_mm256_permutevar8x32_epi32(words, places))
}

/// The word of eight that the lowest three bits of an index point to: at most as known as that.
#[inline(always)]
fn choose8([low, high]: Halves, index: __m256i) -> __m256i {
    let index_known = known(index);
    let (upper, places) = (intrinsic!(_mm256_slli_epi64::<61>(index_known)), places(index_known));
    mixed!(8, by_top_bit(upper, choose4(high, places), choose4(low, places)), index)
}

/// The integers of a table that the indices of all eight lanes point to. A register holds eight of their halves, and
/// so do the indices: those of lanes 0, 1, 4, 5, 2, 3, 6 and 7, which is how halves are put together.
#[inline]
#[target_feature(enable = "avx2")]
fn choose32(table: &Table32, [low, high]: Halves) -> Halves {
    let float = |word| _mm256_castsi256_ps(word);
    let at = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(float(low), float(high)));
    let (bit3, bit4) = (float(_mm256_slli_epi32::<28>(at)), float(_mm256_slli_epi32::<27>(at)));
    let halves = |table: &[u32; 32]| {
        let (eights, _) = table.as_chunks::<8>();
        let chosen = |eight: usize| {
            // SAFETY: the address is of 32 readable bytes, and the load needs no alignment.
            let words = unsafe { _mm256_loadu_si256(eights[eight].as_ptr().cast()) };
            float(_mm256_permutevar8x32_epi32(words, at))
        };
        let (lower, upper) =
            (_mm256_blendv_ps(chosen(0), chosen(1), bit3), _mm256_blendv_ps(chosen(2), chosen(3), bit3));
        _mm256_castps_si256(_mm256_blendv_ps(lower, upper, bit4))
    };
    let (lower, upper) = (halves(&table[0]), halves(&table[1]));
    [_mm256_unpacklo_epi32(lower, upper), _mm256_unpackhi_epi32(lower, upper)]
}

/// A rotation to the right. It is inlined when the optimiser has made it simple, as kernels are: SHA-512 has some
/// hundred.
#[inline]
#[target_feature(enable = "avx2")]
fn rotated<const BITS: u32>(half: __m256i) -> __m256i {
    let (down, up) = (splat(u64::from(BITS)), splat(u64::from(u64::BITS - BITS)));
    _mm256_or_si256(_mm256_srlv_epi64(half, down), _mm256_sllv_epi64(half, up))
}

impl Word for Pair256 {
    const NAME: &'static str = "fma";

    type Narrow = narrow::Pair32;

    const PRODUCTS_ARE_CALLS: bool = true;
    const SEVERAL_REGISTERS: bool = true;
    const IN_DOUBLES: bool = true;
    type Doubles = floats::Eight;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Self([splat(value); 2])
    }
    #[inline(always)]
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes.
        Self(unsafe { load(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn to_lanes(self) -> [u64; LANES] {
        let mut lanes = [0; LANES];
        // SAFETY: the array is 64 writable bytes.
        unsafe { store(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(both_mixed!(8, a = self.0, b = other.0; intrinsic!(_mm256_add_epi64(a, b))))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(both_mixed!(8, a = self.0, b = other.0; intrinsic!(_mm256_sub_epi64(a, b))))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(both!(_mm256_and_si256(self.0, other.0)))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(both!(_mm256_or_si256(self.0, other.0)))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(both!(_mm256_xor_si256(self.0, other.0)))
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        // Equal and constant counts: the compiler takes the shift by a constant.
        self.shl_lanes(Self::splat(u64::from(BITS)))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        self.shr_lanes(Self::splat(u64::from(BITS)))
    }
    /// AVX2 shifts no sign into 64 bits. With s = 2^(63 - BITS), where the sign bit ends up, (x ^ s) - s copies it from
    /// there upwards.
    #[inline(always)]
    fn sar<const BITS: u32>(self) -> Self {
        let sign = Self::splat(1 << 63 >> BITS);
        self.shr::<BITS>().xor(sign).sub(sign)
    }
    #[inline(always)]
    fn rotate_right<const BITS: u32>(self) -> Self {
        let [low, high] = self.0;
        Self([intrinsic!(rotated::<BITS>(low)), intrinsic!(rotated::<BITS>(high))])
    }
    #[inline(always)]
    fn shr_lanes(self, bits: Self) -> Self {
        Self(both!(_mm256_srlv_epi64(self.0, bits.0)))
    }
    #[inline(always)]
    fn shl_lanes(self, bits: Self) -> Self {
        Self(both!(_mm256_sllv_epi64(self.0, bits.0)))
    }
    #[inline(always)]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        Self(both_mixed!(8, sum = self.0, a = a.0, b = b.0; intrinsic!(fma::madd_lo(sum, a, b))))
    }
    #[inline(always)]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        Self(both_mixed!(8, sum = self.0, a = a.0, b = b.0; intrinsic!(fma::madd_hi(sum, a, b))))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> Mask8 {
        top_bits(both!(_mm256_cmpeq_epi64(self.0, other.0)))
    }
    /// AVX2 compares signed words. Turning both top bits round makes that the order of unsigned ones.
    #[inline(always)]
    fn less(self, other: Self) -> Mask8 {
        let top = Self::splat(1 << 63);
        let (a, b) = (self.xor(top), other.xor(top));
        top_bits(both!(_mm256_cmpgt_epi64(b.0, a.0)))
    }
    #[inline(always)]
    fn negative(self) -> Mask8 {
        top_bits(self.0)
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self(intrinsic!(by_mask(mask, if_set.0, if_clear.0)))
    }
    #[inline(always)]
    fn lookup32(table: &Table32, index: Self) -> Self {
        let [low, high] = index.0;
        let [first, second] = intrinsic!(choose32(table, [known(low), known(high)]));
        Self([mixed!(8, first, low), mixed!(8, second, high)])
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Self([choose8(self.0, index.0[0]), choose8(self.0, index.0[1])])
    }
    #[inline(always)]
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        let ([a, b], [c, d]) = (gather::transposed::<0>(rows), gather::transposed::<2>(rows));
        let ([e, f], [g, h]) = (gather::transposed::<4>(rows), gather::transposed::<6>(rows));
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn gather(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES]; 2] {
        let pairs = gather::checked(rows, pairs);
        [Self::transpose(pairs.rows::<0>()), Self::transpose(pairs.rows::<1>())]
    }
    #[inline(always)]
    fn gather_half(rows: &[CacheLine], pairs: &[PointPair; LANES]) -> [[Self; LANES / 2]; 2] {
        let pairs = gather::checked(rows, pairs);
        [gather::transposed_halves(pairs.rows::<0>()), gather::transposed_halves(pairs.rows::<1>())]
    }
    #[inline(always)]
    fn negations(pairs: &[PointPair; LANES]) -> [Mask8; 2] {
        let [low, high] = gather::words(pairs);
        let (first, second) = (|x| intrinsic!(_mm256_slli_epi64::<63>(x)), |x| intrinsic!(_mm256_slli_epi64::<31>(x)));
        [top_bits([first(low), first(high)]), top_bits([second(low), second(high)])]
    }
    #[inline(always)]
    fn kernel<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: see `Pair256`: we are under the `run` of a token, so the CPU has AVX2, FMA and BMI2.
        unsafe { fma::fma_kernel(kernel) }
    }
    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: see `Pair256`: we are under the `run` of a token, so the CPU has AVX2, FMA and BMI2.
        unsafe { fma::between_call(kernel) }
    }
    #[inline(always)]
    fn product<P: ReducedProduct<N>, const N: usize>(
        a: &[Self; 5],
        b: &[Self; 5],
        c: &[Self; 5],
        d: &[Self; 5],
    ) -> [Self; N] {
        // SAFETY: see `Pair256`: we are under the `run` of a token, so the CPU has AVX2, FMA and BMI2.
        unsafe { fma::between_product::<P, N>(a, b, c, d) }
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        // SAFETY: see `Pair256`: we are under the `run` of a token, so the CPU has AVX2, FMA and BMI2.
        unsafe { fma::root(op) }
    }
}
