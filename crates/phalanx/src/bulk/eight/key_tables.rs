//! Tables of keys, and sums with or without them.

use super::{Eight, keys::Points, schnorr as schnorr_rows, verify, with_scratch};
use crate::{
    FieldElement, LowS, Verdict,
    bulk::key_tables::{KeyId, TableKernels},
    ecdsa,
    keys::RowKey,
    lanes::{AffineX8, JacobianX8, Machine, Scratch},
    mul::{
        Digits, DoubleMuls, KeyTable, KeyTableSums, Windows, build_key_tables, double_mul_rows, double_mul_with_tables,
    },
    schnorr,
    tables::LookupWindow,
};
use alloc::vec::Vec;
use phalanx_engine::word::{LANES, Mask8};

impl<M: Machine> TableKernels for Eight<M> {
    fn build_tables(&self, keys: &[KeyId], out: &mut [Option<KeyTable>]) {
        with_scratch(|scratch| build_tables(self.0, keys, out, scratch));
    }

    fn verify_ecdsa(&self, rows: &[ecdsa::Row<'_>], tables: &[&[LookupWindow]], low_s: LowS, out: &mut [Verdict]) {
        with_scratch(|scratch| verify::verify(self.0, rows, KeyMultiples::Tables(tables), low_s, out, scratch));
    }

    fn verify_schnorr(&self, rows: &[schnorr::Row<'_>], tables: &[&[LookupWindow]], out: &mut [Verdict]) {
        with_scratch(|scratch| schnorr_rows::verify(self.0, rows, KeyMultiples::Tables(tables), out, scratch));
    }
}

/// The table of each key that is a point.
fn build_tables<M: Machine>(machine: M, keys: &[KeyId], out: &mut [Option<KeyTable>], scratch: &mut Scratch) {
    assert_eq!(keys.len(), out.len(), "an answer for each key");
    let mut points = Points::new(keys.len());
    let below: Vec<bool> = keys.iter().map(|key| FieldElement::from_limbs(key.x).is_some()).collect();
    for (i, key) in keys.iter().enumerate().filter(|(i, _)| below[*i]) {
        points.set(i, &RowKey::Lift { x: key.x, odd: key.odd });
    }
    let lifted = points.lift(machine);
    for (group, (point, out)) in points.groups.iter().zip(out.chunks_mut(LANES)).enumerate() {
        let tables = build_key_tables(machine, point, scratch);
        for (i, (out, table)) in (LANES * group..).zip(out.iter_mut().zip(tables)) {
            *out = (below[i] && lifted.check(i).is_ok()).then_some(table);
        }
    }
}

/// Where the multiples of rows' keys come from.
#[derive(Clone, Copy)]
pub(super) enum KeyMultiples<'a> {
    /// Each row's key, to be read.
    Keys,
    /// A table for each eight rows, of their key, which is known to be one.
    Tables(&'a [&'a [LookupWindow]]),
}

impl KeyMultiples<'_> {
    /// The windows that scalars are cut into.
    pub(super) fn windows(self) -> Windows {
        match self {
            KeyMultiples::Keys => Windows::Ordinary,
            KeyMultiples::Tables(_) => Windows::KeyTable,
        }
    }

    /// Whether rows' keys have to be read.
    pub(super) fn are_read(self) -> bool {
        matches!(self, KeyMultiples::Keys)
    }

    /// The sums a P + b G, and for each group the lanes whose sum is infinity. The points are those of the rows
    /// whose keys were read.
    pub(super) fn double_muls<M: Machine>(
        self,
        machine: M,
        points: &[AffineX8],
        digits: &[Digits],
        sums: &mut [JacobianX8],
        scratch: &mut Scratch,
    ) -> Vec<Mask8> {
        match self {
            KeyMultiples::Keys => double_mul_rows(machine, DoubleMuls { points, digits, sums }, scratch),
            KeyMultiples::Tables(tables) => {
                double_mul_with_tables(machine, KeyTableSums { tables, digits, sums }, scratch)
            }
        }
    }
}
