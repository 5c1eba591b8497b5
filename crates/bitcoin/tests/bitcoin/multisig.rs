//! CHECKMULTISIG beside the loop of consensus: the result, the checks and their order, and how many are in vain.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use phalanx::hash::sha256;
use phalanx::{Bulk, SecretKey, ecdsa};
use phalanx_bitcoin::{Check, Flags, Output, Report, Transaction, Verifier};

use crate::assembly::push;

/// The most keys of a CHECKMULTISIG.
const MOST_KEYS: usize = 20;
const ALL: u8 = 1;
/// An input without an output of its number signs the number one by this type, whatever the script.
const SINGLE: u8 = 3;

const OP_1: u8 = 0x51;
const OP_DROP: u8 = 0x75;
const OP_CHECKSIG: u8 = 0xac;
const OP_CHECKSIGVERIFY: u8 = 0xad;
const OP_CHECKMULTISIG: u8 = 0xae;
const OP_CHECKMULTISIGVERIFY: u8 = 0xaf;

fn secret(signer: usize) -> SecretKey {
    SecretKey::from_bytes(&[signer as u8 + 1; 32]).expect("a key")
}

fn key(signer: usize) -> Vec<u8> {
    secret(signer).public_key().to_bytes().to_vec()
}

fn signature(digest: &[u8; 32], signer: usize, hash_type: u8) -> Vec<u8> {
    [&ecdsa::sign(digest, &secret(signer)).to_der()[..], &[hash_type]].concat()
}

fn number(number: usize) -> Vec<u8> {
    match number {
        0 => vec![0],
        1..=16 => vec![OP_1 + number as u8 - 1],
        _ => vec![1, number as u8],
    }
}

fn prefixed(bytes: &[u8]) -> Vec<u8> {
    match bytes.len() {
        length @ 0..=0xfc => [&[length as u8], bytes].concat(),
        length => [&[0xfd, length as u8, (length >> 8) as u8], bytes].concat(),
    }
}

/// A transaction with one output. Its last input has this script.
fn transaction(inputs: u8, script: &[u8]) -> Vec<u8> {
    let input = |number: u8| {
        let script = if number + 1 == inputs { script } else { &[] };
        [&[number + 7; 36], &prefixed(script)[..], &[0xff; 4]].concat()
    };
    let inputs_bytes: Vec<u8> = (0..inputs).flat_map(input).collect();
    [&[2, 0, 0, 0, inputs], &inputs_bytes[..], &[1], &[0; 9], &[0; 4]].concat()
}

/// A signature without its type and a key, in hex, and whether the one holds under the other.
type Row = (String, String, bool);

/// The verdict on the last input, and its checks. The other inputs spend outputs that anyone may spend.
fn verify(inputs: u8, script: &[u8], output: &[u8], flags: Flags) -> (Report, Vec<Row>) {
    static VERIFIER: LazyLock<Verifier> =
        LazyLock::new(|| Verifier::new(&Bulk::builder().threads(1).build().expect("a backend")));
    let bytes = transaction(inputs, script);
    let transaction = Transaction::decode(&bytes).expect("a transaction");
    let script = |input| Cow::Borrowed(if input + 1 == inputs { output } else { &[OP_1] });
    let spent: Vec<_> = (0..inputs).map(|input| Output { value: 0, script: script(input) }).collect();
    let mut rows = Vec::new();
    let report = VERIFIER.verify_transaction(&transaction, &spent, flags, |row| {
        let Check::Ecdsa { key, signature, .. } = row.check else { panic!("{row:?}") };
        rows.push((const_hex::encode(&signature.to_der()[..]), const_hex::encode(key.as_bytes()), row.holds));
    });
    (report.expect("an output for each input"), rows)
}

fn reason(report: &Report) -> &'static str {
    report.invalid.first().map_or("OK", |invalid| invalid.error.name())
}

