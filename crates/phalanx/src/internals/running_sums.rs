//! Pippenger's method as it is usually written: each point is added to its bucket at once, and buckets are weighted by
//! running sums. Comparing with this shows what rounds of affine additions are worth.

use crate::{
    group::{self, Jacobian, Secp256k1},
    msm::sum::Layout,
    tables::Entry,
};
use alloc::vec;
use phalanx_engine::msm::SignedInt;

/// The sum of numbers times finite points, by windows of the layout's width.
pub(super) fn running_sums<const N: usize>(layout: &Layout, numbers: &[SignedInt<N>], points: &[Entry]) -> Jacobian {
    let (zero, width) = (Jacobian::infinity(), layout.plan.width);
    let windows = layout.bits.div_ceil(width);
    (0..windows).rev().fold(zero, |total, window| {
        let is_last = window + 1 == windows;
        let mut buckets = vec![zero; 1 << (width - u32::from(!is_last))];
        for (number, point) in numbers.iter().zip(points.iter().map(group::affine)) {
            let digit = signed_digit(number, width, window, is_last);
            if let Some(bucket) = (digit.unsigned_abs() as usize).checked_sub(1) {
                let point = if digit < 0 { point.negate() } else { point };
                buckets[bucket] = buckets[bucket].add_mixed_vartime::<Secp256k1>(point);
            }
        }
        let (_, sum) = buckets.into_iter().rev().fold((zero, zero), |(running, sum), bucket| {
            let running = running.add_vartime::<Secp256k1>(bucket);
            (running, sum.add_vartime::<Secp256k1>(running))
        });
        (0..width).fold(total, |total, _| total.double_vartime::<Secp256k1>()).add_vartime::<Secp256k1>(sum)
    })
}

/// The digit of a window. It is at most `2^(width - 1)` in absolute value: a window whose highest bit is set counts
/// `2^width` less, and the next one 1 more. No window follows the last one, whose digit is all that is left.
fn signed_digit<const N: usize>(number: &SignedInt<N>, width: u32, window: u32, is_last: bool) -> i32 {
    let word = |index: u32| u128::from(number.magnitude.get(index as usize).copied().unwrap_or(0));
    let from = |bit: u32| ((word(bit / 64 + 1) << 64 | word(bit / 64)) >> (bit % 64)) as i32;
    let low = width * window;
    let bits = from(low) & ((1 << width) - 1);
    let carried = if window == 0 { 0 } else { from(low - 1) & 1 };
    let carry = if is_last { 0 } else { bits >> (width - 1) };
    let digit = bits + carried - (carry << width);
    if number.negative { -digit } else { digit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, BigUint};

    fn check<const N: usize>(magnitude: [u64; N], negative: bool) {
        let words = magnitude.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << 64u32) + *word);
        let number = SignedInt { magnitude, negative };
        for width in 2..=16 {
            let windows = (64 * N as u32).div_ceil(width);
            let sum = (0..windows).rev().fold(BigInt::ZERO, |sum, window| {
                let is_last = window + 1 == windows;
                let digit = signed_digit(&number, width, window, is_last);
                assert!(digit.unsigned_abs() <= 1 << (width - u32::from(!is_last)), "{digit} of {width} bits");
                (sum << width) + digit
            });
            assert_eq!(sum, if negative { -BigInt::from(words.clone()) } else { words.clone().into() }, "{width} bits");
        }
    }

    #[test]
    fn digits_are_those_of_the_number() {
        let corners =
            [0, 1, 1 << 63, u64::MAX, u64::MAX - 1, u64::MAX >> 1, 0xaaaa_aaaa_aaaa_aaaa, 0x0123_4567_89ab_cdef];
        for (low, high) in corners.into_iter().flat_map(|low| corners.map(|high| (low, high))) {
            for negative in [false, true] {
                check([low, high], negative);
                check([low, high, !low, high], negative);
            }
        }
    }
}
