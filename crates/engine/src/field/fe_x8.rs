//! Eight lanes modulo p = 2^256 - C, by whichever products the words have: of 52-bit limbs, or of doubles.
//!
//! Everything here is one choice, which the compiler makes: [`Word::IN_DOUBLES`] is a constant.

use super::{Fe52X8, FeF64X8, Field, FieldX8, Formula, Prime, columns, each_of};
use crate::word::{Kernel, LANES, Mask8, Word, doubles::Doubles};
use core::marker::PhantomData;

/// A number modulo 2^256 - C in each of eight lanes. See [`Field`] for magnitudes and carrying.
#[derive(Clone, Copy, Debug)]
pub struct FeX8<P, W> {
    /// The limbs, or the bits of the digits.
    words: [W; 5],
    prime: PhantomData<P>,
}

impl<P: Prime, W: Word> FeX8<P, W> {
    #[inline(always)]
    fn new(words: [W; 5]) -> Self {
        Self { words, prime: PhantomData }
    }
    #[inline(always)]
    fn of_limbs(number: Fe52X8<P, W>) -> Self {
        Self::new(number.limbs())
    }
    #[inline(always)]
    fn in_limbs(self) -> Fe52X8<P, W> {
        Fe52X8::from_limbs(self.words)
    }
    #[inline(always)]
    fn of_doubles(number: FeF64X8<P, W::Doubles>) -> Self {
        Self::new(number.to_memory())
    }
    #[inline(always)]
    fn in_doubles(self) -> FeF64X8<P, W::Doubles> {
        FeF64X8::from_memory(self.words)
    }

    /// From five limbs of the magnitude that the caller vouches for. Numbers in doubles have none: it panics.
    #[inline(always)]
    pub fn from_limbs(limbs: [W; 5]) -> Self {
        assert!(!W::IN_DOUBLES, "numbers in doubles have no limbs");
        Self::new(limbs)
    }

    /// The five limbs as they are. Numbers in doubles have none: it panics.
    #[inline(always)]
    pub fn limbs(self) -> [W; 5] {
        assert!(!W::IN_DOUBLES, "numbers in doubles have no limbs");
        self.words
    }

    /// From four 64-bit words per lane, least significant first; any 256-bit number is taken, modulo p. The result is
    /// carried and has magnitude 1.
    #[inline(always)]
    pub fn from_words(words: [W; 4]) -> Self {
        if W::IN_DOUBLES {
            Self::of_doubles(FeF64X8::from_words(words))
        } else {
            Self::of_limbs(Fe52X8::from_words(words))
        }
    }

    /// The number as four 64-bit words per lane, least significant first. It must be carried and below 2^256, as it is
    /// when normalised.
    #[inline(always)]
    pub fn to_words(self) -> [W; 4] {
        if W::IN_DOUBLES { self.in_doubles().to_words() } else { self.in_limbs().to_words() }
    }

    /// From one 256-bit number per lane.
    #[inline(always)]
    pub fn from_lanes(numbers: [[u64; 4]; LANES]) -> Self {
        Self::from_words(columns::words_of_lanes(numbers))
    }

    /// The canonical number of each lane. The value must be normalised.
    #[inline(always)]
    pub fn to_lanes(self) -> [[u64; 4]; LANES] {
        columns::lanes_of_words(self.to_words())
    }
}

/// Methods that take elements, then perhaps a magnitude, and give an element.
macro_rules! by_word {
    ($(fn $name:ident $(<const $k:ident: u64>)? (self $(, $other:ident: Self)* $(; $bound:ident)?);)*) => {$(
        #[inline(always)]
        fn $name $(<const $k: u64>)? (self $(, $other: Self)* $(, $bound: u64)?) -> Self {
            if W::IN_DOUBLES {
                Self::of_doubles(self.in_doubles().$name $(::<$k>)? ($($other.in_doubles(),)* $($bound)?))
            } else {
                Self::of_limbs(self.in_limbs().$name $(::<$k>)? ($($other.in_limbs(),)* $($bound)?))
            }
        }
    )*};
}

/// A product to be added: ten columns of limbs, or an element and nothing.
impl<P: Prime, W: Word> FeX8<P, W> {
    #[inline(always)]
    fn product([a, b, c, d, e]: [W; 5]) -> [W; 10] {
        let zero = W::splat(0);
        [a, b, c, d, e, zero, zero, zero, zero, zero]
    }
    #[inline(always)]
    fn element([a, b, c, d, e, ..]: [W; 10]) -> FeF64X8<P, W::Doubles> {
        FeF64X8::from_memory([a, b, c, d, e])
    }
}

impl<P: Prime, W: Word> Field for FeX8<P, W> {
    type Mask = Mask8;
    type Product = [W; 10];

    const PRODUCTS_ARE_CALLS: bool = W::PRODUCTS_ARE_CALLS;

    #[inline(always)]
    fn call<K: Kernel>(formula: K) -> K::Output {
        W::call(formula)
    }

    #[inline(always)]
    fn formula<L: Formula<N, M>, const N: usize, const M: usize>(numbers: [Self; N]) -> [Self; M] {
        if const { W::IN_DOUBLES && W::Doubles::FORMULAS_ARE_CALLS } {
            each_of(FeF64X8::formula::<L, N, M>(each_of(numbers, Self::in_doubles)), Self::of_doubles)
        } else {
            L::run(numbers)
        }
    }

