//! Blocks of other networks than Ethereum's main chain: their rules, and types that have no signature.

use std::slice::from_ref;

use phalanx_ethereum::{
    DepositFields, Transaction, TransactionFields, TransactionType, transaction_hash, transactions_root,
};
use serde_json::{Value, json};

use super::blocks::{PRAGUE, block, fields, header, list, object, quantity, signed, string};
use crate::running::{directory, json_lines, path, phalanx, phalanx_on, place};

/// A deposit of the OP stack: its fields, its bytes, and as a node answers.
fn deposit() -> (Vec<u8>, Value) {
    let fields = DepositFields {
        source_hash: [5; 32],
        from: [6; 20],
        to: Some([7; 20]),
        gas: 1_000_000,
        input: vec![1; 100],
        ..DepositFields::default()
    };
    let hex = |bytes: &[u8]| const_hex::encode_prefixed(bytes);
    let raw = fields.encode();
    let object = json!({
        "type": "0x7e", "hash": hex(&transaction_hash(&raw)), "sourceHash": hex(&fields.source_hash),
        "from": hex(&fields.from), "to": hex(&[7; 20]), "mint": "0x0", "value": "0x0", "gas": "0xf4240",
        "isSystemTx": false, "input": hex(&fields.input), "nonce": "0x1", "gasPrice": "0x0",
        "v": "0x0", "r": "0x0", "s": "0x0",
    });
    (raw, object)
}

/// A transaction of chain 10.
fn foreign() -> (Vec<u8>, [u8; 20]) {
    signed(&TransactionFields { chain_id: Some(10), ..fields(TransactionType::FeeMarket, 1) }, 3)
}

/// A block of chain 10: an unsigned transaction and a signed one.
fn block_of(raw: &[u8], unsigned: &Value) -> Value {
    let (other, sender) = foreign();
    json!({
        "number": quantity(120_000_000),
        "transactionsRoot": const_hex::encode_prefixed(transactions_root(&[raw, &other])),
        "transactions": [unsigned, object(&other, sender, 1)],
    })
}

const OPTIMISM: [&str; 5] = ["senders", "--fork", "prague", "--chain-id", "10"];

#[test]
fn a_block_with_a_deposit_is_clean_by_the_rules_of_its_network() {
    let (raw, object) = deposit();
    let line = block_of(&raw, &object).to_string();
    let arguments = [&OPTIMISM[..], &["--json", "--out", "-", "-"]].concat();
    let run = phalanx_on(line.as_bytes(), &arguments).expect(0).counts([2, 1, 0, 0]);
    let summary = run.summary();
    assert_eq!(json!([summary["unsigned"], summary["blocks"], summary["unchecked_roots"]]), json!([1, 1, 0]));
    let row = &run.answers()[0];
    let found = ["sender", "valid", "reason", "column"].map(|name| row[name].clone());
    assert_eq!(json!(found), json!([null, null, "unsigned", null]));
    assert_eq!(row["hash"], const_hex::encode(transaction_hash(&raw)));
    assert!(!run.stderr.contains("unsigned\n") && !run.stderr.contains("row 1"), "{}", run.stderr);
    let text = phalanx_on(line.as_bytes(), [&OPTIMISM[..], &["-"]].concat()).expect(0);
    assert!(text.stdout.contains("1  without a signature\n") && text.stdout.contains("1  blocks\n"), "{}", text.stdout);
    // The same in RLP, and in every output.
    let (other, _) = foreign();
    let rlp = list(&[header(120_000_000, &[&raw, &other]), list(&[string(&raw), string(&other)]), list(&[])]);
    let directory = directory();
    let file = place(&directory, "blocks.rlp", &rlp);
    let [csv, parquet, jsonl] = ["a.csv", "a.parquet", "a.jsonl"].map(|name| path(&directory, name));
    for out in [&csv, &parquet, &jsonl] {
        phalanx([&OPTIMISM[..], &["--out", out, &file]].concat()).expect(0);
    }
    assert_eq!(json_lines(&jsonl)[0]["reason"], "unsigned");
    let text = std::fs::read_to_string(csv).unwrap();
    assert!(text.lines().nth(1).unwrap().ends_with(",1,,,unsigned,"), "{text}");
}

#[test]
fn the_root_of_a_block_with_a_deposit_is_checked() {
    let (raw, object) = deposit();
    let mut other = block_of(&raw, &object);
    other["transactions"].as_array_mut().unwrap().remove(1);
    let arguments = [&OPTIMISM[..], &["--json", "-"]].concat();
    let run = phalanx_on(other.to_string().as_bytes(), &arguments).expect(3).counts([1, 0, 0, 1]);
    assert!(run.stderr.contains("transactionsRoot: not the root of the block's transactions"), "{}", run.stderr);
    // The bytes of other networks' deposits and of Arbitrum's types are not known, so neither is the root.
    for (name, value) in
        [("ethValue", json!("0x1")), ("type", json!("0x6a")), ("hash", json!("0x".to_owned() + &"3".repeat(64)))]
    {
        let mut object = object.clone();
        object[name] = value;
        let mut block = block_of(&raw, &object);
        block["transactionsRoot"] = json!("0x".to_owned() + &"4".repeat(64));
        let run = phalanx_on(block.to_string().as_bytes(), &arguments);
        match name {
            "ethValue" => drop(run.expect(3).counts([1, 0, 0, 1])),
            _ => assert_eq!(run.expect(0).counts([2, 1, 0, 0]).summary()["unchecked_roots"], 1),
        }
    }
}

