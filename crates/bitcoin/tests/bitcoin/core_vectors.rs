//! Bitcoin Core's vectors of scripts, transactions and Taproot.

use std::borrow::Cow;
use std::collections::HashMap;

use phalanx::{Backend, Bulk};
use phalanx_bitcoin::{Flags, Output, Report, Transaction, Verifier, decode_outputs};
use serde_json::Value;

use crate::assembly::assemble;
use crate::shared::{shared, vectors};

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
        return transaction.check().ok().map(|()| Report::default());
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

/// The rules of consensus, in the sets that Bitcoin Core's `script_assets_test` goes through.
fn consensus_sets() -> Vec<Flags> {
    let rules = [
        Flags::P2SH,
        Flags::DERSIG,
        Flags::NULLDUMMY,
        Flags::CHECKLOCKTIMEVERIFY,
        Flags::CHECKSEQUENCEVERIFY,
        Flags::WITNESS,
        Flags::TAPROOT,
    ];
    let set = |bits: u32| {
        let chosen = rules.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        chosen.fold(Flags::NONE, |flags, (_, rule)| flags | *rule)
    };
    let needs = |flags: &Flags, rule, other| !flags.contains(rule) || flags.contains(other);
    let may_be =
        |flags: &Flags| needs(flags, Flags::WITNESS, Flags::P2SH) && needs(flags, Flags::TAPROOT, Flags::WITNESS);
    (0..1 << rules.len()).map(set).filter(may_be).collect()
}

/// A case of Taproot: the spend of one input, and others in place of its script and witness.
struct TaprootCase {
    transaction: Vec<u8>,
    spent: Vec<Vec<u8>>,
    input: usize,
    flags: Flags,
    /// A success holds with more rules, too.
    is_final: bool,
    /// Script and witness, and whether the input is valid with them.
    spends: Vec<(Vec<u8>, Vec<Vec<u8>>, bool)>,
}

impl TaprootCase {
    fn read(text: &str) -> TaprootCase {
        // The files were lines of an array once.
        let case: Value = serde_json::from_str(text.trim_end().trim_end_matches(',')).expect("JSON");
        let hex = |value: &Value| const_hex::decode(value.as_str().expect("text")).expect("hex");
        let list = |value: &Value| value.as_array().expect("an array").iter().map(hex).collect::<Vec<_>>();
        let spend = |(name, valid)| {
            let spend = case.get(name)?;
            Some((hex(&spend["scriptSig"]), list(&spend["witness"]), valid))
        };
        TaprootCase {
            transaction: hex(&case["tx"]),
            spent: list(&case["prevouts"]),
            input: case["index"].as_u64().expect("a number") as usize,
            flags: flags(case["flags"].as_str().expect("text")),
            is_final: case["final"].as_bool() == Some(true),
            spends: [("success", true), ("failure", false)].into_iter().filter_map(spend).collect(),
        }
    }

    /// The transaction with a script and a witness in the input of the case, and no witness in others.
    fn transaction(&self, script: &[u8], witness: &[Vec<u8>]) -> Vec<u8> {
        let unsigned = Transaction::decode(&self.transaction).expect("a transaction");
        let input = |(number, input): (usize, &phalanx_bitcoin::Input<'_>)| {
            let script = if number == self.input { script } else { input.script };
            let outpoint = [&input.previous.txid[..], &input.previous.index.to_le_bytes()].concat();
            [outpoint, prefixed(script), input.sequence.to_le_bytes().to_vec()].concat()
        };
        let output = |output: &Output<'_>| [output.value.to_le_bytes().to_vec(), prefixed(&output.script)].concat();
        let inputs: Vec<u8> = unsigned.inputs.iter().enumerate().flat_map(input).collect();
        let outputs: Vec<u8> = unsigned.outputs.iter().flat_map(output).collect();
        let [inputs_count, outputs_count] = [unsigned.inputs.len(), unsigned.outputs.len()].map(compact_size);
        let body = [inputs_count, inputs, outputs_count, outputs].concat();
        let own: Vec<u8> = witness.iter().flat_map(|value| prefixed(value)).collect();
        let own = [compact_size(witness.len()), own].concat();
        let witness_of = |number| if number == self.input { own.clone() } else { vec![0] };
        let (mark, witnesses): (&[u8], Vec<u8>) = match witness {
            [] => (&[], Vec::new()),
            _ => (&[0, 1], (0..unsigned.inputs.len()).flat_map(witness_of).collect()),
        };
        let [version, lock_time] = [unsigned.version, unsigned.lock_time].map(u32::to_le_bytes);
        [&version, mark, &body, &witnesses, &lock_time].concat()
    }

    /// Compares under sets of rules; returns under how many.
    fn compare(&self, verifier: &Verifier, sets: &[Flags], name: &str) -> usize {
        let spent: Vec<Output<'_>> = self.spent.iter().map(|bytes| decode_output(bytes)).collect();
        let mut compared = 0;
        for (script, witness, valid) in &self.spends {
            let bytes = self.transaction(script, witness);
            let transaction = Transaction::decode(&bytes).expect("a transaction");
            // Fewer rules keep a success, and more rules a failure.
            let applies = |flags: &&Flags| match valid {
                true => self.is_final || self.flags.contains(**flags),
                false => flags.contains(self.flags),
            };
            for flags in sets.iter().filter(applies) {
                let report = verifier.verify_transaction(&transaction, &spent, *flags, |_| {}).expect("outputs");
                let found = report.invalid.iter().all(|invalid| invalid.input != self.input);
                assert_eq!(found, *valid, "{name} {flags:?} {:?}", report.invalid);
                compared += 1;
            }
        }
        compared
    }
}

fn decode_output(bytes: &[u8]) -> Output<'_> {
    let mut outputs = decode_outputs(bytes).expect("an output");
    outputs.pop().filter(|_| outputs.is_empty()).expect("one output")
}

/// Bitcoin Core makes these cases by `feature_taproot.py` and keeps them apart from its source. btcd's repository has
/// them in `txscript/data/taproot-ref`. The variable names such a folder.
#[test]
fn taproot_is_as_in_bitcoin_core() {
    let folder = match std::env::var_os("PHALANX_TAPROOT_CASES") {
        Some(folder) => folder.into(),
        None => match shared("vectors/bitcoin-core/taproot-ref", "2,760 cases of Taproot") {
            Some(folder) => folder,
            None => return,
        },
    };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let all = consensus_sets();
    let sets = if phalanx_tiers::is_large() { all } else { vec![all[0], all[all.len() - 1]] };
    let verifiers = verifiers();
    let mut compared = 0;
    for (number, path) in paths.iter().enumerate() {
        let case = TaprootCase::read(&std::fs::read_to_string(path).expect("text"));
        let own = [&sets[..], &[case.flags]].concat();
        compared += case.compare(&verifiers[number % verifiers.len()], &own, &path.display().to_string());
    }
    println!("{} cases, compared {compared} times", paths.len());
    assert!(paths.len() >= 2_760, "{} of 2,760 cases", paths.len());
}