    #[inline(always)]
    fn zero() -> Self {
        Self::new([W::splat(0); 5])
    }
    #[inline(always)]
    fn one() -> Self {
        if W::IN_DOUBLES { Self::of_doubles(Field::one()) } else { Self::of_limbs(Field::one()) }
    }
    #[inline(always)]
    fn constant(words: [u64; 4]) -> Self {
        if W::IN_DOUBLES { Self::of_doubles(Field::constant(words)) } else { Self::of_limbs(Field::constant(words)) }
    }

    by_word! {
        fn add(self, other: Self);
        fn negate(self; magnitude);
        fn sub(self, other: Self; magnitude);
        fn scale(self; factor);
        fn carry(self);
        fn weaken(self);
        fn difference(self, other: Self; magnitude);
        fn mul(self, other: Self);
        fn square(self);
        fn mul_scaled<const K: u64>(self, other: Self);
        fn mul_loose<const K: u64>(self, other: Self);
        fn square_scaled<const K: u64>(self);
        fn mul_add(self, other: Self, addend: Self);
        fn square_add(self, addend: Self);
        fn mul_less(self, other: Self, taken: Self; magnitude);
        fn square_less<const K: u64>(self, taken: Self; magnitude);
        fn normalize(self);
        fn invert(self);
    }

    #[inline(always)]
    fn negate_where(self, mask: Mask8, magnitude: u64) -> Self {
        if W::IN_DOUBLES {
            Self::of_doubles(self.in_doubles().negate_where(mask, magnitude))
        } else {
            Self::of_limbs(self.in_limbs().negate_where(mask, magnitude))
        }
    }
    #[inline(always)]
    fn minus_product(self, other: Self, magnitude: u64) -> [W; 10] {
        if W::IN_DOUBLES {
            Self::product(self.in_doubles().minus_product(other.in_doubles(), magnitude).to_memory())
        } else {
            self.in_limbs().minus_product(other.in_limbs(), magnitude)
        }
    }
    #[inline(always)]
    fn minus_square<const K: u64>(self, magnitude: u64) -> [W; 10] {
        if W::IN_DOUBLES {
            Self::product(self.in_doubles().minus_square::<K>(magnitude).to_memory())
        } else {
            self.in_limbs().minus_square::<K>(magnitude)
        }
    }
    #[inline(always)]
    fn mul_plus(self, other: Self, product: [W; 10]) -> Self {
        if W::IN_DOUBLES {
            Self::of_doubles(self.in_doubles().mul_plus(other.in_doubles(), Self::element(product)))
        } else {
            Self::of_limbs(self.in_limbs().mul_plus(other.in_limbs(), product))
        }
    }
    #[inline(always)]
    fn square_plus(self, product: [W; 10]) -> Self {
        if W::IN_DOUBLES {
            Self::of_doubles(self.in_doubles().square_plus(Self::element(product)))
        } else {
            Self::of_limbs(self.in_limbs().square_plus(product))
        }
    }
    #[inline(always)]
    fn is_zero(self) -> Mask8 {
        if W::IN_DOUBLES { self.in_doubles().is_zero() } else { self.in_limbs().is_zero() }
    }
    #[inline(always)]
    fn is_odd(self) -> Mask8 {
        if W::IN_DOUBLES { self.in_doubles().is_odd() } else { self.in_limbs().is_odd() }
    }
    #[inline(always)]
    fn select(mask: Mask8, if_set: Self, if_clear: Self) -> Self {
        Self::new(columns::select(mask, if_set.words, if_clear.words))
    }
}

/// A row holds numbers as they are.
impl<P: Prime, W: Word> FieldX8 for FeX8<P, W> {
    type Word = W;

    #[inline(always)]
    fn from_memory(words: [W; 5]) -> Self {
        if W::IN_DOUBLES { Self::new(words) } else { Self::of_limbs(Fe52X8::from_memory(words)) }
    }
    #[inline(always)]
    fn to_memory(self) -> [W; 5] {
        if W::IN_DOUBLES { self.words } else { self.in_limbs().to_memory() }
    }
    #[inline(always)]
    fn from_words(words: [W; 4]) -> Self {
        FeX8::from_words(words)
    }
    #[inline(always)]
    fn to_words(self) -> [W; 4] {
        FeX8::to_words(self)
    }
    #[inline(always)]
    fn from_row_to_subtract(words: [W; 4]) -> Self {
        if W::IN_DOUBLES {
            Self::of_doubles(FeF64X8::from_row_to_subtract(words))
        } else {
            Self::of_limbs(Fe52X8::from_row_to_subtract(words))
        }
    }
    #[inline(always)]
    fn fits_row(self) -> bool {
        if W::IN_DOUBLES { self.in_doubles().fits_row() } else { self.in_limbs().fits_row() }
    }
    #[inline(always)]
    fn fit_row(self) -> Self {
        if W::IN_DOUBLES { self } else { Self::of_limbs(self.in_limbs().fit_row()) }
    }
    #[inline(always)]
    fn to_weak_rows([x, y]: [Self; 2]) -> [[W; 4]; 2] {
        if W::IN_DOUBLES {
            FeF64X8::to_weak_rows([x.in_doubles(), y.in_doubles()])
        } else {
            Fe52X8::to_weak_rows([x.in_limbs(), y.in_limbs()])
        }
    }
}
