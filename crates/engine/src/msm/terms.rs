//! Numbers as digits, window by window.
//!
//! - [`Recoding::Signed`]: a number is the sum of `digit 2^(width w)`, each digit at most `2^(width - 1)` in absolute value.
//! - [`Recoding::Eisenstein`]: a number is `u + v omega`, where omega is a cube root of one, and so are the digits. A window of
//!   `c` bits takes `c` bits of both. What a digit is modulo `2^c`, some digit in the hexagon around zero is too, and of six of
//!   these that a unit (1, omega, omega^2 and their opposites) turns into each other one has a bucket: `2^(2c) / 6` buckets for `2c`
//!   bits, where signed digits have `2^(2c) / 2`. The unit is left to the point.

use super::rounds::Additions;
use crate::word::{LANES, Op, Reference, Word};
use alloc::vec::Vec;
use core::ops::Range;

/// The widest window of signed digits.
pub const MAX_WIDTH: u32 = 15;

/// The numbers of windows that Eisenstein digits may have: a window has at least two bits, and at most twelve.
pub const EISENSTEIN_WINDOWS: core::ops::RangeInclusive<u32> = 11..=64;

/// A number of `N` 64-bit words with a sign, by which a point is to be multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term<const N: usize> {
    /// The absolute value, least significant word first.
    pub magnitude: [u64; N],
    /// Whether the number is negative.
    pub negative: bool,
}

/// How numbers become digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recoding {
    /// Signed digits of so many bits.
    Signed(u32),
    /// Eisenstein integers, in so many windows.
    Eisenstein(u32),
}

/// A window: some bits of all numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its lowest bit.
    pub bit: usize,
    /// Its bits.
    pub width: u32,
    /// The greatest absolute value of a signed digit. Of digits `p + q (1 + omega)` the greatest `p + q + max(p, q)`.
    pub reach: usize,
}

impl Recoding {
    /// The windows of numbers below `2^bits` in absolute value. Of signed digits so many that the last has room for a carry. Eisenstein
    /// integers `u + v omega` are below `1.25 2^bits` in absolute value as complex numbers.
    ///
    /// # Panics
    /// If the width is not from 2 to [`MAX_WIDTH`], or the number of windows not in [`EISENSTEIN_WINDOWS`].
    pub fn windows(self, bits: u32) -> Vec<Window> {
        match self {
            Recoding::Signed(width) => {
                assert!((2..=MAX_WIDTH).contains(&width));
                // The last window has what is left of the bits, and a carry.
                let window = |index: u32| {
                    let left: u32 = bits - width * index;
                    Window { bit: (width * index) as usize, width, reach: 1 << left.min(width - 1) }
                };
                (0..=bits / width).map(window).collect()
            }
            Recoding::Eisenstein(count) => {
                assert!(EISENSTEIN_WINDOWS.contains(&count));
                let (least, wider) = (bits / count, bits % count);
                let window = |index: u32| {
                    let width = least + u32::from(index < wider);
                    // The last window has no window above it to take what does not fit into the hexagon.
                    let reach = if index + 1 < count { (1 << width) + 2 } else { (5 << width) / 2 + 3 };
                    Window { bit: (least * index + index.min(wider)) as usize, width, reach }
                };
                (0..count).map(window).collect()
            }
        }
    }

    /// The number of windows.
    pub const fn count(self, bits: u32) -> usize {
        match self {
            Recoding::Signed(width) => (bits / width + 1) as usize,
            Recoding::Eisenstein(count) => count as usize,
        }
    }

    /// The buckets of a window: a signed digit's is its absolute value, an Eisenstein integer's what [`hexagon_bucket`] says. The first is
    /// for the digit zero.
    pub(super) fn buckets(self, window: &Window) -> usize {
        match self {
            Recoding::Signed(_) => window.reach + 1,
            Recoding::Eisenstein(_) => hexagon_row(window.reach as u32 + 1) as usize,
        }
    }

    /// The numbers that a term has.
    const fn numbers(self) -> usize {
        match self {
            Recoding::Signed(_) => 1,
            Recoding::Eisenstein(_) => 2,
        }
    }

    /// The rows that a term's point has in the table: of Eisenstein integers the point times 1, omega and omega^2.
    pub const fn rows(self) -> usize {
        match self {
            Recoding::Signed(_) => 1,
            Recoding::Eisenstein(_) => 3,
        }
    }
}

