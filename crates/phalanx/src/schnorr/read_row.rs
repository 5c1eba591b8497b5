//! What a row says, in the order of checks that the verdict contract lays down: public key, signature encoding, range
//! of r and s. A message of any length is one.
//!
//! The order stands here once. Single calls, bulk calls on every backend and batches all read rows by this function.

use super::{Row, Signature};
use crate::{Error, XOnlyKeyRef, keys::ReadRow};

/// Reads a row. `read_key` reads the key as far as the caller can.
///
/// # Errors
/// What is wrong with reading the key. Later errors come from [`ReadRow::finish`].
pub(crate) fn read_row<'a, K>(
    row: &Row<'a>,
    read_key: impl FnOnce(&XOnlyKeyRef<'a>) -> Result<K, Error>,
) -> Result<ReadRow<K, Signature>, Error> {
    let key = read_key(&row.public_key)?;
    Ok(ReadRow::new(key, Signature::from_bytes(row.signature)))
}
