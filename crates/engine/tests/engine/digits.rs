//! No carry of [`Fe4`] is lost: its code, as it ships, on models whose digits have three or four bits.
//!
//! The proofs at the chains of carries (`field/digits.rs`) hold for digits to any base B with C small beside it. With
//! 64 bits a second carry is too rare to be met by chance. In a model it is frequent, and all inputs can be tried.
//! Every digit that is meant to be the last of its chain asserts that nothing goes beyond it.

use crate::samples::Random;
use phalanx_engine::field::{Fe4, Field, Prime};
use phalanx_engine::word::{Digit, Mask, Mask1};
use std::panic::catch_unwind;

/// A digit of so many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Small<const BITS: u32>(i64);

impl<const BITS: u32> Small<BITS> {
    const BASE: i64 = 1 << BITS;

    /// The digit of a number that is one.
    fn digit(value: i64) -> Self {
        assert!((0..Self::BASE).contains(&value), "{value} is no digit");
        Self(value)
    }
    /// The digit of a number that is a signed one.
    fn signed_digit(value: i64) -> Self {
        assert!((-Self::BASE / 2..Self::BASE / 2).contains(&value), "{value} is no signed digit");
        Self(value & (Self::BASE - 1))
    }
    fn signed(self) -> i64 {
        if self.0 < Self::BASE / 2 { self.0 } else { self.0 - Self::BASE }
    }
    fn low(value: i64) -> Self {
        Self(value & (Self::BASE - 1))
    }
}

impl<const BITS: u32> Digit for Small<BITS> {
    type Carry = bool;
    const NO_CARRY: bool = false;

    fn literal(value: u64) -> Self {
        Self::digit(value as i64)
    }
    fn carrying_add(self, other: Self, carry: bool) -> (Self, bool) {
        let sum = self.0 + other.0 + i64::from(carry);
        (Self::low(sum), sum >= Self::BASE)
    }
    fn borrowing_sub(self, other: Self, borrow: bool) -> (Self, bool) {
        let difference = self.0 - other.0 - i64::from(borrow);
        (Self::low(difference), difference < 0)
    }
    fn last_add(self, carry: bool) -> Self {
        Self::digit(self.0 + i64::from(carry))
    }
    fn last_sub(self, other: Self) -> Self {
        Self::digit(self.0 - other.0)
    }
    fn last_signed_add(self, sign: Self, carry: bool) -> Self {
        Self::digit(self.0 + sign.signed() + i64::from(carry))
    }
    fn product(self, other: Self) -> (Self, Self) {
        let product = self.0 * other.0;
        (Self::low(product), Self::digit(product >> BITS))
    }
    fn signed_product(self, other: Self) -> (Self, Self) {
        let product = self.signed() * other.0;
        (Self::low(product), Self::signed_digit(product >> BITS))
    }
    fn small_product(self, other: Self) -> Self {
        Self::signed_digit(self.signed() * other.0)
    }
    fn signed_add(self, other: Self, carry: bool) -> Self {
        Self::signed_digit(self.signed() + other.signed() + i64::from(carry))
    }
    fn signed_sub(self, other: Self, borrow: bool) -> Self {
        Self::signed_digit(self.signed() - other.signed() - i64::from(borrow))
    }
    fn sign(self) -> Self {
        Self::mask(self.signed() < 0)
    }
    fn mask(carry: bool) -> Self {
        Self::low(-i64::from(carry))
    }
    fn opaque(self) -> Self {
        self
    }
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    fn not(self) -> Self {
        Self::low(!self.0)
    }
    fn select(mask: Mask1, if_set: Self, if_clear: Self) -> Self {
        if mask.any() { if_set } else { if_clear }
    }
    fn is_zero(self) -> Mask1 {
        Mask1::from_bit((self.0 == 0).into())
    }
    fn is_odd(self) -> Mask1 {
        Mask1::from_bit(self.0 as u64 & 1)
    }
}

#[test]
fn a_word_is_doubled_as_it_is_added_to_itself() {
    let none = <u64 as Digit>::NO_CARRY;
    let (_, one) = Digit::carrying_add(u64::MAX, 1, none);
    for word in [0u64, 1, 1 << 62, u64::MAX >> 1, 1 << 63, (1 << 63) + 1, u64::MAX] {
        for carry in [none, one] {
            let ((twice, high), (sum, carried)) = (word.twice(carry), Digit::carrying_add(word, word, carry));
            assert_eq!((twice, <u64 as Digit>::mask(high)), (sum, <u64 as Digit>::mask(carried)), "{word:#x}");
        }
    }
}