/// A signature with its type, or a key, as it stands in a script.
#[derive(Clone)]
struct Part {
    bytes: Vec<u8>,
    /// Who made it. `None` if it cannot be read as a signature or key, so that no check is made with it.
    signer: Option<usize>,
    /// Whether it is strict DER, or empty.
    strict: bool,
}

impl Part {
    fn of(bytes: Vec<u8>, signer: Option<usize>) -> Part {
        Part { bytes, signer, strict: true }
    }

    /// A signature of the number one.
    fn signed(signer: usize) -> Part {
        static SIGNATURES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
            let mut one = [0; 32];
            one[0] = 1;
            (0..=MOST_KEYS).map(|signer| signature(&one, signer, SINGLE)).collect()
        });
        Part::of(SIGNATURES[signer].clone(), Some(signer))
    }

    fn key(signer: usize) -> Part {
        static KEYS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| (0..=MOST_KEYS).map(key).collect());
        Part::of(KEYS[signer].clone(), Some(signer))
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}:{}", self.signer, const_hex::encode(&self.bytes))
    }
}

/// What checks signatures. Without `verify`, its result is dropped.
#[derive(Debug)]
struct Operation {
    /// In the order of the script.
    signatures: Vec<Part>,
    keys: Vec<Part>,
    single: bool,
    verify: bool,
}

impl Operation {
    fn multisig(signatures: Vec<Part>, keys: Vec<Part>) -> Operation {
        Operation { signatures, keys, single: false, verify: false }
    }

    fn script(&self) -> Vec<u8> {
        let pushes = |parts: &[Part]| parts.iter().flat_map(|part| push(&part.bytes)).collect::<Vec<u8>>();
        let (signatures, keys) = (pushes(&self.signatures), pushes(&self.keys));
        let end: &[u8] = match (self.single, self.verify) {
            (true, true) => &[OP_CHECKSIGVERIFY],
            (true, false) => &[OP_CHECKSIG, OP_DROP],
            (false, true) => &[OP_CHECKMULTISIGVERIFY],
            (false, false) => &[OP_CHECKMULTISIG, OP_DROP],
        };
        if self.single {
            return [signatures, keys, end.to_vec()].concat();
        }
        let [needed, all] = [self.signatures.len(), self.keys.len()].map(number);
        [vec![0], signatures, needed, keys, all, end.to_vec()].concat()
    }

    /// Appends the checks that consensus makes; returns whether they hold.
    fn run(&self, flags: Flags, rows: &mut Vec<Row>) -> Result<bool, &'static str> {
        let (mut signatures, mut keys) = (self.signatures.len(), self.keys.len());
        while signatures > 0 && signatures <= keys {
            let (signature, key) = (&self.signatures[signatures - 1], &self.keys[keys - 1]);
            if flags.contains(Flags::DERSIG) && !signature.strict {
                return Err("SIG_DER");
            }
            if signature.signer.is_some() && key.signer.is_some() {
                let holds = signature.signer == key.signer;
                let (_, der) = signature.bytes.split_last().expect("a type");
                rows.push((const_hex::encode(der), const_hex::encode(&key.bytes), holds));
                signatures -= usize::from(holds);
            }
            keys -= 1;
        }
        let holds = signatures == 0;
        if !holds && flags.contains(Flags::NULLFAIL) && self.signatures.iter().any(|part| !part.bytes.is_empty()) {
            return Err("NULLFAIL");
        }
        match (self.verify && !holds, self.single) {
            (true, true) => Err("CHECKSIGVERIFY"),
            (true, false) => Err("CHECKMULTISIGVERIFY"),
            _ => Ok(holds),
        }
    }
}

/// Verifies a script of these operations, and compares with consensus.
fn compare(operations: &[Operation], flags: Flags) -> Report {
    let script: Vec<u8> = operations.iter().flat_map(Operation::script).chain([OP_1]).collect();
    let mut expected = Vec::new();
    let result = operations.iter().try_for_each(|operation| operation.run(flags, &mut expected).map(drop));
    let (report, rows) = verify(2, &[], &script, flags);
    assert_eq!(reason(&report), result.err().unwrap_or("OK"), "{operations:?}");
    assert_eq!(rows, expected, "{operations:?}");
    assert_eq!(report.ecdsa, expected.len() as u64);
    report
}

