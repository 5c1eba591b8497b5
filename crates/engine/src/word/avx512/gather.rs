//! Rows from anywhere in memory, one per lane.

use super::{CacheLine, LANES, Multiplier, PointPair, Word, Word512, unpack};
use crate::word::checked::{Checked, end};
use core::arch::x86_64::*;

/// The pairs as eight words, the first reference of each in the lower half.
#[inline(always)]
pub(super) fn words(pairs: &[PointPair; LANES]) -> __m512i {
    // SAFETY: eight pairs of two `u32` each are 64 readable bytes, and the load has no alignment requirement; a
    // `Word512` is only worked on where the CPU has the instructions.
    unsafe { _mm512_loadu_si512(pairs.as_ptr().cast()) }
}

/// Panics if a reference is not to one of the rows.
#[inline(always)]
pub(super) fn checked<'a>(rows: &'a [CacheLine], pairs: &'a [PointPair; LANES]) -> Checked<'a> {
    // SAFETY: the instruction works on registers only; a `Word512` is only worked on where the CPU has it.
    let below = unsafe { _mm512_cmplt_epu32_mask(words(pairs), _mm512_set1_epi32(end(rows) as i32)) };
    assert!(below == u16::MAX, "a reference is not to one of the rows");
    // SAFETY: every reference is below the end.
    unsafe { Checked::new(rows, pairs) }
}

/// The first halves of the rows that are the first or the second of each lane's pair, transposed.
#[inline(always)]
pub(super) fn halves<M: Multiplier, const WHICH: usize>(rows: &Checked<'_>) -> [Word512<M>; LANES / 2] {
    let halves = |low: usize, high: usize| {
        let (low, high) = (rows.row::<WHICH>(low).as_ptr(), rows.row::<WHICH>(high).as_ptr());
        // SAFETY: each pointer is to 64 readable bytes, of which 32 are read, without an alignment requirement; a
        // `Word512` is only worked on where the CPU has the instructions.
        Word512::of(unsafe {
            let low = _mm512_castsi256_si512(_mm256_loadu_si256(low.cast()));
            _mm512_mask_broadcast_i64x4(low, 0xf0, _mm256_loadu_si256(high.cast()))
        })
    };
    // Lanes 0 and 4 side by side, and so on: two transpositions of four rows at once.
    let (a, b, c, d) = (halves(0, 4), halves(1, 5), halves(2, 6), halves(3, 7));
    let ((ab0, ab1), (cd0, cd1)) = (unpack(a, b), unpack(c, d));
    let low = Word512::<M>::from_lanes([0, 1, 8, 9, 4, 5, 12, 13]);
    let high = Word512::<M>::from_lanes([2, 3, 10, 11, 6, 7, 14, 15]);
    // SAFETY: the instruction works on registers only; a `Word512` is only worked on where the CPU has it.
    let choose = |a: Word512<M>, b: Word512<M>, places: Word512<M>| {
        Word512::of(unsafe { _mm512_permutex2var_epi64(a.0, places.0, b.0) })
    };
    [choose(ab0, cd0, low), choose(ab1, cd1, low), choose(ab0, cd0, high), choose(ab1, cd1, high)]
}
