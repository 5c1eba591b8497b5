//! Recovery of public keys.
#![allow(unsafe_code)]

use crate::{
    border::Output,
    handle::phalanx_bulk,
    run::Call,
    types::{PHALANX_VALID, phalanx_call, phalanx_column, phalanx_output},
};
use core::ops::Range;
use library::{
    CacheLine, Error, PublicKey, Verdict,
    bulk::{OneThread, Operation},
    ecdsa,
};

/// Rows whose answers stand on the stack at a time.
const ROWS: usize = 128;

/// Recovers the public keys of ECDSA signatures: digests of 32 bytes, signatures of 64, recovery ids of 1 (0 to 3).
/// Writes keys of 33 or 65 bytes, by the width of `found_keys`, and a verdict for each row; a key that is not there
/// is all zero. High s is accepted. Variable time.
///
/// # Safety
/// The pointers are NULL or good for the rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_recover(
    bulk: *const phalanx_bulk,
    digests: *const phalanx_column,
    signatures: *const phalanx_column,
    recovery_ids: *const phalanx_column,
    found_keys: *const phalanx_output,
    out: *mut u8,
    rows: usize,
    call: *const phalanx_call,
) -> i32 {
    // SAFETY: the caller's promise.
    let mut call = unsafe { Call::new(bulk, call, out, rows) };
    let inputs = [
        call.given.input(digests, rows, &[32]),
        call.given.input(signatures, rows, &[64]),
        call.given.input(recovery_ids, rows, &[1]),
    ];
    let keys = call.given.output(found_keys, rows, &[33, 65]);
    call.work(|out, mut run, checked| {
        let (columns, keys) = (inputs.map(|input| input.column(&checked)), keys.output(&checked));
        run.chunks(Operation::Recover, out, [keys], |rows, out, bulk, memory| {
            let recover = |rows: Range<usize>, out: &mut [u8], memory: &mut [CacheLine], bulk: OneThread| {
                let [digests, signatures, ids] = columns.map(|column| column.part(rows.clone()));
                let columns = ecdsa::RecoverColumns::new(digests, signatures, ids).expect("columns of one length");
                let found = &mut [const { Err(Error::InvalidSignature) }; ROWS][..rows.len()];
                assert_eq!(bulk.recover(columns, found, memory), Ok(()), "a chunk has memory for its rows");
                for ((row, found), out) in rows.zip(found).zip(out) {
                    *out = match found {
                        Ok(key) => {
                            // SAFETY: this thread has the row.
                            unsafe { write_key(&keys, row, key) };
                            PHALANX_VALID
                        }
                        Err(error) => Verdict::from(*error) as u8,
                    };
                }
            };
            for (start, out) in (rows.start..).step_by(ROWS).zip(out.chunks_mut(ROWS)) {
                recover(start..start + out.len(), out, memory, bulk);
            }
        })
    })
}

/// Writes a key in the form whose width the output has.
///
/// # Safety
/// As [`Output::write`].
pub(crate) unsafe fn write_key(keys: &Output, row: usize, key: &PublicKey) {
    // SAFETY: the caller's promise.
    unsafe {
        if keys.width() == 33 {
            keys.write(row, &key.to_bytes());
        } else {
            keys.write(row, &key.to_bytes_uncompressed());
        }
    }
}
