//! Eight lanes modulo p = 2^256 - C in doubles: five digits that may be negative.
//!
//! # Numbers
//!
//! Digit i is a double on the grid `2^GRIDS[i]`, for 0, 52, 103, 154 and 205: a number is the sum of its digits. A
//! *carried* number has digits of at most half a gap to the next grid, and 2^-11 of that. A product, a square, a
//! constant and the result of [`Field::carry`] are carried; a factor must be. A double has three bits more than such a
//! digit, and digit 0 has two, so that a sum of three carried numbers is exact and can be carried.
//!
//! This meets the contract of [`Field`] with magnitudes of its own: one for a carried number, and they add in a sum. A
//! negation keeps the magnitude, so the bounds that are told to [`Field::negate`] and its like are not needed. What
//! that contract calls loose is carried here. What is added to a product or taken from it has magnitude 1 at most, in a
//! square 3; twice what is taken from a square has 2.
//!
//! `tests/engine/doubles.rs` runs every operation and every formula on intervals, which refuse a step that might round.

mod kernels;
mod words;

use super::{Field, FieldX8, Formula, Prime, each_of};
use crate::word::{
    Kernel, Mask8, Word,
    doubles::{Doubles, Lanewise, WholeFormula},
};
use core::marker::PhantomData;
use kernels::{Carry, Difference, Product, ProductAnd, Square, SquareAnd, SquareLess, SquareMinus};

/// The grids of the digits, and the one above them: `2^256 = C`.
pub const GRIDS: [i32; 6] = [0, 52, 103, 154, 205, 256];

/// A number modulo 2^256 - C in each of eight lanes, in doubles.
#[derive(Clone, Copy, Debug)]
pub struct FeF64X8<P, D> {
    digits: [D; 5],
    prime: PhantomData<P>,
}

impl<P: Prime, D: Doubles<Word: Word>> FeF64X8<P, D> {
    /// From digits that the caller vouches for.
    #[inline(always)]
    pub fn from_digits(digits: [D; 5]) -> Self {
        const { assert!(P::C >> 36 == 0, "the bounds are proved for a C below 2^36") };
        Self { digits, prime: PhantomData }
    }

    /// The digits as they are.
    #[inline(always)]
    pub fn digits(self) -> [D; 5] {
        self.digits
    }

    /// What a kernel of one number gives.
    #[inline(always)]
    fn of_one<L: Lanewise>(mut a: Self) -> Self {
        D::apply_to_one::<L>(&mut a.digits);
        a
    }
    /// What a kernel of two numbers gives.
    #[inline(always)]
    fn of_two<L: Lanewise>(mut a: Self, b: Self) -> Self {
        D::apply::<L>(&mut a.digits, &b.digits, &b.digits);
        a
    }
    /// What a kernel of three numbers gives.
    #[inline(always)]
    fn of_three<L: Lanewise>(mut a: Self, b: Self, c: Self) -> Self {
        D::apply::<L>(&mut a.digits, &b.digits, &c.digits);
        a
    }

    #[inline(always)]
    fn each(self, f: impl Fn(D) -> D) -> Self {
        let [a, b, c, d, e] = self.digits;
        Self::from_digits([f(a), f(b), f(c), f(d), f(e)])
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(D, D) -> D) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.digits, other.digits);
        Self::from_digits([f(a, v), f(b, w), f(c, x), f(d, y), f(e, z)])
    }
}

impl<P: Prime, D: Doubles<Word: Word>> Field for FeF64X8<P, D> {
    type Mask = Mask8;
    /// What is to be taken away.
    type Product = Self;

    #[inline(always)]
    fn formula<L: Formula<N, M>, const N: usize, const M: usize>(numbers: [Self; N]) -> [Self; M] {
        if const { D::FORMULAS_ARE_CALLS } {
            each_of(D::apply_formula::<InDigits<P, L>, N, M>(&each_of(numbers, Self::digits)), Self::from_digits)
        } else {
            L::run(numbers)
        }
    }

