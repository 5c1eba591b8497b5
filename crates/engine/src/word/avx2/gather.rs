//! Rows from anywhere in memory, one per lane.

use super::{CacheLine, Halves, LANES, Pair256, PointPair, load};
use crate::word::checked::{Checked, end};
use core::arch::x86_64::*;

/// The pairs as eight words, the first reference of each in the lower half.
#[inline(always)]
pub(super) fn words(pairs: &[PointPair; LANES]) -> Halves {
    // SAFETY: eight pairs of two `u32` each are 64 readable bytes; a `Pair256` is only worked on where the CPU has AVX2.
    unsafe { load(pairs.as_ptr().cast()) }
}

/// Two words of each of two rows, from place `AT` on.
#[inline(always)]
fn two_words<const AT: usize>(low: &[u64; LANES], high: &[u64; LANES]) -> __m256i {
    const { assert!(AT + 2 <= LANES) };
    let (low, high) = (low.as_ptr().wrapping_add(AT), high.as_ptr().wrapping_add(AT));
    // SAFETY: both addresses are of 16 readable bytes within a row of 64; the loads have no alignment requirement, and a
    // `Pair256` is only worked on where the CPU has AVX2.
    unsafe {
        let low = _mm256_castsi128_si256(_mm_loadu_si128(low.cast()));
        _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(high.cast()))
    }
}

/// The words at place `AT` of four rows, and those at the next place.
#[inline]
#[target_feature(enable = "avx2")]
fn columns<const AT: usize>([a, b, c, d]: [&[u64; LANES]; 4]) -> Halves {
    let (even, odd) = (two_words::<AT>(a, c), two_words::<AT>(b, d));
    [_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd)]
}

/// Words `AT` and the next one of all rows, transposed: lane `i` of the first is `rows[i][AT]`.
///
/// Two words of two rows are loaded into one register, the second row by an insertion from memory, so that one exchange
/// of words is left.
#[inline(always)]
pub(super) fn transposed<const AT: usize>(rows: [&[u64; LANES]; LANES]) -> [Pair256; 2] {
    let [a, b, c, d, e, f, g, h] = rows;
    let ([low, next_low], [high, next_high]) =
        (intrinsic!(columns::<AT>([a, b, c, d])), intrinsic!(columns::<AT>([e, f, g, h])));
    [Pair256([low, high]), Pair256([next_low, next_high])]
}

/// The first four words of all rows, transposed.
#[inline(always)]
pub(super) fn transposed_halves(rows: [&[u64; LANES]; LANES]) -> [Pair256; LANES / 2] {
    let ([a, b], [c, d]) = (transposed::<0>(rows), transposed::<2>(rows));
    [a, b, c, d]
}

/// Panics if a reference is not to one of the rows.
#[inline(always)]
pub(super) fn checked<'a>(rows: &'a [CacheLine], pairs: &'a [PointPair; LANES]) -> Checked<'a> {
    let end = intrinsic!(_mm256_set1_epi32(end(rows) as i32));
    let [low, high] = words(pairs);
    // What is not below the end is the larger of the two.
    let beyond = |half| intrinsic!(_mm256_cmpeq_epi32(_mm256_max_epu32(half, end), half));
    let beyond = intrinsic!(_mm256_or_si256(beyond(low), beyond(high)));
    assert!(intrinsic!(_mm256_movemask_epi8(beyond)) == 0, "a reference is not to one of the rows");
    // SAFETY: no reference is the end or more.
    unsafe { Checked::new(rows, pairs) }
}
