//! Calls for single items, by library and operation.

use crate::{
    outcome::Outcome,
    report::{cpus::Cpu, headline::SCHEMES},
};
use std::collections::BTreeMap;

/// The lists that count first, where several measured a call.
const FIRST: [&str; 2] = ["one-at-a-time", "one-at-a-time-portable"];
/// A list that measures builds of ours.
const BUILDS: &str = "one-at-a-time-builds";
/// What the name of a library ends in that computes without the endomorphism.
pub(super) const WITHOUT: &str = ", without endomorphism";
/// What stands in the names of both sides of a comparison of that with parsed inputs.
const PARSED: &str = ", parsed inputs";
/// A library with this at the end of its name is code that no user can call.
const INTERNAL: &str = "-internal";

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

/// The calls of a CPU that a user can make, by library: valid rows from bytes to bytes, one thread. Ours go by backend.
pub(super) fn public(cpu: &Cpu) -> BTreeMap<String, Calls> {
    let mut calls = calls(cpu);
    calls.retain(|name, _| !name.ends_with(INTERNAL) && !name.ends_with(WITHOUT) && !name.contains(PARSED));
    calls
}

/// Likewise, and comparisons of what computes with and without the endomorphism.
pub(super) fn calls(cpu: &Cpu) -> BTreeMap<String, Calls> {
    let mut lists: Vec<_> = cpu.lists.iter().filter(|(name, _)| *name != BUILDS).collect();
    lists.sort_by_key(|(name, _)| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
    let mut calls: BTreeMap<String, Calls> = BTreeMap::new();
    let rows = lists.into_iter().flat_map(|(_, list)| &list.rows);
    let is_scheme = |row: &&Outcome| SCHEMES.iter().any(|(op, _)| *op == row.op);
    let is_plain = |row: &&Outcome| row.row_class == "valid" && row.threads == 1 && row.keys.is_none();
    for row in rows.filter(is_scheme).filter(|row| row.single).filter(is_plain) {
        let mut keep = |name: String, without: &str, inputs: &str, call: Call| {
            let inputs = match inputs {
                "encoded" => "",
                _ if row.without.as_deref() == Some("endomorphism") => PARSED,
                _ => return,
            };
            let kept = calls.entry(name + inputs + without).or_default().entry(row.op.clone()).or_insert(call);
            // What a call allocates does not depend on the run, and lists from before it was counted lack it.
            kept.bytes = kept.bytes.or(call.bytes);
            kept.allocations = kept.allocations.or(call.allocations);
        };
        let ours = Call { nanoseconds: row.ours_ns, bytes: row.ours_bytes, allocations: row.ours_allocations };
        keep(format!("Phalanx, {}", row.backend), "", &row.ours_inputs, ours);
        if let Some((name, without)) = peer(row) {
            let peer = Call { nanoseconds: row.peer_ns, bytes: row.peer_bytes, allocations: row.peer_allocations };
            keep(name, without, &row.peer_inputs, peer);
        }
    }
    calls
}

/// The peer's name, and what it leaves out; none for one without something else than the endomorphism.
fn peer(row: &Outcome) -> Option<(String, &'static str)> {
    let without = match row.without.as_deref() {
        None => "",
        Some("endomorphism") => WITHOUT,
        Some(_) => return None,
    };
    Some((if row.peer == "phalanx" { format!("Phalanx, {}", row.backend) } else { row.peer.clone() }, without))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu};

    #[test]
    fn what_leaves_something_out_has_a_name_of_its_own() {
        let with = |peer: &str, without: Option<&str>, inputs: &str| {
            let mut outcome = row("verify-ecdsa", 2.0).outcome;
            (outcome.single, outcome.peer, outcome.without) = (true, peer.into(), without.map(str::to_owned));
            (outcome.ours_inputs, outcome.peer_inputs) = (inputs.into(), inputs.into());
            outcome
        };
        let rows = vec![
            with("k256", None, "encoded"),
            with("arkworks", None, "parsed"),
            with("libsecp256k1-internal", Some("endomorphism"), "encoded"),
            with("phalanx", Some("endomorphism"), "parsed"),
            with("phalanx", Some("lanes"), "encoded"),
        ];
        let cpu = cpu("one", vec![("ablations", rows)]);
        assert_eq!(public(&cpu).into_keys().collect::<Vec<_>>(), ["Phalanx, ifma", "k256"]);
        let all = [
            "Phalanx, ifma",
            "Phalanx, ifma, parsed inputs",
            "Phalanx, ifma, parsed inputs, without endomorphism",
            "k256",
            "libsecp256k1-internal, without endomorphism",
        ];
        assert_eq!(calls(&cpu).into_keys().collect::<Vec<_>>(), all);
    }
}