    #[inline(always)]
    fn zero() -> Self {
        Self::from_digits([D::splat(0.0); 5])
    }
    #[inline(always)]
    fn one() -> Self {
        let zero = D::splat(0.0);
        Self::from_digits([D::splat(1.0), zero, zero, zero, zero])
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        let [a, b, c, d] = words;
        Self::from_words([D::Word::splat(a), D::Word::splat(b), D::Word::splat(c), D::Word::splat(d)])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, D::add)
    }
    #[inline(always)]
    fn negate(self, _magnitude: u64) -> Self {
        self.each(D::negate)
    }
    #[inline(always)]
    fn sub(self, other: Self, _magnitude: u64) -> Self {
        self.zip(other, D::sub)
    }
    #[inline(always)]
    fn negate_where(self, mask: Mask8, _magnitude: u64) -> Self {
        let [a, b, c, d, e] = self.digits;
        // Written out, as in `select`.
        Self::from_digits([
            a.negate_where(mask),
            b.negate_where(mask),
            c.negate_where(mask),
            d.negate_where(mask),
            e.negate_where(mask),
        ])
    }
    #[inline(always)]
    fn scale(self, factor: u64) -> Self {
        self.each(|digit| digit.times(factor as f64))
    }
    #[inline(always)]
    fn carry(self) -> Self {
        Self::from_digits(D::Word::kernel(Short::<Carry<P>, D>(self.digits, self.digits, PhantomData)))
    }
    #[inline(always)]
    fn weaken(self) -> Self {
        self.carry()
    }
    #[inline(always)]
    fn difference(self, other: Self, _magnitude: u64) -> Self {
        Self::from_digits(D::Word::kernel(Short::<Difference<P>, D>(self.digits, other.digits, PhantomData)))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.mul_scaled::<1>(other)
    }
    #[inline(always)]
    fn square(self) -> Self {
        self.square_scaled::<1>()
    }
    #[inline(always)]
    fn mul_scaled<const K: u64>(self, other: Self) -> Self {
        Self::of_two::<Product<P, K>>(self, other)
    }
    #[inline(always)]
    fn mul_loose<const K: u64>(self, other: Self) -> Self {
        self.mul_scaled::<K>(other)
    }
    #[inline(always)]
    fn square_scaled<const K: u64>(self) -> Self {
        Self::of_one::<Square<P, K>>(self)
    }
    #[inline(always)]
    fn mul_add(self, other: Self, addend: Self) -> Self {
        Self::of_three::<ProductAnd<P, 1>>(self, other, addend)
    }
    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        Self::of_two::<SquareAnd<P>>(self, addend)
    }
    #[inline(always)]
    fn mul_less(self, other: Self, taken: Self, _magnitude: u64) -> Self {
        Self::of_three::<ProductAnd<P, -1>>(self, other, taken)
    }
    #[inline(always)]
    fn square_less<const K: u64>(self, taken: Self, _magnitude: u64) -> Self {
        Self::of_two::<SquareLess<P, K>>(self, taken)
    }
    #[inline(always)]
    fn minus_product(self, other: Self, _magnitude: u64) -> Self {
        self.mul(other)
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, _magnitude: u64) -> Self {
        self.square_scaled::<K>()
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: Self) -> Self {
        Self::of_three::<ProductAnd<P, -1>>(self, other, product)
    }
    #[inline(always)]
    fn square_plus(self, product: Self) -> Self {
        Self::of_two::<SquareMinus<P>>(self, product)
    }

    #[inline(always)]
    fn normalize(self) -> Self {
        Self::from_fields(self.canonical())
    }
    #[inline(always)]
    fn is_zero(self) -> Mask8 {
        let [a, b, c, d, e] = self.canonical();
        a.or(b).or(c.or(d)).or(e).equal(D::Word::splat(0))
    }
    #[inline(always)]
    fn is_odd(self) -> Mask8 {
        self.canonical()[0].and(D::Word::splat(1)).equal(D::Word::splat(1))
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (if_set.digits, if_clear.digits);
        // Written out: a closure is not compiled for the vector unit until it is inlined.
        Self::from_digits([
            D::select(mask, a, v),
            D::select(mask, b, w),
            D::select(mask, c, x),
            D::select(mask, d, y),
            D::select(mask, e, z),
        ])
    }
    #[inline(always)]
    fn invert(self) -> Self {
        P::invert(self)
    }
}

