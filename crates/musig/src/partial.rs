//! Partial signatures.

use crate::{Contribution, Error, error::all_or_bad};
use alloc::vec::Vec;
use phalanx::Scalar;

/// One signer's part of a signature: a number below the group order. It is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartialSignature(pub(crate) Scalar);

impl PartialSignature {
    /// Reads 32 big-endian bytes.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for a number that is not below the group order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Scalar::from_bytes(bytes).map(PartialSignature).map_err(|_| Error::BadEncoding(Contribution::PartialSignature))
    }

    /// Reads those of many signers.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with all signers whose numbers are not below the group order.
    pub fn read_all(encoded: &[[u8; 32]]) -> Result<Vec<Self>, Error> {
        let read = encoded.iter().map(|bytes| Self::from_bytes(bytes).ok());
        all_or_bad(Contribution::PartialSignature, read)
    }

    /// The 32 big-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }
}
