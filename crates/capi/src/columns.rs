//! Operations on rows in columns: the body of the functions of `verify`, `recover` and `secret`.
#![allow(unsafe_code)]

use crate::{
    ffi::{Output, as_verdicts},
    handle::phalanx_bulk,
    run::Call,
    status::PHALANX_INTERNAL_ERROR,
    types::{phalanx_call, phalanx_column, phalanx_output},
};
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

/// Computes the operation. Each column and each output comes with the widths that it may have; any one width, where
/// there are none. Options that cannot be are an error once all else has been checked.
///
/// # Safety
/// The pointers are NULL or good for the rows.
pub(crate) unsafe fn in_columns<const I: usize, const O: usize>(
    operation: Operation,
    RowCall { bulk, out, rows, call }: RowCall,
    inputs: [(*const phalanx_column, &[usize]); I],
    outputs: [(*const phalanx_output, &[usize]); O],
    options: Result<ColumnOptions, i32>,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let inputs = inputs.map(|(column, widths)| call.given.input(column, rows, widths));
    let outputs = outputs.map(|(output, widths)| call.given.output(output, rows, widths));
    call.work(|out, mut run, checked| {
        let (columns, outputs) =
            (inputs.map(|input| input.column(&checked)), outputs.map(|output| output.output(&checked)));
        let options = options?;
        let verifies = matches!(operation, Operation::VerifyEcdsa | Operation::VerifySchnorr);
        if verifies && run.tables() {
            return run.steps(rows, |run, step| {
                let columns = columns.map(|column| column.part(step.clone()));
                verify(run.bulk(), operation, &columns, options, as_verdicts(&mut out[step]))
                    .map_err(|_| PHALANX_INTERNAL_ERROR)
            });
        }
        run.chunks(operation, out, outputs, |rows, out, bulk, memory| {
            let columns = columns.map(|column| column.part(rows.clone()));
            let done = bulk.in_columns(operation, &columns, options, as_verdicts(out), memory, |i, answer| {
                // SAFETY: this thread has the row.
                unsafe { write(&outputs, rows.start + i, answer) };
            });
            assert_eq!(done, Ok(()), "a chunk has columns, a verdict for each row, and memory for them");
        })
    })
}

/// Verifies rows by all means of the handle, tables of keys among them.
fn verify(
    bulk: &Bulk,
    operation: Operation,
    columns: &[Column<'_>],
    options: ColumnOptions,
    out: &mut [Verdict],
) -> Result<(), Error> {
    let [first, signatures, keys] = *columns else { return Err(Error::BadColumn) };
    match operation {
        Operation::VerifyEcdsa => {
            bulk.verify_ecdsa_into(ecdsa::Columns::new(first, signatures, keys)?, options.low_s, out)
        }
        _ => bulk.verify_schnorr_into(schnorr::Columns::new(first, signatures, keys)?, out),
    }
}

/// Writes the answer of a row: a signature to the first output, its recovery id to the second, anything else to the only
/// one.
///
/// # Safety
/// As [`Output::write`].
unsafe fn write(outputs: &[Output], row: usize, answer: Answer<'_>) {
    // SAFETY: the caller's promise.
    unsafe {
        match answer {
            Answer::PublicKey(key) => write_key(&outputs[0], row, key),
            Answer::Ecdsa(signature, id) => {
                outputs[0].write(row, &signature.to_compact());
                if let Some(id) = id {
                    outputs[1].write(row, &[id.to_u8()]);
                }
            }
            Answer::Schnorr(signature) => outputs[0].write(row, &signature.to_bytes()),
            Answer::SharedSecret(secret) => outputs[0].write(row, secret),
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
