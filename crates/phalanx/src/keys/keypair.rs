//! A secret key together with the public key it has.

use super::{PublicKey, SecretKey, XOnlyPublicKey, tweak_scalar};
use crate::{Error, Scalar, mul::Unit, wipe::ScalarStack};
use core::fmt;
use subtle::{Choice, ConditionallySelectable};

/// A secret key and its public key, computed once.
///
/// Schnorr signing needs both, and signing with a public key that does not belong to the secret gives the secret away.
/// No constructor takes a public key, so the two always match.
///
/// ```
/// use phalanx::{Keypair, SecretKey};
/// let pair = Keypair::from_secret(SecretKey::random());
/// assert_eq!(pair.secret_key().public_key(), pair.public_key());
/// ```
#[derive(Clone)]
pub struct Keypair {
    secret: SecretKey,
    public: PublicKey,
}

impl Keypair {
    /// Computes the public key of a secret key. Constant time.
    ///
    /// ```
    /// # use phalanx::{Keypair, SecretKey};
    /// let pair = Keypair::from_secret(SecretKey::from_bytes(&[1; 32])?);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn from_secret(secret: SecretKey) -> Self {
        Self::from_secret_on(Unit::best(), &secret)
    }

    /// By reference: a key that is handed on by value may leave a copy on the stack.
    pub(crate) fn from_secret_on(unit: Unit, secret: &SecretKey) -> Self {
        let public = secret.public_key_on(unit);
        // A copy, so that what was handed over is dropped, and thereby wiped, where it was handed over.
        Keypair { secret: secret.clone(), public }
    }

    /// The pair of a secret key and the public key that has just been computed from it, in the same row of a bulk call.
    pub(crate) fn of_row(secret: &SecretKey, public: PublicKey) -> Self {
        Keypair { secret: secret.clone(), public }
    }

    /// The secret key, as it was given: for Schnorr signatures its negative takes its place where y is odd.
    ///
    /// ```
    /// # use phalanx::{Keypair, SecretKey};
    /// let secret = SecretKey::from_bytes(&[1; 32])?;
    /// assert_eq!(*Keypair::from_secret(secret.clone()).secret_key(), secret);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn secret_key(&self) -> &SecretKey {
        &self.secret
    }

    /// The public key.
    ///
    /// ```
    /// # use phalanx::{Keypair, LowS, ecdsa};
    /// let pair = Keypair::random();
    /// let signature = ecdsa::sign(&[7; 32], pair.secret_key());
    /// assert!(ecdsa::verify(&[7; 32], &signature, &pair.public_key(), LowS::Require).is_ok());
    /// ```
    pub fn public_key(&self) -> PublicKey {
        self.public
    }

    /// The x-only public key, under which this pair's Schnorr signatures verify.
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let pair = Keypair::random();
    /// assert_eq!(pair.x_only(), pair.public_key().x_only().0);
    /// ```
    pub fn x_only(&self) -> XOnlyPublicKey {
        self.public.x_only().0
    }

    /// The scalar whose public point is the x-only key: d, or n - d if d's point has an odd y (BIP-340). Constant time.
    pub(crate) fn even_scalar(&self) -> Scalar {
        let scalar = *self.secret.scalar();
        Scalar::conditional_select(&scalar, &-scalar, Choice::from(u8::from(self.public.y_is_odd())))
    }

    /// The pair whose x-only public key is this one's plus t * G. Constant time, except that it tells whether the
    /// result is a key.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is not below the group order or the sum is zero.
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let pair = Keypair::random();
    /// assert_eq!(pair.tweak_add_x_only(&[3; 32])?.x_only(), pair.x_only().tweak_add(&[3; 32])?.0);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_add_x_only(&self, tweak: &[u8; 32]) -> Result<Keypair, Error> {
        ScalarStack::cleared(|| {
            let sum = self.even_scalar() + tweak_scalar(tweak)?;
            SecretKey::from_scalar(sum).map(Self::from_secret).ok_or(Error::BadTweak)
        })
    }

    /// The pair of the taproot output key (BIP-341, `taproot_tweak_seckey`); see [`XOnlyPublicKey::taproot_tweak`].
    ///
    /// # Errors
    /// As [`XOnlyPublicKey::taproot_tweak`].
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let pair = Keypair::random();
    /// let root = [7; 32];
    /// assert_eq!(pair.taproot_tweak(Some(&root))?.x_only(), pair.x_only().taproot_tweak(Some(&root))?.0);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn taproot_tweak(&self, merkle_root: Option<&[u8; 32]>) -> Result<Keypair, Error> {
        self.tweak_add_x_only(&self.x_only().taproot_tweak_hash(merkle_root))
    }
}

impl PartialEq for Keypair {
    /// Compares the secret keys in constant time.
    fn eq(&self, other: &Self) -> bool {
        self.secret == other.secret
    }
}

impl Eq for Keypair {}

impl fmt::Debug for Keypair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keypair").field("public", &self.public).finish_non_exhaustive()
    }
}

impl From<SecretKey> for Keypair {
    fn from(secret: SecretKey) -> Self {
        Self::from_secret(secret)
    }
}
