//! Input that is made to take time or memory.

use std::borrow::Cow;

use phalanx::{Bulk, SecretKey, ecdsa, hash::sha256};
use phalanx_bitcoin::{Block, BlockFault, DecodeError, Flags, Output, Report, Transaction, TransactionFault, Verifier};

use crate::assembly::push;
use crate::commitments;

pub(crate) fn consensus() -> Flags {
    Flags::P2SH | Flags::DERSIG | Flags::WITNESS | Flags::NULLDUMMY | Flags::TAPROOT
}

fn compact_size(length: usize) -> Vec<u8> {
    match length {
        0..=0xfc => vec![length as u8],
        0xfd..=0xffff => [&[0xfd][..], &(length as u16).to_le_bytes()].concat(),
        _ => [&[0xfe][..], &(length as u32).to_le_bytes()].concat(),
    }
}

pub(crate) fn prefixed(bytes: &[u8]) -> Vec<u8> {
    [compact_size(bytes.len()), bytes.to_vec()].concat()
}

/// A transaction of some inputs with the same script and witness.
fn transaction(inputs: usize, script: &[u8], witness: &[Vec<u8>]) -> Vec<u8> {
    let input = |number: usize| {
        let outpoint = [&[7; 32][..], &(number as u32).to_le_bytes()].concat();
        [outpoint, prefixed(script), vec![0xff; 4]].concat()
    };
    let mark: &[u8] = if witness.is_empty() { &[] } else { &[0, 1] };
    let inputs_bytes: Vec<u8> = (0..inputs).flat_map(input).collect();
    let head = [&[2, 0, 0, 0], mark, &compact_size(inputs), &inputs_bytes, &[1], &[0; 9]].concat();
    let values = witness.iter().flat_map(|value| prefixed(value));
    let one: Vec<u8> = compact_size(witness.len()).into_iter().chain(values).collect();
    let witnesses = if witness.is_empty() { Vec::new() } else { one.repeat(inputs) };
    [head, witnesses, vec![0; 4]].concat()
}

fn verify(bytes: &[u8], output: &[u8]) -> Report {
    let transaction = Transaction::decode(bytes).expect("a transaction");
    let spent = vec![Output { value: 0, script: Cow::Borrowed(output) }; transaction.inputs.len()];
    let verifier = Verifier::new(&Bulk::new());
    verifier.verify_transaction(&transaction, &spent, consensus(), |_| {}).expect("an output for each input")
}

fn reason(report: &Report) -> &'static str {
    report.invalid.first().map_or("OK", |invalid| invalid.error.name())
}

#[test]
fn counts_without_bytes_are_refused_at_once() {
    let header = [0; 80];
    for count in [&[0xff; 9][..], &[0xfe, 0, 0, 0, 2], &[0xfd, 0xff, 0xff]] {
        let refused = |bytes: &[u8]| {
            let error = Block::decode(bytes).expect_err("a count without bytes");
            assert!(matches!(error, DecodeError::Truncated | DecodeError::TooLarge), "{error}");
        };
        refused(&[&header[..], count].concat());
        refused(&[&header[..], &[1, 1, 0, 0, 0], count, &[0; 16]].concat());
        let input = [&[7; 36][..], &[0], &[0; 4]].concat();
        refused(&[&header[..], &[1, 1, 0, 0, 0, 1], &input, count, &[0; 16]].concat());
        refused(&[&header[..], &[1, 1, 0, 0, 0, 0, 1, 1], &input, &[0], count, &[0; 16]].concat());
        refused(&[&header[..], &[1, 1, 0, 0, 0, 0, 1, 1], &input, &[0, 1], count, &[0; 16]].concat());
    }
}