/// A formula modulo 2^256 - C on digits.
struct InDigits<P, L>(PhantomData<(P, L)>);

impl<P: Prime, L: Formula<N, M>, const N: usize, const M: usize> WholeFormula<N, M> for InDigits<P, L> {
    #[inline(always)]
    fn run<D: Doubles<Word: Word>>(numbers: [[D; 5]; N]) -> [[D; 5]; M] {
        each_of(L::run(each_of(numbers, FeF64X8::<P, D>::from_digits)), FeF64X8::digits)
    }
}

/// A short function of digits, which is no call: on both halves at once.
struct Short<L, D>([D; 5], [D; 5], PhantomData<L>);

impl<L: Lanewise, D: Doubles> Kernel for Short<L, D> {
    type Output = [D; 5];

    #[inline(always)]
    fn run(self) -> [D; 5] {
        L::run(self.0, self.1, self.1)
    }
}

/// Digits from their bits. Every operation begins with it and ends with [`ToBits`].
struct FromBits<D: Doubles>([D::Word; 5]);

impl<D: Doubles> Kernel for FromBits<D> {
    type Output = [D; 5];

    #[inline(always)]
    fn run(self) -> [D; 5] {
        let [a, b, c, d, e] = self.0;
        [D::from_bits(a), D::from_bits(b), D::from_bits(c), D::from_bits(d), D::from_bits(e)]
    }
}

/// The bits of digits.
struct ToBits<D>([D; 5]);

impl<D: Doubles> Kernel for ToBits<D> {
    type Output = [D::Word; 5];

    #[inline(always)]
    fn run(self) -> [D::Word; 5] {
        let [a, b, c, d, e] = self.0;
        [a.to_bits(), b.to_bits(), c.to_bits(), d.to_bits(), e.to_bits()]
    }
}

/// A row holds the canonical number, whatever the digits.
impl<P: Prime, D: Doubles<Word: Word>> FieldX8 for FeF64X8<P, D> {
    type Word = D::Word;

    #[inline(always)]
    fn from_memory(bits: [D::Word; 5]) -> Self {
        Self::from_digits(D::Word::kernel(FromBits::<D>(bits)))
    }
    /// The bits of the digits.
    #[inline(always)]
    fn to_memory(self) -> [D::Word; 5] {
        D::Word::kernel(ToBits(self.digits))
    }
    #[inline(always)]
    fn from_words(words: [D::Word; 4]) -> Self {
        Self::from_fields(words::fields_of_words(words))
    }
    /// Digits without a sign, which are whole gaps.
    #[inline(always)]
    fn from_row_to_subtract(words: [D::Word; 4]) -> Self {
        Self::from_fields_as_digits(words::fields_of_words(words))
    }
    #[inline(always)]
    fn to_words(self) -> [D::Word; 4] {
        words::words_of_fields(self.canonical())
    }
    #[inline(always)]
    fn fits_row(self) -> bool {
        true
    }
    #[inline(always)]
    fn fit_row(self) -> Self {
        self
    }
    #[inline(always)]
    fn to_weak_rows([x, y]: [Self; 2]) -> [[D::Word; 4]; 2] {
        let (first, second) = (x.weak(), y.weak());
        if (first.1 | second.1) != 0 {
            return [x.to_words(), y.to_words()];
        }
        [words::words_of_fields(first.0), words::words_of_fields(second.0)]
    }
}
