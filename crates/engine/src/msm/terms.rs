//! Numbers as signed digits of a fixed width, window by window.

use alloc::{vec, vec::Vec};
use core::ops::Range;

/// The widest window: a digit and its sign have 16 bits.
pub const MAX_WIDTH: u32 = 15;

/// The sign of a digit.
const NEGATIVE: u16 = 1 << 15;

/// A number of `N` 64-bit words with a sign, by which a point is to be multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term<const N: usize> {
    /// The absolute value, least significant word first.
    pub magnitude: [u64; N],
    /// Whether the number is negative.
    pub negative: bool,
}

/// The digits of many terms: `number = sum of digit_w 2^(width w)`, each digit at most `2^(width - 1)` in absolute value.
#[derive(Debug, Clone)]
pub struct Terms {
    width: u32,
    count: usize,
    /// Window after window, a digit a term: the absolute value, and above it the sign.
    digits: Vec<u16>,
}

impl Terms {
    /// The windows that numbers below `2^bits` have: so many that the last has room for a carry.
    pub const fn windows_of(width: u32, bits: u32) -> usize {
        (bits / width + 1) as usize
    }

    /// The digits of numbers below `2^bits`.
    ///
    /// # Panics
    /// If the width is not from 2 to [`MAX_WIDTH`], or the numbers have fewer bits than that.
    pub fn new<const N: usize>(width: u32, bits: u32, numbers: impl ExactSizeIterator<Item = Term<N>>) -> Terms {
        assert!((2..=MAX_WIDTH).contains(&width) && bits as usize <= 64 * N);
        let (count, windows) = (numbers.len(), Self::windows_of(width, bits));
        let mut digits = vec![0; windows * count];
        // Half a window's range, added in each window but the last, turns signed digits into unsigned ones that much higher.
        let half = 1u16 << (width - 1);
        let mut offset = [0u64; N];
        for window in 0..windows - 1 {
            let bit = width as usize * (window + 1) - 1;
            offset[bit / 64] |= 1 << (bit % 64);
        }
        let ones = (1u64 << width) - 1;
        for (i, term) in numbers.enumerate() {
            let mut rest = term.magnitude;
            let mut over = false;
            for (word, offset) in rest.iter_mut().zip(offset) {
                (*word, over) = word.carrying_add(offset, over);
            }
            let mut over = u64::from(over);
            let flip = if term.negative { NEGATIVE } else { 0 };
            for window in 0..windows {
                let higher = if window + 1 < windows { half } else { 0 };
                let value = ((rest[0] & ones) as u16).wrapping_sub(higher);
                let sign = value & NEGATIVE;
                // Two's complement where negative.
                let ones = 0u16.wrapping_sub(sign >> 15);
                digits[window * count + i] = (value ^ ones).wrapping_sub(ones) | (sign ^ flip);
                for word in 0..N {
                    let next = if word + 1 < N { rest[word + 1] } else { over };
                    rest[word] = rest[word] >> width | next << (64 - width);
                }
                over >>= width;
            }
        }
        Terms { width, count, digits }
    }

    /// Bits of a window.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of terms.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of windows.
    pub fn windows(&self) -> usize {
        self.digits.len().checked_div(self.count).unwrap_or(0)
    }

    /// The terms of a window whose digit is not zero: the term, the digit's absolute value, whether it is negative.
    pub(super) fn window(&self, window: usize) -> impl Iterator<Item = (usize, usize, bool)> {
        let digits = &self.digits[self.range(window)];
        digits
            .iter()
            .enumerate()
            .filter(|(_, digit)| **digit & !NEGATIVE != 0)
            .map(|(term, digit)| (term, usize::from(digit & !NEGATIVE), digit & NEGATIVE != 0))
    }

    /// The digits of a window, as they are kept.
    pub(super) fn raw(&self, window: usize) -> &[u16] {
        &self.digits[self.range(window)]
    }

    fn range(&self, window: usize) -> Range<usize> {
        window * self.count..(window + 1) * self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn digits_add_up() {
        let mut numbers = vec![0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 127, u128::MAX / 3, u128::MAX / 3 * 2];
        numbers.extend((0..128).flat_map(|bit| [1u128 << bit, (1u128 << bit) - 1, u128::MAX << bit]));
        for bits in [1, 5, 63, 64, 65, 127, 128] {
            let kept: Vec<u128> = numbers.iter().copied().filter(|number| bits == 128 || number >> bits == 0).collect();
            for width in 2..=MAX_WIDTH {
                let words = |number: u128| [number as u64, (number >> 64) as u64];
                let term = |(i, &number): (usize, _)| Term { magnitude: words(number), negative: i % 2 == 1 };
                let terms = Terms::new(width, bits, kept.iter().enumerate().map(term));
                let mut sums = vec![BigInt::ZERO; kept.len()];
                for window in (0..terms.windows()).rev() {
                    sums.iter_mut().for_each(|sum| *sum <<= width);
                    for (term, digit, negative) in terms.window(window) {
                        assert!((1..=1 << (width - 1)).contains(&digit));
                        sums[term] += if negative { -BigInt::from(digit) } else { BigInt::from(digit) };
                    }
                }
                for (i, (sum, number)) in sums.iter().zip(&kept).enumerate() {
                    let expected = if i % 2 == 1 { -BigInt::from(*number) } else { BigInt::from(*number) };
                    assert_eq!(*sum, expected, "width {width}, {bits} bits");
                }
            }
        }
        assert_eq!(Terms::new::<2>(5, 128, core::iter::empty()).windows(), 0);
    }
}
