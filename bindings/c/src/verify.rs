//! Verification.
#![allow(unsafe_code)]

use crate::{
    columns::{RowCall, in_columns},
    ffi::{Given, Input},
    handle::phalanx_bulk,
    status::PHALANX_BAD_ARGUMENT,
    types::{PHALANX_ALLOW_HIGH_S, phalanx_call, phalanx_column},
};
use library::{
    LowS,
    bulk::{ColumnOptions, Operation},
};

/// The policy that the flags of a call ask for.
pub(crate) fn policy(flags: u32) -> Result<LowS, i32> {
    match flags {
        0 => Ok(LowS::Require),
        PHALANX_ALLOW_HIGH_S => Ok(LowS::Allow),
        _ => Err(PHALANX_BAD_ARGUMENT),
    }
}

/// The columns of ECDSA rows: digests, signatures and keys.
///
pub(crate) fn ecdsa_inputs<'a>(
    [digests, signatures, keys]: [*const phalanx_column; 3],
    rows: usize,
    given: &mut Given<'a>,
) -> [Input<'a>; 3] {
    [given.input(digests, rows, &[32]), given.input(signatures, rows, &[64]), given.input(keys, rows, &[33, 65])]
}

/// The columns of BIP-340 rows: messages, signatures and keys.
///
pub(crate) fn schnorr_inputs<'a>(
    [messages, signatures, keys]: [*const phalanx_column; 3],
    rows: usize,
    given: &mut Given<'a>,
) -> [Input<'a>; 3] {
    [given.input(messages, rows, &[]), given.input(signatures, rows, &[64]), given.input(keys, rows, &[32])]
}

/// Verifies ECDSA signatures: digests of 32 bytes, signatures of 64 (r and s, big-endian), public keys of 33 or 65
/// bytes (SEC 1). Writes a verdict of one byte for each row. Variable time. Flags: 0 or PHALANX_ALLOW_HIGH_S.
///
/// Where keys repeat, tables of them are made and kept, for which memory is allocated, unless the handle's options or
/// a workspace forbid it.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_verify_ecdsa(
    bulk: *const phalanx_bulk,
    digests: *const phalanx_column,
    signatures: *const phalanx_column,
    public_keys: *const phalanx_column,
    flags: u32,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(digests, &[32][..]), (signatures, &[64]), (public_keys, &[33, 65])];
    let options = policy(flags).map(|low_s| ColumnOptions { low_s, ..ColumnOptions::default() });
    // SAFETY: the caller's promise.
    unsafe { in_columns(Operation::VerifyEcdsa, call, &inputs, &[], options) }
}

/// Verifies Schnorr signatures of BIP-340: messages of any one width, signatures of 64 bytes, public keys of 32.
/// Writes a verdict of one byte for each row. Variable time. Tables of keys as in phalanx_verify_ecdsa.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_verify_schnorr(
    bulk: *const phalanx_bulk,
    messages: *const phalanx_column,
    signatures: *const phalanx_column,
    public_keys: *const phalanx_column,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(messages, &[][..]), (signatures, &[64]), (public_keys, &[32])];
    // SAFETY: the caller's promise.
    unsafe { in_columns(Operation::VerifySchnorr, call, &inputs, &[], Ok(ColumnOptions::default())) }
}
