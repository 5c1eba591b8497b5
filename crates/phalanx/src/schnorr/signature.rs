//! The signature: the x coordinate of the nonce's point and a scalar.

use crate::{
    Error, Scalar,
    encoding::{bytes_of_words, halves, join, text, words},
    group::Fe,
    keys::RowKey,
};
use core::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

/// A BIP-340 signature: r below p and s below n. Whether a point with x coordinate r exists is for verification to
/// find.
///
/// ```
/// use phalanx::{Error, schnorr::Signature};
/// let signature = Signature::from_bytes(&[1; 64])?;
/// assert_eq!(signature.to_string().parse(), Ok(signature));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// Below p, least significant word first.
    pub(super) r: [u64; 4],
    pub(super) s: Scalar,
}

impl Signature {
    /// Fills memory that is about to be written.
    pub(crate) const PLACEHOLDER: Signature = Signature { r: [1, 0, 0, 0], s: Scalar::ONE };

    /// Reads 64 bytes: r and s, big-endian, one after the other.
    ///
    /// # Errors
    /// [`Error::BadSignatureEncoding`] for any other length, [`Error::OutOfRange`] if r >= p or s >= n.
    ///
    /// ```
    /// # use phalanx::{Error, schnorr::Signature};
    /// assert_eq!(Signature::from_bytes(&[1; 65]), Err(Error::BadSignatureEncoding));
    /// assert_eq!(Signature::from_bytes(&[0xff; 64]), Err(Error::OutOfRange));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (r, s) = halves(bytes)?;
        let r = words(&r);
        if r.iter().rev().ge(Fe::MODULUS.iter().rev()) {
            return Err(Error::OutOfRange);
        }
        Ok(Signature { r, s: Scalar::from_bytes(&s).map_err(|_| Error::OutOfRange)? })
    }

    /// The 64 bytes: r and s, big-endian, one after the other.
    ///
    /// ```
    /// # use phalanx::schnorr::Signature;
    /// assert_eq!(Signature::from_bytes(&[1; 64])?.to_bytes(), [1; 64]);
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 64] {
        join(&self.r_bytes(), &self.s.to_bytes())
    }

    pub(crate) fn r_words(&self) -> [u64; 4] {
        self.r
    }

    /// The nonce's point, which has an even y, as far as it is known without a square root.
    pub(crate) fn nonce(&self) -> RowKey {
        RowKey::Lift { x: self.r, odd: false }
    }

    pub(crate) fn s(&self) -> Scalar {
        self.s
    }

    pub(crate) fn r_bytes(&self) -> [u8; 32] {
        bytes_of_words(&self.r)
    }
}

impl Ord for Signature {
    /// By encoding.
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_bytes().cmp(&other.to_bytes())
    }
}

impl PartialOrd for Signature {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Signature {
    /// Hashes the encoding.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

text!(Signature, "schnorr::Signature", "a Schnorr signature of 64 bytes", [64], to_bytes, from_bytes);
