//! Sums with or without tables of keys.

use crate::{mul::Windows, tables::LookupWindow};

/// Where the multiples of rows' keys come from.
#[derive(Clone, Copy)]
pub(in crate::bulk) enum KeyMultiples<'a> {
    /// Each row's key, to be read.
    Keys,
    /// A table for each eight rows, of their key, which is known to be one.
    Tables(&'a [&'a [LookupWindow]]),
}

impl KeyMultiples<'_> {
    /// The windows that scalars are cut into.
    pub(in crate::bulk) fn windows(self) -> Windows {
        match self {
            KeyMultiples::Keys => Windows::Ordinary,
            KeyMultiples::Tables(_) => Windows::KeyTable,
        }
    }

    /// Whether rows' keys have to be read.
    pub(in crate::bulk) fn are_read(self) -> bool {
        matches!(self, KeyMultiples::Keys)
    }

    /// Of so many rows, the number of those whose keys have to be read: all or none.
    pub(in crate::bulk) fn read(self, rows: usize) -> usize {
        if self.are_read() { rows } else { 0 }
    }
}
