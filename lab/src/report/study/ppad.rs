//! An implementation in Haskell of constant time and allocation.

use super::{calls::public, here, not_here};
use crate::report::{
    cpus::Cpu,
    table::{NOT_MEASURED, Table, number},
};

const PUBLISHED: &str = include_str!("../../../published/haskell.csv");

/// The study's operations, by its names and the lab's.
const OPERATIONS: [(&str, &str); 4] = [
    ("schnorr_sign", "sign-schnorr"),
    ("schnorr_verify", "verify-schnorr"),
    ("ecdsa_sign", "sign-ecdsa"),
    ("ecdsa_verify", "verify-ecdsa"),
];

pub(super) fn tables(cpus: &[Cpu]) -> Vec<Table> {
    [Table::published(PUBLISHED)].into_iter().chain(cpus.iter().map(measured)).collect()
}

fn measured(cpu: &Cpu) -> Table {
    let calls = public(cpu);
    let mut table = Table::new(here(cpu, "one at a time, one thread"), &["library", "operation", "us", "note"]);
    let mut add = |library: &str, note: &str, time: &dyn Fn(&str) -> Option<f64>| {
        for (words, op) in OPERATIONS {
            table.rows.push(vec![library.to_owned(), words.to_owned(), number(time(op), 2), note.to_owned()]);
        }
    };
    add("ppad-secp256k1", "no peer of the lab", &|_| None);
    for (library, of) in &calls {
        add(library, "from bytes to bytes, fresh rows", &|op| of.get(op).map(|call| call.nanoseconds / 1e3));
    }
    if table.rows.iter().all(|row| row[2] == NOT_MEASURED) {
        return not_here(cpu, "signatures one at a time");
    }
    table
}
