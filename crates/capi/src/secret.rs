//! Public keys, signatures and shared secrets. Constant time.
//!
//! Secret keys stand on the stack, a block of rows at a time, in types that are wiped when they are dropped. What
//! moving them leaves behind is overwritten with the stack that a block used.
#![allow(unsafe_code)]

use crate::{
    border::{Output, input},
    handle::phalanx_bulk,
    recover::write_key,
    run::{Given, on_rows},
    types::{PHALANX_MALFORMED_ROW, PHALANX_VALID, phalanx_call, phalanx_column, phalanx_output},
};
use core::array;
use library::{Column, Error, Keypair, PublicKey, SecretKey, Verdict, bulk::Operation, ecdsa, schnorr};
use zeroize::{Zeroize, optimization_barrier};

/// Rows of a block: groups of lanes enough to share inversions among, and few enough for the stack.
const ROWS: usize = 128;
/// Bytes of stack that a block is taken to use at most.
const STACK: usize = 96 << 10;

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
    on_rows(unsafe { Given::new(bulk, call, out, rows) }, |out, mut run, mut spans| {
        // SAFETY: the caller's promise about columns and outputs.
        let (secrets, keys) = unsafe {
            let secrets = input(secret_keys, rows, &[32], &mut spans)?;
            (secrets, Output::new(public_keys, rows, &[33, 65], &mut spans)?)
        };
        spans.check()?;
        // SAFETY: the spans have been checked.
        unsafe { keys.clear() };
        run.chunks(Operation::PublicKeys, out, |rows, out, bulk, memory| {
            blocks(rows.start, out, |first, out| {
                let secrets: [SecretKey; ROWS] = array::from_fn(|i| secret(&secrets, first, i, out));
                let found = &mut [PublicKey::GENERATOR; ROWS][..out.len()];
                fits(bulk.public_keys(&secrets[..out.len()], found, memory));
                for (i, found) in found.iter().enumerate().filter(|(i, _)| out[*i] == PHALANX_VALID) {
                    // SAFETY: this thread has the row.
                    unsafe { write_key(&keys, first + i, found) };
                }
            });
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
    on_rows(unsafe { Given::new(bulk, call, out, rows) }, |out, mut run, mut spans| {
        // SAFETY: the caller's promise about columns and outputs.
        let (digests, secrets, signatures, ids) = unsafe {
            let digests = input(digests, rows, &[32], &mut spans)?;
            let secrets = input(secret_keys, rows, &[32], &mut spans)?;
            let signatures = Output::new(signatures, rows, &[64], &mut spans)?;
            let ids = match recovery_ids.is_null() {
                true => None,
                false => Some(Output::new(recovery_ids, rows, &[1], &mut spans)?),
            };
            (digests, secrets, signatures, ids)
        };
        spans.check()?;
        // SAFETY: the spans have been checked.
        unsafe {
            signatures.clear();
            ids.iter().for_each(|ids| ids.clear());
        }
        run.chunks(Operation::SignEcdsa, out, |rows, out, bulk, memory| {
            blocks(rows.start, out, |first, out| {
                let secrets: [SecretKey; ROWS] = array::from_fn(|i| secret(&secrets, first, i, out));
                let digests: [[u8; 32]; ROWS] = array::from_fn(|i| word(&digests, first, i, out.len()));
                let (secrets, digests) = (&secrets[..out.len()], &digests[..out.len()]);
                let mut found = [ecdsa::Signature::from_compact(&[1; 64]).expect("numbers in range"); ROWS];
                let mut found_ids = [0; ROWS];
                if ids.is_some() {
                    for (i, (digest, secret)) in digests.iter().zip(secrets).enumerate() {
                        let (signature, id) = ecdsa::sign_recoverable(digest, secret);
                        (found[i], found_ids[i]) = (signature, id.to_u8());
                    }
                } else {
                    fits(bulk.sign_ecdsa(digests, secrets, &mut found[..out.len()], memory));
                }
                for i in (0..out.len()).filter(|i| out[*i] == PHALANX_VALID) {
                    // SAFETY: this thread has the row.
                    unsafe {
                        signatures.write(first + i, &found[i].to_compact());
                        ids.iter().for_each(|ids| ids.write(first + i, &found_ids[i..=i]));
                    }
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
    on_rows(unsafe { Given::new(bulk, call, out, rows) }, |out, mut run, mut spans| {
        // SAFETY: the caller's promise about columns and outputs.
        let (messages, secrets, randomness, signatures) = unsafe {
            let messages = input(messages, rows, &[], &mut spans)?;
            let secrets = input(secret_keys, rows, &[32], &mut spans)?;
            let randomness = input(randomness, rows, &[32], &mut spans)?;
            (messages, secrets, randomness, Output::new(signatures, rows, &[64], &mut spans)?)
        };
        spans.check()?;
        // SAFETY: the spans have been checked.
        unsafe { signatures.clear() };
        run.chunks(Operation::SignSchnorr, out, |rows, out, bulk, memory| {
            blocks(rows.start, out, |first, out| {
                let pairs: [Keypair; ROWS] = array::from_fn(|i| Keypair::from_secret(secret(&secrets, first, i, out)));
                let texts: [&[u8]; ROWS] =
                    array::from_fn(|i| if i < out.len() { messages.get(first + i) } else { &[] });
                let mut aux: [[u8; 32]; ROWS] = array::from_fn(|i| word(&randomness, first, i, out.len()));
                let mut found = [schnorr::Signature::from_bytes(&[1; 64]).expect("numbers in range"); ROWS];
                let rows = ..out.len();
                fits(bulk.sign_schnorr(&texts[rows], &pairs[rows], &aux[rows], &mut found[rows], memory));
                aux.zeroize();
                for i in (0..out.len()).filter(|i| out[*i] == PHALANX_VALID) {
                    // SAFETY: this thread has the row.
                    unsafe { signatures.write(first + i, &found[i].to_bytes()) };
                }
            });
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
    on_rows(unsafe { Given::new(bulk, call, out, rows) }, |out, mut run, mut spans| {
        // SAFETY: the caller's promise about columns and outputs.
        let (publics, secrets, shared) = unsafe {
            let publics = input(public_keys, rows, &[33, 65], &mut spans)?;
            let secrets = input(secret_keys, rows, &[32], &mut spans)?;
            (publics, secrets, Output::new(shared_secrets, rows, &[32], &mut spans)?)
        };
        spans.check()?;
        // SAFETY: the spans have been checked.
        unsafe { shared.clear() };
        run.chunks(Operation::SharedSecrets, out, |rows, out, bulk, memory| {
            blocks(rows.start, out, |first, out| {
                let secrets: [SecretKey; ROWS] = array::from_fn(|i| secret(&secrets, first, i, out));
                let rows = ..out.len();
                let encoded: [&[u8]; ROWS] =
                    array::from_fn(|i| if i < out.len() { publics.get(first + i) } else { &[] });
                let mut read = [const { Err(Error::BadPublicKey) }; ROWS];
                // This takes less memory than what the chunk is for.
                fits(bulk.decompress(&encoded[rows], &mut read[rows], memory));
                let publics: [PublicKey; ROWS] = array::from_fn(|i| {
                    read[i].unwrap_or_else(|error| {
                        if let Some(out) = out.get_mut(i) {
                            *out = Verdict::from(error) as u8;
                        }
                        PublicKey::GENERATOR
                    })
                });
                let mut found = [[0; 32]; ROWS];
                fits(bulk.shared_secrets(&publics[rows], &secrets[rows], &mut found[rows], memory));
                for i in (0..out.len()).filter(|i| out[*i] == PHALANX_VALID) {
                    // SAFETY: this thread has the row.
                    unsafe { shared.write(first + i, &found[i]) };
                }
                found.zeroize();
            });
        })
    })
}

const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[31] = 1;
    one
};

/// The secret key of row `i` of a block, whose verdict it writes; one where it is no key, or there is no such row.
fn secret(secrets: &Column<'_>, first: usize, i: usize, out: &mut [u8]) -> SecretKey {
    let found = match out.get_mut(i) {
        None => Err(Error::BadSecretKey),
        Some(out) => {
            let found = SecretKey::from_slice(secrets.get(first + i));
            *out = if found.is_ok() { PHALANX_VALID } else { PHALANX_MALFORMED_ROW };
            found
        }
    };
    found.unwrap_or_else(|_| SecretKey::from_bytes(&ONE).expect("one is a secret key"))
}

/// The 32 bytes of row `i` of a block of so many rows.
fn word(column: &Column<'_>, first: usize, i: usize, rows: usize) -> [u8; 32] {
    if i < rows { column.get(first + i).try_into().expect("a column of 32 bytes") } else { [0; 32] }
}

/// What a block cannot fail by, since its slices and its memory fit.
fn fits(result: Result<(), Error>) {
    assert_eq!(result, Ok(()), "a block has an answer for each row, and memory for them");
}

/// Calls `work` with the first row and the verdicts of each block, and overwrites the stack that it used.
fn blocks(first: usize, out: &mut [u8], mut work: impl FnMut(usize, &mut [u8])) {
    for (first, out) in (first..).step_by(ROWS).zip(out.chunks_mut(ROWS)) {
        let _after = Overwrite;
        apart(&mut work, first, out);
    }
}

#[inline(never)]
fn apart(work: &mut impl FnMut(usize, &mut [u8]), first: usize, out: &mut [u8]) {
    work(first, out);
}

/// Overwrites the stack below, on unwinding too.
struct Overwrite;

impl Drop for Overwrite {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite();
    }
}

#[inline(never)]
fn overwrite() {
    let area = [0u8; STACK];
    optimization_barrier(&area);
}