/// The digit of a term in a window: the bucket, and below it which of the rows of the term's point goes there, or its opposite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Digit(u32);

impl Digit {
    /// The bits below the bucket, of which the upper two are the row's and the lowest is the opposite's.
    const ROW: u32 = 8;

    fn new(bucket: u32, row: u32, opposite: bool) -> Digit {
        Digit(bucket << Self::ROW | row << (Self::ROW - 2) | u32::from(opposite))
    }

    #[inline(always)]
    pub(super) fn bucket(self) -> usize {
        (self.0 >> Self::ROW) as usize
    }

    /// Refers to the row, of a term whose rows begin with this one.
    #[inline(always)]
    pub(super) fn reference(self, first: usize) -> Reference {
        Reference::new((self.0 >> (Self::ROW - 2) & 3) as usize, self.0 & 1 != 0).further(first)
    }
}

/// The digits of many terms.
#[derive(Debug, Clone)]
pub struct Terms {
    recoding: Recoding,
    bits: u32,
    /// All windows that the numbers have, and those whose digits are here.
    all: Vec<Window>,
    windows: Range<usize>,
    count: usize,
    /// Window after window, a digit a term.
    digits: Vec<Digit>,
}

impl Terms {
    /// No digits, of numbers below `2^bits` in some windows.
    ///
    /// # Panics
    /// As [`Recoding::windows`], or if there are fewer windows.
    pub fn empty(recoding: Recoding, bits: u32, windows: Range<usize>) -> Terms {
        let all = recoding.windows(bits);
        assert!(windows.end <= all.len());
        Terms { recoding, bits, all, windows, count: 0, digits: Vec::new() }
    }

    /// Takes the digits of these numbers in place of those it has, found on the machine of the additions. Of Eisenstein integers
    /// the first half of the numbers is u of every term, and the other half is v.
    ///
    /// # Panics
    /// If the numbers have fewer words than bits, or more than four words.
    pub fn set<A: Additions, const N: usize>(&mut self, additions: &A, numbers: &[Term<N>]) {
        assert!(self.bits as usize <= 64 * N && N + 2 <= WORDS);
        self.count = numbers.len() / self.recoding.numbers();
        self.digits.resize(self.windows.len() * self.count, Digit(0));
        let Terms { recoding, ref all, ref windows, ref mut digits, .. } = *self;
        let windows = windows.clone();
        match recoding {
            Recoding::Signed(_) => additions.run(Signed { all, windows, numbers, digits }),
            Recoding::Eisenstein(_) => additions.run(Eisenstein { all, windows, numbers, digits }),
        }
    }

    /// The number of terms.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How the numbers became digits.
    pub(super) fn recoding(&self) -> Recoding {
        self.recoding
    }

    /// The windows whose digits these are.
    pub(super) fn windows(&self) -> &[Window] {
        &self.all[self.windows.clone()]
    }

    /// The digits of one of these windows.
    pub(super) fn digits(&self, window: usize) -> &[Digit] {
        &self.digits[window * self.count..(window + 1) * self.count]
    }
}

/// Terms whose digits are found side by side, by loops that a compiler turns into vector instructions.
const SIDE_BY_SIDE: usize = 4 * LANES;

/// The words of a number at most, a carry, and what a window that begins with the carry looks at above it.
const WORDS: usize = 6;

/// The words of numbers, each with half a window's range added for each window but the last: that turns signed digits into unsigned ones
/// that much higher.
type Words = [[u64; SIDE_BY_SIDE]; WORDS];

/// Half a window's range, in each window but the last.
fn halves<const N: usize>(all: &[Window]) -> [u64; N] {
    let mut offset = [0u64; N];
    for window in &all[..all.len() - 1] {
        let bit = window.bit + window.width as usize - 1;
        offset[bit / 64] |= 1 << (bit % 64);
    }
    offset
}

/// Numbers and the offset, in two's complement.
#[inline(always)]
fn in_complement<const N: usize>(words: &mut Words, numbers: &[Term<N>], offset: &[u64; N]) {
    for (place, number) in numbers.iter().enumerate() {
        let flip = u64::from(number.negative).wrapping_neg();
        let (mut over, mut carry) = (false, number.negative);
        for word in 0..N {
            let flipped;
            (flipped, carry) = (number.magnitude[word] ^ flip).carrying_add(0, carry);
            (words[word][place], over) = flipped.carrying_add(offset[word], over);
        }
        let above = flip.wrapping_add(u64::from(carry)).wrapping_add(u64::from(over));
        for above_words in &mut words[N..] {
            above_words[place] = above;
        }
    }
}

