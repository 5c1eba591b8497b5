//! The functions on rows, which are made of the library's list of operations.
#![allow(unsafe_code)]

use crate::{
    ffi::{Output, as_verdicts},
    handle::phalanx_bulk,
    run::Call,
    status::{PHALANX_BAD_ARGUMENT, PHALANX_INTERNAL_ERROR},
    types::{PHALANX_ALLOW_HIGH_S, phalanx_call, phalanx_column, phalanx_output},
};
use core::ops::Range;
use library::{
    Bulk, Error, LowS, Verdict,
    bindings::{Column, ColumnOptions, EcdsaColumns, Operation, SchnorrColumns},
    operations_on_rows,
};

/// Makes an outward function of each operation. The test `header` makes its declaration in the same way.
macro_rules! functions {
    ($(
        $(#[doc = $about:literal])*
        $operation:ident $name:ident($($input:ident: $kind:ident $(($bytes:literal))?),*) [$($flags:ident)?]
            -> ($($output:ident: $out_kind:ident $(($out_bytes:literal))? $($optional:ident)?),*);
    )*) => {
        $(
            $(#[doc = $about])*
            ///
            /// # Safety
            /// The pointers are NULL or good for the rows.
            #[unsafe(export_name = concat!("phalanx_", stringify!($name)))]
            pub unsafe extern "C" fn $name(
                bulk: *const phalanx_bulk,
                $($input: *const phalanx_column,)*
                $($flags: u32,)?
                $($output: *const phalanx_output,)*
                out: *mut u8,
                rows: usize,
                call: *const phalanx_call,
            ) -> i32 {
                let call = RowCall { bulk, out, rows, call };
                // SAFETY: the caller's promise.
                unsafe { in_columns(Operation::$operation, call, &[$($input),*], 0 $(| $flags)?, &[$($output),*]) }
            }
        )*
    };
}

operations_on_rows!(functions);

/// What a function on rows is called with, beside its columns and outputs.
struct RowCall {
    bulk: *const phalanx_bulk,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
}

/// The policy that the flags of a call ask for.
pub(crate) fn policy(flags: u32) -> Result<LowS, i32> {
    match flags {
        0 => Ok(LowS::Require),
        PHALANX_ALLOW_HIGH_S => Ok(LowS::Allow),
        _ => Err(PHALANX_BAD_ARGUMENT),
    }
}

/// Computes the operation. Flags that cannot be are an error once all memory has been checked.
///
/// # Safety
/// The pointers are NULL or good for the rows.
unsafe fn in_columns(
    operation: Operation,
    RowCall { bulk, out, rows, call }: RowCall,
    inputs: &[*const phalanx_column],
    flags: u32,
    outputs: &[*const phalanx_output],
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let declared = operation.declaration();
    let given = &mut call.given;
    // Three columns and two outputs are the most that an operation has.
    let columns = [0, 1, 2]
        .map(|i| inputs.get(i).map(|column| given.input(*column, rows, widths(&declared.inputs[i].1.widths()))));
    let (count, needed) = (inputs.len(), outputs.len() - declared.optional_outputs);
    let places = [0, 1].map(|i| {
        let output = outputs.get(i).filter(|output| i < needed || !output.is_null());
        output.map(|output| given.output(*output, rows, widths(&declared.outputs[i].1.widths())))
    });
    call.work(|out, mut run, checked| {
        let none = Column::of::<0>(&[]);
        let columns = columns.map(|input| input.map_or(none, |input| input.column(&checked)));
        let places = places.map(|place| place.map(|place| place.output(&checked)));
        let columns_of = |rows: Range<usize>| {
            columns.map(|column| column.part(rows.start.min(column.len())..rows.end.min(column.len())))
        };
        let options = ColumnOptions {
            low_s: policy(flags)?,
            recovery_ids: places[1].is_some(),
            uncompressed: places[0].is_some_and(|keys| keys.width() == 65),
        };
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
            let write = |row: usize, output: usize, value: &[u8]| {
                let output: Output = places[output].expect("an output that the options ask for");
                // SAFETY: this thread has the row.
                unsafe { output.write(start + row, value) };
            };
            let done = bulk.in_columns(operation, columns, options, as_verdicts(out), memory, write);
            assert_eq!(done, Ok(()), "a chunk has columns, a verdict for each row, and memory for them");
        })
    })
}

/// The widths as a list, in which none permits any.
fn widths(widths: &Option<[usize; 2]>) -> &[usize] {
    widths.as_ref().map_or(&[], |widths| widths)
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
            bulk.verify_ecdsa_into(EcdsaColumns::new(first, signatures, keys)?, options.low_s, out)
        }
        _ => bulk.verify_schnorr_into(SchnorrColumns::new(first, signatures, keys)?, out),
    }
}
