//! Calls for single items, by library and operation.

use crate::{
    outcome::Outcome,
    report::{
        cpus::{Cpu, List, rank},
        headline::SCHEMES,
    },
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
/// A library with this in its name is code that no user can call.
const INTERNAL: &str = "-internal";
/// What our name begins with.
const OURS: &str = "Phalanx, ";

/// What a call takes.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) nanoseconds: f64,
    /// The day, the load average and the spread of the samples, in words.
    pub(super) measured: String,
    /// Our backend in the same comparison, and how many times as long as ours it took there.
    beside: (String, f64),
    /// Of memory that it asks for, where that was counted.
    pub(super) bytes: Option<f64>,
    /// How often it asks.
    pub(super) allocations: Option<f64>,
}

/// Calls by operation.
pub(super) type Calls = BTreeMap<String, Call>;

/// Whether a user can call a library of this name.
pub(super) fn is_public(name: &str) -> bool {
    !name.contains(INTERNAL)
}

/// When a row was measured, at which load, and how far the samples of a side lay apart.
pub(super) fn measured(list: &List, row: &Outcome, spread: f64) -> String {
    let load = row.load.map_or_else(String::new, |load| format!(", load {load}"));
    format!("{}{load}, ±{:.0}%", list.date, spread * 100.0)
}

/// The calls of a CPU that a user can make, by library: valid rows from bytes to bytes, one thread. Ours go by backend.
pub(super) fn public(cpu: &Cpu) -> BTreeMap<String, Calls> {
    let mut calls = calls(cpu);
    calls.retain(|name, _| is_public(name) && !name.ends_with(WITHOUT) && !name.contains(PARSED));
    calls
}

/// Likewise, and comparisons of what computes with and without the endomorphism.
pub(super) fn calls(cpu: &Cpu) -> BTreeMap<String, Calls> {
    let mut lists: Vec<_> = cpu.lists.iter().filter(|(name, _)| *name != BUILDS).collect();
    lists.sort_by_key(|(name, _)| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len()));
    let mut calls: BTreeMap<String, Calls> = BTreeMap::new();
    let rows = lists.into_iter().flat_map(|(_, list)| list.rows.iter().map(move |row| (list, row)));
    let is_scheme = |row: &Outcome| SCHEMES.iter().any(|(op, _)| *op == row.op);
    let is_plain = |row: &Outcome| row.row_class == "valid" && row.threads == 1 && row.keys.is_none();
    for (list, row) in rows.filter(|(_, row)| is_scheme(row) && row.single && is_plain(row)) {
        let mut keep = |name: String, without: &str, inputs: &str, call: Call| {
            let inputs = match inputs {
                "encoded" => "",
                _ if row.without.as_deref() == Some("endomorphism") => PARSED,
                _ => return,
            };
            let of_library = calls.entry(name + inputs + without).or_default();
            let kept = of_library.entry(row.op.clone()).or_insert_with(|| call.clone());
            // What a call allocates does not depend on the run, and lists from before it was counted lack it.
            kept.bytes = kept.bytes.or(call.bytes);
            kept.allocations = kept.allocations.or(call.allocations);
        };
        let ours = Call {
            nanoseconds: row.ours_ns,
            measured: measured(list, row, row.ours_spread),
            beside: (row.backend.clone(), 1.0),
            bytes: row.ours_bytes,
            allocations: row.ours_allocations,
        };
        keep(format!("{OURS}{}", row.backend), "", &row.ours_inputs, ours);
        if let Some((name, without)) = peer(row) {
            let peer = Call {
                nanoseconds: row.peer_ns,
                measured: measured(list, row, row.peer_spread),
                beside: (row.backend.clone(), row.ratio),
                bytes: row.peer_bytes,
                allocations: row.peer_allocations,
            };
            keep(name, without, &row.peer_inputs, peer);
        }
    }
    calls
}

/// Who is fastest in an operation: the one with the least time over ours, each in a comparison in which both ran, on our
/// fastest backend. None where only one library was measured so.
pub(super) fn fastest<'a>(calls: &'a BTreeMap<String, Calls>, op: &str) -> Option<&'a str> {
    let of_op = || calls.iter().filter_map(|(name, calls)| Some((name, calls.get(op)?)));
    let backend = of_op().map(|(_, call)| call.beside.0.as_str()).min_by_key(|backend| rank(backend))?;
    let beside: Vec<_> = of_op().filter(|(_, call)| call.beside.0 == backend).collect();
    let least = beside.iter().min_by(|(_, a), (_, b)| a.beside.1.total_cmp(&b.beside.1))?;
    (beside.len() > 1).then_some(least.0.as_str())
}

/// The peer's name, and what it leaves out; none for one without something else than the endomorphism.
fn peer(row: &Outcome) -> Option<(String, &'static str)> {
    let without = match row.without.as_deref() {
        None => "",
        Some("endomorphism") => WITHOUT,
        Some(_) => return None,
    };
    Some((if row.peer == "phalanx" { format!("{OURS}{}", row.backend) } else { row.peer.clone() }, without))
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

    #[test]
    fn the_fastest_is_told_by_comparisons_and_not_by_times_of_different_days() {
        let with = |peer: &str, backend: &str, ours_ns: f64, ratio: f64| {
            let mut outcome = row("recover", ratio).outcome;
            (outcome.single, outcome.peer, outcome.backend) = (true, peer.into(), backend.into());
            (outcome.ours_ns, outcome.peer_ns) = (ours_ns, ours_ns * ratio);
            outcome
        };
        // On a busy day ours took three times as long; there k256 took less than btcec on a quiet one, but more than ours.
        let rows = vec![with("btcec", "ifma", 30.0, 0.9), with("k256", "ifma", 10.0, 2.0)];
        let cpu = cpu(
            "one",
            vec![("study-signer", rows), ("one-at-a-time-portable", vec![with("dcrec", "portable", 1.0, 0.1)])],
        );
        let calls = public(&cpu);
        assert_eq!(fastest(&calls, "recover"), Some("btcec"));
        assert!(calls["k256"]["recover"].nanoseconds < calls["btcec"]["recover"].nanoseconds);
        assert_eq!(fastest(&calls, "ecdh"), None);
        assert_eq!(calls["k256"]["recover"].measured, "2026-01-01, load 0.1, ±1%");
    }
}
