//! CHECKMULTISIG: which signatures hold under which keys decides, and no valid spend runs twice.

use std::borrow::Cow;

use phalanx::{Bulk, SecretKey, ecdsa};
use phalanx_bitcoin::{Flags, Output, Report, Transaction, Verifier};

use crate::assembly::push;

const KEYS: usize = 4;

fn secret(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).expect("a key")
}

fn transaction(script: &[u8]) -> Vec<u8> {
    let length: &[u8] = if script.len() < 0xfd { &[script.len() as u8] } else { &[0xfd, script.len() as u8, 1] };
    assert!(script.len() < 0x200);
    [&[2, 0, 0, 0, 1][..], &[7; 36], length, script, &[0xff; 4], &[1], &[0; 9], &[0; 4]].concat()
}

/// The legacy digest of a bare output for SIGHASH_ALL.
fn digest(output: &[u8]) -> [u8; 32] {
    let signed = [transaction(output), vec![1, 0, 0, 0]].concat();
    phalanx::hash::sha256(&phalanx::hash::sha256(&signed))
}

fn verify(script: &[u8], output: &[u8], flags: Flags) -> Report {
    let bytes = transaction(script);
    let transaction = Transaction::decode(&bytes).expect("a transaction");
    let spent = [Output { value: 0, script: Cow::Borrowed(output) }];
    let verifier = Verifier::new(&Bulk::builder().threads(1).build().expect("a backend"));
    verifier.verify_transaction(&transaction, &spent, flags, |_| {}).expect("one output for one input")
}

/// Whether signers, by number, are a part of the keys in their order.
fn in_order(signers: &[usize]) -> bool {
    signers.windows(2).all(|pair| pair[0] < pair[1]) && signers.iter().all(|signer| *signer < KEYS)
}

/// How many checks consensus makes: the last signature is tried under the last key first, and no signature is tried
/// when there are more of them left than keys.
fn tries(signers: &[usize]) -> u64 {
    let (mut left, mut tries) = (signers.to_vec(), 0);
    for key in (0..KEYS).rev() {
        let Some(signer) = left.last().filter(|_| left.len() <= key + 1) else { break };
        tries += 1;
        if *signer == key {
            left.pop();
        }
    }
    tries
}

#[test]
fn signatures_hold_in_the_order_of_the_keys() {
    let keys: Vec<u8> = (0..KEYS).flat_map(|seed| push(&secret(seed as u8 + 1).public_key().to_bytes())).collect();
    let (mut valid, mut checks, mut speculative) = (0, 0, 0);
    for need in 0..=3_u32 {
        let opcode = |number: u32| if number == 0 { 0 } else { 0x50 + number as u8 };
        let output = [&[opcode(need)], &keys[..], &[opcode(KEYS as u32), 0xae]].concat();
        let digest = digest(&output);
        // Signer number KEYS has no key in the output.
        for mut word in 0..(KEYS + 1).pow(need) {
            let mut script = vec![0];
            let mut signers = Vec::new();
            for _ in 0..need {
                let signer = word % (KEYS + 1);
                word /= KEYS + 1;
                signers.push(signer);
                let signature = ecdsa::sign(&digest, &secret(signer as u8 + 1)).to_der();
                script.extend(push(&[&signature[..], &[1]].concat()));
            }
            let report = verify(&script, &output, Flags::P2SH);
            let expected = in_order(&signers);
            assert_eq!(report.invalid.is_empty(), expected, "{signers:?}");
            assert_eq!(report.executed_again, u64::from(!expected), "{signers:?}");
            assert_eq!(report.ecdsa, tries(&signers), "{signers:?}");
            // Never more pairs than there are on the way, whatever is skipped, and each of those once more.
            let pairs = u64::from(need) * (KEYS as u64 - u64::from(need) + 1);
            assert!(report.ecdsa + report.speculative <= 2 * pairs, "{report:?}");
            if signers.iter().enumerate().all(|(place, signer)| place + KEYS - need as usize == *signer) {
                assert_eq!((report.ecdsa, report.speculative), (u64::from(need), 0), "no key is passed over");
            }
            speculative += report.speculative;
            valid += u64::from(expected);
            checks += report.ecdsa;
        }
    }
    println!("{valid} valid, {checks} checks, {speculative} speculative");
    assert!(speculative > 0);
    assert_eq!(valid, 1 + 4 + 6 + 4);
}

#[test]
fn forms_that_are_never_tried_do_not_count() {
    let good = secret(1).public_key().to_bytes();
    // A key of no known form, tried after the good one, and before it.
    let with = |first: &[u8], second: &[u8]| [&[0x51], &push(first)[..], &push(second), &[0x52, 0xae]].concat();
    for (output, flags, expected) in [
        (with(&[9; 33], &good), Flags::STRICTENC, Ok(())),
        (with(&good, &[9; 33]), Flags::STRICTENC, Err("PUBKEYTYPE")),
        (with(&good, &[9; 33]), Flags::NONE, Ok(())),
        (with(&[], &good), Flags::NONE, Ok(())),
    ] {
        let signature = ecdsa::sign(&digest(&output), &secret(1)).to_der();
        let script = [&[0][..], &push(&[&signature[..], &[1]].concat())].concat();
        let report = verify(&script, &output, flags);
        assert_eq!(report.invalid.first().map_or(Ok(()), |invalid| Err(invalid.error.name())), expected);
        assert_eq!(report.executed_again, 0);
        // An empty signature never holds.
        assert_eq!(verify(&[0, 0], &output, Flags::NONE).invalid[0].error.name(), "EVAL_FALSE");
    }
}
