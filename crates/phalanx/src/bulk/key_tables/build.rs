//! The making of tables.

use super::KeyId;
use crate::bulk::{
    eight_lanes::KeyPoints,
    memory::{Lines, with_arena},
};
use crate::{
    FieldElement,
    keys::RowKey,
    lanes::Machine,
    mul::{KeyTable, build_key_tables},
};
use phalanx_engine::word::LANES;

/// Writes the table of `keys[i]` to `out[i]`; `None` if the key is not a point. Tables outlive the call, and are in
/// memory of their own.
pub(in crate::bulk) fn build_tables<M: Machine>(
    machine: M,
    keys: &[KeyId],
    out: &mut [Option<KeyTable>],
    memory: &mut Lines,
) {
    assert_eq!(keys.len(), out.len(), "an answer for each key");
    with_arena(memory, |arena| {
        let mut points = KeyPoints::new(keys.len(), arena);
        let below = arena.collect(keys.iter().map(|key| FieldElement::from_limbs(key.x).is_some()));
        for (i, key) in keys.iter().enumerate().filter(|(i, _)| below[*i]) {
            points.set(i, &RowKey::Lift { x: key.x, odd: key.odd });
        }
        points.lift(machine);
        for (group, out) in out.chunks_mut(LANES).enumerate() {
            let tables = build_key_tables(machine, &points.groups[group], arena.spare());
            for (i, (out, table)) in (LANES * group..).zip(out.iter_mut().zip(tables)) {
                *out = (below[i] && points.check(i).is_ok()).then_some(table);
            }
        }
    });
}