/// 32 bits of each number from a window's first bit on, of which the digit is the lowest ones, or all in the last window; less what
/// was added to them.
#[inline(always)]
fn bits_of(out: &mut [i32; SIDE_BY_SIDE], words: &Words, window: &Window, last: bool) {
    let (word, shift) = (window.bit / 64, window.bit % 64);
    let (ones, half) = if last { (-1, 0) } else { ((1 << window.width) - 1, 1 << (window.width - 1)) };
    for (out, (low, high)) in out.iter_mut().zip(words[word].iter().zip(&words[word + 1])) {
        let bits = (low >> shift | high << 1 << (63 - shift)) as i32;
        *out = (bits & ones) - half;
    }
}

/// Finds signed digits.
struct Signed<'a, const N: usize> {
    all: &'a [Window],
    windows: Range<usize>,
    numbers: &'a [Term<N>],
    digits: &'a mut [Digit],
}

impl<const N: usize> Op for Signed<'_, N> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let Signed { all, windows, numbers, digits } = self;
        let (offset, count) = (halves::<N>(all), numbers.len());
        for first in (0..count).step_by(SIDE_BY_SIDE) {
            let end = count.min(first + SIDE_BY_SIDE);
            let mut words = [[0; SIDE_BY_SIDE]; WORDS];
            in_complement(&mut words, &numbers[first..end], &offset);
            for (row, window) in windows.clone().enumerate() {
                let (mut found, mut out) = ([0; SIDE_BY_SIDE], [Digit(0); SIDE_BY_SIDE]);
                bits_of(&mut found, &words, &all[window], window + 1 == all.len());
                for (out, digit) in out.iter_mut().zip(found) {
                    *out = Digit::new(digit.unsigned_abs(), 0, digit < 0);
                }
                digits[row * count + first..row * count + end].copy_from_slice(&out[..end - first]);
            }
        }
    }
}

/// Finds Eisenstein digits.
struct Eisenstein<'a, const N: usize> {
    all: &'a [Window],
    windows: Range<usize>,
    numbers: &'a [Term<N>],
    digits: &'a mut [Digit],
}

impl<const N: usize> Op for Eisenstein<'_, N> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let Eisenstein { all, windows, numbers, digits } = self;
        let (us, vs) = numbers.split_at(numbers.len() / 2);
        let (offset, count) = (halves::<N>(all), us.len());
        for first in (0..count).step_by(SIDE_BY_SIDE) {
            let end = count.min(first + SIDE_BY_SIDE);
            let mut words = [[[0; SIDE_BY_SIDE]; WORDS]; 2];
            in_complement(&mut words[0], &us[first..end], &offset);
            in_complement(&mut words[1], &vs[first..end], &offset);
            let mut carries = [[0; SIDE_BY_SIDE]; 2];
            for (window, shape) in all[..windows.end].iter().enumerate() {
                let last = window + 1 == all.len();
                let (mut a, mut b) = ([0; SIDE_BY_SIDE], [0; SIDE_BY_SIDE]);
                bits_of(&mut a, &words[0], shape, last);
                bits_of(&mut b, &words[1], shape, last);
                let mut out = [Digit(0); SIDE_BY_SIDE];
                // Nothing is outside the last hexagon.
                let range = if last { i32::MAX } else { 1 << shape.width };
                for i in 0..SIDE_BY_SIDE {
                    let residue = [a[i] + carries[0][i], b[i] + carries[1][i]];
                    let (digit, carry) = into_hexagon(residue, range);
                    out[i] = eisenstein_digit(digit);
                    [carries[0][i], carries[1][i]] = carry;
                }
                if let Some(row) = window.checked_sub(windows.start) {
                    digits[row * count + first..row * count + end].copy_from_slice(&out[..end - first]);
                }
            }
        }
    }
}

