//! Public keys, signatures and shared secrets. Constant time.
#![allow(unsafe_code)]

use crate::{
    columns::{RowCall, in_columns},
    handle::phalanx_bulk,
    types::{phalanx_call, phalanx_column, phalanx_output},
};
use library::bulk::{ColumnOptions, Operation};

/// Computes the public keys of secret keys of 32 bytes. Writes keys of 33 or 65 bytes, by the width of `public_keys`,
/// and a verdict for each row: PHALANX_VALID, or PHALANX_MALFORMED_ROW where a secret key is zero or not below the
/// order; the key is then all zero. Constant time.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_public_keys(
    bulk: *const phalanx_bulk,
    secret_keys: *const phalanx_column,
    public_keys: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(secret_keys, &[32][..])];
    // SAFETY: the caller's promise.
    unsafe {
        in_columns(Operation::PublicKeys, call, &inputs, &[(public_keys, &[33, 65])], Ok(ColumnOptions::default()))
    }
}

/// Signs digests of 32 bytes by secret keys of 32 bytes: ECDSA with the nonces of RFC 6979 and low s. Writes
/// signatures of 64 bytes, where `recovery_ids` is not NULL recovery ids of 1 byte, and a verdict for each row as
/// phalanx_public_keys; a signature that is not there is all zero. Constant time. With recovery ids, signatures are
/// made one by one, which takes longer.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_sign_ecdsa(
    bulk: *const phalanx_bulk,
    digests: *const phalanx_column,
    secret_keys: *const phalanx_column,
    signatures: *const phalanx_output,
    recovery_ids: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(digests, &[32][..]), (secret_keys, &[32])];
    let options = ColumnOptions { recovery_ids: !recovery_ids.is_null(), ..ColumnOptions::default() };
    let (signatures, ids) = ((signatures, &[64][..]), (recovery_ids, &[1][..]));
    // SAFETY: the caller's promise.
    unsafe {
        if options.recovery_ids {
            in_columns(Operation::SignEcdsa, call, &inputs, &[signatures, ids], Ok(options))
        } else {
            in_columns(Operation::SignEcdsa, call, &inputs, &[signatures], Ok(options))
        }
    }
}

/// Signs messages of any one width by secret keys of 32 bytes and auxiliary randomness of 32 bytes (which may be
/// zero, by a column with a stride of 0): BIP-340. Writes signatures of 64 bytes, and a verdict for each row as
/// phalanx_public_keys; a signature that is not there is all zero. Constant time.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_sign_schnorr(
    bulk: *const phalanx_bulk,
    messages: *const phalanx_column,
    secret_keys: *const phalanx_column,
    randomness: *const phalanx_column,
    signatures: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(messages, &[][..]), (secret_keys, &[32]), (randomness, &[32])];
    // SAFETY: the caller's promise.
    unsafe { in_columns(Operation::SignSchnorr, call, &inputs, &[(signatures, &[64])], Ok(ColumnOptions::default())) }
}

/// Computes the shared secrets of public keys (33 or 65 bytes) and secret keys (32 bytes): ECDH with the hash that
/// libsecp256k1 takes by default, SHA-256 of the compressed point. Writes secrets of 32 bytes and a verdict for each
/// row; a secret that is not there is all zero. Constant time in the secret keys.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_shared_secrets(
    bulk: *const phalanx_bulk,
    public_keys: *const phalanx_column,
    secret_keys: *const phalanx_column,
    shared_secrets: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    let call = RowCall { bulk, out, rows, call };
    let inputs = [(public_keys, &[33, 65][..]), (secret_keys, &[32])];
    // SAFETY: the caller's promise.
    unsafe {
        in_columns(Operation::SharedSecrets, call, &inputs, &[(shared_secrets, &[32])], Ok(ColumnOptions::default()))
    }
}