#[test]
fn signatures_hold_in_the_order_of_the_keys() {
    // What is signed is the transaction, not the number one.
    const KEYS: usize = 4;
    let keys: Vec<u8> = (0..KEYS).flat_map(|signer| push(&key(signer))).collect();
    let mut valid = 0;
    for need in 0..=3_u32 {
        let output = [number(need as usize), keys.clone(), number(KEYS), vec![OP_CHECKMULTISIG]].concat();
        let signed = [transaction(1, &output), vec![ALL, 0, 0, 0]].concat();
        let digest = sha256(&sha256(&signed));
        // Signer number KEYS has no key in the output.
        for mut word in 0..(KEYS + 1).pow(need) {
            let mut script = vec![0];
            let mut signers = Vec::new();
            for _ in 0..need {
                let signer = word % (KEYS + 1);
                word /= KEYS + 1;
                signers.push(signer);
                script.extend(push(&signature(&digest, signer, ALL)));
            }
            let in_order = signers.windows(2).all(|pair| pair[0] < pair[1]) && !signers.contains(&KEYS);
            let (report, _) = verify(1, &script, &output, Flags::P2SH);
            assert_eq!(reason(&report), if in_order { "OK" } else { "EVAL_FALSE" }, "{signers:?}");
            assert_eq!(report.executed_again, u64::from(!in_order), "{signers:?}");
            valid += u64::from(in_order);
        }
    }
    assert_eq!(valid, 1 + 4 + 6 + 4);
}

/// Compares a script of one CHECKMULTISIG, and asserts that no more checks are in vain than the module `settle` says.
fn compare_one(signatures: Vec<Part>, keys: Vec<Part>) -> Report {
    let mut tried = Vec::new();
    let operation = Operation::multisig(signatures, keys);
    let _ = operation.run(Flags::NONE, &mut tried);
    let held = tried.iter().filter(|(_, _, holds)| *holds).count() as u64;
    let report = compare(std::slice::from_ref(&operation), Flags::NONE);
    assert!(report.speculative <= held + 6, "{report:?} {operation:?}");
    assert!(report.speculative <= 3 * report.ecdsa, "{report:?} {operation:?}");
    report
}

#[test]
fn few_checks_are_made_in_vain_whichever_keys_have_signed() {
    // Every choice of signers, in the order of the keys.
    let mut vain = BTreeMap::new();
    for all in 1..=7_usize {
        let keys: Vec<Part> = (0..all).map(Part::key).collect();
        for chosen in 1..1_usize << all {
            let signers: Vec<usize> = (0..all).filter(|signer| chosen >> signer & 1 == 1).collect();
            let (needed, passed_over) = (signers.len(), all - signers[0] - signers.len());
            let report = compare_one(signers.into_iter().map(Part::signed).collect(), keys.clone());
            assert_eq!(report.executed_again, 0);
            assert_eq!(report.ecdsa as usize, needed + passed_over);
            if passed_over == 0 {
                assert_eq!(report.speculative, 0);
            }
            *vain.entry(report.speculative).or_insert(0) += 1;
        }
    }
    println!("checks in vain, and scripts: {vain:?}");
    assert!(vain.len() > 3);
}