/// A modulus B^4 - C, which need not be prime here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Below<const C: u64>;

impl<const C: u64> Prime for Below<C> {
    const C: u64 = C;
    fn invert<F: Field>(_: F) -> F {
        unreachable!("no inverse is asked for")
    }
}

type Model<const BITS: u32, const C: u64> = Fe4<Below<C>, Small<BITS>>;

/// The number of four digits and the top.
fn model<const BITS: u32, const C: u64>(low: i64, top: i64) -> Model<BITS, C> {
    let digit = |i: u32| Small::low(low >> (BITS * i));
    Fe4::from_digits([digit(0), digit(1), digit(2), digit(3), Small::signed_digit(top)])
}

fn value<const BITS: u32, const C: u64>(number: Model<BITS, C>) -> i64 {
    let [a, b, c, d, top] = number.digits();
    [d, c, b, a].iter().fold(top.signed(), |value, digit| (value << BITS) + digit.0)
}

/// Asserts that a number is closed and what it should be.
#[track_caller]
fn is<const BITS: u32, const C: u64>(found: Model<BITS, C>, wanted: i64) {
    let (value, all) = (value(found), 1 << (4 * BITS));
    assert!((0..all).contains(&value), "{value} is not closed");
    assert_eq!(value.rem_euclid(all - C as i64), wanted.rem_euclid(all - C as i64));
}

/// The sums that [`Field::weaken`] takes, with a top up to `top` of either sign.
fn sums<const BITS: u32, const C: u64>(top: i64) {
    let (all, p) = (1 << (4 * BITS), (1 << (4 * BITS)) - C as i64);
    for top in -top..=top {
        for low in 0..all {
            let (number, wanted) = (model::<BITS, C>(low, top), top * all + low);
            is(number.weaken(), wanted);
            assert_eq!(value(number.normalize()), wanted.rem_euclid(p));
            assert_eq!(number.is_zero().any(), wanted.rem_euclid(p) == 0);
        }
    }
}

#[test]
fn every_sum_is_closed() {
    sums::<4, 1>(6);
    sums::<4, 2>(2);
    sums::<4, 3>(1);
    // |t| C no longer fits a signed digit.
    assert!(catch_unwind(|| sums::<4, 1>(8)).is_err());
    assert!(catch_unwind(|| sums::<4, 4>(2)).is_err());
}

/// The top and the digits of an addend: an end of their range.
fn ends<const BITS: u32>(choice: i64) -> (i64, i64) {
    (choice % 3 - 1, if choice % 2 == 0 { 0 } else { (1 << (4 * BITS)) - 1 })
}

/// Products and differences of all pairs of three-bit numbers.
#[test]
fn every_pair() {
    const ALL: i64 = 1 << 12;
    for a in 0..ALL {
        for b in 0..ALL {
            let (x, y) = (model::<3, 1>(a, 0), model::<3, 1>(b, 0));
            is(x.difference(y, 1), a - b);
            is(x.mul(y), a * b);
            let (top, low) = ends::<3>(a + b);
            is(x.mul_add(y, model(low, top)), a * b + top * ALL + low);
            is(model::<3, 3>(a, 0).difference(model(b, 0), 1), a - b);
        }
    }
}

/// Every way to fuse products, on squares of all numbers and on random pairs.
fn fused<const BITS: u32, const C: u64>(random: &mut Random) {
    let all = 1 << (4 * BITS);
    for a in 0..all {
        let x = model::<BITS, C>(a, 0);
        let (b, c) = (random.below(all as u64) as i64, random.below(all as u64) as i64);
        let (y, z) = (model::<BITS, C>(b, 0), model::<BITS, C>(c, 0));
        let (top, low) = ends::<BITS>(a + b);
        let addend = model::<BITS, C>(low, top);
        is(x.square(), a * a);
        is(x.mul_scaled::<2>(y), 2 * a * b);
        is(x.square_scaled::<2>(), 2 * a * a);
        is(x.square_add(addend), a * a + top * all + low);
        is(x.mul_plus(y, y.minus_product(z, 1)), a * b - b * c);
        is(x.square_plus(z.minus_square::<1>(1)), a * a - c * c);
    }
}

#[test]
fn every_square_and_what_is_fused() {
    let mut random = Random::new(41);
    fused::<4, 1>(&mut random);
    fused::<4, 2>(&mut random);
    fused::<4, 3>(&mut random);
    // The top of a long product no longer fits a signed digit.
    assert!(catch_unwind(|| fused::<4, 8>(&mut Random::new(42))).is_err());
}
