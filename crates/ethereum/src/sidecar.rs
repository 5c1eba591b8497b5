//! Blob transactions as the network passes them on: `[transaction, blobs, commitments, proofs]` by EIP-4844, and
//! `[transaction, 1, blobs, commitments, cell proofs]` by EIP-7594.

use crate::error::{Fault, SenderError};
use crate::rlp::{Reader, malformed};

/// The bytes of a blob: 4,096 field elements.
const BLOB: usize = 4096 * 32;
/// Proofs that a blob has by EIP-7594.
const CELLS: usize = 128;

/// The list of the transaction within such a list; a list that begins with no other is that of a transaction already.
pub(crate) fn strip(list: &[u8]) -> Result<&[u8], SenderError> {
    let mut outer = Reader::new(list);
    let mut reader = outer.list("transaction")?;
    if !reader.at_list() {
        return Ok(list);
    }
    outer.finish("transaction")?;
    let inner = reader.rest();
    reader.list("transaction")?;
    let inner = &inner[..inner.len() - reader.rest().len()];
    let cells = !reader.at_list();
    if cells && reader.number64("wrapper_version")? != 1 {
        return Err(malformed("wrapper_version", Fault::TooLarge));
    }
    let blobs = count::<BLOB>("blobs", &mut reader)?;
    let commitments = count::<48>("commitments", &mut reader)?;
    let proofs = count::<48>("proofs", &mut reader)?;
    reader.finish("transaction")?;
    if commitments != blobs {
        return Err(malformed("commitments", Fault::WrongLength));
    }
    if proofs != blobs * if cells { CELLS } else { 1 } {
        return Err(malformed("proofs", Fault::WrongLength));
    }
    Ok(inner)
}

/// How many values of `N` bytes a list holds.
fn count<const N: usize>(name: &'static str, reader: &mut Reader<'_>) -> Result<usize, SenderError> {
    let mut list = reader.list(name)?;
    let mut count = 0;
    while !list.is_empty() {
        list.fixed::<N>(name)?;
        count += 1;
    }
    Ok(count)
}
