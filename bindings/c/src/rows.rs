//! The functions on rows, which are made of the list of operations.
#![allow(unsafe_code)]

use crate::{
    ffi::as_verdicts,
    handle::phalanx_bulk,
    run::{Call, Run},
    status::{self, PHALANX_BAD_ARGUMENT, PHALANX_INTERNAL_ERROR, PHALANX_NULL_POINTER},
    types::{PHALANX_ALLOW_HIGH_S, PHALANX_UNDECIDED, phalanx_call, phalanx_column, phalanx_output},
};
use core::ops::Range;
use library::{
    Batch, Bulk, Error, LowS, Verdict,
    bindings::{
        Column, ColumnKind, ColumnOptions, Declaration, EcdsaColumns, HintedColumns, SchnorrColumns, SharedKind,
    },
    children::PayloadKind,
};
use phalanx_ffi::{operations::Operation, operations_on_rows};

/// What C passes for what all rows share, by its kind: a number, or a pointer to 32 bytes.
macro_rules! passed {
    (LowS) => { u32 };
    (PayloadKind) => { u32 };
    ($secret:ident) => { *const u8 };
}

/// Makes an outward function of each operation. The test `header` makes its declaration in the same way.
macro_rules! functions {
    ($(
        $(#[doc = $about:literal])*
        $operation:ident $name:ident($($input:ident: $kind:ident $(($bytes:literal))?),*) [$($shared:ident: $shared_kind:ident),*]
            -> $($many:ident: $record:ident)?
            ($($output:ident: $out_kind:ident $(($out_bytes:literal))? $($optional:ident)?),*);
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
                $($shared: passed!($shared_kind),)*
                $($output: *const phalanx_output,)*
                out: *mut u8,
                rows: usize,
                call: *const phalanx_call,
            ) -> i32 {
                let call = RowCall { bulk, out, rows, call };
                // SAFETY: the caller's promise.
                unsafe { in_columns(Operation::$operation, call, &[$($input),*], &[$($shared.into()),*], &[$($output),*]) }
            }
        )*
    };
}

operations_on_rows!(functions);

/// What all rows share, as C passes it.
#[derive(Clone, Copy)]
enum Shared {
    Number(u32),
    Bytes(*const u8),
}

impl From<u32> for Shared {
    fn from(number: u32) -> Self {
        Shared::Number(number)
    }
}

impl From<*const u8> for Shared {
    fn from(bytes: *const u8) -> Self {
        Shared::Bytes(bytes)
    }
}

/// What a function on rows is called with, beside its columns and outputs.
struct RowCall {
    bulk: *const phalanx_bulk,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
}

/// The policy that the flags of a call ask for.
fn policy(flags: u32) -> Result<LowS, i32> {
    match flags {
        0 => Ok(LowS::Require),
        PHALANX_ALLOW_HIGH_S => Ok(LowS::Allow),
        _ => Err(PHALANX_BAD_ARGUMENT),
    }
}

/// What all rows of a call share, by the numbers among it and the secret.
fn chosen<'a>(
    declared: &Declaration,
    shared: &[Shared],
    secret: Option<&'a [u8; 32]>,
) -> Result<ColumnOptions<'a>, i32> {
    let mut options = ColumnOptions { secret, ..ColumnOptions::default() };
    for ((_, kind), shared) in declared.shared.iter().zip(shared) {
        match (kind, *shared) {
            (SharedKind::PayloadKind, Shared::Number(number)) => {
                options.payload = *PayloadKind::ALL.get(number as usize).ok_or(PHALANX_BAD_ARGUMENT)?;
            }
            (SharedKind::LowS, Shared::Number(flags)) => options.low_s = policy(flags)?,
            // Bytes are in `secret` already.
            _ => {}
        }
    }
    Ok(options)
}