#[test]
fn scripts_of_a_whole_block_end() {
    // Were any of this quadratic, it would not end. Scripts of SegWit version 0 are short, those of tapscript are not.
    // The internal key is one whose commitment does not hold, so those run twice.
    let output_v0 = |script: &[u8]| [&[0, 32], &sha256(script)[..]].concat();
    let control = [&[0xc0][..], &SecretKey::from_bytes(&[3; 32]).expect("a key").public_key().to_bytes()[1..]].concat();
    let output_v1 = [&[0x51, 32], &control[1..]].concat();
    let tapscript = |script: Vec<u8>, expected: &str| {
        let report = verify(&transaction(1, &[], &[script, control.clone()]), &output_v1);
        assert_eq!(reason(&report), expected);
    };
    let long = 3_900_000;
    tapscript([vec![0x51; 1], vec![0x76; long]].concat(), "WITNESS_PROGRAM_MISMATCH");
    tapscript([vec![0x51; 1], vec![0x63; long]].concat(), "WITNESS_PROGRAM_MISMATCH");
    tapscript([vec![0; 1], [0x63, 0x67].repeat(long / 2)].concat(), "WITNESS_PROGRAM_MISMATCH");
    tapscript([0x51, 0x76, 0x77].repeat(long / 3), "WITNESS_PROGRAM_MISMATCH");
    tapscript([&[0x51, 0x51][..], &[0x6e, 0xac, 0x75].repeat(1_000_000)].concat(), "WITNESS_PROGRAM_MISMATCH");
    // A witness of very many empty values.
    let script = vec![0x51];
    let mut witness = vec![Vec::new(); 3_000_000];
    witness.push(script.clone());
    assert_eq!(reason(&verify(&transaction(1, &[], &witness), &output_v0(&script))), "STACK_SIZE");
    let deep = vec![0x63; 10_001];
    assert_eq!(reason(&verify(&transaction(1, &[], std::slice::from_ref(&deep)), &output_v0(&deep))), "SCRIPT_SIZE");
    let deep = vec![0x63; 10_000];
    assert_eq!(
        reason(&verify(&transaction(1, &[], std::slice::from_ref(&deep)), &output_v0(&deep))),
        "UNBALANCED_CONDITIONAL"
    );
}

#[test]
fn many_checks_are_settled_window_by_window() {
    // 20 signatures a script; each is well formed and none holds, so that each input runs twice. They sign their input
    // alone, so that little is hashed.
    let secret = SecretKey::from_bytes(&[5; 32]).expect("a key");
    let signature = [&ecdsa::sign(&[1; 32], &secret).to_der()[..], &[0x83]].concat();
    let key = secret.public_key().to_bytes();
    let check = [&push(&signature)[..], &push(&key), &[0xac, 0x75]].concat();
    let script = [check.repeat(20), vec![0x51]].concat();
    let inputs = 2100;
    let report = verify(&transaction(inputs, &[], &[]), &script);
    assert_eq!((report.inputs, report.ecdsa), (inputs as u64, 20 * inputs as u64));
    // The result does not depend on them.
    assert_eq!((report.executed_again, report.invalid.len()), (inputs as u64, 0));
}

#[test]
fn many_keys_are_tried_in_groups_of_inputs() {
    // Six times ten signatures of another key than the twenty: each is tried under eleven keys.
    let signature = [&ecdsa::sign(&[1; 32], &SecretKey::from_bytes(&[5; 32]).expect("a key")).to_der()[..], &[0x83]];
    let signatures = [vec![0x76; 10], vec![0x75]].concat();
    let key = push(&SecretKey::from_bytes(&[6; 32]).expect("a key").public_key().to_bytes());
    // The signature is copied ten times, over an empty value that CHECKMULTISIG takes.
    let check = [&[0][..], &push(&signature.concat()), &signatures, &[0x5a], &key.repeat(20), &[1, 20, 0xae, 0x75]];
    let script = [check.concat().repeat(6), vec![0x51]].concat();
    let inputs = 700;
    let report = verify(&transaction(inputs, &[], &[]), &script);
    assert_eq!(report.ecdsa, 6 * 11 * inputs as u64);
    assert_eq!(report.speculative, 6 * 6 * inputs as u64);
    assert_eq!((report.executed_again, report.invalid.len()), (inputs as u64, 0));
}

