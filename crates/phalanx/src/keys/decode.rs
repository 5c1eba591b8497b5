//! Public keys from bytes.

use super::{PublicKey, RowKey, XOnlyPublicKey};
use crate::Error;

impl PublicKey {
    /// Reads the compressed (33 bytes, prefix 02 or 03) or the uncompressed form (65 bytes, prefix 04) of SEC 1 section
    /// 2.3.4. Variable time: a public key is public.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for any other length or prefix, a coordinate not below p, or a point off the curve. The
    /// hybrid prefixes 06 and 07 are refused here; see [`from_bytes_hybrid`](Self::from_bytes_hybrid).
    ///
    /// ```
    /// # use phalanx::{Error, PublicKey};
    /// // 5^3 + 7 is no square modulo p.
    /// let mut bytes = [0; 33];
    /// (bytes[0], bytes[32]) = (2, 5);
    /// assert_eq!(PublicKey::from_bytes(&bytes), Err(Error::BadPublicKey));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        RowKey::read_bytes(bytes, false)?.point()
    }

    /// As [`from_bytes`](Self::from_bytes), and takes the hybrid form of X9.62 too: 65 bytes with prefix 06 or 07,
    /// which repeats the parity of y. Bitcoin's consensus rules accept such keys; nothing should produce them.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), and if the prefix contradicts y.
    ///
    /// ```
    /// # use phalanx::{PublicKey, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// let mut bytes = key.to_bytes_uncompressed();
    /// bytes[0] = 6 + (bytes[64] & 1);
    /// assert_eq!(PublicKey::from_bytes_hybrid(&bytes), Ok(key));
    /// assert!(PublicKey::from_bytes(&bytes).is_err());
    /// ```
    pub fn from_bytes_hybrid(bytes: &[u8]) -> Result<Self, Error> {
        RowKey::read_bytes(bytes, true)?.point()
    }
}

impl XOnlyPublicKey {
    /// Reads 32 big-endian bytes and finds the point (`lift_x` of BIP-340). Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if there are not 32 bytes, x is not below p, or no point has this x.
    ///
    /// ```
    /// # use phalanx::{Error, XOnlyPublicKey};
    /// let mut bytes = [0; 32];
    /// bytes[31] = 5;
    /// assert_eq!(XOnlyPublicKey::from_bytes(&bytes), Err(Error::BadPublicKey));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        RowKey::read_x_only_bytes(bytes)?.point().map(XOnlyPublicKey::from_even)
    }
}
