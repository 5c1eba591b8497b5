//! Blocks as libraries of clients write them: web3.js, web3.py, ethers and viem.

use serde_json::{Map, Value, json};

use super::blocks::{PRAGUE, block};
use crate::running::{Run, phalanx_on};

/// Changes every value of some keys, in a block's transactions and in the lists that they have.
fn each(value: &mut Value, keys: &[&str], change: &dyn Fn(&str) -> Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, keys, change)),
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if keys.contains(&key.as_str()) => *value = change(text),
                    value => each(value, keys, change),
                }
            }
        }
        _ => {}
    }
}

/// The decimal digits of a quantity.
fn decimal(quantity: &str) -> String {
    u128::from_str_radix(quantity.trim_start_matches("0x"), 16).unwrap().to_string()
}

/// A number of JSON of any size: text between marks, which [`senders`] takes away.
fn number(quantity: &str) -> Value {
    format!("#{}#", decimal(quantity)).into()
}

fn rename(block: &mut Value, from: &str, to: &str) {
    for transaction in block["transactions"].as_array_mut().unwrap() {
        let object: &mut Map<String, Value> = transaction.as_object_mut().unwrap();
        let value = object.remove(from).unwrap();
        object.insert(to.to_owned(), value);
    }
}

fn senders(block: &Value) -> Run {
    let text = block.to_string().replace("\"#", "").replace("#\"", "");
    phalanx_on(text.as_bytes(), ["senders", "--json", "--out", "-", "-"])
}

const NUMBERS: [&str; 11] = [
    "number",
    "blockNumber",
    "transactionIndex",
    "type",
    "chainId",
    "nonce",
    "gas",
    "v",
    "yParity",
    "maxFeePerBlobGas",
    "gasPrice",
];
const LARGE: [&str; 3] = ["value", "maxFeePerGas", "maxPriorityFeePerGas"];
const BYTES: [&str; 8] = ["hash", "from", "to", "input", "r", "s", "blobVersionedHashes", "transactionsRoot"];

#[test]
fn numbers_are_read_as_numbers_and_as_decimal_text() {
    let expected = block(PRAGUE, 10).expected();
    let good = |change: &dyn Fn(&mut Value)| {
        let mut other = block(PRAGUE, 10).json();
        change(&mut other);
        let run = senders(&other).expect(0).counts([10, 10, 0, 0]);
        let row = |row: &Value| json!([row["block"], row["index"], row["hash"], row["sender"]]);
        assert_eq!(run.answers().iter().map(row).collect::<Vec<_>>(), expected);
        assert_eq!(run.summary()["blocks"], 1);
    };
    let all = [&NUMBERS[..], &LARGE].concat();
    // web3.py: all numbers are numbers, of any size.
    good(&|block| each(block, &all, &number));
    // web3.js: large ones are decimal text.
    good(&|block| {
        each(block, &NUMBERS, &number);
        each(block, &LARGE, &|quantity| decimal(quantity).into());
    });
    good(&|block| each(block, &all, &|quantity| decimal(quantity).into()));
    // hexbytes writes no 0x; checksums have capitals.
    good(&|block| each(block, &BYTES, &|text| padded(text).into()));
    good(&|block| each(block, &BYTES, &|text| format!("0X{}", padded(text).to_uppercase()).into()));
    good(&|block| rename(block, "input", "data"));
    good(&|block| rename(block, "gas", "gasLimit"));
    good(&|block| {
        for transaction in block["transactions"].as_array_mut().unwrap() {
            transaction["data"] = transaction["input"].clone();
        }
    });
    // viem names the types.
    let names = ["legacy", "eip2930", "eip1559", "eip4844", "eip7702"];
    good(&|block| each(block, &["type"], &|text| names[decimal(text).parse::<usize>().unwrap()].into()));
    // The transactions in their bytes, as a payload of the engine has them.
    good(&|block| {
        let raws = self::block(PRAGUE, 10).transactions;
        block["transactions"] = raws.iter().map(|(raw, _)| Value::from(const_hex::encode_prefixed(raw))).collect();
        block["blockNumber"] = block.as_object_mut().unwrap().remove("number").unwrap();
    });
}

