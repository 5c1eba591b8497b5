//! The field of a curve's coordinates: the kind of one lane, the kind of eight lanes, and the inversion modulo their
//! prime.
//!
//! A *row* of a table holds a number as four words in the form that both kinds read, which is not the number itself in
//! Montgomery's form. Numbers go from one kind to the other as rows.

use super::Field;
use crate::{
    safegcd::Modulus,
    word::{Mask1, Mask8, Word},
};

/// A field in one lane.
pub trait FieldX1: Field<Mask = Mask1> {
    /// From four 64-bit words, least significant first; any 256-bit number is taken, modulo p. The result has magnitude
    /// 1.
    fn from_words(words: [u64; 4]) -> Self;
    /// The canonical number as four 64-bit words, least significant first. The value must be normalised.
    fn to_words(self) -> [u64; 4];
    /// From a row's words, whatever they are. The result has magnitude 1.
    fn from_row(words: [u64; 4]) -> Self;
    /// The words of a row. The value must be normalised.
    fn to_row(self) -> [u64; 4];
    /// How many bits a power of two u has above its lowest one, where the words of a row are, to this field as they
    /// stand, u^2 times the row's number. Here for fields whose rows hold numbers as they work on them.
    const ROW_ROOT_BITS: u32 = 0;

    /// u^2 times the number of a row's words, whatever they are: the words as they stand. Variable time. The result has
    /// magnitude 1.
    #[inline(always)]
    fn from_row_as_it_stands_vartime(words: [u64; 4]) -> Self {
        Self::from_row(words)
    }
    /// The words of a row from u^2 times its number. The value must be normalised.
    #[inline(always)]
    fn to_row_as_it_stands(self) -> [u64; 4] {
        self.to_row()
    }
    /// u times the number, which must be normalised, normalised.
    #[inline(always)]
    #[must_use]
    fn times_row_root(self) -> Self {
        self
    }
    /// 1 / u of the number, which must be normalised, normalised.
    #[inline(always)]
    #[must_use]
    fn divide_by_row_root(self) -> Self {
        self
    }

    /// Whether the number is zero modulo p. Variable time.
    fn is_zero_vartime(self) -> bool;
}

/// A field in eight lanes.
pub trait FieldX8: Field<Mask = Mask8> {
    /// What the limbs are made of.
    type Word: Word;

    /// From what [`Self::to_memory`] gave, on words of the same machine.
    fn from_memory(words: [Self::Word; 5]) -> Self;
    /// The words in which a carried element of magnitude 1 is kept, in the form in which the field works on it. All
    /// zero bits are the number zero. Lanes may be permuted.
    fn to_memory(self) -> [Self::Word; 5];
    /// From four 64-bit words per lane, least significant first; any 256-bit number is taken, modulo p. The result is
    /// carried and has magnitude 1.
    fn from_words(words: [Self::Word; 4]) -> Self;
    /// The canonical number as four 64-bit words per lane, least significant first. The value must be normalised.
    fn to_words(self) -> [Self::Word; 4];
    /// From a row's words in each lane, whatever they are. The result is carried and has magnitude 1. Here for fields
    /// whose rows hold numbers as they are.
    #[inline(always)]
    fn from_row(words: [Self::Word; 4]) -> Self {
        Self::from_words(words)
    }
    /// As [`Self::from_row`], but not ready to be a factor. Either side of [`Field::difference`] may be such a number, or
    /// the negation of one if the other is of magnitude 1; and the addend of a square may be a sum of two.
    #[inline(always)]
    fn from_row_to_subtract(words: [Self::Word; 4]) -> Self {
        Self::from_row(words)
    }
    /// The words of a row in each lane. The value must be carried and its limbs must stand for less than 2^256, as
    /// those of a normalised value do.
    #[inline(always)]
    fn to_row(self) -> [Self::Word; 4] {
        self.to_words()
    }
    /// Whether the limbs of every lane stand for less than 2^256, for carried numbers. The answer is meant to be
    /// branched on: public values only.
    fn fits_row(self) -> bool;
    /// The same numbers with limbs that stand for less than 2^256, for what a reduction of a product or
    /// [`Field::weaken`] left.
    #[must_use]
    fn fit_row(self) -> Self;
    /// The rows' words of two numbers that a reduction of a product or [`Field::weaken`] left. They may stand for p or
    /// more. For public numbers.
    #[inline(always)]
    fn to_weak_rows([x, y]: [Self; 2]) -> [[Self::Word; 4]; 2] {
        let fits = x.fits_row() & y.fits_row();
        let [x, y] = if fits { [x, y] } else { [x.fit_row(), y.fit_row()] };
        [x.to_row(), y.to_row()]
    }
}

/// The field of a curve's coordinates.
pub trait BaseField: Copy + 'static {
    /// In one lane.
    type X1: FieldX1;
    /// In eight lanes.
    type X8<W: Word>: FieldX8<Word = W>;
    /// The prime, with what inversion modulo it needs.
    const MODULUS: Modulus;

    /// The inverse of a canonical number, and zero for zero. Constant time. Not inlined: it is long, and its call is
    /// the least of its time.
    #[inline(never)]
    fn invert(number: &[u64; 4]) -> [u64; 4] {
        Self::MODULUS.invert(number)
    }

    /// As [`Self::invert`], in variable time: for public values only.
    #[inline(never)]
    fn invert_vartime(number: &[u64; 4]) -> [u64; 4] {
        Self::MODULUS.invert_vartime(number)
    }
}
