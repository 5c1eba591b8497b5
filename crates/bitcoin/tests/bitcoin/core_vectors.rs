//! Bitcoin Core's vectors of scripts, transactions and sighashes.

use std::borrow::Cow;
use std::collections::HashMap;

use phalanx::{Backend, Bulk};
use phalanx_bitcoin::{Flags, Output, Report, Transaction, Verifier};
use serde_json::Value;

use crate::assembly::assemble;
use crate::shared::vectors;

fn flags(names: &str) -> Flags {
    let named = names.split(',').filter(|name| !name.is_empty() && *name != "NONE");
    named.fold(Flags::NONE, |flags, name| flags | Flags::from_name(name).unwrap_or_else(|| panic!("no flag {name}")))
}

fn verifiers() -> Vec<Verifier> {
    let of =
        |backend: &Backend| Verifier::new(&Bulk::builder().backend(*backend).threads(1).build().expect("available"));
    Backend::available().iter().map(of).collect()
}

fn compact_size(length: usize) -> Vec<u8> {
    match length {
        0..=0xfc => vec![length as u8],
        _ => vec![0xfd, length as u8, (length >> 8) as u8],
    }
}

fn prefixed(bytes: &[u8]) -> Vec<u8> {
    [compact_size(bytes.len()), bytes.to_vec()].concat()
}

/// The transaction that a script vector is about: it spends the only output of another.
fn spending(script: &[u8], output: &[u8], value: u64, witness: &[Vec<u8>]) -> Vec<u8> {
    let head = |script: &[u8], previous: &[u8]| [&[1][..], previous, &prefixed(script), &[0xff; 4]].concat();
    let tail = |value: u64, output: &[u8]| [&[1][..], &value.to_le_bytes(), &prefixed(output)].concat();
    let nothing = [[0; 32].as_slice(), &[0xff; 4]].concat();
    let credit = [&[1, 0, 0, 0], &head(&[0, 0], &nothing)[..], &tail(value, output), &[0; 4]].concat();
    let txid = phalanx::hash::sha256(&phalanx::hash::sha256(&credit));
    let previous = [&txid[..], &[0; 4]].concat();
    let body = [head(script, &previous), tail(value, &[])].concat();
    if witness.is_empty() {
        return [&[1, 0, 0, 0], &body[..], &[0; 4]].concat();
    }
    let values = witness.iter().flat_map(|value| prefixed(value));
    let witness: Vec<u8> = compact_size(witness.len()).into_iter().chain(values).collect();
    [&[1, 0, 0, 0, 0, 1], &body[..], &witness, &[0; 4]].concat()
}

fn result(report: &Report) -> &'static str {
    report.invalid.first().map_or("OK", |invalid| invalid.error.name())
}

#[test]
fn scripts_end_as_in_bitcoin_core() {
    let Some(vectors) = vectors("script-tests.json", "1,203 scripts") else { return };
    let verifiers = verifiers();
    let (mut count, mut again) = (0, 0);
    for vector in vectors.iter().filter_map(Value::as_array).filter(|vector| vector.len() > 3) {
        let text = |place: usize| vector[place].as_str().expect("text");
        let (mut witness, mut value, mut at) = (Vec::new(), 0, 0);
        if let Some(values) = vector[0].as_array() {
            let (amount, elements) = values.split_last().expect("an amount");
            value = (amount.as_f64().expect("a number") * 1e8).round() as u64;
            witness = elements.iter().map(|hex| const_hex::decode(hex.as_str().expect("text")).expect("hex")).collect();
            at = 1;
        }
        let (script, output) = (assemble(text(at)), assemble(text(at + 1)));
        let bytes = spending(&script, &output, value, &witness);
        let transaction = Transaction::decode(&bytes).expect("a transaction");
        let spent = [Output { value, script: Cow::Borrowed(&output) }];
        for verifier in &verifiers {
            let report = verifier.verify_transaction(&transaction, &spent, flags(text(at + 2)), |_| {});
            let report = report.expect("one output for one input");
            assert_eq!(result(&report), text(at + 3), "{vector:?}");
            again += report.executed_again;
        }
        count += 1;
    }
    println!("{count} scripts, {again} of {} executed again", count * verifiers.len());
    assert_eq!(count, 1203);
    assert!(again > 0);
}

/// The transaction of a vector with the outputs that it spends. None if its bytes are no transaction.
fn verified(vector: &[Value], verifier: &Verifier) -> Option<Report> {
    let mut outputs = HashMap::new();
    for previous in vector[0].as_array().expect("outputs") {
        let mut txid = const_hex::decode(previous[0].as_str().expect("text")).expect("hex");
        txid.reverse();
        let index = previous[1].as_i64().expect("a number") as u32;
        let script = assemble(previous[2].as_str().expect("text"));
        let value = previous.get(3).map_or(0, |value| value.as_u64().expect("an amount"));
        outputs.insert((txid, index), Output { value, script: Cow::Owned(script) });
    }
    let bytes = const_hex::decode(vector[1].as_str().expect("text")).expect("hex");
    let transaction = Transaction::decode(&bytes).ok()?;
    let output = |input: &phalanx_bitcoin::Input<'_>| {
        outputs.get(&(input.previous.txid.to_vec(), input.previous.index)).cloned()
    };
    let spent: Vec<_> = transaction.inputs.iter().map(output).collect::<Option<_>>()?;
    let flags = flags(vector[2].as_str().expect("text"));
    // A transaction that spends nothing has no scripts to run.
    if transaction.is_coinbase() {
        return transaction.is_well_formed().then(Report::default);
    }
    verifier.verify_transaction(&transaction, &spent, flags, |_| {}).ok()
}

#[test]
fn transactions_are_valid_or_not_as_in_bitcoin_core() {
    for (name, expected, valid) in [("tx-valid.json", 120, true), ("tx-invalid.json", 92, false)] {
        let Some(vectors) = vectors(name, &format!("{expected} transactions")) else { continue };
        let cases: Vec<_> = vectors.iter().filter_map(Value::as_array).filter(|vector| vector.len() == 3).collect();
        assert_eq!(cases.len(), expected);
        for verifier in verifiers() {
            for vector in &cases {
                let report = verified(vector, &verifier);
                let found = report.as_ref().is_some_and(|report| report.invalid.is_empty());
                assert_eq!(found, valid, "{report:?} {vector:?}");
            }
        }
    }
}