/// All digits of some bytes: r and s are quantities, whose zeros in front are left out.
fn padded(text: &str) -> String {
    let digits = text.trim_start_matches("0x");
    if [40, 64].contains(&digits.len()) || digits.len().is_multiple_of(2) && digits.len() < 60 {
        return digits.to_owned();
    }
    format!("{digits:0>64}")
}

#[test]
fn a_value_that_cannot_be_read_is_named_with_its_field() {
    for (name, value, what) in [
        ("gas", json!(21_000.5), "gas: neither a whole number nor hex after 0x: 21000.5"),
        ("nonce", json!(-1), "nonce: neither a whole number"),
        ("value", json!(1e21), "value: neither a whole number nor hex after 0x: 1e+21"),
        ("value", json!("1f"), "value: neither a whole number nor hex after 0x: \"1f\""),
        ("value", json!(true), "value: expected a number: true"),
        ("value", json!([]), "value: expected a number: []"),
        ("value", json!(null), "value: missing"),
        ("nonce", json!("0x10000000000000000"), "nonce: a number of more than 64 bits"),
        ("to", json!("0x1111"), "to: 2 bytes, expected 20: \"0x1111\""),
        ("to", json!(17), "to: expected text in hex: 17"),
        ("input", json!("0xabc"), "input: not hex: \"0xabc\""),
        ("data", json!("0xabcd"), "data: differs from `input`"),
        ("r", json!("1234"), "r: decimal or hex? hex needs 0x in front: \"1234\""),
        ("accessList", json!([{ "address": "0x11", "storageKeys": [] }]), "accessList: an element cannot be read"),
        ("accessList", json!({}), "accessList: expected a list: {}"),
        ("type", json!("legacy2"), "type: neither a whole number"),
        ("from", json!("nobody"), "from: not hex: \"nobody\""),
    ] {
        let mut other = block(PRAGUE, 5).json();
        let hash = other["transactions"][2]["hash"].as_str().unwrap().to_owned();
        other["transactions"][2][name] = value;
        let run = senders(&other).expect(3).counts([5, 4, 0, 1]);
        assert_eq!(run.answers()[2]["column"], name, "{what}");
        assert!(run.stderr.contains(what), "{what}: {}", run.stderr);
        // The place of the transaction, and its hash unless that cannot be known.
        let place = format!("row 1, block {PRAGUE}, transaction 2, ");
        assert!(name == "from" || run.stderr.contains(&(place + &hash)), "{}", run.stderr);
    }
    for (name, value, what) in [
        ("number", json!(1.5), "number: neither a whole number"),
        ("transactionsRoot", json!("0x12"), "transactionsRoot: 1 byte, expected 32"),
        ("transactions", json!({}), "transactions: expected a list"),
    ] {
        let mut other = block(PRAGUE, 5).json();
        other[name] = value;
        let run = senders(&other).expect(3).counts([1, 0, 0, 1]);
        assert_eq!(run.answers()[0]["column"], name);
        assert!(run.stderr.contains(what), "{what}: {}", run.stderr);
    }
}

#[test]
fn hashes_for_transactions_are_told_once_a_block() {
    let mut hashes = block(PRAGUE, 9).json();
    for transaction in hashes["transactions"].as_array_mut().unwrap() {
        *transaction = transaction["hash"].clone();
    }
    let text = format!("{hashes}\n{}\n{hashes}\n", block(PRAGUE + 1, 2).json());
    let run = phalanx_on(text.as_bytes(), ["senders", "--json", "--out", "-", "-"]).expect(3).counts([4, 2, 0, 2]);
    assert_eq!(run.answers()[0]["column"], "transactions");
    let what = format!("row 1, block {PRAGUE}: malformed_row: transactions: hashes only; ask the node for whole");
    assert!(run.stderr.contains(&what), "{}", run.stderr);
    assert_eq!(run.stderr.matches("eth_getBlockByNumber").count(), 2, "{}", run.stderr);
    assert_eq!(run.summary()["blocks"], 3);
}
