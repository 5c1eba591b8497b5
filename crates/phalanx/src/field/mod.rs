//! Integers modulo the prime p of secp256k1's coordinates.
//!
//! | file | holds |
//! |---|---|
//! | `ff_traits` | the traits of the crate `ff` |
//! | `prime` | p for the engine, and its inversion and square root as powers, for any number of lanes |
//! | `operators` | `+ - *`, sums and products, conversions from integers |
//!
//! Text and serde come from `encoding::number`. The room uses `encoding`, `arithmetic` and the engine's `field`, `mask`
//! and `safegcd`. Point formulas use the engine's unreduced [`phalanx_engine::field::Fe4`]. [`FieldElement`] is the
//! public type: each value has one representation.

#[cfg(feature = "group")]
mod ff_traits;
mod operators;
pub(crate) mod prime;

use crate::ParseNumberError;
use crate::arithmetic::{choice, comparisons};
use crate::declassify::declassify;
use crate::encoding::{bytes_of_words, number, words};
use crate::wipe::{GeneratorStack, ScalarStack};
use phalanx_engine::field::{BaseField, Field, PseudoMersenne};
use phalanx_engine::mask::is_zero;
use phalanx_engine::safegcd::Modulus;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

pub(crate) use prime::{P256k1, root_candidate};

/// The engine's field of one lane.
type Fe = <PseudoMersenne<P256k1> as BaseField>::X1;

/// The prime with what inversion modulo it needs.
const MODULUS: Modulus = Modulus::new(FieldElement::MODULUS);

/// An integer modulo p = 2^256 - 2^32 - 977: the field in which the coordinates of secp256k1's points live.
///
/// Always canonical, 0 <= value < p. Operators work on values and references. Everything here is constant time in the
/// values, comparison included, except what has `_vartime` in its name and text: `Display`, `Debug`, parsing. `Debug`
/// shows the value.
///
/// ```
/// use phalanx::FieldElement;
///
/// // The generator's y from its x: y^2 = x^3 + 7.
/// let x = FieldElement::from_hex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798").unwrap();
/// let y = (x.square() * x + FieldElement::from(7u64)).sqrt().unwrap();
/// let even = if y.is_odd().into() { -y } else { y };
/// assert_eq!(format!("{even:x}"), "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8");
/// ```
#[derive(Clone, Copy)]
pub struct FieldElement(Fe);

impl FieldElement {
    /// 0.
    pub const ZERO: FieldElement = FieldElement::from_u128(0);
    /// 1.
    pub const ONE: FieldElement = FieldElement::from_u128(1);
    /// The modulus p (SEC 2, section 2.4.1), in little-endian limbs.
    pub const MODULUS: [u64; 4] = Fe::MODULUS;

    /// From the engine's field, of magnitude at most 24.
    #[inline]
    pub(crate) fn from_fe(value: Fe) -> FieldElement {
        FieldElement(value.normalize())
    }

    /// For the engine's field: normalised.
    #[inline]
    pub(crate) const fn to_fe(self) -> Fe {
        self.0
    }

    /// From limbs known to be below p.
    #[inline]
    pub(crate) const fn from_canonical(limbs: [u64; 4]) -> FieldElement {
        FieldElement(Fe::from_words(limbs))
    }

    /// A small number, for constants.
    #[inline]
    pub(crate) const fn from_u128(value: u128) -> FieldElement {
        FieldElement::from_canonical([value as u64, (value >> 64) as u64, 0, 0])
    }

    /// The element with these little-endian limbs, or `None` at or above p. Constant time but for the answer itself.
    #[inline]
    pub fn from_limbs(limbs: [u64; 4]) -> Option<FieldElement> {
        // Whether there is such an element is what the caller asked.
        if declassify(is_below_modulus(&limbs)) { Some(FieldElement::from_canonical(limbs)) } else { None }
    }

    /// A number below 2^256 in little-endian limbs, modulo p.
    #[inline]
    pub(crate) fn from_limbs_reduced(limbs: [u64; 4]) -> FieldElement {
        FieldElement::from_fe(Fe::from_words(limbs))
    }

