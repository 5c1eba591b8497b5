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
//!
//! The module `proof` runs this source on ranges: no step but the first rounds, and no bits are read outside of these.

use super::{
    fused::{Integers, Register},
    power_of_two,
};

#[cfg(test)]
mod proof;

/// 3 * 2^51.
const MIDDLE: f64 = 3.0 * power_of_two(51);

/// What both halves of a product are made from; the compiler computes it once for both.
pub(in crate::word) struct Halves52<I> {
    /// The bits of 2^104 + 2^52 h.
    high: I,
    /// The bits of 3 * 2^51 + l.
    low: I,
}

/// The low 52 bits as a double: as the fraction of a number in [2^52, 2^53), from which 2^52 is taken.
#[inline(always)]
fn of_low52<R: Register>(word: R::Bits) -> R {
    let fraction = word.and(R::Bits::splat((1 << 52) - 1));
    R::from_bits(fraction.or(R::Bits::splat(power_of_two(52).to_bits()))).sub(R::splat(power_of_two(52)))
}

impl<I: Integers> Halves52<I> {
    /// Of the product of the low 52 bits of both, by doubles of this kind.
    #[inline(always)]
    pub(in crate::word) fn of<R: Register<Bits = I>>(a: I, b: I) -> Self {
        Self::of_factors(of_low52::<R>(a), of_low52::<R>(b))
    }

    /// Of the product of two integers below 2^52.
    #[inline(always)]
    fn of_factors<R: Register<Bits = I>>(a: R, b: R) -> Self {
        let start = R::splat(power_of_two(104));
        let high = start.add_product(a, b);
        let rest = start.sub(high).add(R::splat(MIDDLE));
        Self { high: high.to_bits(), low: rest.add_product(a, b).to_bits() }
    }

    /// The low 52 bits: l modulo 2^52.
    #[inline(always)]
    pub(in crate::word) fn low(&self) -> I {
        self.low.sub(I::splat(MIDDLE.to_bits())).and(I::splat((1 << 52) - 1))
    }

    /// `sum` plus the bits from 52 on: h, less one where l is below zero.
    #[inline(always)]
    pub(in crate::word) fn add_high(&self, sum: I) -> I {
        let borrow = self.low.less(I::splat(MIDDLE.to_bits()));
        sum.add(borrow).add(self.high.sub(I::splat(power_of_two(104).to_bits())))
    }
}