/// Computes the operation. An unknown number is refused after all memory has been checked.
///
/// # Safety
/// The pointers are NULL or good for the rows.
unsafe fn in_columns(
    operation: Operation,
    RowCall { bulk, out, rows, call }: RowCall,
    inputs: &[*const phalanx_column],
    shared: &[Shared],
    outputs: &[*const phalanx_output],
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(operation, bulk, call, out, rows) };
    let declared = operation.declaration();
    let given = &mut call.given;
    // Four columns and three outputs are the most that an operation has.
    let columns = [0, 1, 2, 3]
        .map(|i| inputs.get(i).map(|column| given.input(*column, rows, widths(&declared.inputs[i].1.widths()))));
    let secret = shared.iter().find_map(|shared| match shared {
        Shared::Bytes(bytes) => given.optional::<32>(*bytes),
        Shared::Number(_) => None,
    });
    let options = chosen(&declared, shared, secret);
    let (count, needed) = (inputs.len(), outputs.len() - declared.optional_outputs);
    let places = [0, 1, 2].map(|i| {
        let (output, kind) = (*outputs.get(i)?, declared.outputs[i].1);
        let (is_needed, allowed) = match (kind, options.map(|options| options.payload)) {
            (ColumnKind::Payload, Ok(PayloadKind::None)) => (false, kind.widths()),
            (ColumnKind::Payload, Ok(payload)) => (true, Some([payload.width(); 2])),
            (ColumnKind::Payload, Err(_)) => (true, kind.widths()),
            _ => (i < needed, kind.widths()),
        };
        (is_needed || !output.is_null()).then(|| given.output(output, rows, widths(&allowed)))
    });
    call.work(|out, mut run, checked| {
        let none = Column::of::<0>(&[]);
        let columns = columns.map(|input| input.map_or(none, |input| input.column(&checked)));
        let places = places.map(|place| place.map(|place| place.output(&checked)));
        let columns_of = |rows: Range<usize>| {
            columns.map(|column| column.part(rows.start.min(column.len())..rows.end.min(column.len())))
        };
        let options = ColumnOptions {
            recovery_ids: places[1].is_some(),
            uncompressed: places[0].is_some_and(|keys| keys.width() == 65),
            ..options?
        };
        let is_payload = |i: usize| places[i].is_some() && declared.outputs[i].1 == ColumnKind::Payload;
        if options.payload == PayloadKind::None && (0..places.len()).any(is_payload) {
            return Err(PHALANX_BAD_ARGUMENT);
        }
        if rows > 0 && declared.shares_secret() && options.secret.is_none() && !draws(operation, &mut run) {
            return Err(PHALANX_NULL_POINTER);
        }
        if verifies_together(operation, &run) {
            return run.steps(rows, |run, step| {
                let (columns, out) = (columns_of(step.clone()), &mut out[step]);
                let Some((one, workspace)) = run.in_workspace() else {
                    let done = verify(run.bulk(), operation, columns, options, as_verdicts(out));
                    return done.map_err(|_| PHALANX_INTERNAL_ERROR);
                };
                let (columns, verdicts) = (&columns[..count], as_verdicts(out));
                let done = operation.in_columns(one, columns, options, verdicts, workspace, |_, _, _| ());
                // Of a call that was refused, rows have no verdicts.
                done.inspect_err(|_| out.fill(PHALANX_UNDECIDED)).map_err(status::of)
            });
        }
        run.chunks(out, places.into_iter().flatten(), |rows, out, bulk, memory| {
            let (start, columns) = (rows.start, columns_of(rows));
            let columns = &columns[..count];
            let write = |row: usize, output: usize, value: &[u8]| {
                if let Some(output) = places[output] {
                    // SAFETY: this thread has the row.
                    unsafe { output.write(start + row, value) };
                }
            };
            let done = operation.in_columns(bulk, columns, options, as_verdicts(out), memory, write);
            assert_eq!(done, Ok(()), "a chunk has columns, a verdict for each row, and memory for them");
        })
    })
}

/// The widths as a list, in which none permits any.
fn widths(widths: &Option<[usize; 2]>) -> &[usize] {
    widths.as_ref().map_or(&[], |widths| widths)
}

/// Whether randomness that the program does not give is the operating system's.
fn draws(operation: Operation, run: &mut Run<'_>) -> bool {
    matches!(operation, Operation::BatchEcdsa | Operation::BatchSchnorr) && run.in_workspace().is_none()
}

/// Whether rows gain by each other, so that they are not computed in chunks: by sums of many, or by tables of their keys.
fn verifies_together(operation: Operation, run: &Run<'_>) -> bool {
    match operation {
        Operation::BatchEcdsa | Operation::BatchSchnorr => true,
        Operation::VerifyEcdsa | Operation::VerifySchnorr => run.tables(),
        _ => false,
    }
}

/// Verifies rows together, by the threads of the handle.
fn verify(
    bulk: &Bulk,
    operation: Operation,
    [first, signatures, keys, ids]: [Column<'_>; 4],
    ColumnOptions { low_s, secret, .. }: ColumnOptions<'_>,
    out: &mut [Verdict],
) -> Result<(), Error> {
    let ecdsa = || EcdsaColumns::new(first, signatures, keys);
    let schnorr = || SchnorrColumns::new(first, signatures, keys);
    match operation {
        Operation::BatchEcdsa => {
            Batch::with(bulk).verify_ecdsa_into(HintedColumns::new(ecdsa()?, ids)?, low_s, secret, out)
        }
        Operation::BatchSchnorr => Batch::with(bulk).verify_schnorr_into(schnorr()?, secret, out),
        Operation::VerifyEcdsa => bulk.verify_ecdsa_into(ecdsa()?, low_s, out),
        _ => bulk.verify_schnorr_into(schnorr()?, out),
    }
}