#[test]
fn few_checks_are_made_in_vain_for_up_to_twenty_keys() {
    let mut draws = phalanx_tiers::Draws::of_run();
    for all in 1..=MOST_KEYS {
        let keys: Vec<Part> = (0..all).map(Part::key).collect();
        for needed in 1..=all {
            let spare = all - needed;
            let mut random: Vec<usize> = (0..all).collect();
            for _ in 0..spare {
                random.remove(draws.below(random.len()));
            }
            let mut disturbed = random.clone();
            disturbed[draws.below(needed)] = draws.below(MOST_KEYS + 1);
            let orders: [Vec<usize>; 8] = [
                // Nobody's; the last keys'; the first ones'; all but the first or the last signature nobody's.
                vec![MOST_KEYS; needed],
                (spare..all).collect(),
                (0..needed).collect(),
                [vec![MOST_KEYS; needed - 1], vec![all - 1]].concat(),
                [vec![spare / 2], vec![MOST_KEYS; needed - 1]].concat(),
                (0..needed).rev().collect(),
                random,
                disturbed,
            ];
            for signers in orders {
                compare_one(signers.into_iter().map(Part::signed).collect(), keys.clone());
            }
        }
    }
    // As many signatures as keys, and none holds: consensus tries one.
    let report = compare_one(vec![Part::signed(MOST_KEYS); 20], (0..20).map(Part::key).collect());
    assert_eq!((report.ecdsa, report.speculative), (1, 3));
    // Ten of twenty.
    let report = compare_one(vec![Part::signed(MOST_KEYS); 10], (0..20).map(Part::key).collect());
    assert_eq!((report.ecdsa, report.speculative), (11, 6));
    let report = compare_one((0..10).map(Part::signed).collect(), (0..20).map(Part::key).collect());
    assert_eq!((report.ecdsa, report.speculative), (20, 3));
}

/// A DER signature of these two numbers.
fn der(r: &[u8], s: &[u8]) -> Vec<u8> {
    let body = [&[2, r.len() as u8], r, &[2, s.len() as u8], s].concat();
    [&[0x30, body.len() as u8], &body[..], &[SINGLE]].concat()
}

/// Strict DER, and r is not below the group order.
fn too_large() -> Part {
    Part::of(der(&[&[0], &[0xff; 32][..]].concat(), &[1]), None)
}

#[test]
fn signatures_that_cannot_hold_keep_the_checks_of_the_others() {
    let keys: Vec<Part> = (0..3).map(Part::key).collect();
    for unreadable in [Part::of(vec![], None), Part::of(der(&[1], &[0]), None), too_large()] {
        // The last signature is tried under the keys 2 and 1, and holds; nothing is tried with the first one.
        let report = compare_one(vec![unreadable.clone(), Part::signed(1)], keys.clone());
        assert_eq!((report.ecdsa, report.executed_again), (2, 0));
        // The same under NULLFAIL, and with a result that has to be true.
        let mut operation = Operation::multisig(vec![unreadable.clone(), Part::signed(2)], keys.clone());
        assert_eq!(reason(&compare(std::slice::from_ref(&operation), Flags::NULLFAIL | Flags::DERSIG)), "NULLFAIL");
        operation.verify = true;
        assert_eq!(reason(&compare(&[operation], Flags::DERSIG)), "CHECKMULTISIGVERIFY");
        // Nothing is tried behind it.
        let report = compare_one(vec![Part::signed(0), unreadable.clone()], keys.clone());
        assert_eq!((report.ecdsa, report.speculative), (0, 0));
    }
}

