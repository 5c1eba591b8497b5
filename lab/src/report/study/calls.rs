//! Calls for single items, by library and operation.

use crate::{outcome::Outcome, report::cpus::Cpu};
use std::collections::BTreeMap;

/// The lists that count first, where several measured a call.
const FIRST: [&str; 2] = ["one-at-a-time", "one-at-a-time-portable"];
/// A list that measures builds of ours.
const BUILDS: &str = "one-at-a-time-builds";
/// What the name of a library ends in that computes without the endomorphism.
pub(super) const WITHOUT: &str = ", without endomorphism";

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
    let mut lists: Vec<_> = cpu.lists.iter().filter(|(name, _)| *name != BUILDS).collect();
    lists.sort_by_key(|(name, _)| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
    let mut calls: BTreeMap<String, Calls> = BTreeMap::new();
    let rows = lists.into_iter().flat_map(|(_, list)| &list.rows);
    for row in rows.filter(|row| row.single && row.row_class == "valid" && row.threads == 1 && row.keys.is_none()) {
        let mut keep = |name: String, inputs: &str, call: Call| {
            if inputs == "encoded" {
                calls.entry(name).or_default().entry(row.op.clone()).or_insert(call);
            }
        };
        let ours = Call { nanoseconds: row.ours_ns, bytes: row.ours_bytes, allocations: row.ours_allocations };
        keep(format!("Phalanx, {}", row.backend), &row.ours_inputs, ours);
        if let Some(name) = peer(row) {
            let peer = Call { nanoseconds: row.peer_ns, bytes: row.peer_bytes, allocations: row.peer_allocations };
            keep(name, &row.peer_inputs, peer);
        }
    }
    calls
}

/// The peer's name; none for ours without something else than the endomorphism.
fn peer(row: &Outcome) -> Option<String> {
    let without = match row.without.as_deref() {
        None => "",
        Some("endomorphism") => WITHOUT,
        Some(_) => return None,
    };
    Some(if row.peer == "phalanx" { format!("Phalanx, {}{without}", row.backend) } else { row.peer.clone() + without })
}
