//! An implementation in Haskell whose time and allocation do not depend on secrets, and arithmetic of fixed width.

use super::{
    calls::{Call, measured as when, public},
    here, not_here,
};
use crate::report::{
    cpus::Cpu,
    table::{NOT_MEASURED, Table, number},
};
use std::collections::BTreeMap;

const PUBLISHED: &str = include_str!("../../../published/haskell.csv");

/// The study's library.
const STUDY: &str = "ppad-secp256k1";

/// The study's operations, by its names and the lab's.
const OPERATIONS: [(&str, &str); 4] = [
    ("schnorr_sign", "sign-schnorr"),
    ("schnorr_verify", "verify-schnorr"),
    ("ecdsa_sign", "sign-ecdsa"),
    ("ecdsa_verify", "verify-ecdsa"),
];

/// The arithmetic below them, modulo p.
const ARITHMETIC: [(&str, &str); 4] = [
    ("multiplication", "field-mul"),
    ("squaring", "field-sqr"),
    ("inversion", "field-invert"),
    ("square root", "field-sqrt"),
];

/// What is said of a library's arithmetic. k256 computes with crypto-bigint modulo n alone.
const ABOUT: [(&str, &str); 4] = [
    ("crypto-bigint", "constant time, any modulus, Montgomery's form"),
    ("k256", "for this modulus alone; inversion in variable time, the rest in constant time"),
    ("libsecp256k1-internal", "for this modulus alone; inversion in variable time"),
    ("Phalanx, portable", "for this modulus alone; inversion in variable time"),
];

pub(super) fn tables(cpus: &[Cpu]) -> Vec<Table> {
    let signatures = [Table::published(PUBLISHED)].into_iter().chain(cpus.iter().map(measured));
    signatures.chain(cpus.iter().map(arithmetic)).collect()
}

fn measured(cpu: &Cpu) -> Table {
    let calls = public(cpu);
    let what = "one at a time, one thread";
    let mut table = Table::new(here(cpu, what), &["library", "operation", "us", "note", "measured"]);
    let mut add = |library: &str, note: &str, call: &dyn Fn(&str) -> Option<Call>| {
        for (words, op) in OPERATIONS {
            let call = call(op);
            // The study's library has all of its rows, the others those that were measured.
            if library != STUDY && call.is_none() {
                continue;
            }
            let time = number(call.as_ref().map(|call| call.nanoseconds / 1e3), 2);
            let when = call.map_or_else(String::new, |call| call.measured);
            table.rows.push(vec![library.to_owned(), words.to_owned(), time, note.to_owned(), when]);
        }
    };
    add(STUDY, "no peer of the lab", &|_| None);
    for (library, of) in &calls {
        add(library, "from bytes to bytes, fresh rows", &|op| of.get(op).cloned());
    }
    if table.rows.iter().all(|row| row[2] == NOT_MEASURED) {
        return not_here(cpu, "signatures one at a time");
    }
    table
}

/// Numbers of fixed width: one operation modulo p on one lane, as a stream.
fn arithmetic(cpu: &Cpu) -> Table {
    let what = "arithmetic modulo p on one lane, a stream of independent operations, one thread. k256's scalars are numbers of \
                crypto-bigint, its field is its own";
    let mut times: BTreeMap<(&str, &str), (f64, String)> = BTreeMap::new();
    for (list, row) in cpu.with_lists() {
        let streams =
            row.lanes == 1 && row.shape.as_deref() == Some("stream") && row.threads == 1 && row.without.is_none();
        if let Some((_, op)) = ARITHMETIC.iter().find(|(_, op)| *op == row.op && streams) {
            times.entry((&row.peer, op)).or_insert((row.peer_ns, when(list, row, row.peer_spread)));
            times.entry(("Phalanx, portable", op)).or_insert((row.ours_ns, when(list, row, row.ours_spread)));
        }
    }
    if times.keys().all(|(library, _)| *library != ABOUT[0].0) {
        return not_here(cpu, "arithmetic of fixed width");
    }
    let mut table = Table::new(here(cpu, what), &["library", "operation", "ns", "note", "measured"]);
    for (library, about) in ABOUT {
        for (words, op) in ARITHMETIC {
            let time = times.get(&(library, op));
            let cell = number(time.map(|(time, _)| *time), 1);
            let when = time.map_or_else(String::new, |(_, when)| when.clone());
            table.rows.push(vec![library.to_owned(), words.to_owned(), cell, about.to_owned(), when]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu};

    #[test]
    fn arithmetic_of_fixed_width_has_crypto_bigint_beside_ours() {
        let field = |op: &str, peer: &str| {
            let mut outcome = row(op, 3.0).outcome;
            (outcome.peer, outcome.shape, outcome.backend) = (peer.into(), Some("stream".into()), "portable".into());
            outcome
        };
        let rows = vec![field("field-mul", "crypto-bigint"), field("field-sqr", "k256")];
        let table = arithmetic(&cpu("one", vec![("study-signer", rows)]));
        let cell = |library: &str, op: &str| {
            let row = table.rows.iter().find(|row| row[..2] == [library, op]).unwrap();
            row[2].clone()
        };
        assert_eq!(cell("crypto-bigint", "multiplication"), "300.0");
        assert_eq!([cell("k256", "squaring"), cell("k256", "inversion")], ["300.0", NOT_MEASURED]);
        assert_eq!(cell("Phalanx, portable", "multiplication"), "100.0");
        let without = arithmetic(&cpu("one", vec![("fields", vec![field("field-mul", "k256")])]));
        assert!(without.rows.is_empty());
    }
}
