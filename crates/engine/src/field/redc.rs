//! Montgomery's multiplication on four 64-bit words with R = 2^256, modulo any odd M above 2^192.
//!
//! Source: Peter L. Montgomery, "Modular multiplication without trial division", Mathematics of Computation 44 (1985).
//! A *clearing* adds the multiple of M to a number that makes its lowest word zero, and drops that word. Four of them
//! divide by R modulo M. Chains of carries are as in [`super::digits`]. Constant time.
//!
//! # Rows
//!
//! A row of a table holds x 2^260 modulo M, which [`super::MontX8`] works on, and one lane x 2^256. One goes to the
//! other by a division or a multiplication by 16, which costs a quarter of a product.

use super::digits::{add_row, product, row, square};
use super::montgomery_prime::{MontgomeryPrime, minus_inverse, power_of_two};
use crate::limbs::{add, carrying_add, subtract};
use crate::mask::{from_bit, select4};
use core::marker::PhantomData;

/// What one lane needs to know of a modulus, computed at compile time, and the arithmetic on words.
pub(super) struct Redc<M>(PhantomData<M>);

impl<M: MontgomeryPrime> Redc<M> {
    const MODULUS: [u64; 4] = {
        assert!(M::MODULUS[0] & 1 == 1 && M::MODULUS[3] != 0, "the modulus is odd and above 2^192");
        M::MODULUS
    };
    /// -1 / M modulo 2^64.
    const MINUS_INVERSE: u64 = minus_inverse(M::MODULUS[0]);
    /// Whether M is below 2^255, so that four words hold twice M.
    const SPARE: bool = M::MODULUS[3] >> 63 == 0;
    /// Whether M is at least 2^252, so that a division by 16 leaves less than twice M.
    const LONG: bool = M::MODULUS[3] >> 60 != 0;
    /// R modulo M: the number one.
    pub(super) const ONE: [u64; 4] = power_of_two(256, M::MODULUS);
    /// R^2 modulo M: a product with it enters Montgomery's form.
    pub(super) const SQUARE: [u64; 4] = power_of_two(512, M::MODULUS);
    /// R / 16 modulo M: a product with it divides by 16.
    const SIXTEENTH: [u64; 4] = power_of_two(252, M::MODULUS);
    /// 16 R modulo M: a product with it multiplies by 16.
    const SIXTEEN: [u64; 4] = power_of_two(260, M::MODULUS);
    /// 2^124 / (top word + 1), rounded down, for a long M.
    const QUOTIENT: u64 = if Self::LONG { ((1u128 << 124) / (M::MODULUS[3] as u128 + 1)) as u64 } else { 0 };

    /// The number below M that differs from `a` + `carry` 2^256, which is below twice M, by M or not at all.
    #[inline(always)]
    fn once(a: [u64; 4], carry: bool) -> [u64; 4] {
        let (less, borrow) = subtract(&a, &Self::MODULUS);
        let keep = if Self::SPARE { borrow } else { borrow & !carry };
        select4(&less, &a, from_bit(keep.into()))
    }

    /// The sum of two numbers below M.
    #[inline(always)]
    pub(super) fn add(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        let (sum, carry) = add(&a, &b);
        Self::once(sum, carry)
    }

    /// The difference of two numbers below M.
    #[inline(always)]
    pub(super) fn sub(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        let (difference, borrow) = subtract(&a, &b);
        let back = from_bit(borrow.into());
        add(&difference, &select4(&[0; 4], &Self::MODULUS, back)).0
    }

    /// (t + q M) / 2^64 for the q below 2^64 that makes it whole. With t below 2^256 so is the result.
    #[inline(always)]
    fn clear(t: [u64; 4]) -> [u64; 4] {
        let q = t[0].wrapping_mul(Self::MINUS_INVERSE);
        let [_, r1, r2, r3, r4] = add_row(t, row(Self::MODULUS, q));
        [r1, r2, r3, r4]
    }

    /// `wide` / R modulo M, for a number below M R.
    ///
    /// The lower half, divided, is at most M, as (R - 1 + (R - 1) M) / R is below M + 1. The upper half is below M.
    #[inline(always)]
    pub(super) fn divide(wide: [u64; 8]) -> [u64; 4] {
        let [w0, w1, w2, w3, w4, w5, w6, w7] = wide;
        let low = Self::clear(Self::clear(Self::clear(Self::clear([w0, w1, w2, w3]))));
        let (sum, carry) = add(&low, &[w4, w5, w6, w7]);
        Self::once(sum, carry)
    }

    /// One row of a product with a clearing: (t + a digit + q M) / 2^64. With t below twice M and a below M the result
    /// is below twice M again, as (2 M + (2^64 - 1) (M + M)) / 2^64 is 2 M.
    #[inline(always)]
    fn row_cleared(t: [u64; 4], a: [u64; 4], digit: u64) -> [u64; 4] {
        let [t0, t1, t2, t3, t4] = add_row(t, row(a, digit));
        let q = t0.wrapping_mul(Self::MINUS_INVERSE);
        let [_, r1, r2, r3, r4] = add_row([t0, t1, t2, t3], row(Self::MODULUS, q));
        [r1, r2, r3, r4 + t4]
    }

