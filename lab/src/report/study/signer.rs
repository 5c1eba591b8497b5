//! Signers: time, bytes and allocations of a call, and who is fastest.

use super::{
    calls::{Call, Calls, fastest, public},
    here, not_here,
};
use crate::report::{
    cpus::Cpu,
    table::{ABSENT, NOT_MEASURED, Table, number, of_cell},
};
use std::collections::BTreeSet;

const PUBLISHED: &str = include_str!("../../../published/signers.csv");
const COLUMNS: [&str; 8] =
    ["implementation", "operation", "ns_per_op", "bytes_per_op", "allocs_per_op", "winner", "measured", "note"];

/// The study's operations, by its names and the lab's.
const OPERATIONS: [(&str, &str); 4] = [
    ("public_key", "public-key"),
    ("schnorr_sign", "sign-schnorr"),
    ("schnorr_verify", "verify-schnorr"),
    ("ecdh", "ecdh"),
];

/// The study's implementation that the lab has too, by its name and the lab's.
const SAME: (&str, &str) = ("btcec (pure Go)", "btcec");

pub(super) fn tables(cpus: &[Cpu]) -> Vec<Table> {
    let mut published = Table::published(PUBLISHED);
    add_winner(&mut published);
    [published].into_iter().chain(cpus.iter().map(measured)).collect()
}

/// Who takes the least time of each operation.
fn add_winner(table: &mut Table) {
    let [operation, time] = ["operation", "ns_per_op"].map(|name| table.column(name));
    let times: Vec<_> = table.rows.iter().map(|row| (row[operation].clone(), of_cell(row, time))).collect();
    let least = |of: &str| {
        let of_op = times.iter().filter(|(operation, _)| operation == of).filter_map(|(_, time)| *time);
        of_op.min_by(f64::total_cmp)
    };
    table.add_column("winner", |row| {
        let wins = of_cell(row, time).is_some_and(|time| Some(time) == least(&row[operation]));
        if wins { "fastest".to_owned() } else { String::new() }
    });
}

/// An implementation, and why it has no figures where it has none.
struct Signer<'a> {
    name: String,
    /// Its name in the lab.
    library: Option<&'a str>,
    calls: Option<&'a Calls>,
    note: &'static str,
}

fn measured(cpu: &Cpu) -> Table {
    let calls = public(cpu);
    let published = Table::published(PUBLISHED);
    let names: BTreeSet<&String> = published.rows.iter().map(|row| &row[0]).collect();
    let mut notes = Vec::new();
    // The study's implementations first, also those that the lab has not.
    let of_study = names.into_iter().map(|name| {
        if *name != SAME.0 {
            return Signer { name: name.clone(), library: None, calls: None, note: "no peer of the lab" };
        }
        let calls = calls.get(SAME.1);
        let absence = cpu.absence(SAME.1).filter(|_| calls.is_none());
        let note = match (calls, absence) {
            (Some(_), _) => "",
            (None, Some(_)) => ABSENT,
            (None, None) => "a peer of the lab, not measured on this CPU",
        };
        notes.extend(absence.map(|reason| format!("{} is absent: {reason}", SAME.1)));
        Signer { name: name.clone(), library: Some(SAME.1), calls, note }
    });
    let of_study: Vec<_> = of_study.collect();
    let others = calls.iter().filter(|(name, _)| *name != SAME.1);
    let others = others.filter(|(_, of)| OPERATIONS.iter().any(|(_, op)| of.contains_key(*op)));
    let others =
        others.map(|(name, calls)| Signer { name: name.clone(), library: Some(name), calls: Some(calls), note: "" });
    let what = "signers one at a time, one thread. The winner took the least time over ours, each in a comparison in which both \
                ran in turn; a time in another row may be of another day and load";
    let mut table = Table::new(here(cpu, what), &COLUMNS);
    for Signer { name, library, calls: of, note } in of_study.into_iter().chain(others) {
        for (words, op) in OPERATIONS {
            let call = of.and_then(|of| of.get(op));
            // The study's signers have all of its rows, the others those that were measured.
            if note.is_empty() && library != Some(SAME.1) && call.is_none() {
                continue;
            }
            let cell = |figure: fn(&Call) -> Option<f64>, decimals| number(call.and_then(figure), decimals);
            let time = cell(|call| Some(call.nanoseconds), 0);
            let memory = [cell(|call| call.bytes, 0), cell(|call| call.allocations, 0)];
            let wins = call.is_some() && library.is_some() && fastest(&calls, op) == library;
            let winner = if wins { "fastest" } else { "" }.to_owned();
            let when = call.map_or_else(String::new, |call| call.measured.clone());
            let end = [winner, when, note.to_owned()];
            table.rows.push([vec![name.clone(), words.into(), time], memory.into(), end.into()].concat());
        }
    }
    if table.rows.iter().all(|row| row[2] == NOT_MEASURED) {
        return not_here(cpu, "signers one at a time");
    }
    table.notes = notes;
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        presence::{Found, Presence},
        records::row,
        report::cpus::cpu,
    };

    #[test]
    fn a_signer_without_figures_says_why() {
        let mut outcome = row("ecdh", 2.0).outcome;
        outcome.single = true;
        let mut cpu = cpu("one", vec![("one-at-a-time", vec![outcome])]);
        let note = |cpu: &Cpu, name: &str| {
            let table = measured(cpu);
            let row = table.rows.iter().find(|row| row[0] == name).unwrap();
            (row[table.column("note")].clone(), table.notes.clone())
        };
        assert_eq!(note(&cpu, "P256K1Signer (pure Go)").0, "no peer of the lab");
        assert_eq!(note(&cpu, SAME.0), ("a peer of the lab, not measured on this CPU".into(), Vec::new()));
        let absent = Found::Absent { absent: "cannot run go".into() };
        cpu.peers = vec![Presence { peer: SAME.1.into(), found: absent }];
        assert_eq!(note(&cpu, SAME.0), (ABSENT.into(), vec!["btcec is absent: cannot run go".into()]));
    }

    #[test]
    fn each_operation_has_one_winner() {
        let table = &tables(&[])[0];
        let winner = table.column("winner");
        let winners: Vec<String> =
            table.rows.iter().filter(|row| row[winner] == "fastest").map(|row| row[..2].join(" ")).collect();
        assert_eq!(
            winners,
            [
                "P256K1Signer (pure Go) public_key",
                "P256K1Signer (pure Go) schnorr_sign",
                "P256K1Signer (pure Go) ecdh",
                "NextP256K (cgo over libsecp256k1) schnorr_verify",
            ]
        );
    }
}