#[test]
fn a_million_signature_operations_are_refused_before_any_script_runs() {
    let coinbase = commitments::coinbase(&[vec![]], None);
    let with = |transaction: &[u8]| [&[0; 80][..], &[2], &coinbase, transaction].concat();
    let verifier = Verifier::new(&Bulk::new());
    let spent = [Output { value: 0, script: Cow::Borrowed(&[0x51]) }];
    let found = |bytes: &[u8]| {
        let mut block = Block::decode(bytes).expect("a block");
        block.header.merkle_root = block.merkle_root().unwrap_or_default();
        verifier.verify_block(&block, &spent, consensus(), |_| {})
    };
    let checks = |count: usize| with(&transaction(1, &vec![0xac; count], &[]));
    assert_eq!(found(&checks(900_000)), Err(BlockFault::SignatureOperations));
    assert_eq!(found(&checks(20_001)), Err(BlockFault::SignatureOperations));
    // A legacy script of so many bytes fails, but the block is judged.
    assert_eq!(found(&checks(20_000)).map(|report| report.invalid.len()), Ok(1));
    let long = found(&with(&transaction(1, &vec![0x61; 1_000_000], &[])));
    assert!(
        matches!(long, Err(BlockFault::Transaction { number: 1, fault: TransactionFault::Size(1_000_064), .. })),
        "{long:?}"
    );
    let heavy = transaction(1, &[], &[vec![0; 3_999_900]]);
    let committed = commitments::coinbase(&[commitments::commitment(&[&heavy], &[0; 32])], Some(&[0; 32]));
    assert_eq!(found(&[&[0; 80][..], &[2], &committed, &heavy].concat()), Err(BlockFault::Weight));
    assert_eq!(found(&with(&heavy)), Err(BlockFault::WitnessCommitment));
    assert_eq!(
        found(&[&[0; 80][..], &[1], &coinbase].concat()),
        Err(BlockFault::SpentOutputs { inputs: 0, outputs: 1 })
    );
    let other = commitments::coinbase(&[vec![0x51]], None);
    assert_eq!(found(&[&[0; 80][..], &[2], &coinbase, &other].concat()), Err(BlockFault::Coinbase));
    assert_eq!(found(&[&[0; 80][..], &[0]].concat()), Err(BlockFault::Coinbase));
}

#[test]
fn random_scripts_and_bytes_do_not_panic() {
    let mut draws = phalanx_tiers::Draws::of_run();
    let key = SecretKey::from_bytes(&[5; 32]).expect("a key").public_key().to_bytes();
    let mut results = std::collections::BTreeSet::new();
    for _ in 0..phalanx_tiers::size(20_000, 500_000) {
        let mut script = Vec::new();
        for _ in 0..draws.below(24) {
            match draws.below(4) {
                0 => script.push(0x51 + draws.below(4) as u8),
                1 => script.extend(push(&key[..[0, 1, 4, 32, 33][draws.below(5)]])),
                2 => script.push(draws.below(256) as u8),
                _ => script.push(0x61 + draws.below(0x5a) as u8),
            }
        }
        let report = match draws.below(3) {
            0 => verify(&transaction(1, &[], &[]), &script),
            1 => verify(&transaction(1, &[], &[vec![1], script.clone()]), &[&[0, 32], &sha256(&script)[..]].concat()),
            _ => verify(&transaction(1, &push(&script), &[]), &[&[0xa9, 20][..], &[0; 20], &[0x87]].concat()),
        };
        results.insert(reason(&report));
        // And the bytes of a transaction, changed anywhere.
        let mut bytes = transaction(2, &script, &[script.clone()]);
        for _ in 0..3 {
            let place = draws.below(bytes.len());
            bytes[place] = draws.below(256) as u8;
        }
        bytes.truncate(draws.below(2 * bytes.len()));
        let _ = Transaction::decode(&bytes);
    }
    assert!(results.len() > 10, "{results:?}");
}