#[test]
fn the_main_chain_has_no_types_without_a_signature() {
    let (raw, object) = deposit();
    let line = block_of(&raw, &object).to_string();
    let run = phalanx_on(line.as_bytes(), ["senders", "--json", "--out", "-", "-"]).expect(1).counts([2, 0, 2, 0]);
    let row = &run.answers()[0];
    assert_eq!(json!([row["valid"], row["reason"], row["column"]]), json!([false, "invalid_signature", "type"]));
    assert!(run.stderr.contains("type 0x7e has no signature"), "{}", run.stderr);
    assert!(run.stderr.contains("name its fork: --fork prague --chain-id 10"), "{}", run.stderr);
    // What the caller names is not judged, by any rules; what nobody knows is malformed.
    for (kind, named, status) in
        [(0x7b, "0x7b", 0), (0x7b, "5, 123", 0), (0x7b, "0x7c", 3), (0xff, "255", 0), (5, "0x05,0x6", 0)]
    {
        let unsigned =
            json!({ "type": quantity(kind), "hash": "0x".to_owned() + &"1".repeat(64), "r": "0x7", "from": "0x1234" });
        let block = json!({ "number": quantity(PRAGUE), "transactions": [unsigned] }).to_string();
        let run = phalanx_on(block.as_bytes(), ["senders", "--json", "--unsigned-types", named, "-"]).expect(status);
        assert_eq!(run.summary()["unsigned"], u64::from(status == 0), "{named}");
        if status == 3 {
            assert!(run.stderr.contains("--unsigned-types 0x7b"), "{}", run.stderr);
        }
    }
    for wrong in ["4", "0x", "256", "x", "0x0"] {
        phalanx(["senders", "--unsigned-types", wrong, "x"]).expect(2);
    }
}

#[test]
fn another_hash_than_that_of_an_unsigned_transaction_is_a_failure() {
    let (raw, _) = deposit();
    let hash = |last: u8| {
        let mut hash = transaction_hash(&raw);
        hash[31] ^= last;
        const_hex::encode_prefixed(hash)
    };
    for (last, status) in [(0, 0), (1, 1)] {
        let line = json!({ "hash": hash(last), "raw": const_hex::encode_prefixed(&raw) }).to_string();
        let run = phalanx_on(line.as_bytes(), [&OPTIMISM[..], &["--out", "-", "-"]].concat()).expect(status);
        assert_eq!(run.answers()[0]["column"], if status == 0 { Value::Null } else { json!("hash") });
    }
}

#[test]
fn rows_of_another_network_give_the_hint() {
    let (raw, sender) = foreign();
    let legacy = signed(&TransactionFields { chain_id: Some(11_155_111), ..fields(TransactionType::Legacy, 1) }, 3);
    let of = |number: u64, transactions: &[Value]| {
        json!({ "number": quantity(number), "transactions": transactions }).to_string()
    };
    let high = object(&raw, sender, 0);
    let early = object(&legacy.0, legacy.1, 0);
    for (line, reason, what, hint) in [
        (of(PRAGUE, from_ref(&high)), "invalid_signature", "chain_id: 10, expected 1", "--fork prague --chain-id 10"),
        (
            of(7_000_000, from_ref(&high)),
            "invalid_signature",
            "type: type 2 starts with London, and the rules are those of Spurious Dragon",
            "--fork prague --chain-id 10",
        ),
        (
            of(5, &[early]),
            "out_of_range",
            "v: not allowed by the rules of Frontier",
            "--fork prague --chain-id 11155111",
        ),
    ] {
        let run = phalanx_on(line.as_bytes(), ["senders", "--out", "-", "-"]).expect(1);
        assert_eq!(run.answers()[0]["reason"], reason);
        assert!(run.stderr.contains(what), "{what}: {}", run.stderr);
        assert_eq!(run.stderr.matches(hint).count(), 1, "{hint}: {}", run.stderr);
        let quiet = phalanx_on(line.as_bytes(), ["senders", "--quiet", "-"]).expect(1);
        assert_eq!(quiet.stderr, "");
        // The hint is right, and rules that were named give none.
        let named: Vec<&str> = hint.split(' ').collect();
        phalanx_on(line.as_bytes(), [&["senders", "-"][..], &named].concat()).expect(0);
        let other = phalanx_on(line.as_bytes(), ["senders", "--fork", "prague", "--chain-id", "77", "-"]).expect(1);
        assert!(other.stderr.contains("expected 77") && !other.stderr.contains("main chain"), "{}", other.stderr);
    }
    // A transaction that is wrong by every network's rules gives none.
    let mut wrong = block(PRAGUE, 3).json();
    wrong["transactions"][1]["s"] = "0x0".into();
    let run = phalanx_on(wrong.to_string().as_bytes(), ["senders", "-"]).expect(1);
    assert!(!run.stderr.contains("--fork"), "{}", run.stderr);
    assert!(Transaction::decode(&raw).is_ok());
}
