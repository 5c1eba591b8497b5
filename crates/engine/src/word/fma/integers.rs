//! Eight 64-bit integers in two AVX2 registers: what the doubles beside them need for going from words and back.

use super::Pair;
use crate::word::{EmulatedNarrow, LANES, Mask8, Op, Word};
use core::arch::x86_64::*;

/// Eight `u64` in two registers. Like [`Pair`], which names it, only code under [`super::Fma::run`] comes to work on
/// it: that is the safety argument of every block below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integers(pub(super) __m256i, pub(super) __m256i);

impl Integers {
    /// The operation lane by lane, through memory: for what this backend does seldom.
    #[inline(always)]
    fn lanes(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let (a, b) = (self.to_lanes(), other.to_lanes());
        Self::from_lanes(core::array::from_fn(|i| f(a[i], b[i])))
    }
    /// The top bits of all lanes.
    #[inline(always)]
    fn signs(self) -> Mask8 {
        let half = |half| intrinsic!(_mm256_movemask_pd(_mm256_castsi256_pd(half))) as u8;
        Mask8(half(self.0) | half(self.1) << (LANES / 2))
    }
    /// All bits of the lanes that are set.
    #[inline(always)]
    fn of_mask(mask: Mask8) -> Self {
        let all = Self::splat(mask.0.into());
        let bit = Self::from_lanes([1, 2, 4, 8, 16, 32, 64, 128]);
        let set = all.and(bit);
        Self(intrinsic!(_mm256_cmpeq_epi64(set.0, bit.0)), intrinsic!(_mm256_cmpeq_epi64(set.1, bit.1)))
    }
}

/// An operation on both registers.
macro_rules! both {
    ($name:ident, $a:expr $(, $b:expr)?) => {
        Integers(intrinsic!($name($a.0 $(, $b.0)?)), intrinsic!($name($a.1 $(, $b.1)?)))
    };
}

impl Word for Integers {
    const NAME: &'static str = "fma";

    type Narrow = EmulatedNarrow;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        let half = intrinsic!(_mm256_set1_epi64x(value as i64));
        Self(half, half)
    }
    #[inline(always)]
    fn from_lanes(lanes: [u64; LANES]) -> Self {
        // SAFETY: the array is 64 readable bytes, read as two loads of 32 without an alignment requirement; CPU
        // support as above.
        unsafe {
            Self(_mm256_loadu_si256(lanes.as_ptr().cast()), _mm256_loadu_si256(lanes.as_ptr().add(LANES / 2).cast()))
        }
    }
    #[inline(always)]
    fn to_lanes(self) -> [u64; LANES] {
        let mut lanes = [0; LANES];
        // SAFETY: the array is 64 writable bytes, written as two stores of 32 without an alignment requirement; CPU
        // support as above.
        unsafe {
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(lanes.as_mut_ptr().add(LANES / 2).cast(), self.1);
        }
        lanes
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        both!(_mm256_add_epi64, self, other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        both!(_mm256_sub_epi64, self, other)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        both!(_mm256_and_si256, self, other)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        both!(_mm256_or_si256, self, other)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        both!(_mm256_xor_si256, self, other)
    }
    #[inline(always)]
    fn shl<const BITS: u32>(self) -> Self {
        self.shl_lanes(Self::splat(BITS.into()))
    }
    #[inline(always)]
    fn shr<const BITS: u32>(self) -> Self {
        self.shr_lanes(Self::splat(BITS.into()))
    }
    /// The sign is moved to where a logical shift leaves it, then spread by a subtraction.
    #[inline(always)]
    fn sar<const BITS: u32>(self) -> Self {
        let sign = Self::splat(1 << (63 - BITS));
        self.shr::<BITS>().xor(sign).sub(sign)
    }
    #[inline(always)]
    fn shr_lanes(self, bits: Self) -> Self {
        both!(_mm256_srlv_epi64, self, bits)
    }
    #[inline(always)]
    fn shl_lanes(self, bits: Self) -> Self {
        both!(_mm256_sllv_epi64, self, bits)
    }
    #[inline(always)]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        const LOW: u64 = (1 << 52) - 1;
        self.add(a.lanes(b, |a, b| (a & LOW).wrapping_mul(b & LOW) & LOW))
    }
    #[inline(always)]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        const LOW: u64 = (1 << 52) - 1;
        self.add(a.lanes(b, |a, b| (((a & LOW) as u128 * (b & LOW) as u128) >> 52) as u64))
    }
    #[inline(always)]
    fn equal(self, other: Self) -> Mask8 {
        both!(_mm256_cmpeq_epi64, self, other).signs()
    }
    /// Signed comparison, both moved down by half the range.
    #[inline(always)]
    fn less(self, other: Self) -> Mask8 {
        let sign = Self::splat(1 << 63);
        let (a, b) = (self.xor(sign), other.xor(sign));
        both!(_mm256_cmpgt_epi64, b, a).signs()
    }
    #[inline(always)]
    fn negative(self) -> Mask8 {
        self.signs()
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        let mask = Self::of_mask(mask);
        let kept = both!(_mm256_andnot_si256, mask, if_clear);
        mask.and(if_set).or(kept)
    }
    #[inline(always)]
    fn lookup16(table: &[u64; 16], index: Self) -> Self {
        (0..16).fold(Self::splat(0), |found, i| {
            let here = both!(_mm256_cmpeq_epi64, index, Self::splat(i));
            found.or(here.and(Self::splat(table[i as usize])))
        })
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        let lanes = self.to_lanes();
        Self::lookup16(&core::array::from_fn(|i| lanes[i % LANES]), index)
    }
    #[inline(always)]
    fn transpose(rows: [&[u64; LANES]; LANES]) -> [Self; LANES] {
        core::array::from_fn(|column| Self::from_lanes(core::array::from_fn(|row| rows[row][column])))
    }
    #[inline(always)]
    fn root<O: Op>(op: O) -> O::Output {
        // SAFETY: see `Pair`: we are under `Fma::run`, so the CPU has the features.
        unsafe { integers_root(op) }
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2")]
fn integers_root<O: Op>(op: O) -> O::Output {
    op.call::<Integers>()
}

const _: () = assert!(size_of::<Integers>() == size_of::<Pair>());
