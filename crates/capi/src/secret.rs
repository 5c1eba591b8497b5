//! Public keys, signatures and shared secrets. Constant time.
#![allow(unsafe_code)]

use crate::{
    border::as_verdicts,
    handle::phalanx_bulk,
    recover::write_key,
    run::Call,
    types::{phalanx_call, phalanx_column, phalanx_output},
};
use library::{Error, bulk::Operation, schnorr};

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
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let secrets = call.given.input(secret_keys, rows, &[32]);
    let keys = call.given.output(public_keys, rows, &[33, 65]);
    call.work(|out, mut run, checked| {
        let (secrets, keys) = (secrets.column(&checked), keys.output(&checked));
        run.chunks(Operation::PublicKeys, out, [keys], |rows, out, bulk, memory| {
            let start = rows.start;
            fits(bulk.public_keys_in_columns(secrets.part(rows), as_verdicts(out), memory, |i, key| {
                // SAFETY: this thread has the row.
                unsafe { write_key(&keys, start + i, key) };
            }));
        })
    })
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
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let inputs = [call.given.input(digests, rows, &[32]), call.given.input(secret_keys, rows, &[32])];
    let signatures = call.given.output(signatures, rows, &[64]);
    let ids = (!recovery_ids.is_null()).then(|| call.given.output(recovery_ids, rows, &[1]));
    call.work(|out, mut run, checked| {
        let [digests, secrets] = inputs.map(|input| input.column(&checked));
        let (signatures, ids) = (signatures.output(&checked), ids.map(|ids| ids.output(&checked)));
        let outputs = [Some(signatures), ids].into_iter().flatten();
        run.chunks(Operation::SignEcdsa, out, outputs, |rows, out, bulk, memory| {
            let (start, digests, secrets) = (rows.start, digests.part(rows.clone()), secrets.part(rows));
            let out = as_verdicts(out);
            fits(match &ids {
                None => bulk.sign_ecdsa_in_columns(digests, secrets, out, memory, |i, signature| {
                    // SAFETY: this thread has the row.
                    unsafe { signatures.write(start + i, &signature.to_compact()) };
                }),
                Some(ids) => {
                    bulk.sign_ecdsa_recoverable_in_columns(digests, secrets, out, memory, |i, signature, id| {
                        // SAFETY: this thread has the row.
                        unsafe {
                            signatures.write(start + i, &signature.to_compact());
                            ids.write(start + i, &[id.to_u8()]);
                        }
                    })
                }
            });
        })
    })
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
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let messages = call.given.input(messages, rows, &[]);
    let secrets = call.given.input(secret_keys, rows, &[32]);
    let randomness = call.given.input(randomness, rows, &[32]);
    let signatures = call.given.output(signatures, rows, &[64]);
    call.work(|out, mut run, checked| {
        let inputs = [messages, secrets, randomness].map(|input| input.column(&checked));
        let signatures = signatures.output(&checked);
        run.chunks(Operation::SignSchnorr, out, [signatures], |rows, out, bulk, memory| {
            let start = rows.start;
            let [messages, secrets, randomness] = inputs.map(|column| column.part(rows.clone()));
            let write = |i, signature: &schnorr::Signature| {
                // SAFETY: this thread has the row.
                unsafe { signatures.write(start + i, &signature.to_bytes()) };
            };
            fits(bulk.sign_schnorr_in_columns(messages, secrets, randomness, as_verdicts(out), memory, write));
        })
    })
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
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let inputs = [call.given.input(public_keys, rows, &[33, 65]), call.given.input(secret_keys, rows, &[32])];
    let shared = call.given.output(shared_secrets, rows, &[32]);
    call.work(|out, mut run, checked| {
        let ([publics, secrets], shared) = (inputs.map(|input| input.column(&checked)), shared.output(&checked));
        run.chunks(Operation::SharedSecrets, out, [shared], |rows, out, bulk, memory| {
            let (start, publics, secrets) = (rows.start, publics.part(rows.clone()), secrets.part(rows));
            fits(bulk.shared_secrets_in_columns(publics, secrets, as_verdicts(out), memory, |i, secret| {
                // SAFETY: this thread has the row.
                unsafe { shared.write(start + i, secret) };
            }));
        })
    })
}

/// What a chunk cannot fail by, since its columns and its memory fit.
fn fits(result: Result<(), Error>) {
    assert_eq!(result, Ok(()), "a chunk has a verdict for each row, and memory for them");
}
