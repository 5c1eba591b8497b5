//! Calls for single items, by library and operation.

use crate::report::cpus::Cpu;
use std::collections::BTreeMap;

/// The lists of calls for single items. Of a call that several measured, the first figure counts.
const LISTS: [&str; 4] = ["one-at-a-time", "one-at-a-time-portable", "study-signer", "study-endomorphism"];

/// What a call takes.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) nanoseconds: f64,
    /// Of memory that it asks for, where that was counted.
    pub(super) bytes: Option<f64>,
    /// How often it asks.
    pub(super) allocations: Option<f64>,
}

/// Calls by operation.
pub(super) type Calls = BTreeMap<String, Call>;

/// The calls of a CPU by library, valid rows from bytes to bytes, one thread. Ours go by backend.
pub(super) fn calls(cpu: &Cpu) -> BTreeMap<String, Calls> {
    let mut calls: BTreeMap<String, Calls> = BTreeMap::new();
    let rows = LISTS.iter().filter_map(|list| cpu.lists.get(*list)).flat_map(|list| &list.rows);
    for row in rows.filter(|row| row.single && row.row_class == "valid" && row.threads == 1) {
        let mut keep = |name: String, inputs: &str, call: Call| {
            if inputs == "encoded" {
                calls.entry(name).or_default().entry(row.op.clone()).or_insert(call);
            }
        };
        let ours = Call { nanoseconds: row.ours_ns, bytes: row.ours_bytes, allocations: row.ours_allocations };
        let peer = Call { nanoseconds: row.peer_ns, bytes: row.peer_bytes, allocations: row.peer_allocations };
        keep(format!("Phalanx, {}", row.backend), &row.ours_inputs, ours);
        keep(row.peer.clone(), &row.peer_inputs, peer);
    }
    calls
}
