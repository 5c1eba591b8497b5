//! Signers: time, bytes and allocations of a call, and who is fastest.

use super::{
    calls::{Call, public},
    here, not_here,
};
use crate::report::{
    cpus::Cpu,
    table::{NOT_MEASURED, Table, number, of_cell},
};
use std::collections::BTreeSet;

const PUBLISHED: &str = include_str!("../../../published/signers.csv");
const COLUMNS: [&str; 5] = ["implementation", "operation", "ns_per_op", "bytes_per_op", "allocs_per_op"];

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

fn measured(cpu: &Cpu) -> Table {
    let calls = public(cpu);
    let published = Table::published(PUBLISHED);
    let names: BTreeSet<&String> = published.rows.iter().map(|row| &row[0]).collect();
    // The study's implementations first, also those that the lab has not.
    let of_study = names.into_iter().map(|name| (name.clone(), calls.get(if *name == SAME.0 { SAME.1 } else { name })));
    let others = calls.iter().filter(|(name, _)| *name != SAME.1);
    let others = others.filter(|(_, of)| OPERATIONS.iter().any(|(_, op)| of.contains_key(*op)));
    let others = others.map(|(name, calls)| (name.clone(), Some(calls)));
    let title =
        here(cpu, "signers one at a time, one thread; a signer of the study without figures is no peer of the lab");
    let mut table = Table::new(title, &COLUMNS);
    for (name, of) in of_study.chain(others) {
        for (words, op) in OPERATIONS {
            let call = of.and_then(|of| of.get(op));
            let cell = |figure: fn(&Call) -> Option<f64>, decimals| number(call.and_then(figure), decimals);
            let time = cell(|call| Some(call.nanoseconds), 0);
            let memory = [cell(|call| call.bytes, 0), cell(|call| call.allocations, 0)];
            table.rows.push([vec![name.clone(), words.into(), time], memory.into()].concat());
        }
    }
    if table.rows.iter().all(|row| row[2] == NOT_MEASURED) {
        return not_here(cpu, "signers one at a time");
    }
    add_winner(&mut table);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

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
