//! Children of extended public keys, and what scripts hold of them.
#![allow(unsafe_code)]

use crate::{
    ffi::{Given, Output, Place, as_verdicts},
    handle::phalanx_bulk,
    run::Call,
    status::PHALANX_BAD_ARGUMENT,
    types::{PHALANX_PAYLOAD_NONE, phalanx_call, phalanx_column, phalanx_output},
};
use library::children::{Child, PayloadKind};

/// Derives children of extended public keys (BIP-32), and what scripts hold of them: `payload` is one of
/// PHALANX_PAYLOAD_... A parent is its key and its chain code, and is read once for rows that follow each other. Rows
/// have one parent by strides of 0. An index of 2^31 or more is that of a hardened child, which no public key has, and
/// makes a row PHALANX_MALFORMED_ROW. Variable time.
///
/// Reads: parent_keys (33 or 65 bytes), chain_codes (32 bytes), indices (4 bytes, a uint32_t).
/// Writes: child_keys (33 or 65 bytes, or NULL), child_chain_codes (32 bytes, or NULL), payloads (20 or 32 bytes; NULL
/// where there is none), verdicts to out.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_derive_children(
    bulk: *const phalanx_bulk,
    parent_keys: *const phalanx_column,
    chain_codes: *const phalanx_column,
    indices: *const phalanx_column,
    payload: u32,
    child_keys: *const phalanx_output,
    child_chain_codes: *const phalanx_output,
    payloads: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let given = &mut call.given;
    let mut input = |column, widths: &[usize]| given.input(column, rows, widths);
    let columns = [input(parent_keys, &[33, 65]), input(chain_codes, &[32]), input(indices, &[4])];
    let kind = PayloadKind::ALL.get(payload as usize).copied();
    let widths: &[usize] = match kind {
        None | Some(PayloadKind::None) => &[20, 32],
        Some(PayloadKind::TaprootKey) => &[32],
        Some(_) => &[20],
    };
    let places = [
        optional(given, child_keys, rows, &[33, 65]),
        optional(given, child_chain_codes, rows, &[32]),
        // Where there is a payload, it has a place.
        if payload == PHALANX_PAYLOAD_NONE {
            optional(given, payloads, rows, widths)
        } else {
            Some(given.output(payloads, rows, widths))
        },
    ];
    call.work(|out, mut run, checked| {
        let columns = columns.map(|input| input.column(&checked));
        let places = places.map(|place| place.map(|place| place.output(&checked)));
        let kind = kind.filter(|kind| *kind != PayloadKind::None || places[2].is_none()).ok_or(PHALANX_BAD_ARGUMENT)?;
        run.chunks(out, places.into_iter().flatten(), |rows, out, one, memory| {
            let columns = columns.map(|column| column.part(rows.clone()));
            let write = |place: Option<Output>, row: usize, value: &[u8]| {
                if let Some(place) = place {
                    // SAFETY: this thread has the row.
                    unsafe { place.write(rows.start + row, value) };
                }
            };
            let answer = |row, child: &Child| {
                match places[0].map_or(0, |keys| keys.width()) {
                    65 => write(places[0], row, &child.public_key.to_bytes_uncompressed()),
                    _ => write(places[0], row, &child.public_key.to_bytes()),
                }
                write(places[1], row, &child.chain_code);
                write(places[2], row, child.payload.as_bytes());
            };
            let done = one.derive_children_in_columns(columns, kind, as_verdicts(out), memory, answer);
            assert_eq!(done, Ok(()), "a chunk has columns, a verdict for each row, and memory for them");
        })
    })
}

/// Notes room for an answer of each row, unless the pointer is NULL.
fn optional(given: &mut Given<'_>, output: *const phalanx_output, rows: usize, widths: &[usize]) -> Option<Place> {
    (!output.is_null()).then(|| given.output(output, rows, widths))
}