/// Of a + b omega modulo the range what is in the hexagon around zero, and what is carried to the window above; a and b are half the
/// range at most, or one more.
///
/// Outside are those of which a and b have opposite signs, and the greater one twice and the other exceed the range. The greater one
/// goes to the other side.
#[inline(always)]
fn into_hexagon([a, b]: [i32; 2], range: i32) -> ([i32; 2], [i32; 2]) {
    let (size_a, size_b) = (a.abs(), b.abs());
    let outside = a ^ b < 0 && size_a + size_b > range - size_a.max(size_b);
    let up_a = if outside && size_a >= size_b { a.signum() } else { 0 };
    let up_b = if outside && size_a < size_b { b.signum() } else { 0 };
    ([a - range.wrapping_mul(up_a), b - range.wrapping_mul(up_b)], [up_a, up_b])
}

/// The digit a + b omega: what turns p + q (1 + omega), with p > 0 and q >= 0, into it is 1, -omega^2, omega, or one of their opposites.
#[inline(always)]
fn eisenstein_digit([a, b]: [i32; 2]) -> Digit {
    let opposite = b < 0 || b == 0 && a < 0;
    let (a, b) = if opposite { (-a, -b) } else { (a, b) };
    let (p, q, row, turned) = if a > b {
        (a - b, b, 0, false)
    } else if a > 0 {
        (a, b - a, 2, true)
    } else {
        (b, -a, 1, false)
    };
    Digit::new(hexagon_bucket(p as u32, q as u32), row, opposite != turned)
}

/// The bucket of p + q (1 + omega). Those with the same r = p + q + max(p, q) are side by side, as many as r / 3 + 2 at most: p and q are
/// known by r, the lesser of them, which is even if r is, and which of them it is. They begin at r (r + 13) / 6.
#[inline(always)]
pub(super) const fn hexagon_bucket(p: u32, q: u32) -> u32 {
    let (least, greatest) = if p < q { (p, q) } else { (q, p) };
    hexagon_row(least + 2 * greatest) + (least & !1) + (p < q) as u32
}

