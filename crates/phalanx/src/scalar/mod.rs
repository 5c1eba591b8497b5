//! Integers modulo the group order n of secp256k1.
//!
//! | file | holds |
//! |---|---|
//! | `ff_traits` | the traits of the crate `ff` |
//! | `modn` | the arithmetic on limbs, fold by fold |
//! | `operators` | `+ - *`, sums and products, conversions from integers |
//!
//! Text and serde come from `encoding::number`. The room uses `encoding`, `arithmetic` and the engine's `field`, `limbs`,
//! `mask` and `safegcd`.

#[cfg(feature = "group")]
mod ff_traits;
mod modn;
mod operators;

use crate::ParseNumberError;
use crate::arithmetic::{choice, comparisons};
use crate::declassify::declassify;
use crate::encoding::{bytes_of_words, number, words};
use crate::wipe::{GeneratorStack, ScalarStack};
use phalanx_engine::safegcd::Modulus;
use phalanx_engine::{limbs, mask::is_zero};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

/// The group order with what inversion modulo it needs.
const MODULUS: Modulus = Modulus::new(modn::ORDER);

/// An integer modulo the order n of secp256k1's group: the field in which secret keys, nonces and signatures live.
///
/// Always canonical, 0 <= value < n, in four little-endian limbs of 64 bits. Operators work on values and references.
/// Everything here is constant time in the values, comparison included, except what has `_vartime` in its name and
/// text: `Display`, `Debug`, parsing. `Debug` shows the value; keep secrets in [`SecretKey`](crate::SecretKey).
///
/// ```
/// use phalanx::Scalar;
///
/// let x = Scalar::from(7u64) * Scalar::from(3u64) - Scalar::ONE;
/// assert_eq!(x, Scalar::from(20u64));
/// assert_eq!(x * x.invert().unwrap(), Scalar::ONE);
/// assert_eq!(x.to_string(), "20");
/// assert_eq!(Scalar::ZERO - Scalar::ONE, "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140".parse().unwrap());
/// ```
#[derive(Clone, Copy, Default)]
pub struct Scalar([u64; 4]);

impl Scalar {
    /// 0.
    pub const ZERO: Scalar = Scalar([0; 4]);
    /// 1.
    pub const ONE: Scalar = Scalar([1, 0, 0, 0]);
    /// The modulus n, the number of points of the group (SEC 2, section 2.4.1), in little-endian limbs.
    pub const ORDER: [u64; 4] = modn::ORDER;

    /// From limbs known to be below n.
    #[inline]
    pub(crate) const fn from_canonical(limbs: [u64; 4]) -> Scalar {
        Scalar(limbs)
    }

    /// A small number, for constants.
    #[inline]
    pub(crate) const fn from_u128(value: u128) -> Scalar {
        Scalar([value as u64, (value >> 64) as u64, 0, 0])
    }

    /// The scalar with these little-endian limbs, or `None` at or above n. Constant time but for the answer itself.
    #[inline]
    pub fn from_limbs(limbs: [u64; 4]) -> Option<Scalar> {
        let (_, overflow) = modn::reduce_once(&limbs);
        // Whether there is such a scalar is what the caller asked.
        if declassify(overflow) { None } else { Some(Scalar(limbs)) }
    }

    /// A number below 2^256 in little-endian limbs, modulo n.
    #[inline]
    pub(crate) fn from_limbs_reduced(limbs: [u64; 4]) -> Scalar {
        Scalar(modn::reduce_once(&limbs).0)
    }

    /// Reads 32 big-endian bytes. Constant time but for the answer itself.
    ///
    /// # Errors
    /// [`ParseNumberError`] if the number is not below n, or there are not 32 bytes.
    ///
    /// ```
    /// use phalanx::{ParseNumberError, Scalar};
    /// assert_eq!(Scalar::from_bytes(&[0xff; 32]), Err(ParseNumberError::OutOfRange));
    /// ```
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> Result<Scalar, ParseNumberError> {
        let bytes = bytes.try_into().map_err(|_| ParseNumberError::InvalidLength)?;
        Scalar::from_limbs(words(bytes)).ok_or(ParseNumberError::OutOfRange)
    }

    /// 32 big-endian bytes as a number modulo n.
    #[inline]
    pub fn from_bytes_reduced(bytes: &[u8; 32]) -> Scalar {
        Scalar::from_limbs_reduced(words(bytes))
    }

    /// 64 big-endian bytes as a number modulo n: from uniform bytes, a scalar whose distance from uniform is below
    /// 2^-256.
    pub fn from_bytes_wide(bytes: &[u8; 64]) -> Scalar {
        let (halves, _) = bytes.as_chunks::<32>();
        let ([l0, l1, l2, l3], [h0, h1, h2, h3]) = (words(&halves[1]), words(&halves[0]));
        Scalar(modn::reduce_wide(&[l0, l1, l2, l3, h0, h1, h2, h3]))
    }

