//! Numbers as signed digits of a fixed width, window by window.

use super::limits::MAX_WIDTH;
use crate::limbs::carrying_add;
use crate::{
    arena::NumberList,
    word::{LANES, Machine, Op, PointRef, Word},
};
use core::ops::Range;

/// A number of `N` 64-bit words with a sign, by which a point is to be multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedInt<const N: usize> {
    /// The absolute value, least significant word first.
    pub magnitude: [u64; N],
    /// Whether the number is negative.
    pub negative: bool,
}

/// A digit: twice its absolute value, plus one if it is negative. In memory it is a plain number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SignedDigit(u32);

impl SignedDigit {
    /// The absolute value.
    #[inline(always)]
    pub(super) fn bucket(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The reference to row `point`, or to its negative if the digit is negative.
    #[inline(always)]
    pub(super) fn of(self, point: usize) -> PointRef {
        PointRef::new(point, self.0 & 1 != 0)
    }
}

/// The digits of many terms: `number = sum of digit_w 2^(width w)` over the windows w. A digit is at most
/// `2^(width - 1)` in absolute value. Only the last window's digit may be larger, because there is no window above it
/// to carry to.
pub(super) struct DigitMatrix<'m> {
    width: u32,
    bits: u32,
    /// The number of windows that the numbers have. `windows` are those whose digits are here.
    all: usize,
    count: usize,
    windows: Range<usize>,
    /// Window after window, and in each a digit per term.
    digits: NumberList<'m, u32>,
}

impl<'m> DigitMatrix<'m> {
    /// The number of windows of numbers below `2^bits`.
    pub(super) const fn windows_of(width: u32, bits: u32) -> usize {
        bits.div_ceil(width) as usize
    }

    /// The greatest absolute value that a digit of window `window` may have, for numbers below `2^bits`.
    pub(super) const fn greatest(width: u32, bits: u32, window: usize) -> usize {
        let left = bits - width * window as u32;
        1 << if left <= width { left } else { width - 1 }
    }

    /// A matrix without terms, for the digits of numbers below `2^bits` in the windows `windows`. `digits` has room for
    /// a digit of each term in each of them.
    ///
    /// # Panics
    /// If the width is not from 2 to [`MAX_WIDTH`], or `windows` goes beyond the windows of such numbers.
    pub(super) fn empty(width: u32, bits: u32, windows: Range<usize>, digits: NumberList<'m, u32>) -> Self {
        assert!((2..=MAX_WIDTH).contains(&width));
        let all = Self::windows_of(width, bits);
        assert!(windows.end <= all);
        DigitMatrix { width, bits, all, count: 0, windows, digits }
    }

    /// Replaces all digits by those of `numbers`: term `i` is `numbers[i]`. `machine` computes them.
    ///
    /// # Panics
    /// If a number of `bits` bits does not fit `N` words, `N` is more than four, or there is no room for the terms.
    pub(super) fn set<M: Machine, const N: usize>(&mut self, machine: M, numbers: &[SignedInt<N>]) {
        assert!(self.bits as usize <= 64 * N && N < WORDS);
        self.count = numbers.len();
        self.digits.clear();
        let digits = self.digits.lengthen(self.windows.len() * self.count);
        machine.run(Digits { width: self.width, all: self.all, windows: self.windows.clone(), numbers, digits });
    }

    /// Bits of a window.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// The number of terms.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The digits of a window.
    #[inline(always)]
    pub(super) fn digits(&self, window: usize) -> impl ExactSizeIterator<Item = SignedDigit> {
        self.digits_of(window, 0..self.count)
    }

    /// The digits of a window and of some terms.
    #[inline(always)]
    pub(super) fn digits_of(&self, window: usize, terms: Range<usize>) -> impl ExactSizeIterator<Item = SignedDigit> {
        self.digits[self.range(window)][terms].iter().map(|digit| SignedDigit(*digit))
    }

    fn range(&self, window: usize) -> Range<usize> {
        let window = window - self.windows.start;
        window * self.count..(window + 1) * self.count
    }
}

/// The words of the longest number, and one for a carry.
const WORDS: usize = 5;

/// Computes the digits of `numbers`, eight numbers at a time.
struct Digits<'a, const N: usize> {
    width: u32,
    /// The number of windows that the numbers have. `windows` are those whose digits are wanted.
    all: usize,
    windows: Range<usize>,
    numbers: &'a [SignedInt<N>],
    digits: &'a mut [u32],
}

