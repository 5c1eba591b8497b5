//! Public keys as rows carry them: still encoded, or parsed already.

use super::{PublicKey, RowKey, XOnlyPublicKey};
use crate::Error;

/// A public key in a row of a bulk call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublicKeyRef<'a> {
    /// The 33 or 65 bytes that [`PublicKey::from_bytes`] takes.
    Encoded(&'a [u8]),
    /// As above, and the hybrid form: what [`PublicKey::from_bytes_hybrid`] takes.
    EncodedHybrid(&'a [u8]),
    /// A key that has been parsed.
    Parsed(&'a PublicKey),
}

impl PublicKeyRef<'_> {
    /// The key. Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`], as the function that reads this form.
    ///
    /// ```
    /// # use phalanx::{PublicKeyRef, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(PublicKeyRef::Encoded(&key.to_bytes()).parse(), Ok(key));
    /// ```
    pub fn parse(&self) -> Result<PublicKey, Error> {
        RowKey::read(self)?.point()
    }
}

/// An x-only public key in a row of a bulk call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XOnlyKeyRef<'a> {
    /// The 32 bytes that [`XOnlyPublicKey::from_bytes`] takes.
    Encoded(&'a [u8]),
    /// A key that has been parsed.
    Parsed(&'a XOnlyPublicKey),
}

impl XOnlyKeyRef<'_> {
    /// The key. Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`], as [`XOnlyPublicKey::from_bytes`].
    ///
    /// ```
    /// # use phalanx::{Keypair, XOnlyKeyRef};
    /// let key = Keypair::random().x_only();
    /// assert_eq!(XOnlyKeyRef::Encoded(&key.to_bytes()).parse(), Ok(key));
    /// ```
    pub fn parse(&self) -> Result<XOnlyPublicKey, Error> {
        match self {
            XOnlyKeyRef::Encoded(bytes) => XOnlyPublicKey::from_bytes(bytes),
            XOnlyKeyRef::Parsed(key) => Ok(**key),
        }
    }
}

impl RowKey {
    /// Reads the key of a row.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] where [`PublicKeyRef::parse`] fails, except that whether an x has a point is left open.
    pub(crate) fn read(key: &PublicKeyRef<'_>) -> Result<RowKey, Error> {
        match key {
            PublicKeyRef::Encoded(bytes) => Self::read_bytes(bytes, false),
            PublicKeyRef::EncodedHybrid(bytes) => Self::read_bytes(bytes, true),
            PublicKeyRef::Parsed(key) => Ok(RowKey::Point(**key)),
        }
    }

    /// Reads the x-only key of a row: the key with this x and an even y.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] where [`XOnlyKeyRef::parse`] fails, except that whether x has a point is left open.
    pub(crate) fn read_x_only(key: &XOnlyKeyRef<'_>) -> Result<RowKey, Error> {
        match key {
            XOnlyKeyRef::Encoded(bytes) => Self::read_x_only_bytes(bytes),
            XOnlyKeyRef::Parsed(key) => Ok(RowKey::Point(key.public_key())),
        }
    }
}
