//! Signatures of a group.

use crate::{Error, Suite};
use alloc::vec::Vec;
use core::fmt;
use phalanx::{Point, PublicKey, Scalar, schnorr};

/// A signature R, z, which says that z G = R + c Q for the challenge c and the group's key Q.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    suite: Suite,
    nonce: PublicKey,
    z: Scalar,
}

impl Signature {
    /// For signatures of BIP-340 the nonce's y is forgotten.
    pub(crate) fn new(suite: Suite, nonce: PublicKey, z: Scalar) -> Self {
        let nonce = if suite.is_x_only() { nonce.x_only().0.public_key() } else { nonce };
        Signature { suite, nonce, z }
    }

    /// Reads 64 bytes of BIP-340, or for [`Suite::Rfc9591`] 65 bytes: a compressed point and a scalar.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for other lengths, for what is no point, and for a scalar that is not below the group order.
    pub fn from_bytes(suite: Suite, bytes: &[u8]) -> Result<Self, Error> {
        let (nonce, z) = bytes.split_last_chunk::<32>().ok_or(Error::BadEncoding)?;
        let z = Scalar::from_bytes(z).map_err(|_| Error::BadEncoding)?;
        let nonce = match (suite.is_x_only(), nonce.len()) {
            (true, 32) => phalanx::XOnlyPublicKey::from_bytes(nonce).map(|nonce| nonce.public_key()),
            (false, 33) => PublicKey::from_bytes(nonce),
            _ => return Err(Error::BadEncoding),
        };
        Ok(Signature { suite, nonce: nonce.map_err(|_| Error::BadEncoding)?, z })
    }

    /// As [`Signature::from_bytes`] reads it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let nonce = self.nonce.to_bytes();
        [&nonce[usize::from(self.suite.is_x_only())..], &self.z.to_bytes()].concat()
    }

    /// The signature as one of BIP-340, `None` for [`Suite::Rfc9591`].
    pub fn to_bip340(&self) -> Option<schnorr::Signature> {
        // The nonce is a point and z below the group order, which is all that is asked.
        self.suite.is_x_only().then(|| schnorr::Signature::from_bytes(&self.to_bytes()).expect("64 bytes in range"))
    }

    /// Verifies the signature of a message under the group's key. Variable time.
    ///
    /// # Errors
    /// [`Error::BadSignature`].
    pub fn verify(&self, message: &[u8], key: &PublicKey) -> Result<(), Error> {
        let key = if self.suite.is_x_only() { key.x_only().0.public_key() } else { *key };
        let challenge = self.suite.challenge(&self.nonce, &key, message);
        if self.holds(&challenge, &key) { Ok(()) } else { Err(Error::BadSignature) }
    }

    /// Whether z G = R + c Q for this challenge c and key Q.
    pub(crate) fn holds(&self, challenge: &Scalar, key: &PublicKey) -> bool {
        Point::double_mul_vartime(&-*challenge, &key.into(), &self.z) == Point::from(self.nonce)
    }

    pub(crate) fn nonce(&self) -> PublicKey {
        self.nonce
    }

    pub(crate) fn z(&self) -> Scalar {
        self.z
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(")?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