/// Where in the buckets those with the same p + q + max(p, q) begin.
#[inline(always)]
const fn hexagon_row(r: u32) -> u32 {
    r * (r + 13) / 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::{Emulated, Pair};
    use alloc::vec;
    use num_bigint::BigInt;

    /// Additions that add nothing.
    struct Nothing;

    impl Additions for Nothing {
        type Entry = ();
        type Work = ();
        const FILLER: () = ();

        fn run<O: Op>(&self, op: O) -> O::Output {
            Emulated::root(op)
        }
        fn begin((): &mut ()) {}
        fn add(&self, _: &[()], _: &[Pair], _: &mut [()], _: bool, (): &mut ()) {}
        fn add_in_place(&self, _: &mut [()], _: &[Pair], (): &mut ()) {}
    }

    fn term(number: i128) -> Term<2> {
        let magnitude = number.unsigned_abs();
        Term { magnitude: [magnitude as u64, (magnitude >> 64) as u64], negative: number < 0 }
    }

    /// The digits of some windows of these numbers, after others had been there.
    fn digits<const N: usize>(recoding: Recoding, bits: u32, windows: Range<usize>, numbers: &[Term<N>]) -> Terms {
        let mut terms = Terms::empty(recoding, bits, windows);
        terms.set(&Nothing, &[Term { magnitude: [5; N], negative: true }; 98]);
        terms.set(&Nothing, numbers);
        terms
    }

    /// Some of the windows have the digits that they have among all.
    fn part_is_as_all<const N: usize>(terms: &Terms, numbers: &[Term<N>]) {
        let end = terms.windows().len();
        let some = end / 3..end / 2;
        let part = digits(terms.recoding, terms.bits, some.clone(), numbers);
        for (index, window) in some.enumerate() {
            assert_eq!(part.digits(index), terms.digits(window), "window {window} of {end}");
            assert_eq!(part.windows()[index], terms.windows()[window]);
        }
    }

    #[test]
    fn signed_digits_add_up() {
        let mut numbers = vec![0, 1, 2, u128::MAX, u128::MAX - 1, 1 << 127, u128::MAX / 3, u128::MAX / 3 * 2];
        numbers.extend((0..128).flat_map(|bit| [1u128 << bit, (1u128 << bit) - 1, u128::MAX << bit]));
        for bits in [1, 5, 63, 64, 65, 127, 128] {
            let kept: Vec<u128> = numbers.iter().copied().filter(|number| bits == 128 || number >> bits == 0).collect();
            for width in 2..=MAX_WIDTH {
                let words = |number: u128| [number as u64, (number >> 64) as u64];
                let term = |(i, &number): (usize, _)| Term { magnitude: words(number), negative: i % 2 == 1 };
                let numbers: Vec<_> = kept.iter().enumerate().map(term).collect();
                let recoding = Recoding::Signed(width);
                let terms = digits(recoding, bits, 0..recoding.count(bits), &numbers);
                part_is_as_all(&terms, &numbers);
                for (i, number) in kept.iter().enumerate() {
                    let mut sum = BigInt::ZERO;
                    for (index, window) in terms.windows().iter().enumerate() {
                        let digit = terms.digits(index)[i];
                        assert!(digit.bucket() < recoding.buckets(window));
                        let point = digit.reference(i);
                        assert_eq!(point.index(), i);
                        let bucket = BigInt::from(digit.bucket());
                        sum += (if point.is_opposite() { -bucket } else { bucket }) << window.bit;
                    }
                    let expected = if i % 2 == 1 { -BigInt::from(*number) } else { BigInt::from(*number) };
                    assert_eq!(sum, expected, "width {width}, {bits} bits");
                }
            }
        }
        let none = Terms::empty(Recoding::Signed(5), 128, 3..7);
        assert_eq!((none.count(), none.digits(3)), (0, &[][..]));
    }

    /// omega^power (a + b omega).
    fn turned((a, b): (BigInt, BigInt), power: usize) -> (BigInt, BigInt) {
        (0..power).fold((a, b), |(a, b), _| (-&b, a - b))
    }

    /// p and q of each bucket of a window.
    fn of_bucket(window: &Window) -> Vec<(usize, usize)> {
        let mut all = vec![(0, usize::MAX); Recoding::Eisenstein(11).buckets(window)];
        for p in 0..=window.reach / 2 {
            for q in (0..=window.reach / 2).filter(|q| p + q + p.max(*q) <= window.reach) {
                let found = &mut all[hexagon_bucket(p as u32, q as u32) as usize];
                assert_eq!(*found, (0, usize::MAX), "{p} and {q} have a bucket of their own");
                *found = (p, q);
            }
        }
        all
    }

    #[test]
    fn eisenstein_digits_add_up() {
        // All around zero, and along six directions on both sides of the edges and through the corners of hexagons.
        let mut numbers: Vec<(i128, i128)> = (-5..=5).flat_map(|u| (-5..=5).map(move |v| (u, v))).collect();
        for bit in 0..126 {
            let one = 1i128 << bit;
            for (u, v) in
                [(one, 0), (0, one), (one, one), (one, -one), (one - 1, one), (-one, 1 - one), (one / 3, -one / 3 * 2)]
            {
                numbers.extend([(u, v), (-u, -v), (-u, v), (v, u)]);
            }
        }
        for count in EISENSTEIN_WINDOWS {
            let (recoding, bits) = (Recoding::Eisenstein(count), 128);
            let both: Vec<_> = numbers.iter().map(|n| term(n.0)).chain(numbers.iter().map(|n| term(n.1))).collect();
            let terms = digits(recoding, bits, 0..recoding.count(bits), &both);
            part_is_as_all(&terms, &both);
            let of_bucket: Vec<_> = terms.windows().iter().map(of_bucket).collect();
            for (i, (u, v)) in numbers.iter().enumerate() {
                let mut sum = (BigInt::ZERO, BigInt::ZERO);
                for (index, window) in terms.windows().iter().enumerate() {
                    let digit = terms.digits(index)[i];
                    let (p, q) = of_bucket[index][digit.bucket()];
                    assert!(p > 0 || q == 0, "{p} and {q} of {window:?}");
                    let point = digit.reference(recoding.rows() * i);
                    assert_eq!(point.index() / recoding.rows(), i);
                    let (a, b) = turned((BigInt::from(p + q), BigInt::from(q)), point.index() % recoding.rows());
                    let (a, b) = if point.is_opposite() { (-a, -b) } else { (a, b) };
                    sum.0 += a << window.bit;
                    sum.1 += b << window.bit;
                }
                assert_eq!(sum, (BigInt::from(*u), BigInt::from(*v)), "{count} windows");
            }
        }
    }
}
