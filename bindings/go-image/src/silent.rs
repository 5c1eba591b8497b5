//! Scans for silent payments.

use crate::{call::MISUSED, ffi::Given, stack::cleared};
use core::array;
use phalanx::{
    Error, PublicKey, SecretKey, Verdict,
    bindings::{
        CacheLine, Column, OneThread,
        payments::{OutputLists, Outputs, Row},
    },
};

/// Rows that stand on the stack at a time: as many as a piece has.
const ROWS: usize = 128;

/// Bytes of stack that a scan is taken to use beside what the library overwrites itself.
const STACK: usize = 16 << 10;

/// An encoded spend key.
type SpendKey = [u8; 65];

/// The lines of workspace that a scan takes.
pub(crate) fn lines(given: Given<'_>, one: OneThread) -> usize {
    one.lines_to_find_silent_payments(given.call().inputs[4].width / size_of::<SpendKey>())
}

/// Writes which rows pay the receiver, and their verdicts. Apart from other operations, so that their stack does not hold
/// its frame.
#[inline(never)]
pub(crate) fn scan(given: Given<'_>, one: OneThread, out: &mut [Verdict], memory: &mut [CacheLine]) -> Result<(), u32> {
    cleared::<STACK, _>(|| scan_uncleared(given, one, out, memory))
}

fn scan_uncleared(given: Given<'_>, one: OneThread, out: &mut [Verdict], memory: &mut [CacheLine]) -> Result<(), u32> {
    let (points, lists, spend) = (given.column(0, &[33, 64, 65])?, lists(given)?, given.list::<SpendKey>(4)?);
    let Ok(secret) = SecretKey::from_bytes(given.array::<32>(3)?) else {
        out.fill(Verdict::MalformedRow);
        return Ok(());
    };
    if spend.iter().any(|key| PublicKey::from_bytes(key).is_err()) {
        return Err(MISUSED);
    }
    let spend = spend.iter().map(|key| PublicKey::from_bytes(key).unwrap_or(PublicKey::GENERATOR));
    for (first, out) in (0..).step_by(ROWS).zip(out.chunks_mut(ROWS)) {
        let none = Row { tweak_point: &[], outputs: Outputs::Keys(&[]) };
        let row = |i: usize| Row { tweak_point: points.get(first + i), outputs: lists.get(first + i) };
        let rows: [_; ROWS] = array::from_fn(|i| if i < out.len() { row(i) } else { none });
        let found = &mut [const { Err(Error::BadPublicKey) }; ROWS][..out.len()];
        one.find_silent_payments(&secret, spend.clone(), &rows[..out.len()], found, memory).map_err(|_| MISUSED)?;
        for (i, (found, verdict)) in found.iter().zip(out).enumerate() {
            *verdict = found.map_or_else(Verdict::from, |_| Verdict::Valid);
            given.write(0, first + i, &[(*found == Ok(true)).into()])?;
        }
    }
    Ok(())
}

/// The outputs of as many rows as the call has.
fn lists(given: Given<'_>) -> Result<OutputLists<'_>, u32> {
    let all = match given.call().inputs[1].stride {
        8 => Outputs::Prefixes(given.list(1)?),
        32 => Outputs::Keys(given.list(1)?),
        _ => return Err(MISUSED),
    };
    let offsets = given.list::<[u8; 8]>(2)?;
    if offsets.len() != given.call().rows + 1 {
        return Err(MISUSED);
    }
    OutputLists::new(all, Column::of(offsets)).map_err(|_| MISUSED)
}
