//! Rows from anywhere in memory, one per lane.

use super::{CacheLine, LANES, PointPair, Quad, Registers};
use crate::word::checked::{Checked, end};
use core::arch::aarch64::*;

/// The pairs as eight words, the first reference of each in the lower half.
#[inline(always)]
pub(super) fn words(pairs: &[PointPair; LANES]) -> Registers {
    // SAFETY: eight pairs of two `u32` each are 64 readable bytes, read as four loads of 16, which need no alignment
    // beyond a `u32`'s.
    let uint32x4x4_t(a, b, c, d) = unsafe { vld1q_u32_x4(pairs.as_ptr().cast()) };
    instructions!(vreinterpretq_u64_u32([a, b, c, d]))
}

/// Two words of a row, from place `AT` on.
#[inline(always)]
fn two_words<const AT: usize>(row: &[u64; LANES]) -> uint64x2_t {
    const { assert!(AT + 2 <= LANES) };
    // SAFETY: the address is of 16 readable bytes within a row of 64, and is aligned for a `u64`.
    unsafe { vld1q_u64(row.as_ptr().wrapping_add(AT)) }
}

/// The words at place `AT` of two rows, and those at the next place.
#[inline(always)]
fn columns<const AT: usize>(even: &[u64; LANES], odd: &[u64; LANES]) -> [uint64x2_t; 2] {
    let (even, odd) = (two_words::<AT>(even), two_words::<AT>(odd));
    [intrinsic!(vzip1q_u64(even, odd)), intrinsic!(vzip2q_u64(even, odd))]
}

/// Words `AT` and the next one of all rows, transposed: lane `i` of the first is `rows[i][AT]`.
#[inline(always)]
pub(super) fn transposed<const AT: usize>([a, b, c, d, e, f, g, h]: [&[u64; LANES]; LANES]) -> [Quad; 2] {
    let ([ab, next_ab], [cd, next_cd]) = (columns::<AT>(a, b), columns::<AT>(c, d));
    let ([ef, next_ef], [gh, next_gh]) = (columns::<AT>(e, f), columns::<AT>(g, h));
    [Quad([ab, cd, ef, gh]), Quad([next_ab, next_cd, next_ef, next_gh])]
}

/// The first four words of all rows, transposed.
#[inline(always)]
pub(super) fn transposed_halves(rows: [&[u64; LANES]; LANES]) -> [Quad; LANES / 2] {
    let ([a, b], [c, d]) = (transposed::<0>(rows), transposed::<2>(rows));
    [a, b, c, d]
}

/// Panics if a reference is not to one of the rows.
#[inline(always)]
pub(super) fn checked<'a>(rows: &'a [CacheLine], pairs: &'a [PointPair; LANES]) -> Checked<'a> {
    let words = words(pairs);
    let [a, b, c, d] = instructions!(vreinterpretq_u32_u64(words));
    let largest = intrinsic!(vmaxvq_u32(vmaxq_u32(vmaxq_u32(a, b), vmaxq_u32(c, d))));
    assert!(largest < end(rows), "a reference is not to one of the rows");
    // SAFETY: no reference is the end or more.
    unsafe { Checked::new(rows, pairs) }
}