#[test]
fn digests_of_a_large_transaction_differ_by_sighash_type() {
    // Two signatures of one input over the same script, the first of all outputs and the second of none.
    let secret = SecretKey::from_bytes(&[5; 32]).expect("a key");
    let key = push(&secret.public_key().to_bytes());
    let large = [&[1][..], &[0; 8], &prefixed(&vec![0x51; 20_000])].concat();
    let bytes = |script: &[u8], outputs: &[u8]| {
        [&[2, 0, 0, 0, 1][..], &[7; 36], &prefixed(script), &[0xff; 4], outputs, &[0; 4]].concat()
    };
    for output in [[&key[..], &[0xad], &key, &[0xac]].concat(), [&[0x52], &key[..], &key, &[0x52, 0xae]].concat()] {
        let signed = |outputs: &[u8], hash_type: u8| {
            let digest = sha256(&sha256(&[&bytes(&output, outputs)[..], &[hash_type, 0, 0, 0]].concat()));
            push(&[&ecdsa::sign(&digest, &secret).to_der()[..], &[hash_type]].concat())
        };
        let (all, none) = (signed(&large, 1), signed(&[0], 2));
        for (signatures, expected) in [([&none, &all], "OK"), ([&all, &none], "OK"), ([&all, &all], "OK")] {
            let script = [&[0], &signatures.map(Vec::as_slice).concat()[..]].concat();
            assert_eq!(reason(&verify(&bytes(&script, &large), &output)), expected);
        }
        // Neither signs what the other does.
        let mut other = all.clone();
        *other.last_mut().expect("a type") = 2;
        let script = [&[0], &all[..], &other].concat();
        assert_eq!(verify(&bytes(&script, &large), &output).invalid.len(), 1);
    }
}

#[test]
fn digests_of_a_large_transaction_are_right_in_the_second_run() {
    // An input whose first signature does not hold, and whose second one signs what is behind the separator.
    let (inputs, own, secret) = (600_usize, 5, SecretKey::from_bytes(&[5; 32]).expect("a key"));
    let bytes = |script: &[u8]| {
        let input = |number: usize| {
            let outpoint = [&[7; 32][..], &(number as u32).to_le_bytes()].concat();
            [outpoint, prefixed(if number == own { script } else { &[] }), vec![0xff; 4]].concat()
        };
        let inputs_bytes: Vec<u8> = (0..inputs).flat_map(input).collect();
        [&[2, 0, 0, 0][..], &compact_size(inputs), &inputs_bytes, &[1], &[0; 13]].concat()
    };
    let digest = |code: &[u8]| sha256(&sha256(&[&bytes(code)[..], &[1, 0, 0, 0]].concat()));
    let signature = |digest: &[u8; 32]| push(&[&ecdsa::sign(digest, &secret).to_der()[..], &[1]].concat());
    let check = [&push(&secret.public_key().to_bytes())[..], &[0xac]].concat();
    let output = [&check[..], &[0x75, 0xab], &check].concat();
    for (signed, expected) in [(&check, "OK"), (&output, "EVAL_FALSE")] {
        let bytes = bytes(&[signature(&digest(signed)), signature(&[1; 32])].concat());
        assert!(bytes.len() > 20_000);
        let transaction = Transaction::decode(&bytes).expect("a transaction");
        let script = |number| if number == own { &output[..] } else { &[0x51] };
        let spent: Vec<_> = (0..inputs).map(|number| Output { value: 0, script: script(number).into() }).collect();
        let report = Verifier::new(&Bulk::new()).verify_transaction(&transaction, &spent, consensus(), |_| {});
        let report = report.expect("an output for each input");
        assert_eq!((reason(&report), report.ecdsa, report.executed_again), (expected, 2, 1));
    }
}
