//! Tables of keys.

use super::{Eight, keys::Points, multiples::KeyMultiples, schnorr as schnorr_rows, verify, with_scratch};
use crate::{
    FieldElement, LowS, Verdict,
    bulk::key_tables::{KeyId, TableKernels},
    ecdsa,
    keys::RowKey,
    lanes::{Machine, Scratch},
    mul::{KeyTable, build_key_tables},
    schnorr,
    tables::LookupWindow,
};
use alloc::vec::Vec;
use phalanx_engine::word::LANES;

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

/// Writes the table of `keys[i]` to `out[i]`; `None` if the key is not a point.
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
