//! The field of the coordinates: numbers modulo p, the prime order of the scalar field of BLS12-381.
//!
//! The arithmetic is the engine's. This room adds what encodings ask for: squares and their roots (`sqrt`), bytes, the
//! comparison with p / 2, and inverses of many numbers.

mod sqrt;

pub(crate) use sqrt::{is_square_vartime, sqrt_vartime};

use phalanx_engine::{
    field::{BaseField, Field, FieldX1, Montgomery, MontgomeryPrime},
    limbs,
    word::{Mask, Mask1},
};

/// The prime p.
#[derive(Clone, Copy, Debug)]
pub struct P;

impl MontgomeryPrime for P {
    const MODULUS: [u64; 4] =
        [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];
}

/// Numbers modulo p: the field of one lane and of eight.
pub type Fp = Montgomery<P>;

/// A number modulo p, in one lane.
pub(crate) type Fe = <Fp as BaseField>::X1;

/// (p - 1) / 2.
const HALF: [u64; 4] = [0x7fff_ffff_8000_0000, 0xa9de_d201_7fff_2dff, 0x199c_ec04_04d0_ec02, 0x39f6_d3a9_94ce_bea4];

/// Whether a normalised number is above (p - 1) / 2: of a number and its negative, unless both are zero, one is.
pub(crate) fn is_high(number: Fe) -> Mask1 {
    Mask1::from_bit(u64::from(limbs::less(&HALF, &number.to_words())))
}

/// Whether two numbers of magnitude 1 are the same.
pub(crate) fn is_equal_vartime(a: Fe, b: Fe) -> bool {
    a.sub(b, 1).is_zero_vartime()
}

/// The number in 32 big-endian bytes, if it is below p.
pub(crate) fn from_be_bytes(bytes: &[u8; 32]) -> Option<Fe> {
    let words = words_of_be_bytes(bytes);
    limbs::less(&words, &P::MODULUS).then(|| Fe::from_words(words))
}

/// A normalised number as 32 big-endian bytes.
pub(crate) fn to_be_bytes(number: Fe) -> [u8; 32] {
    be_bytes_of_words(&number.to_words())
}

/// Words, least significant first, of big-endian bytes.
pub(crate) fn words_of_be_bytes(bytes: &[u8; 32]) -> [u64; 4] {
    let (chunks, _) = bytes.as_chunks::<8>();
    [chunks[3], chunks[2], chunks[1], chunks[0]].map(u64::from_be_bytes)
}

/// Big-endian bytes of words, least significant first.
pub(crate) fn be_bytes_of_words(words: &[u64; 4]) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (chunk, word) in bytes.as_chunks_mut::<8>().0.iter_mut().rev().zip(words) {
        *chunk = word.to_be_bytes();
    }
    bytes
}

/// How many numbers share an inversion, at most: the products of so many lie on the stack.
const BLOCK: usize = 256;

/// The inverse of a number of magnitude 1, and zero for zero, in variable time.
pub(crate) fn invert_vartime(number: Fe) -> Fe {
    Fe::from_words(Fp::invert_vartime(&number.normalize().to_words()))
}

/// Writes what comes of each value and the inverse of its denominator, for one inversion in each block of [`BLOCK`] and
/// three multiplications per value (Montgomery's trick). No denominator is zero, and each has magnitude 1. Constant
/// time where `invert` is.
pub(crate) fn with_inverses<V, T>(
    values: &[V],
    out: &mut [T],
    invert: impl Fn(Fe) -> Fe,
    denominator: impl Fn(&V) -> Fe,
    finish: impl Fn(&V, Fe) -> T,
) {
    assert_eq!(values.len(), out.len(), "a place per element");
    let (mut products, mut denominators) = ([Fe::zero(); BLOCK], [Fe::zero(); BLOCK]);
    for (values, out) in values.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        let mut product = Fe::one();
        for (i, value) in values.iter().enumerate() {
            (products[i], denominators[i]) = (product, denominator(value));
            product = product.mul(denominators[i]);
        }
        debug_assert!(!product.is_zero().any(), "no denominator is zero");
        let mut inverse = invert(product);
        for (i, value) in values.iter().enumerate().rev() {
            out[i] = finish(value, inverse.mul(products[i]));
            inverse = inverse.mul(denominators[i]);
        }
    }
}
