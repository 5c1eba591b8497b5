//! References to rows, after a check that there are such rows.
#![allow(unsafe_code)]

use super::{CacheLine, LANES, PointPair};
use core::ptr;

/// Pairs of which all references are to one of the rows.
pub(super) struct Checked<'a> {
    rows: &'a [CacheLine],
    pairs: &'a [PointPair; LANES],
}

/// What every reference to one of the rows is below, as a `u32`, and no other reference is. A reference is 64 times an
/// index, or that and one, so it is below 64 times the number of rows exactly if its index is below that number. No
/// reference is 2^32 - 1.
#[inline(always)]
pub(super) fn end(rows: &[CacheLine]) -> u32 {
    u32::try_from(size_of_val(rows)).unwrap_or(u32::MAX)
}

impl<'a> Checked<'a> {
    /// # Safety
    /// Every reference of the pairs must be below [`end`].
    #[inline(always)]
    pub(super) unsafe fn new(rows: &'a [CacheLine], pairs: &'a [PointPair; LANES]) -> Self {
        Self { rows, pairs }
    }

    /// The words of the row that is the first or the second of a lane's pair.
    #[inline(always)]
    pub(super) fn row<const WHICH: usize>(&self, lane: usize) -> &'a [u64; LANES] {
        // SAFETY: the place is within the array, and it is readable. The read is volatile so that the index comes into
        // a register from memory, and not through a vector in which the check has it, which takes the vector unit twice
        // as long.
        let reference = unsafe { ptr::read_volatile(&raw const self.pairs[lane][WHICH]) };
        // SAFETY: whoever called `new` found all references to be to one of the rows, and nothing has changed them
        // since: they are borrowed.
        &unsafe { self.rows.get_unchecked(reference.index()) }.0
    }

    /// The rows that are the first or the second of each lane's pair.
    #[inline(always)]
    pub(super) fn rows<const WHICH: usize>(&self) -> [&'a [u64; LANES]; LANES] {
        let row = |lane| self.row::<WHICH>(lane);
        [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]
    }
}
