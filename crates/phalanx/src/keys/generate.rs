//! New keys, from the operating system's randomness or from a generator of the caller's.

use super::{Keypair, SecretKey};
use zeroize::Zeroizing;

/// A key from bytes that `fill` draws, drawn again until they are a key, which keeps the distribution uniform: 32 bytes
/// are none with probability 2^-127. What was drawn is wiped, on an error and on unwinding too.
fn draw<E>(mut fill: impl FnMut(&mut [u8; 32]) -> Result<(), E>) -> Result<SecretKey, E> {
    let mut bytes = Zeroizing::new([0; 32]);
    loop {
        fill(&mut bytes)?;
        if let Ok(secret) = SecretKey::from_bytes(&*bytes) {
            return Ok(secret);
        }
    }
}

impl SecretKey {
    /// A new key from the operating system's randomness, uniform over all keys.
    ///
    /// # Panics
    /// If the operating system has no randomness to give, where no key could be made that is safe to use.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// assert!(SecretKey::random() != SecretKey::random());
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn random() -> Self {
        draw(|bytes| getrandom::fill(bytes)).expect("the operating system provides randomness")
    }

    /// A new key from a generator that cannot fail, uniform over all keys if the generator's bytes are uniform.
    ///
    /// ```
    /// use phalanx::{SecretKey, rand_core::UnwrapErr};
    /// // Or any other generator that implements `CryptoRng`.
    /// let mut rng = UnwrapErr(getrandom::SysRng);
    /// assert!(SecretKey::generate(&mut rng) != SecretKey::generate(&mut rng));
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn generate<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let Ok(secret) = Self::try_generate(rng);
        secret
    }

    /// As [`generate`](Self::generate), from a generator that may fail.
    ///
    /// # Errors
    /// The generator's.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let secret = SecretKey::try_generate(&mut getrandom::SysRng)?;
    /// # Ok::<(), getrandom::Error>(())
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn try_generate<R: rand_core::TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        draw(|bytes| rng.try_fill_bytes(bytes))
    }
}

impl Keypair {
    /// A new pair from the operating system's randomness; see [`SecretKey::random`].
    ///
    /// # Panics
    /// As [`SecretKey::random`] and [`Keypair::from_secret`].
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// assert!(Keypair::random() != Keypair::random());
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn random() -> Self {
        Self::from_secret(SecretKey::random())
    }

    /// A new pair from a generator that cannot fail; see [`SecretKey::generate`].
    ///
    /// # Panics
    /// As [`Keypair::from_secret`].
    ///
    /// ```
    /// # use phalanx::{Keypair, rand_core::UnwrapErr};
    /// let mut rng = UnwrapErr(getrandom::SysRng);
    /// assert!(Keypair::generate(&mut rng) != Keypair::generate(&mut rng));
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn generate<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self {
        Self::from_secret(SecretKey::generate(rng))
    }

    /// As [`generate`](Self::generate), from a generator that may fail.
    ///
    /// # Errors
    /// The generator's.
    ///
    /// # Panics
    /// As [`Keypair::from_secret`].
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let pair = Keypair::try_generate(&mut getrandom::SysRng)?;
    /// # Ok::<(), getrandom::Error>(())
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn try_generate<R: rand_core::TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        SecretKey::try_generate(rng).map(Self::from_secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;

    #[test]
    fn what_is_no_key_is_drawn_again() {
        let order: [u8; 32] = crate::encoding::bytes_of_words(&Scalar::ORDER);
        let mut drawn = [[0; 32], order, [0xff; 32], [7; 32], [8; 32]].into_iter();
        let secret = draw(|bytes| {
            *bytes = drawn.next().ok_or(())?;
            Ok::<_, ()>(())
        });
        assert_eq!(secret.unwrap(), SecretKey::from_bytes(&[7; 32]).unwrap());
        assert_eq!(drawn.len(), 1);
    }

    #[test]
    fn an_error_of_the_source_is_passed_on() {
        let mut calls = 0;
        let secret = draw(|_| {
            calls += 1;
            Err::<(), _>("no more")
        });
        assert_eq!((secret.unwrap_err(), calls), ("no more", 1));
    }
}
