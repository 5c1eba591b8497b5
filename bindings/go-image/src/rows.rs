//! Operations on many rows, with a verdict for each.
#![allow(unsafe_code)]

use crate::{
    call::{
        FIXED_BASIS, FIXED_SUMS, LINES, MISUSED, ROWS_BATCH_ECDSA, ROWS_BATCH_SCHNORR, ROWS_DERIVE_CHILDREN,
        ROWS_FIRST, ROWS_SENDERS, ROWS_SILENT, SUM_OF_PRODUCTS,
    },
    ffi::{Given, answer},
    fixed_base, silent,
    single::policy,
};
use phalanx::{
    Error, Verdict,
    bindings::{CacheLine, ColumnOptions, Declaration, OneThread, SharedKind},
    children::PayloadKind,
};
use phalanx_ffi::operations::Operation;

/// Does the work and answers 0, or that the call cannot be; for [`LINES`] answers a number of lines. None where the
/// number is that of no operation on rows.
pub(crate) fn run(given: Given<'_>, one: OneThread) -> Option<u32> {
    let operation = given.call().operation;
    if operation == LINES {
        return Some(lines(given, one));
    }
    if operation == SUM_OF_PRODUCTS {
        return Some(sum_of_products(given, one).unwrap_or_else(|misused| misused));
    }
    if (FIXED_BASIS..=FIXED_SUMS).contains(&operation) {
        return Some(fixed_base::run(given, one).unwrap_or_else(|misused| misused));
    }
    // SAFETY: this is the one place that asks, once a call.
    let found = || unsafe { given.verdicts() };
    let done = match operation {
        ROWS_SILENT => found().and_then(|(out, memory)| silent::scan(given, one, out, memory)),
        number => {
            let operation = row_operation(number)?;
            found().and_then(|(out, memory)| in_columns(operation, given, one, out, memory))
        }
    };
    Some(done.err().unwrap_or(0))
}

/// The operation on rows of this number.
fn row_operation(number: u32) -> Option<Operation> {
    match number {
        // Numbers from before these were in the list.
        ROWS_SENDERS => Some(Operation::Senders),
        ROWS_DERIVE_CHILDREN => Some(Operation::DeriveChildren),
        ROWS_BATCH_ECDSA => Some(Operation::BatchEcdsa),
        ROWS_BATCH_SCHNORR => Some(Operation::BatchSchnorr),
        _ => Operation::ALL.get(number.checked_sub(ROWS_FIRST)? as usize).copied(),
    }
}

/// Where a call has the columns and the outputs of an operation. These are numbers alone: an image cannot hold the names
/// that a declaration has.
#[derive(Clone, Copy)]
struct Layout {
    inputs: usize,
    /// Those that each input may have; none where any will do.
    widths: [Option<[usize; 2]>; MOST_INPUTS],
    /// Whether the flags of the call are the number of a payload.
    payload: bool,
    /// Whether the last input is 32 bytes that all rows share.
    secret: bool,
    /// Where each output of a row begins, and where the last one ends, if they are one value of Go.
    record: Option<[usize; 4]>,
}

/// The columns that an operation reads at most. The input behind them is for what all rows share.
const MOST_INPUTS: usize = 4;

static LAYOUTS: [Layout; Operation::ALL.len()] = {
    let mut layouts = [Layout::of(&Operation::ALL[0].declaration()); Operation::ALL.len()];
    let mut i = 1;
    while i < layouts.len() {
        layouts[i] = Layout::of(&Operation::ALL[i].declaration());
        i += 1;
    }
    layouts
};

impl Layout {
    const fn of(declared: &Declaration) -> Layout {
        let (mut places, mut i) = ([0; 4], 0);
        while i < 3 {
            let kind = if i < declared.outputs.len() { declared.outputs[i].1.widths() } else { None };
            // Room for the longest value.
            let width = match kind {
                Some([one, other]) if one < other => other,
                Some([one, _]) => one,
                None => 0,
            };
            places[i + 1] = places[i] + width;
            i += 1;
        }
        let (mut widths, mut i) = ([None; MOST_INPUTS], 0);
        while i < declared.inputs.len() {
            widths[i] = declared.inputs[i].1.widths();
            i += 1;
        }
        Layout {
            inputs: declared.inputs.len(),
            widths,
            payload: declared.shares(SharedKind::PayloadKind),
            secret: declared.shares_secret(),
            record: if declared.record.is_some() { Some(places) } else { None },
        }
    }
}

/// The lines that the operation in the flags takes.
fn lines(given: Given<'_>, one: OneThread) -> u32 {
    let rows = given.call().rows;
    let lines = match given.call().flags {
        SUM_OF_PRODUCTS => one.lines_of_sum_in_columns(rows),
        ROWS_SILENT => silent::lines(given, one),
        number => match row_operation(number) {
            Some(operation) => operation.workspace_lines(one, rows),
            None => match fixed_base::lines(given, one) {
                Some(lines) => lines,
                None => return MISUSED,
            },
        },
    };
    // A workspace is never empty, so that its pointer is never null.
    answer(lines.max(1)).unwrap_or(MISUSED)
}

type Memory<'a> = &'a mut [CacheLine];

/// A refusal of the library, of which there is none where slices and memory fit.
fn misused(_: Error) -> u32 {
    MISUSED
}

/// Computes the operation, whose columns are the first inputs.
fn in_columns(
    operation: Operation,
    given: Given<'_>,
    one: OneThread,
    out: &mut [Verdict],
    memory: Memory<'_>,
) -> Result<(), u32> {
    let (layout, flags) = (LAYOUTS.get(operation as usize).ok_or(MISUSED)?, given.call().flags);
    let column = |input: usize| given.column(input, layout.widths[input].as_ref().map_or(&[], |widths| widths));
    let columns = [column(0)?, column(1)?, column(2)?, column(3)?];
    let record = layout.record.as_ref();
    let options = ColumnOptions {
        low_s: policy(flags),
        recovery_ids: given.width(1) != 0,
        uncompressed: given.width(0) == 65 || record.is_some(),
        payload: if layout.payload { *PayloadKind::ALL.get(flags as usize).ok_or(MISUSED)? } else { PayloadKind::None },
        secret: if layout.secret { Some(given.array(MOST_INPUTS)?) } else { None },
    };
    let columns = columns.get(..layout.inputs).ok_or(MISUSED)?;
    let mut written = Ok(());
    let write = |row: usize, output: usize, value: &[u8]| {
        written = written.and_then(|()| match record {
            Some(places) => given.write_part(row, places, output, value),
            None => given.write(output, row, value),
        });
    };
    operation.in_columns(one, columns, options, out, memory, write).map_err(misused).and(written)
}

fn sum_of_products(given: Given<'_>, one: OneThread) -> Result<u32, u32> {
    let (scalars, points) = (given.column(0, &[32])?, given.column(1, &[33, 65])?);
    // SAFETY: the one place of this operation that asks, once a call.
    let memory = unsafe { given.workspace() }?;
    match one.sum_of_products_in_columns(scalars, points, memory) {
        Ok(sum) => given.write(0, 0, &sum.to_bytes()).map(|()| Verdict::Valid as u32),
        Err(error @ (Error::OutOfRange | Error::BadPublicKey)) => Ok(Verdict::from(error) as u32),
        Err(_) => Err(MISUSED),
    }
}