#[test]
fn random_scripts_make_the_checks_of_consensus_in_its_order() {
    let mut draws = phalanx_tiers::Draws::of_run();
    let no_der = Part { bytes: vec![0x30, SINGLE], signer: None, strict: false };
    let unreadable = [Part::of(vec![], None), too_large(), no_der];
    // A key whose length does not fit its first byte, an empty one, and one whose x is not on the curve.
    let keyless =
        [Part::of(vec![9; 33], None), Part::of(vec![], None), Part::of([&[2], &[0xff; 32][..]].concat(), Some(99))];
    let mut kinds: BTreeMap<(&str, bool), u32> = BTreeMap::new();
    for _ in 0..phalanx_tiers::size(1_500, 30_000) {
        let operations: Vec<Operation> = (0..1 + draws.below(4))
            .map(|_| {
                let single = draws.below(3) == 0;
                let all = if single { 1 } else { draws.below(8) };
                let keys: Vec<Part> = (0..all)
                    .map(|place| match draws.below(12) {
                        0 => keyless[draws.below(3)].clone(),
                        // The same key twice, or out of order.
                        1 => Part::key(draws.below(8)),
                        _ => Part::key(place),
                    })
                    .collect();
                let needed = if single { 1 } else { draws.below(all + 1) };
                let mut signers: Vec<usize> = (0..all).collect();
                for _ in needed..all {
                    signers.remove(draws.below(signers.len()));
                }
                let signatures = signers.into_iter().map(|signer| match draws.below(16) {
                    0 => unreadable[draws.below(3)].clone(),
                    1 => Part::signed(draws.below(8)),
                    2 => Part::signed(MOST_KEYS),
                    _ => Part::signed(signer),
                });
                Operation { signatures: signatures.collect(), keys, single, verify: draws.below(3) == 0 }
            })
            .collect();
        let sets = [Flags::NONE, Flags::DERSIG, Flags::NULLFAIL, Flags::DERSIG | Flags::NULLFAIL];
        let report = compare(&operations, sets[draws.below(sets.len())]);
        *kinds.entry((reason(&report), report.executed_again > 0)).or_default() += 1;
    }
    println!("{kinds:?}");
    for name in ["CHECKSIGVERIFY", "CHECKMULTISIGVERIFY", "NULLFAIL"] {
        assert!(kinds.contains_key(&(name, true)), "{name} in a second run");
    }
    assert!(["OK", "SIG_DER"].iter().all(|name| kinds.contains_key(&(name, false))), "{kinds:?}");
}

#[test]
fn without_the_superfluous_element_no_signature_is_checked() {
    // Whatever the signature is, good, false, empty or no DER: all of them come behind the number of elements.
    for signature in [Part::signed(0), Part::signed(1), Part::of(vec![], None), Part::of(vec![0x30, SINGLE], None)] {
        let operation = Operation::multisig(vec![signature], vec![Part::key(0)]);
        let script = operation.script();
        for flags in [Flags::NONE, Flags::DERSIG | Flags::NULLDUMMY, Flags::NULLFAIL | Flags::STRICTENC] {
            let (report, rows) = verify(2, &[], &script[1..], flags);
            assert_eq!((reason(&report), rows.len()), ("INVALID_STACK_OPERATION", 0), "{operation:?}");
            assert_eq!((report.executed_again, report.speculative), (0, 0));
        }
    }
    // It is needed where no signature is, too.
    assert_eq!(reason(&verify(2, &[], &[0, 0, OP_CHECKMULTISIG], Flags::NONE).0), "INVALID_STACK_OPERATION");
    assert_eq!(reason(&verify(2, &[], &[0, 0, 0, OP_CHECKMULTISIG], Flags::NONE).0), "OK");
}

#[test]
fn forms_that_are_never_tried_do_not_count() {
    let good = key(0);
    // A key of no known form, tried after the good one, and before it.
    let with = |first: &[u8], second: &[u8]| [&[OP_1], &push(first)[..], &push(second), &[0x52, 0xae]].concat();
    for (output, flags, expected) in [
        (with(&[9; 33], &good), Flags::STRICTENC, "OK"),
        (with(&good, &[9; 33]), Flags::STRICTENC, "PUBKEYTYPE"),
        (with(&good, &[9; 33]), Flags::NONE, "OK"),
        (with(&[], &good), Flags::NONE, "OK"),
    ] {
        let script = [&[0][..], &push(&Part::signed(0).bytes)].concat();
        let (report, rows) = verify(2, &script, &output, flags);
        assert_eq!(reason(&report), expected);
        assert_eq!((report.executed_again, rows.len()), (0, usize::from(expected == "OK")));
        // An empty signature never holds.
        assert_eq!(reason(&verify(2, &[0, 0], &output, Flags::NONE).0), "EVAL_FALSE");
    }
}
