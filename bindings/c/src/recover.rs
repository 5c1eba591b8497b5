//! Recovery of public keys.
#![allow(unsafe_code)]

use crate::{
    columns::{RowCall, in_columns},
    handle::phalanx_bulk,
    types::{phalanx_call, phalanx_column, phalanx_output},
};
use library::bulk::{ColumnOptions, Operation};

/// Recovers the public keys of ECDSA signatures: digests of 32 bytes, signatures of 64, recovery ids of 1 (0 to 3).
/// Writes keys of 33 or 65 bytes, by the width of `found_keys`, and a verdict for each row; a key that is not there
/// is all zero. High s is accepted. Variable time.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_recover(
    bulk: *const phalanx_bulk,
    digests: *const phalanx_column,
    signatures: *const phalanx_column,
    recovery_ids: *const phalanx_column,
    found_keys: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(digests, &[32][..]), (signatures, &[64]), (recovery_ids, &[1])];
    // SAFETY: the caller's promise.
    unsafe { in_columns(Operation::Recover, call, &inputs, &[(found_keys, &[33, 65])], Ok(ColumnOptions::default())) }
}
