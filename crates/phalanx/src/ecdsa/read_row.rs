//! What a row says, in the order of checks that the verdict contract lays down: message, public key, signature
//! encoding, range of r and s, low-S policy.
//!
//! The order stands here once. Single calls, bulk calls on every backend and batches all read rows by these functions.

use super::{RecoverRow, RecoveryId, Row, Signature, SignatureRef};
use crate::{Error, LowS, PublicKeyRef, Scalar, keys::ReadRow};

/// A digest and a signature that has passed every check that needs no key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedDigest<'a> {
    pub(super) digest: &'a [u8; 32],
    pub(super) signature: Signature,
}

impl SignedDigest<'_> {
    /// The digest as a number modulo n.
    pub(crate) fn z(&self) -> Scalar {
        Scalar::from_bytes_reduced(self.digest)
    }

    pub(crate) fn r(&self) -> Scalar {
        self.signature.r
    }

    pub(crate) fn s(&self) -> Scalar {
        self.signature.s
    }
}

/// A row that has passed every check but whether a key exists.
#[derive(Clone, Copy)]
pub(crate) struct Recovery<'a> {
    pub(super) signed: SignedDigest<'a>,
    pub(super) id: RecoveryId,
}

/// Reads a row. `read_key` reads the key as far as the caller can, and is not called where the message is refused
/// already.
///
/// # Errors
/// What is wrong with the message or with reading the key. Later errors come from [`ReadRow::finish`].
pub(crate) fn read_row<'a, K>(
    row: &Row<'a>,
    low_s: LowS,
    read_key: impl FnOnce(&PublicKeyRef<'a>) -> Result<K, Error>,
) -> Result<ReadRow<K, SignedDigest<'a>>, Error> {
    let digest = read_digest(row.digest)?;
    let key = read_key(&row.public_key)?;
    Ok(ReadRow::new(key, read_signature(digest, &row.signature, low_s)))
}

/// Reads a row to recover a key from, all of it.
///
/// # Errors
/// As [`super::recover_row`], but for what takes arithmetic on the curve to find out.
pub(crate) fn read_recover_row<'a>(row: &RecoverRow<'a>) -> Result<Recovery<'a>, Error> {
    let digest = read_digest(row.digest)?;
    let signed = read_signature(digest, &row.signature, LowS::Allow)?;
    let id = RecoveryId::from_u8(row.recovery_id)?;
    Ok(Recovery { signed, id })
}

fn read_digest(digest: &[u8]) -> Result<&[u8; 32], Error> {
    digest.try_into().map_err(|_| Error::BadDigest)
}

fn read_signature<'a>(
    digest: &'a [u8; 32],
    signature: &SignatureRef<'_>,
    low_s: LowS,
) -> Result<SignedDigest<'a>, Error> {
    let signature = signature.parse()?;
    check_low_s(&signature, low_s)?;
    Ok(SignedDigest { digest, signature })
}

pub(super) fn check_low_s(signature: &Signature, low_s: LowS) -> Result<(), Error> {
    match low_s {
        LowS::Require if signature.is_high_s() => Err(Error::HighS),
        LowS::Require | LowS::Allow => Ok(()),
    }
}