    /// `a b / R` for an a below M and any b.
    ///
    /// Where twice M fits four words, rows of the product and clearings take turns, which waits less.
    #[inline(always)]
    pub(super) fn mul(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        if !Self::SPARE {
            return Self::divide(product(a, b));
        }
        let t = Self::row_cleared([0; 4], a, b[0]);
        let t = Self::row_cleared(t, a, b[1]);
        let t = Self::row_cleared(t, a, b[2]);
        Self::once(Self::row_cleared(t, a, b[3]), false)
    }

    /// `a^2 / R` for an a below M.
    #[inline(always)]
    pub(super) fn square(a: [u64; 4]) -> [u64; 4] {
        Self::divide(square(a))
    }

    /// -a b modulo M R, not reduced, for a and b below M: it is (M - a) b, below M^2.
    #[inline(always)]
    pub(super) fn minus_product(a: [u64; 4], b: [u64; 4]) -> [u64; 8] {
        product(subtract(&Self::MODULUS, &a).0, b)
    }

    /// `a b / R + product / R` for a and b below M and a product of at most M^2, with one reduction.
    ///
    /// The sum is at most 2 M^2. Where that may be M R or more, M R is taken away once.
    #[inline(always)]
    pub(super) fn mul_plus(a: [u64; 4], b: [u64; 4], other: [u64; 8]) -> [u64; 4] {
        Self::divide(Self::add_wide(product(a, b), other))
    }

    /// `a^2 / R + product / R` likewise.
    #[inline(always)]
    pub(super) fn square_plus(a: [u64; 4], other: [u64; 8]) -> [u64; 4] {
        Self::divide(Self::add_wide(square(a), other))
    }

    /// The sum of two numbers of at most M^2, modulo M R and below it.
    #[inline(always)]
    fn add_wide(a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
        let (r0, carry) = carrying_add(a[0], b[0], false);
        let (r1, carry) = carrying_add(a[1], b[1], carry);
        let (r2, carry) = carrying_add(a[2], b[2], carry);
        let (r3, carry) = carrying_add(a[3], b[3], carry);
        let (r4, carry) = carrying_add(a[4], b[4], carry);
        let (r5, carry) = carrying_add(a[5], b[5], carry);
        let (r6, carry) = carrying_add(a[6], b[6], carry);
        let (r7, carry) = carrying_add(a[7], b[7], carry);
        // 2 M^2 is at most M R where M is at most R / 2.
        let high = [r4, r5, r6, r7];
        let [r4, r5, r6, r7] = if Self::SPARE { high } else { Self::once(high, carry) };
        [r0, r1, r2, r3, r4, r5, r6, r7]
    }

    /// The number below M that is congruent to these words. Variable time: fast for words below M, which their top one
    /// shows nearly always.
    #[inline(always)]
    pub(super) fn reduce_vartime(words: [u64; 4]) -> [u64; 4] {
        if words[3] < M::MODULUS[3] { words } else { Self::reduce_slowly(words) }
    }

    #[cold]
    fn reduce_slowly(words: [u64; 4]) -> [u64; 4] {
        Self::mul(Self::ONE, words)
    }

    /// Half of a number below M.
    #[inline(always)]
    pub(super) fn half(a: [u64; 4]) -> [u64; 4] {
        let odd = select4(&[0; 4], &Self::MODULUS, from_bit(a[0] & 1));
        let ([r0, r1, r2, r3], carry) = add(&a, &odd);
        [r0 >> 1 | r1 << 63, r1 >> 1 | r2 << 63, r2 >> 1 | r3 << 63, r3 >> 1 | u64::from(carry) << 63]
    }

    /// x R from the row x 16 R, or from any other words that are this modulo M.
    #[inline(always)]
    pub(super) fn from_row(words: [u64; 4]) -> [u64; 4] {
        if !Self::LONG {
            return Self::mul(Self::SIXTEENTH, words);
        }
        // (words + q M) / 16 is below 2^252 + 15 M / 16, which is below twice M and below 2^256.
        let q = words[0].wrapping_mul(Self::MINUS_INVERSE) & 15;
        let [a, b, c, d, e] = add_row(words, row(Self::MODULUS, q));
        Self::once([a >> 4 | b << 60, b >> 4 | c << 60, c >> 4 | d << 60, d >> 4 | e << 60], false)
    }

    /// The row x 16 R, below M, from x R below M.
    ///
    /// Let x' be the top word of x R and m that of M. How often M goes into 16 x R is x' 16 / (m + 1) rounded down, or
    /// one more: what the other words and the rounding of the constant make is below 2^-54.
    #[inline(always)]
    pub(super) fn to_row(words: [u64; 4]) -> [u64; 4] {
        if !Self::LONG {
            return Self::mul(Self::SIXTEEN, words);
        }
        let [a, b, c, d] = words;
        let q = ((u128::from(d) * u128::from(Self::QUOTIENT)) >> 120) as u64;
        let [r0, r1, r2, r3, r4] = row(Self::MODULUS, q);
        let moved = [a << 4, b << 4 | a >> 60, c << 4 | b >> 60, d << 4 | c >> 60];
        let (rest, borrow) = subtract(&moved, &[r0, r1, r2, r3]);
        Self::once(rest, (d >> 60) - r4 != u64::from(borrow))
    }
}