    /// The scalar written in at most 64 hexadecimal digits, for constants.
    ///
    /// ```
    /// use phalanx::Scalar;
    /// const COFACTOR_FREE: Scalar = Scalar::from_hex_const("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72");
    /// assert_eq!(COFACTOR_FREE.pow([3]), Scalar::ONE);
    /// ```
    ///
    /// # Panics
    ///
    /// At compile time, in a constant, if the text is no such number or not below n. For text known at run time only,
    /// use [`Scalar::from_hex`].
    pub const fn from_hex_const(text: &str) -> Scalar {
        match number::Number::from_hex(text) {
            Ok(number) => {
                assert!(modn::is_reduced_const(&number.0), "the number is not below the group order");
                Scalar(number.0)
            }
            Err(_) => panic!("not a number of at most 64 hexadecimal digits"),
        }
    }

    /// Reads hexadecimal digits of either case, `0x` in front or not; zeros before the first other digit do not count.
    /// Variable time.
    ///
    /// [`str::parse`] reads decimal digits too, and then wants the `0x` before hexadecimal ones.
    ///
    /// ```
    /// use phalanx::Scalar;
    /// assert_eq!(Scalar::from_hex("ff"), Ok(Scalar::from(255u64)));
    /// assert_eq!("255".parse::<Scalar>(), "0xff".parse());
    /// ```
    pub fn from_hex(text: &str) -> Result<Scalar, ParseNumberError> {
        number::Number::from_hex(text).and_then(Scalar::try_from)
    }

    /// The value in 32 big-endian bytes.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        bytes_of_words(&self.0)
    }

    /// The value in little-endian limbs of 64 bits.
    #[inline]
    pub const fn limbs(&self) -> [u64; 4] {
        self.0
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> Choice {
        choice(is_zero(&self.0))
    }

    /// Whether the value, between 0 and n - 1, is odd.
    #[inline]
    pub fn is_odd(&self) -> Choice {
        Choice::from((self.0[0] & 1) as u8)
    }

    /// Whether the value is above n/2; of a scalar and its negative, not both zero, exactly one is.
    #[inline]
    pub fn is_high(&self) -> Choice {
        let above = limbs::less(&modn::HALF_ORDER, &self.0);
        Choice::from(u8::from(above))
    }

    /// The negative where `choice` is set, else the value itself.
    #[inline]
    pub(crate) fn negate_if(&self, choice: Choice) -> Scalar {
        Scalar::conditional_select(self, &-self, choice)
    }

    /// `self * other + addend`, for any addend below 2^256 in little-endian limbs.
    #[inline]
    pub(crate) fn mul_add(&self, other: &Scalar, addend: &[u64; 4]) -> Scalar {
        Scalar(modn::multiply_add(&self.0, &other.0, addend))
    }

    /// The square.
    #[inline]
    pub fn square(&self) -> Scalar {
        Scalar(modn::square(&self.0))
    }

    /// Twice the value.
    #[inline]
    pub fn double(&self) -> Scalar {
        Scalar(modn::add(&self.0, &self.0))
    }

    /// The value to the power of a number in little-endian limbs. Constant time in both for a given number of limbs.
    ///
    /// ```
    /// use phalanx::Scalar;
    /// assert_eq!(Scalar::from(2u64).pow([10]), Scalar::from(1024u64));
    /// assert_eq!(Scalar::ZERO.pow([0]), Scalar::ONE);
    /// ```
    pub fn pow(&self, exponent: impl AsRef<[u64]>) -> Scalar {
        crate::arithmetic::pow(self, exponent.as_ref())
    }

    /// The multiplicative inverse, none for 0. Constant time, by division steps (Bernstein and Yang, 2019).
    #[inline]
    pub fn invert(&self) -> CtOption<Scalar> {
        CtOption::new(self.invert_or_zero(), !self.is_zero())
    }

    /// The multiplicative inverse, and 0 for 0. Constant time.
    pub fn invert_or_zero(&self) -> Scalar {
        ScalarStack::cleared(|| self.inverse())
    }

    /// As [`Scalar::invert_or_zero`], for callers that clear the stack.
    pub(crate) fn inverse(&self) -> Scalar {
        Scalar(MODULUS.invert(&self.0))
    }

    /// The multiplicative inverse, `None` for 0, in variable time: for public values only.
    pub fn invert_vartime(&self) -> Option<Scalar> {
        if self.0 == [0; 4] { None } else { Some(Scalar(MODULUS.invert_vartime(&self.0))) }
    }

    /// Replaces each element by its inverse, 0 by 0. Constant time, for one inversion and about 3 multiplications an
    /// element in each block of 128 (Montgomery's trick).
    ///
    /// ```
    /// use phalanx::Scalar;
    /// let mut values = [Scalar::from(2u64), Scalar::ZERO, Scalar::from(5u64)];
    /// Scalar::batch_invert(&mut values);
    /// assert_eq!(values[0].double(), Scalar::ONE);
    /// assert_eq!(values[1], Scalar::ZERO);
    /// ```
    pub fn batch_invert(values: &mut [Scalar]) {
        GeneratorStack::cleared(|| crate::arithmetic::batch_invert(values));
    }
}

number::number_text!(Scalar);
comparisons!(Scalar);

impl Zeroize for Scalar {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests;