    /// Reads 32 big-endian bytes. Constant time but for the answer itself.
    ///
    /// # Errors
    /// [`ParseNumberError`] if the number is not below p, or there are not 32 bytes.
    ///
    /// ```
    /// use phalanx::{ParseNumberError, FieldElement};
    /// assert_eq!(FieldElement::from_bytes(&[0xff; 32]), Err(ParseNumberError::OutOfRange));
    /// ```
    #[inline]
    pub fn from_bytes(bytes: &[u8]) -> Result<FieldElement, ParseNumberError> {
        let bytes = bytes.try_into().map_err(|_| ParseNumberError::InvalidLength)?;
        FieldElement::from_limbs(words(bytes)).ok_or(ParseNumberError::OutOfRange)
    }

    /// 32 big-endian bytes as a number modulo p.
    #[inline]
    pub fn from_bytes_reduced(bytes: &[u8; 32]) -> FieldElement {
        FieldElement::from_limbs_reduced(words(bytes))
    }

    /// 64 big-endian bytes as a number modulo p: from uniform bytes, an element whose distance from uniform is below
    /// 2^-256.
    pub fn from_bytes_wide(bytes: &[u8; 64]) -> FieldElement {
        let (halves, _) = bytes.as_chunks::<32>();
        let two_256 = Fe::from_words([<P256k1 as phalanx_engine::field::Prime>::C, 0, 0, 0]);
        FieldElement::from_fe(Fe::from_words(words(&halves[0])).mul_add(two_256, Fe::from_words(words(&halves[1]))))
    }

