//! Rows of bulk calls: what one line of a file holds, borrowed, encoded or parsed.

use crate::{Column, Error, XOnlyKeyRef, XOnlyPublicKey};
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

/// The columns of rows to verify. Messages of one call have one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns<'a> {
    messages: Column<'a>,
    signatures: Column<'a>,
    public_keys: Column<'a>,
}

impl<'a> Columns<'a> {
    /// Messages, signatures of 64 bytes and keys of 32 bytes.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the columns differ in their number of rows.
    pub fn new(messages: Column<'a>, signatures: Column<'a>, public_keys: Column<'a>) -> Result<Self, Error> {
        Error::check_lengths(messages.len(), signatures.len())?;
        Error::check_lengths(messages.len(), public_keys.len())?;
        Ok(Columns { messages, signatures, public_keys })
    }

    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    pub(crate) fn get(&self, row: usize) -> Row<'a> {
        Row {
            message: self.messages.get(row),
            signature: self.signatures.get(row),
            public_key: XOnlyKeyRef::Encoded(self.public_keys.get(row)),
        }
    }
}
