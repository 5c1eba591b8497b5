//! Rules that a transaction must keep whatever it spends: each has its own fault, and its own words.

use std::borrow::Cow;

use phalanx::Bulk;
use phalanx_bitcoin::{BlockFault, Flags, Output, Transaction, TransactionFault, Verifier};

const MOST: u64 = 2_100_000_000_000_000;

/// An input: what it spends, and the length of its script.
type Input = ([u8; 36], usize);

const NOTHING: [u8; 36] = {
    let mut null = [0; 36];
    (null[32], null[33], null[34], null[35]) = (0xff, 0xff, 0xff, 0xff);
    null
};

/// A transaction whose outputs have these values.
fn transaction(inputs: &[Input], values: &[u64]) -> Vec<u8> {
    let input =
        |(previous, length): &Input| [previous.as_slice(), &[*length as u8], &vec![0x51; *length], &[0xff; 4]].concat();
    let inputs_bytes: Vec<u8> = inputs.iter().flat_map(input).collect();
    let outputs: Vec<u8> = values.iter().flat_map(|value| [&value.to_le_bytes()[..], &[0]].concat()).collect();
    // Without inputs the mark of a witness is needed: else the count would be one.
    let mark: &[u8] = if inputs.is_empty() { &[0, 1] } else { &[] };
    let counts = [inputs.len() as u8, values.len() as u8];
    [&[1, 0, 0, 0][..], mark, &counts[..1], &inputs_bytes, &counts[1..], &outputs, &[0; 4]].concat()
}

#[test]
fn each_rule_has_its_own_fault() {
    use TransactionFault::*;
    let (one, other) = (([1; 36], 0), ([2; 36], 0));
    for (inputs, values, expected, name) in [
        (vec![one], vec![MOST], None, ""),
        (vec![one, other], vec![MOST - 1, 1], None, ""),
        (vec![(NOTHING, 2)], vec![1], None, ""),
        (vec![(NOTHING, 100)], vec![1], None, ""),
        (vec![one], vec![], Some(NoOutputs), "bad-txns-vout-empty"),
        (vec![one], vec![0, MOST + 1], Some(Value(1)), "output 1 has more than 21,000,000 bitcoins"),
        (vec![one], vec![u64::MAX, u64::MAX], Some(Value(0)), "bad-txns-vout-toolarge"),
        (vec![one], vec![MOST, 1], Some(Sum), "bad-txns-txouttotal-toolarge"),
        (vec![one, other, one], vec![1], Some(SpentTwice(2)), "input 2 spends the output of an input before it"),
        (vec![(NOTHING, 2), (NOTHING, 2)], vec![1], Some(SpentTwice(1)), "bad-txns-inputs-duplicate"),
        (vec![one, (NOTHING, 2)], vec![1], Some(SpendsNothing(1)), "bad-txns-prevout-null"),
        (vec![(NOTHING, 1)], vec![1], Some(CoinbaseScript(1)), "1 bytes, expected 2 to 100"),
        (vec![(NOTHING, 101)], vec![1], Some(CoinbaseScript(101)), "bad-cb-length"),
    ] {
        let bytes = transaction(&inputs, &values);
        let found = Transaction::decode(&bytes).expect("a transaction").check();
        assert_eq!(found.err(), expected, "{inputs:?} {values:?}");
        assert!(expected.is_none_or(|fault| fault.to_string().contains(name)), "{expected:?}");
    }
}

#[test]
fn a_transaction_alone_is_refused_by_its_id() {
    let verifier = Verifier::new(&Bulk::builder().threads(1).build().unwrap());
    let spent = [Output { value: 0, script: Cow::Borrowed(&[0x51]) }];
    for (inputs, value, expected) in [
        (([1; 36], 0), MOST + 1, TransactionFault::Value(0)),
        ((NOTHING, 2), 1, TransactionFault::IsCoinbase),
        ((NOTHING, 1), 1, TransactionFault::CoinbaseScript(1)),
    ] {
        let bytes = transaction(&[inputs], &[value]);
        let transaction = Transaction::decode(&bytes).expect("a transaction");
        let found = verifier.verify_transaction(&transaction, &spent, Flags::NONE, |_| {});
        let txid = transaction.txid();
        assert_eq!(found, Err(BlockFault::Transaction { number: 0, txid, fault: expected }));
        let said = found.unwrap_err().to_string();
        assert!(said.starts_with(&format!("transaction 0, {}: ", phalanx_bitcoin::reversed_hex(&txid))), "{said}");
    }
}