impl<const N: usize> Op for Digits<'_, N> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let Digits { width, all, windows, numbers: all_numbers, digits } = self;
        // `2^(width - 1)` is added in each window but the last. That makes each signed digit an unsigned one, larger by
        // as much.
        let mut offset = [0u64; N];
        for window in 0..all - 1 {
            let bit = width as usize * (window + 1) - 1;
            offset[bit / 64] |= 1 << (bit % 64);
        }
        let (ones, zero, one) = (W::splat((1 << width) - 1), W::splat(0), W::splat(1));
        for first in (0..all_numbers.len()).step_by(LANES) {
            let numbers = &all_numbers[first..all_numbers.len().min(first + LANES)];
            let (mut words, mut flip) = ([[0; LANES]; WORDS], [0; LANES]);
            for (lane, number) in numbers.iter().enumerate() {
                let mut over = false;
                for word in 0..N {
                    (words[word][lane], over) = carrying_add(number.magnitude[word], offset[word], over);
                }
                words[N][lane] = u64::from(over);
                flip[lane] = u64::from(number.negative);
            }
            let flip = W::from_lanes(flip);
            for (row, window) in windows.clone().enumerate() {
                let bit = width as usize * window;
                let (word, shift) = (bit / 64, (bit % 64) as u64);
                let low = W::from_lanes(words[word]).shr_lanes(W::splat(shift));
                let high = W::from_lanes(words[word + 1]).shl::<1>().shl_lanes(W::splat(63 - shift));
                let higher = if window + 1 < all { 1 << (width - 1) } else { 0 };
                // The last digit is all bits that are left, and the carry.
                let ones = if window + 1 < all { ones } else { W::splat(u64::MAX) };
                let digit = low.or(high).and(ones).sub(W::splat(higher));
                let negative = digit.negative();
                let magnitude = W::select(negative, zero.sub(digit), digit);
                let lanes = magnitude.shl::<1>().or(W::select(negative, one, zero).xor(flip)).to_lanes();
                let place = row * all_numbers.len() + first;
                for (out, digit) in digits[place..place + numbers.len()].iter_mut().zip(lanes) {
                    *out = digit as u32;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        arena::{Numbers, lines_for},
        word::{CacheLine, Emulation},
    };
    use alloc::{vec, vec::Vec};
    use num_bigint::BigInt;

    /// The terms of a window whose digit is not zero: the term, the digit's absolute value, whether it is negative.
    fn window(terms: &DigitMatrix<'_>, window: usize) -> impl Iterator<Item = (usize, usize, bool)> {
        let digits = terms.digits(window).map(|digit| (digit.bucket(), digit.of(7).is_negated())).enumerate();
        digits.filter(|(_, (digit, _))| *digit != 0).map(|(term, (digit, negative))| (term, digit, negative))
    }

    #[test]
    fn digits_add_up() {
        let mut numbers = vec![0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 127, u128::MAX / 3, u128::MAX / 3 * 2];
        numbers.extend((0..128).flat_map(|bit| [1u128 << bit, (1u128 << bit) - 1, u128::MAX << bit]));
        for bits in [1, 5, 63, 64, 65, 127, 128] {
            let kept: Vec<u128> = numbers.iter().copied().filter(|number| bits == 128 || number >> bits == 0).collect();
            for width in 2..=MAX_WIDTH {
                let words = |number: u128| [number as u64, (number >> 64) as u64];
                let term = |(i, &number): (usize, _)| SignedInt { magnitude: words(number), negative: i % 2 == 1 };
                let numbers: Vec<_> = kept.iter().enumerate().map(term).collect();
                let windows = 0..DigitMatrix::windows_of(width, bits);
                let mut memory =
                    [(); 2].map(|()| vec![CacheLine([9; 8]); lines_for::<u32>(windows.end * numbers.len().max(99))]);
                let [whole, part] = &mut memory;
                fn digits<'m>(
                    [width, bits]: [u32; 2],
                    windows: Range<usize>,
                    numbers: &[SignedInt<2>],
                    memory: &'m mut [CacheLine],
                ) -> DigitMatrix<'m> {
                    let room = windows.len() * numbers.len().max(99);
                    let mut terms = DigitMatrix::empty(width, bits, windows, Numbers::new(memory).list(room));
                    // Whatever was there before.
                    terms.set(Emulation, &[numbers[2]; 99]);
                    terms.set(Emulation, numbers);
                    terms
                }
                let terms = digits([width, bits], windows.clone(), &numbers, whole);
                let mut sums = vec![BigInt::ZERO; kept.len()];
                for window in windows.clone().rev() {
                    sums.iter_mut().for_each(|sum| *sum <<= width);
                    for (term, digit, negative) in self::window(&terms, window) {
                        assert!((1..=DigitMatrix::greatest(width, bits, window)).contains(&digit));
                        sums[term] += if negative { -BigInt::from(digit) } else { BigInt::from(digit) };
                    }
                }
                let (some, end) = (windows.end / 3..windows.end / 2, windows.end);
                let part = digits([width, bits], some.clone(), &numbers, part);
                for window in some {
                    assert!(part.digits(window).eq(terms.digits(window)), "window {window} of {end}");
                }
                for (i, (sum, number)) in sums.iter().zip(&kept).enumerate() {
                    let expected = if i % 2 == 1 { -BigInt::from(*number) } else { BigInt::from(*number) };
                    assert_eq!(*sum, expected, "width {width}, {bits} bits");
                }
            }
        }
        let none = DigitMatrix::empty(5, 128, 3..7, Numbers::new(&mut []).list(0));
        assert_eq!((none.count(), none.digits(6).len()), (0, 0));
    }
}
