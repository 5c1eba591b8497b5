//! The points of a sum, as it reads them.

use crate::{PublicKey, tables::Entry};
use core::ops::Range;

/// Finite points in affine coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FinitePoints<'a> {
    Entries(&'a [Entry]),
    Keys(&'a [PublicKey]),
}

impl FinitePoints<'_> {
    pub(super) fn get(&self, index: usize) -> Entry {
        match self {
            FinitePoints::Entries(entries) => entries[index],
            FinitePoints::Keys(keys) => keys[index].entry(),
        }
    }

    /// Writes the points with the numbers `points` to `out`.
    pub(super) fn copy(&self, points: Range<usize>, out: &mut [Entry]) {
        match self {
            FinitePoints::Entries(entries) => out.copy_from_slice(&entries[points]),
            FinitePoints::Keys(keys) => out.iter_mut().zip(&keys[points]).for_each(|(out, key)| *out = key.entry()),
        }
    }
}
