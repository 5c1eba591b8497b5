//! Tables of keys.

use super::{
    LaneKernels, Lines, Size, in_room, keys::KeyPoints, multiples::KeyMultiples, schnorr as schnorr_rows, verify,
};
use crate::{
    FieldElement, LowS, Verdict,
    bulk::key_tables::{KeyId, TableKernels, TableRows},
    ecdsa,
    keys::RowKey,
    lanes::Machine,
    mul::{KeyTable, build_key_tables, scratch_of_key_tables},
    schnorr,
};
use phalanx_engine::{arena::lines_for, word::LANES};

impl<M: Machine> TableKernels for LaneKernels<M> {
    fn lines_of_tables(&self, keys: usize) -> usize {
        size(keys).lines()
    }

    fn build_tables(&self, keys: &[KeyId], out: &mut [Option<KeyTable>], memory: &mut Lines) {
        build_tables(self.0, keys, out, memory);
    }

    fn lines_of_ecdsa(&self, rows: usize) -> usize {
        verify::size(rows, KeyMultiples::Tables(&[])).lines()
    }

    fn verify_ecdsa(&self, rows: TableRows<'_, ecdsa::Row<'_>>, low_s: LowS, out: &mut [Verdict], memory: &mut Lines) {
        verify::verify(self.0, rows.rows, KeyMultiples::Tables(rows.tables), low_s, out, memory);
    }

    fn lines_of_schnorr(&self, rows: usize) -> usize {
        schnorr_rows::size(rows, KeyMultiples::Tables(&[])).lines()
    }

    fn verify_schnorr(&self, rows: TableRows<'_, schnorr::Row<'_>>, out: &mut [Verdict], memory: &mut Lines) {
        schnorr_rows::verify(self.0, rows.rows, KeyMultiples::Tables(rows.tables), out, memory);
    }
}

fn size(keys: usize) -> Size {
    Size { lists: KeyPoints::lines(keys) + lines_for::<bool>(keys), scratch: scratch_of_key_tables() }
}

/// Writes the table of `keys[i]` to `out[i]`; `None` if the key is not a point. Tables outlive the call, and are in
/// memory of their own.
fn build_tables<M: Machine>(machine: M, keys: &[KeyId], out: &mut [Option<KeyTable>], memory: &mut Lines) {
    assert_eq!(keys.len(), out.len(), "an answer for each key");
    in_room(memory, size(keys.len()), |lists, scratch| {
        let mut points = KeyPoints::new(keys.len(), lists);
        let below = lists.collect(keys.iter().map(|key| FieldElement::from_limbs(key.x).is_some()));
        for (i, key) in keys.iter().enumerate().filter(|(i, _)| below[*i]) {
            points.set(i, &RowKey::Lift { x: key.x, odd: key.odd });
        }
        points.lift(machine);
        for (group, out) in out.chunks_mut(LANES).enumerate() {
            let tables = build_key_tables(machine, &points.groups[group], scratch);
            for (i, (out, table)) in (LANES * group..).zip(out.iter_mut().zip(tables)) {
                *out = (below[i] && points.check(i).is_ok()).then_some(table);
            }
        }
    });
}