    /// The element written in at most 64 hexadecimal digits, for constants.
    ///
    /// ```
    /// use phalanx::FieldElement;
    /// const BETA: FieldElement =
    ///     FieldElement::from_hex_const("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee");
    /// assert_eq!(BETA.pow([3]), FieldElement::ONE);
    /// ```
    ///
    /// # Panics
    ///
    /// At compile time, in a constant, if the text is no such number or not below p. For text known at run time only,
    /// use [`FieldElement::from_hex`].
    pub const fn from_hex_const(text: &str) -> FieldElement {
        match number::Number::from_hex(text) {
            Ok(number) => {
                assert!(is_below_modulus(&number.0), "the number is not below the prime");
                FieldElement::from_canonical(number.0)
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
    /// use phalanx::FieldElement;
    /// assert_eq!(FieldElement::from_hex("ff"), Ok(FieldElement::from(255u64)));
    /// assert_eq!("255".parse::<FieldElement>(), "0xff".parse());
    /// ```
    pub fn from_hex(text: &str) -> Result<FieldElement, ParseNumberError> {
        number::Number::from_hex(text).and_then(FieldElement::try_from)
    }

    /// The value in 32 big-endian bytes.
    #[inline]
    pub fn to_bytes(&self) -> [u8; 32] {
        bytes_of_words(&self.limbs())
    }

    /// The value in little-endian limbs of 64 bits.
    #[inline]
    pub const fn limbs(&self) -> [u64; 4] {
        self.0.to_words()
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> Choice {
        choice(is_zero(&self.limbs()))
    }

    /// Whether the value, between 0 and p - 1, is odd. Of an element and its negative, not both zero, exactly one is.
    #[inline]
    pub fn is_odd(&self) -> Choice {
        Choice::from((self.limbs()[0] & 1) as u8)
    }

    /// Whether the value is a square, 0 included, by the Jacobi symbol, in variable time: for public values only, and
    /// several times as fast as [`FieldElement::sqrt`].
    ///
    /// ```
    /// use phalanx::FieldElement;
    /// assert!(FieldElement::from(4u64).is_square_vartime());
    /// assert!(!(-FieldElement::ONE).is_square_vartime());
    /// ```
    pub fn is_square_vartime(&self) -> bool {
        MODULUS.jacobi_vartime(&self.limbs()) >= 0
    }

    /// The square root that is itself a square, none where the value has no root. Its negative is the other root; one
    /// of the two is odd. Constant time.
    ///
    /// ```
    /// use phalanx::FieldElement;
    /// assert_eq!(FieldElement::from(9u64).sqrt().unwrap().square(), FieldElement::from(9u64));
    /// assert!(bool::from((-FieldElement::from(9u64)).sqrt().is_none()));
    /// ```
    pub fn sqrt(&self) -> CtOption<FieldElement> {
        let root = FieldElement::from_fe(root_candidate(self.0));
        CtOption::new(root, root.square().ct_eq(self))
    }

    /// The negative where `choice` is set, else the value itself.
    #[inline]
    pub(crate) fn negate_if(&self, choice: Choice) -> FieldElement {
        FieldElement::conditional_select(self, &-self, choice)
    }

    /// The square.
    #[inline]
    pub fn square(&self) -> FieldElement {
        FieldElement::from_fe(self.0.square())
    }

    /// Twice the value.
    #[inline]
    pub fn double(&self) -> FieldElement {
        FieldElement::from_fe(self.0.scale(2))
    }

    /// The value to the power of a number in little-endian limbs. Constant time in both for a given number of limbs.
    ///
    /// ```
    /// use phalanx::FieldElement;
    /// assert_eq!(FieldElement::from(2u64).pow([10]), FieldElement::from(1024u64));
    /// ```
    pub fn pow(&self, exponent: impl AsRef<[u64]>) -> FieldElement {
        crate::arithmetic::pow(self, exponent.as_ref())
    }

    /// The multiplicative inverse, none for 0. Constant time, by division steps (Bernstein and Yang, 2019).
    #[inline]
    pub fn invert(&self) -> CtOption<FieldElement> {
        CtOption::new(ScalarStack::cleared(|| self.inverse()), !self.is_zero())
    }

    /// The multiplicative inverse, and 0 for 0. Constant time. For callers that clear the stack.
    fn inverse(&self) -> FieldElement {
        FieldElement::from_canonical(MODULUS.invert(&self.limbs()))
    }

    /// The multiplicative inverse, `None` for 0, in variable time: for public values only.
    pub fn invert_vartime(&self) -> Option<FieldElement> {
        let limbs = self.limbs();
        if limbs == [0; 4] { None } else { Some(FieldElement::from_canonical(MODULUS.invert_vartime(&limbs))) }
    }

    /// Replaces each element by its inverse, 0 by 0. Constant time, for one inversion and about 3 multiplications an
    /// element in each block of 128 (Montgomery's trick).
    ///
    /// ```
    /// use phalanx::FieldElement;
    /// let mut values = [FieldElement::from(2u64), FieldElement::ZERO];
    /// FieldElement::batch_invert(&mut values);
    /// assert_eq!(values[0].double(), FieldElement::ONE);
    /// assert_eq!(values[1], FieldElement::ZERO);
    /// ```
    pub fn batch_invert(values: &mut [FieldElement]) {
        GeneratorStack::cleared(|| crate::arithmetic::batch_invert(values));
    }
}

/// Whether limbs are below p = 2^256 - C, that is, whether adding C stays below 2^256.
const fn is_below_modulus(limbs: &[u64; 4]) -> bool {
    let carry = limbs[0].overflowing_add(<P256k1 as phalanx_engine::field::Prime>::C).1;
    let carry = limbs[1].overflowing_add(carry as u64).1;
    let carry = limbs[2].overflowing_add(carry as u64).1;
    !limbs[3].overflowing_add(carry as u64).1
}

/// The inverse of an element of the engine's field of magnitude at most 24, and 0 for 0; normalised. Constant time, by
/// division steps.
#[inline]
pub(crate) fn invert(value: Fe) -> Fe {
    FieldElement::from_fe(value).inverse().0
}

/// As [`invert`], in variable time: for public values only.
#[inline]
pub(crate) fn invert_vartime(value: Fe) -> Fe {
    FieldElement::from_fe(value).invert_vartime().unwrap_or_default().0
}

number::number_text!(FieldElement);
comparisons!(FieldElement);

impl Default for FieldElement {
    fn default() -> FieldElement {
        FieldElement::ZERO
    }
}

impl Zeroize for FieldElement {
    fn zeroize(&mut self) {
        *self = FieldElement::ZERO;
        zeroize::optimization_barrier(self);
    }
}

#[cfg(test)]
mod tests;
