//! Senders of Ethereum: recovery, and the hash of the key behind it.
#![allow(unsafe_code)]

use crate::{
    ffi::as_verdicts,
    handle::phalanx_bulk,
    rows::policy,
    run::Call,
    types::{phalanx_call, phalanx_column, phalanx_output},
};
use phalanx_ethereum::senders_in_columns;

/// Finds the Ethereum addresses that made ECDSA signatures of signing hashes. The parity of a row is 0, or 1 where the
/// y of the nonce point is odd; any other makes it PHALANX_OUT_OF_RANGE. Variable time.
///
/// Reads: signing_hashes (32 bytes), signatures (64 bytes), parities (1 byte). Flags: 0 or PHALANX_ALLOW_HIGH_S.
/// Writes: addresses (20 bytes), verdicts to out.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_senders(
    bulk: *const phalanx_bulk,
    signing_hashes: *const phalanx_column,
    signatures: *const phalanx_column,
    parities: *const phalanx_column,
    flags: u32,
    addresses: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let mut input = |column, width| call.given.input(column, rows, &[width]);
    let columns = [input(signing_hashes, 32), input(signatures, 64), input(parities, 1)];
    let addresses = call.given.output(addresses, rows, &[20]);
    call.work(|out, mut run, checked| {
        let columns = columns.map(|input| input.column(&checked));
        let addresses = addresses.output(&checked);
        let low_s = policy(flags)?;
        run.chunks(out, [addresses], |rows, out, one, memory| {
            let columns = columns.map(|column| column.part(rows.clone()));
            // SAFETY: this thread has the row.
            let answer = |row: usize, address: &[u8; 20]| unsafe { addresses.write(rows.start + row, address) };
            let done = senders_in_columns(one, &columns, low_s, as_verdicts(out), memory, answer);
            assert_eq!(done, Ok(()), "a chunk has columns, a verdict for each row, and memory for them");
        })
    })
}
