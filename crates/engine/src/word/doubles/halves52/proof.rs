//! The source of [`Halves52`] on ranges of doubles on a grid: the proof by running.
//!
//! A [`Number`] is a [`DoubleInterval`], which refuses a sum that may round. The first of the two fused operations rounds
//! on purpose. What the second one adds to is, by then, known together with the product: the sum of the two is what the
//! first rounding left, and the constant. So a number also says what its sum with the product of two others is. Bits are
//! read of numbers of one binade only, its right end included, where they are a linear function of the number.

use super::{Halves52, Integers, Register, power_of_two};
use crate::word::{
    Word,
    doubles::{Double, Step},
    proof::{interval::Interval, interval_doubles::DoubleInterval},
};
use core::cell::Cell;
use std::panic::catch_unwind;

const NOT_USED: &str = "no step of these products";

std::thread_local! {
    /// How many numbers there have been.
    static NUMBERS: Cell<u32> = const { Cell::new(0) };
}

/// Two numbers, by their names, whose product takes part.
type Factors = [u32; 2];

#[derive(Clone, Copy, Debug)]
struct Number {
    name: u32,
    range: DoubleInterval,
    /// This is the rounded sum of a number and of the product of these: the number, and what was rounded away.
    rounded: Option<(Factors, DoubleInterval, DoubleInterval)>,
    /// What the sum of this and of the product of these is.
    with_product: Option<(Factors, DoubleInterval)>,
}

impl Number {
    fn new(range: DoubleInterval) -> Self {
        let name = NUMBERS.replace(NUMBERS.get() + 1);
        Number { name, range, rounded: None, with_product: None }
    }
}

/// Integers of 64 bits, or bits of doubles.
impl Integers for Interval {
    fn splat(value: u64) -> Self {
        Interval::exact(value)
    }
    fn and(self, other: Self) -> Self {
        Word::and(self, other)
    }
    /// Of numbers without a bit in common.
    fn or(self, other: Self) -> Self {
        let [low, high] = if self.high <= other.high { [self, other] } else { [other, self] };
        assert!(high.low == high.high && low.high < 1 << high.low.trailing_zeros(), "bits may coincide");
        Word::add(low, high)
    }
    fn add(self, other: Self) -> Self {
        Word::add(self, other)
    }
    fn sub(self, other: Self) -> Self {
        Word::sub(self, other)
    }
    /// Minus one, or zero.
    fn less(self, other: Self) -> Self {
        Interval::new(-i128::from(self.low < other.high), -i128::from(self.high < other.low))
    }
}

impl Register for Number {
    type Bits = Interval;

    fn to_bits(self) -> Interval {
        let DoubleInterval { low, high, .. } = self.range;
        let left = f64::from_bits(low.to_bits() >> 52 << 52);
        assert!(left > 0.0 && high <= 2.0 * left, "the bits from {low:e} to {high:e} are of several binades");
        Interval::new(low.to_bits().into(), high.to_bits().into())
    }
    fn from_bits(bits: Interval) -> Self {
        let [low, high] = [bits.low, bits.high].map(|end| u64::try_from(end).expect("bits of 64"));
        assert!(low >> 63 == 0 && low >> 52 == high >> 52, "doubles of several binades");
        let grid = (low >> 52) as i32 - 1023 - 52;
        Self::new(DoubleInterval::new(f64::from_bits(low), f64::from_bits(high), grid))
    }
    fn splat(value: f64) -> Self {
        Self::new(DoubleInterval::splat(value))
    }
    fn add(self, other: Self) -> Self {
        let with_product = self.with_product.map(|(factors, sum)| (factors, sum.add(other.range)));
        Number { with_product, ..Self::new(self.range.add(other.range)) }
    }
    fn sub(self, other: Self) -> Self {
        let difference = Self::new(self.range.sub(other.range));
        // A number, less the rounded sum of the same number and a product: minus the product, and what was rounded away.
        let is_one = self.range.low == self.range.high;
        let rounded = other.rounded.filter(|(_, number, _)| is_one && *number == self.range);
        Number { with_product: rounded.map(|(factors, _, rest)| (factors, rest)), ..difference }
    }
    fn mul(self, _: Self) -> Self {
        unreachable!("{NOT_USED}")
    }
    fn negate(self) -> Self {
        unreachable!("{NOT_USED}")
    }
    fn add_product(self, a: Self, b: Self) -> Self {
        let factors = [a.name, b.name];
        match self.with_product {
            Some((of, sum)) if of == factors => Self::new(sum),
            _ => {
                let Step { high, fine, .. } = self.range.plus_product(a.range, b.range);
                Number { rounded: Some((factors, self.range, fine)), ..Self::new(high) }
            }
        }
    }
    fn sub_product(self, _: Self, _: Self) -> Self {
        unreachable!("{NOT_USED}")
    }
    fn product_less(_: Self, _: Self, _: Self, _: Self) -> Self {
        unreachable!("{NOT_USED}")
    }
}

const FULL: u64 = (1 << 52) - 1;

/// The two halves of a product are from 0 to these: the low one as it is cut to 52 bits, the high one by an interval
/// that does not see that h is no 0 where l is below zero.
fn check(halves: Halves52<Interval>) {
    let low = halves.low();
    assert!(low.is_within(Interval::up_to(FULL)), "the low half is {low:x?}");
    let sum = Interval::up_to(1 << 62);
    let high = halves.add_high(sum);
    assert!(high.is_within(Interval::new(-1, sum.high + (1 << 52))), "the sum with the high half is {high:x?}");
}

#[test]
fn no_step_rounds_for_any_words() {
    let word = Interval::up_to(u64::MAX);
    check(Halves52::of::<Number>(word, word));
}

/// Whether products of factors up to this one are exact.
fn passes(largest: u64) -> bool {
    let run = || {
        let factor = || Number::new(DoubleInterval::new(0.0, largest as f64, 0));
        check(Halves52::of_factors(factor(), factor()));
    };
    catch_unwind(run).is_ok()
}

/// Factors have no bit to spare.
#[test]
fn larger_factors_are_refused() {
    assert!(passes(FULL));
    assert!(!passes(FULL + 1));
    assert!(!passes(2 * FULL));
}

/// The numbers themselves show what they refuse.
#[test]
fn numbers_refuse_what_is_not_exact() {
    let refuses = |run: fn()| assert!(catch_unwind(run).is_err());
    let any = || Number::new(DoubleInterval::new(0.0, FULL as f64, 0));
    // A sum that may round.
    refuses(|| {
        let _ = Register::add(Number::splat(power_of_two(54)), Number::splat(1.0));
    });
    // Bits of two binades.
    refuses(|| {
        let _ = Register::to_bits(Number::new(DoubleInterval::new(1.0, 3.0, 0)));
    });
    // The product of other factors is not the one that was rounded.
    let (a, b, other) = (any(), any(), any());
    let start = Number::splat(power_of_two(104));
    let rest = Register::sub(start, Register::add_product(start, a, b));
    assert!(Register::add_product(rest, a, b).range.is_within(DoubleInterval::within(power_of_two(51), 0)));
    assert!(catch_unwind(|| Register::add_product(rest, a, other)).is_err());
}
