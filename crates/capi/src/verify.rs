//! Verification.
#![allow(unsafe_code)]

use crate::{
    border::{Given, Input, as_verdicts},
    handle::phalanx_bulk,
    run::Call,
    status::{PHALANX_BAD_ARGUMENT, PHALANX_INTERNAL_ERROR},
    types::{PHALANX_ALLOW_HIGH_S, phalanx_call, phalanx_column},
};
use core::ops::Range;
use library::{Column, Error, LowS, bulk::Operation, ecdsa, schnorr};

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

/// The same rows of three columns.
fn part<'a>(columns: &[Column<'a>; 3], rows: Range<usize>) -> [Column<'a>; 3] {
    columns.map(|column| column.part(rows.clone()))
}

fn ecdsa_columns<'a>([digests, signatures, keys]: [Column<'a>; 3]) -> ecdsa::Columns<'a> {
    ecdsa::Columns::new(digests, signatures, keys).expect("columns of one length")
}

fn schnorr_columns<'a>([messages, signatures, keys]: [Column<'a>; 3]) -> schnorr::Columns<'a> {
    schnorr::Columns::new(messages, signatures, keys).expect("columns of one length")
}

/// What a chunk cannot fail by, since its slices and its memory fit.
fn done(result: Result<(), Error>) {
    assert_eq!(result, Ok(()), "a chunk has a verdict for each row, and memory for them");
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
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let inputs = ecdsa_inputs([digests, signatures, public_keys], rows, &mut call.given);
    call.work(|out, mut run, checked| {
        let columns = inputs.map(|input| input.column(&checked));
        let low_s = policy(flags)?;
        if run.tables() {
            return run.steps(rows, |run, step| {
                let columns = ecdsa_columns(part(&columns, step.clone()));
                let done = run.bulk().verify_ecdsa_into(columns, low_s, as_verdicts(&mut out[step]));
                done.map_err(|_| PHALANX_INTERNAL_ERROR)
            });
        }
        run.chunks(Operation::VerifyEcdsa, out, [], |rows, out, bulk, memory| {
            let columns = ecdsa_columns(part(&columns, rows));
            done(bulk.verify_ecdsa(columns, low_s, as_verdicts(out), memory));
        })
    })
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
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let inputs = schnorr_inputs([messages, signatures, public_keys], rows, &mut call.given);
    call.work(|out, mut run, checked| {
        let columns = inputs.map(|input| input.column(&checked));
        if run.tables() {
            return run.steps(rows, |run, step| {
                let columns = schnorr_columns(part(&columns, step.clone()));
                let done = run.bulk().verify_schnorr_into(columns, as_verdicts(&mut out[step]));
                done.map_err(|_| PHALANX_INTERNAL_ERROR)
            });
        }
        run.chunks(Operation::VerifySchnorr, out, [], |rows, out, bulk, memory| {
            done(bulk.verify_schnorr(schnorr_columns(part(&columns, rows)), as_verdicts(out), memory));
        })
    })
}
