//! Rows of bulk calls: what one line of a file holds, borrowed, encoded or parsed.

use crate::{Error, XOnlyKeyRef, XOnlyPublicKey};
use alloc::vec::Vec;

/// One signature to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// The message, of any length; a Bitcoin or Nostr row holds 32 bytes of digest here.
    pub message: &'a [u8],
    /// The signature, which [`super::Signature::from_bytes`] must take.
    pub signature: &'a [u8],
    /// The key it is claimed to be made with.
    pub public_key: XOnlyKeyRef<'a>,
}

/// Rows from three slices, element by element.
///
/// # Errors
/// [`Error::LengthMismatch`] if the slices differ in length.
///
/// ```
/// # use phalanx::{Keypair, schnorr};
/// let pair = Keypair::random();
/// let signature = schnorr::sign(b"message", &pair, &[0; 32]).to_bytes();
/// let keys = [pair.x_only()];
/// let rows = schnorr::rows(&[b"message"], &[signature], &keys)?.len();
/// assert_eq!(rows, 1);
/// # Ok::<(), phalanx::Error>(())
/// ```
pub fn rows<'a, M: AsRef<[u8]>>(
    messages: &'a [M],
    signatures: &'a [[u8; 64]],
    public_keys: &'a [XOnlyPublicKey],
) -> Result<Vec<Row<'a>>, Error> {
    Error::check_lengths(messages.len(), signatures.len())?;
    Error::check_lengths(messages.len(), public_keys.len())?;
    let values = messages.iter().zip(signatures).zip(public_keys);
    let row = |((message, signature), public_key): ((&'a M, &'a [u8; 64]), &'a XOnlyPublicKey)| Row {
        message: message.as_ref(),
        signature,
        public_key: XOnlyKeyRef::Parsed(public_key),
    };
    Ok(values.map(row).collect())
}
