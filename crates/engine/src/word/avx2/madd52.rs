//! Products of 52 bits by fused multiplications of doubles. Source: Niall Emmart, Fangyu Zheng and Charles Weems,
//! "Faster modular exponentiation using double precision floating point arithmetic on the GPU", ARITH 2018; here in the
//! default rounding mode.
//!
//! For integers a, b < 2^52, which doubles hold exactly:
//!
//! - s = fma(a, b, 2^104) lies in [2^104, 2^105], where doubles are the multiples of 2^52 (the right end included): s =
//!   2^104 + 2^52 h for an integer h, and s is nearest to the exact sum, so that a b = 2^52 h + l with |l| <= 2^51.
//! - 2^104 - s = -2^52 h is a double. It is added to 2^52 + 2^51 at once: (2^104 + 2^52 + 2^51) would not be one, so the
//!   difference comes first, and the sum 3 * 2^51 - 2^52 h, a multiple of 2^51 below 2^53 * 2^51 in size, is exact.
//! - t = fma(a, b, 3 * 2^51 - 2^52 h) = 3 * 2^51 + l lies in [2^52, 2^53], where doubles are the integers: exact.
//!
//! The bits of doubles in [2^52, 2^53] are those of 2^52 plus the integer t - 2^52, at the right end too; likewise those
//! of s are those of 2^104 plus h. With l below zero, the high part of the product is h - 1 and the low part l + 2^52.

use super::splat;
use core::arch::x86_64::*;

/// 2^e.
const fn power(e: u64) -> u64 {
    (1023 + e) << 52
}

/// 3 * 2^51.
const MIDDLE: u64 = power(52) | 1 << 51;

/// What both halves of a product are made from; the compiler computes it once for both.
pub(super) struct Halves52 {
    /// The bits of 2^104 + 2^52 h.
    high: __m256i,
    /// The bits of 3 * 2^51 + l.
    low: __m256i,
}

#[inline(always)]
fn double(bits: u64) -> __m256d {
    intrinsic!(_mm256_castsi256_pd(splat(bits)))
}

/// The low 52 bits as a double: as the fraction of a number in [2^52, 2^53), from which 2^52 is taken.
#[inline(always)]
fn of_low52(word: __m256i) -> __m256d {
    let fraction = intrinsic!(_mm256_and_si256(word, splat((1 << 52) - 1)));
    let shifted = intrinsic!(_mm256_castsi256_pd(_mm256_or_si256(fraction, splat(power(52)))));
    intrinsic!(_mm256_sub_pd(shifted, double(power(52))))
}

impl Halves52 {
    #[inline(always)]
    pub(super) fn of(a: __m256i, b: __m256i) -> Self {
        let (a, b) = (of_low52(a), of_low52(b));
        // SAFETY: the instructions work on registers only; this is only worked on where the CPU has FMA.
        let (high, low) = unsafe {
            let high = _mm256_fmadd_pd(a, b, double(power(104)));
            let rest = _mm256_add_pd(_mm256_sub_pd(double(power(104)), high), double(MIDDLE));
            (high, _mm256_fmadd_pd(a, b, rest))
        };
        Self { high: intrinsic!(_mm256_castpd_si256(high)), low: intrinsic!(_mm256_castpd_si256(low)) }
    }

    /// The low 52 bits: l modulo 2^52.
    #[inline(always)]
    pub(super) fn low(&self) -> __m256i {
        let l = intrinsic!(_mm256_sub_epi64(self.low, splat(MIDDLE)));
        intrinsic!(_mm256_and_si256(l, splat((1 << 52) - 1)))
    }

    /// `sum` plus the bits from 52 on: h, less one where l is below zero.
    #[inline(always)]
    pub(super) fn add_high(&self, sum: __m256i) -> __m256i {
        let borrow = intrinsic!(_mm256_cmpgt_epi64(splat(MIDDLE), self.low));
        let high = intrinsic!(_mm256_sub_epi64(self.high, splat(power(104))));
        intrinsic!(_mm256_add_epi64(_mm256_add_epi64(sum, borrow), high))
    }
}
