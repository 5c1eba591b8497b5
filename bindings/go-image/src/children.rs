//! Children of extended public keys.

use crate::{call::MISUSED, ffi::Given};
use phalanx::{
    Verdict,
    bindings::{CacheLine, OneThread},
    children::{Child, PayloadKind},
};

/// The bytes of a child: key, chain code, payload.
const CHILD: usize = 65 + 32 + 32;

/// Writes the children of rows, and their verdicts. Apart from other operations, so that their stack does not hold its
/// frame.
#[inline(never)]
pub(crate) fn derive(
    given: Given<'_>,
    one: OneThread,
    out: &mut [Verdict],
    memory: &mut [CacheLine],
) -> Result<(), u32> {
    // The library refuses widths that cannot be.
    let columns = [given.column(0, &[])?, given.column(1, &[])?, given.column(2, &[])?];
    let payload = *PayloadKind::ALL.get(given.call().flags as usize).ok_or(MISUSED)?;
    let mut written = Ok(());
    let write = |row: usize, child: &Child| {
        let (mut bytes, payload) = ([0; CHILD], child.payload.as_bytes());
        bytes[..65].copy_from_slice(&child.public_key.to_bytes_uncompressed());
        bytes[65..97].copy_from_slice(&child.chain_code);
        bytes[97..97 + payload.len()].copy_from_slice(payload);
        written = written.and_then(|()| given.write(0, row, &bytes));
    };
    one.derive_children_in_columns(columns, payload, out, memory, write).map_err(|_| MISUSED).and(written)
}
