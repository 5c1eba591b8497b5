//! Batch verification.
#![allow(unsafe_code)]

use crate::{
    ffi::as_verdicts,
    handle::phalanx_bulk,
    rows::policy,
    run::Call,
    status::{self, PHALANX_NULL_POINTER},
    types::{PHALANX_UNDECIDED, phalanx_call, phalanx_column},
};
use core::ops::Range;
use library::{
    Batch, Error, PublicKeyRef, Verdict, XOnlyKeyRef,
    bindings::{EcdsaColumns, HintedColumns, SchnorrColumns},
    ecdsa::{self, Hint, HintedRow},
    schnorr,
};

/// As phalanx_verify_ecdsa, by one sum of products for many rows, with recovery ids of 1 byte as hints. A wrong id
/// costs time and changes no verdict; one above 3 says that there is none. A wrong row gets PHALANX_VALID with
/// probability below 2^-124.
///
/// `randomness` points to 32 bytes that nobody could know when the rows were chosen, or is NULL for those of the
/// operating system. Without a workspace it allocates memory; with one it must be given randomness.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_batch_ecdsa(
    bulk: *const phalanx_bulk,
    digests: *const phalanx_column,
    signatures: *const phalanx_column,
    public_keys: *const phalanx_column,
    recovery_ids: *const phalanx_column,
    flags: u32,
    randomness: *const u8,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::batch(bulk, call, out, rows) };
    let mut input = |column, widths| call.given.input(column, rows, widths);
    let columns =
        [input(digests, &[32][..]), input(signatures, &[64]), input(public_keys, &[33, 65]), input(recovery_ids, &[1])];
    let randomness = call.given.optional::<32>(randomness);
    call.work(|verdicts, mut run, checked| {
        let [digests, signatures, keys, ids] = columns.map(|input| input.column(&checked));
        let low_s = policy(flags)?;
        let batch = Batch::with(run.bulk());
        run.steps(rows, |run, step| {
            if let Some((bulk, workspace)) = run.in_workspace() {
                let [digests, signatures, keys, ids] =
                    [digests, signatures, keys, ids].map(|column| column.part(step.clone()));
                let columns = EcdsaColumns::new(digests, signatures, keys).map_err(status::of)?;
                let columns = HintedColumns::new(columns, ids).map_err(status::of)?;
                let (randomness, out) = (randomness.ok_or(PHALANX_NULL_POINTER)?, &mut verdicts[step]);
                return in_workspace(out, |out| bulk.batch_ecdsa(columns, low_s, randomness, out, workspace));
            }
            let row = |i: usize| HintedRow {
                row: ecdsa::Row {
                    digest: digests.get(i),
                    signature: ecdsa::SignatureRef::Compact(signatures.get(i)),
                    public_key: PublicKeyRef::Encoded(keys.get(i)),
                },
                hint: Hint::RecoveryId(ids.get(i)[0]),
            };
            for_some(step, |some| {
                let rows: Vec<_> = some.clone().map(row).collect();
                let found = match randomness {
                    Some(randomness) => batch.verify_ecdsa_with_randomness(&rows, low_s, randomness),
                    None => batch.verify_ecdsa(&rows, low_s),
                };
                write(&mut verdicts[some], &found);
            });
            Ok(())
        })
    })
}

/// As phalanx_verify_schnorr, by one sum of products for many rows; else as phalanx_batch_ecdsa.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_batch_schnorr(
    bulk: *const phalanx_bulk,
    messages: *const phalanx_column,
    signatures: *const phalanx_column,
    public_keys: *const phalanx_column,
    randomness: *const u8,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::batch(bulk, call, out, rows) };
    let mut input = |column, widths| call.given.input(column, rows, widths);
    let columns = [input(messages, &[][..]), input(signatures, &[64]), input(public_keys, &[32])];
    let randomness = call.given.optional::<32>(randomness);
    call.work(|verdicts, mut run, checked| {
        let [messages, signatures, keys] = columns.map(|input| input.column(&checked));
        let batch = Batch::with(run.bulk());
        run.steps(rows, |run, step| {
            if let Some((bulk, workspace)) = run.in_workspace() {
                let [messages, signatures, keys] = [messages, signatures, keys].map(|column| column.part(step.clone()));
                let columns = SchnorrColumns::new(messages, signatures, keys).map_err(status::of)?;
                let (randomness, out) = (randomness.ok_or(PHALANX_NULL_POINTER)?, &mut verdicts[step]);
                return in_workspace(out, |out| bulk.batch_schnorr(columns, randomness, out, workspace));
            }
            let row = |i: usize| schnorr::Row {
                message: messages.get(i),
                signature: signatures.get(i),
                public_key: XOnlyKeyRef::Encoded(keys.get(i)),
            };
            for_some(step, |some| {
                let rows: Vec<_> = some.clone().map(row).collect();
                let found = match randomness {
                    Some(randomness) => batch.verify_schnorr_with_randomness(&rows, randomness),
                    None => batch.verify_schnorr(&rows),
                };
                write(&mut verdicts[some], &found);
            });
            Ok(())
        })
    })
}

/// Rows of a batch at a time without a workspace: a bound for the memory that lists of them take.
const ROWS_AT_ONCE: usize = 1 << 20;

/// Calls `work` with some of the rows after the other.
fn for_some(rows: Range<usize>, mut work: impl FnMut(Range<usize>)) {
    for first in rows.clone().step_by(ROWS_AT_ONCE) {
        work(first..rows.end.min(first + ROWS_AT_ONCE));
    }
}

/// The status of a batch in a workspace; rows of a call that was refused are undecided.
fn in_workspace(out: &mut [u8], call: impl FnOnce(&mut [Verdict]) -> Result<(), Error>) -> Result<(), i32> {
    let done = call(as_verdicts(out));
    if done.is_err() {
        out.fill(PHALANX_UNDECIDED);
    }
    done.map_err(status::of)
}

fn write(out: &mut [u8], found: &[Verdict]) {
    assert_eq!(out.len(), found.len(), "a verdict for each row");
    out.iter_mut().zip(found).for_each(|(out, found)| *out = *found as u8);
}
