//! Operations on rows in columns: the body of the functions of `verify`, `recover` and `secret`.
#![allow(unsafe_code)]

use crate::{
    ffi::{Output, as_verdicts},
    handle::phalanx_bulk,
    run::Call,
    status::PHALANX_INTERNAL_ERROR,
    types::{phalanx_call, phalanx_column, phalanx_output},
};
use core::ops::Range;
use library::{
    Bulk, Column, Error, PublicKey, Verdict,
    bulk::{Answer, ColumnOptions, Operation},
    ecdsa, schnorr,
};

/// What a function on rows is called with, beside its columns and outputs.
pub(crate) struct RowCall {
    pub(crate) bulk: *const phalanx_bulk,
    pub(crate) out: *mut u8,
    pub(crate) rows: usize,
    pub(crate) call: *const phalanx_call,
}

/// Computes the operation. Each column and each output comes with its permitted widths; an empty list permits any
/// width. Options that cannot be are an error once all memory has been checked.
///
/// # Safety
/// The pointers are NULL or good for the rows.
pub(crate) unsafe fn in_columns(
    operation: Operation,
    RowCall { bulk, out, rows, call }: RowCall,
    inputs: &[(*const phalanx_column, &[usize])],
    outputs: &[(*const phalanx_output, &[usize])],
    options: Result<ColumnOptions, i32>,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    // Three columns and two outputs are the most that an operation has.
    let count = inputs.len();
    let [first, second, third] =
        [0, 1, 2].map(|i| inputs.get(i).map(|(column, widths)| call.given.input(*column, rows, widths)));
    let places = [0, 1].map(|i| outputs.get(i).map(|(output, widths)| call.given.output(*output, rows, widths)));
    call.work(|out, mut run, checked| {
        let none = Column::of::<0>(&[]);
        let columns = [first, second, third].map(|input| input.map_or(none, |input| input.column(&checked)));
        let places = places.map(|place| place.map(|place| place.output(&checked)));
        let columns_of = |rows: Range<usize>| {
            columns.map(|column| column.part(rows.start.min(column.len())..rows.end.min(column.len())))
        };
        let options = options?;
        let verifies = matches!(operation, Operation::VerifyEcdsa | Operation::VerifySchnorr);
        if verifies && run.tables() {
            return run.steps(rows, |run, step| {
                verify(run.bulk(), operation, columns_of(step.clone()), options, as_verdicts(&mut out[step]))
                    .map_err(|_| PHALANX_INTERNAL_ERROR)
            });
        }
        run.chunks(out, places.into_iter().flatten(), |rows, out, bulk, memory| {
            let (start, columns) = (rows.start, columns_of(rows));
            let columns = &columns[..count];
            let done = bulk.in_columns(operation, columns, options, as_verdicts(out), memory, |i, answer| {
                // SAFETY: this thread has the row.
                unsafe { write(&places, start + i, answer) };
            });
            assert_eq!(done, Ok(()), "a chunk has columns, a verdict for each row, and memory for them");
        })
    })
}

/// Verifies rows by all means of the handle, tables of keys among them.
fn verify(
    bulk: &Bulk,
    operation: Operation,
    [first, signatures, keys]: [Column<'_>; 3],
    options: ColumnOptions,
    out: &mut [Verdict],
) -> Result<(), Error> {
    match operation {
        Operation::VerifyEcdsa => {
            bulk.verify_ecdsa_into(ecdsa::Columns::new(first, signatures, keys)?, options.low_s, out)
        }
        _ => bulk.verify_schnorr_into(schnorr::Columns::new(first, signatures, keys)?, out),
    }
}

/// Writes the answer of a row: a signature to the first output, its recovery id to the second, anything else to the
/// only one.
///
/// # Safety
/// As [`Output::write`].
unsafe fn write([first, second]: &[Option<Output>; 2], row: usize, answer: Answer<'_>) {
    let there = |output: &Option<Output>| output.expect("an output for each answer of the operation");
    // SAFETY: the caller's promise.
    unsafe {
        match answer {
            Answer::PublicKey(key) => write_key(&there(first), row, key),
            Answer::Ecdsa(signature, id) => {
                there(first).write(row, &signature.to_compact());
                if let Some(id) = id {
                    there(second).write(row, &[id.to_u8()]);
                }
            }
            Answer::Schnorr(signature) => there(first).write(row, &signature.to_bytes()),
            Answer::SharedSecret(secret) => there(first).write(row, secret),
            _ => unreachable!("no function here has an operation that answers so"),
        }
    }
}

/// Writes a key in the form whose width the output has.
///
/// # Safety
/// As [`Output::write`].
unsafe fn write_key(keys: &Output, row: usize, key: &PublicKey) {
    // SAFETY: the caller's promise.
    unsafe {
        if keys.width() == 33 {
            keys.write(row, &key.to_bytes());
        } else {
            keys.write(row, &key.to_bytes_uncompressed());
        }
    }
}
