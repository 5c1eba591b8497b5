//! Sums with or without tables of keys.

use crate::{
    lanes::{AffineLanes, JacobianX8, Machine},
    mul::{Digits, DoubleMuls, KeyTableSums, Windows, double_mul_rows, double_mul_with_tables},
    tables::LookupWindow,
};
use phalanx_engine::word::{CacheLine, Mask8};

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

    /// The sums a P + b G, and for each group the lanes whose sum is infinity. The points are those of the rows
    /// whose keys were read.
    pub(in crate::bulk) fn double_muls<M: Machine>(
        self,
        machine: M,
        points: &[AffineLanes],
        digits: &[Digits],
        sums: &mut [JacobianX8],
        infinite: &mut [Mask8],
        memory: &mut [CacheLine],
    ) {
        match self {
            KeyMultiples::Keys => double_mul_rows(machine, DoubleMuls { points, digits, sums, infinite }, memory),
            KeyMultiples::Tables(tables) => {
                double_mul_with_tables(machine, KeyTableSums { tables, digits, sums, infinite }, memory)
            }
        }
    }
}
