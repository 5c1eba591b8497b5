//! The secret key.

use super::{PublicKey, tweak_scalar};
use crate::{
    Error, Scalar,
    declassify::declassify,
    encoding::DisplaySecret,
    mul::Unit,
    wipe::{GeneratorStack, ScalarStack, wipe},
};
use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A secret key: a scalar d with 1 <= d < n, where n is the group order.
///
/// It is not `Copy`, its `Debug` output does not show it, comparison takes constant time, and its memory is wiped when
/// it is dropped. No operation leaves a copy behind, in memory that it gave back or on the stack (the repository's
/// `docs/inside/assurance.md` says how that is tested). Where the key itself is moved to another place, what stood in
/// the first place is out of reach.
///
/// ```
/// use phalanx::SecretKey;
/// let secret = SecretKey::from_bytes(&[1; 32])?;
/// assert_eq!(format!("{secret:?}"), "SecretKey(..)");
/// assert!("00".repeat(32).parse::<SecretKey>().is_err());
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone)]
pub struct SecretKey(Scalar);

impl SecretKey {
    /// Reads 32 big-endian bytes. Constant time, except that it tells whether the key is valid.
    ///
    /// # Errors
    /// [`Error::BadSecretKey`] if the number is zero or not below the group order, or there are not 32 bytes.
    ///
    /// ```
    /// # use phalanx::{Error, SecretKey};
    /// assert!(SecretKey::from_bytes(&[1; 32]).is_ok());
    /// assert_eq!(SecretKey::from_bytes(&[0xff; 32]).unwrap_err(), Error::BadSecretKey);
    /// assert!(SecretKey::from_bytes(&[1; 31]).is_err());
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        ScalarStack::cleared(|| Scalar::from_bytes(bytes).ok().and_then(Self::from_scalar).ok_or(Error::BadSecretKey))
    }

    /// None for zero.
    pub(crate) fn from_scalar(scalar: Scalar) -> Option<Self> {
        // Whether a key is valid is what the caller asked.
        (!bool::from(declassify(scalar.is_zero()))).then_some(SecretKey(scalar))
    }

    /// The key as a number, which the caller should not copy.
    pub(crate) fn scalar(&self) -> &Scalar {
        &self.0
    }

    /// The key as 64 lower-case hexadecimal digits, to be written: a `SecretKey` is not displayed by itself. Constant
    /// time. The digits are wiped on drop; copies that moves leave, and what they are written to, are not.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let secret = SecretKey::from_bytes(&[0x5a; 32])?;
    /// assert_eq!(secret.display_secret().to_string().parse(), Ok(secret));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn display_secret(&self) -> impl fmt::Display + use<> {
        ScalarStack::cleared(|| {
            let mut bytes = self.to_bytes();
            let digits = DisplaySecret::new(&bytes);
            wipe(&mut bytes);
            digits
        })
    }

    /// The key as 32 big-endian bytes, which the caller should wipe.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// assert_eq!(SecretKey::from_bytes(&[7; 32])?.to_bytes(), [7; 32]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The public key d * G. Constant time.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let mut one = [0; 32];
    /// one[31] = 1;
    /// let generator = SecretKey::from_bytes(&one)?.public_key();
    /// assert!(generator.to_string().starts_with("0279be667ef9dcbb"));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn public_key(&self) -> PublicKey {
        self.public_key_on(Unit::best())
    }

    pub(crate) fn public_key_on(&self, unit: Unit) -> PublicKey {
        // Publishing it is what it is for.
        declassify(GeneratorStack::cleared(|| PublicKey::of_secret(unit, &self.0)))
    }

    /// The key n - d, whose public key is the negative of this one's. Constant time.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let secret = SecretKey::random();
    /// assert_eq!(secret.negate().public_key(), secret.public_key().negate());
    /// ```
    #[must_use]
    pub fn negate(&self) -> SecretKey {
        ScalarStack::cleared(|| SecretKey(-self.0))
    }

    /// The key d + t. Constant time, except that it tells whether the result is a key. A zero tweak changes nothing.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is not below the group order or the sum is zero.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let secret = SecretKey::random();
    /// let tweak = [3; 32];
    /// assert_eq!(secret.tweak_add(&tweak)?.public_key(), secret.public_key().tweak_add(&tweak)?);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_add(&self, tweak: &[u8; 32]) -> Result<SecretKey, Error> {
        ScalarStack::cleared(|| Self::from_scalar(self.0 + tweak_scalar(tweak)?).ok_or(Error::BadTweak))
    }

    /// The key d * t. Constant time, except that it tells whether the result is a key.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is zero or not below the group order.
    ///
    /// ```
    /// # use phalanx::{Error, SecretKey};
    /// let secret = SecretKey::random();
    /// let tweak = [3; 32];
    /// assert_eq!(secret.tweak_mul(&tweak)?.public_key(), secret.public_key().tweak_mul(&tweak)?);
    /// assert_eq!(secret.tweak_mul(&[0; 32]), Err(Error::BadTweak));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_mul(&self, tweak: &[u8; 32]) -> Result<SecretKey, Error> {
        ScalarStack::cleared(|| Self::from_scalar(self.0 * tweak_scalar(tweak)?).ok_or(Error::BadTweak))
    }
}

impl ConstantTimeEq for SecretKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for SecretKey {
    /// Compares in constant time.
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other)).into()
    }
}

impl Eq for SecretKey {}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl Drop for SecretKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for SecretKey {}

impl TryFrom<Scalar> for SecretKey {
    type Error = Error;

    /// # Errors
    /// [`Error::BadSecretKey`] for zero.
    fn try_from(scalar: Scalar) -> Result<Self, Error> {
        Self::from_scalar(scalar).ok_or(Error::BadSecretKey)
    }
}

impl From<&SecretKey> for Scalar {
    /// The secret scalar, which no longer wipes itself.
    fn from(secret: &SecretKey) -> Scalar {
        secret.0
    }
}
