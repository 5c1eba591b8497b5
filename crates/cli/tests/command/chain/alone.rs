//! Transactions without a block: raw in hex, as objects, in columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch, StringArray, UInt64Array};
use phalanx_ethereum::{Transaction, TransactionFields, TransactionType};
use serde_json::{Value, json};

use super::blocks::{PRAGUE, block, fields, list, object, signed, string};
use crate::files::{gzip, parquet};
use crate::running::{Run, directory, phalanx, phalanx_on, place};

/// A transaction and its sender.
type Sent = (Vec<u8>, [u8; 20]);

/// Transactions of all types, and a legacy one without a chain id, with their senders.
fn transactions() -> Vec<Sent> {
    let plain = TransactionFields { chain_id: None, ..fields(TransactionType::Legacy, 3) };
    TransactionType::ALL.map(|kind| signed(&fields(kind, 7), 9)).into_iter().chain([signed(&plain, 4)]).collect()
}

/// The senders and hashes of rows without a block.
#[track_caller]
fn all_found(run: &Run, transactions: &[Sent]) {
    let answers = run.answers();
    assert_eq!(answers.len(), transactions.len(), "{}", run.stderr);
    for (answer, (raw, sender)) in answers.iter().zip(transactions) {
        assert_eq!(answer["sender"], const_hex::encode_prefixed(sender));
        assert_eq!(answer["hash"], const_hex::encode(Transaction::decode(raw).unwrap().hash()));
        assert_eq!([&answer["block"], &answer["index"]], [&Value::Null; 2]);
    }
}

#[test]
fn raw_transactions_in_hex() {
    let transactions = transactions();
    let hex = |prefix: &str, end: &str| -> Vec<u8> {
        let line = |(raw, _): &Sent| format!("{prefix}{}{end}", const_hex::encode(raw));
        transactions.iter().map(line).collect::<String>().into_bytes()
    };
    let directory = directory();
    for (name, bytes) in [
        ("raw.txt", hex("0x", "\n")),
        ("raw", hex("", "\n")),
        ("raw.hex", hex("0X", "\r\n")),
        ("raw.txt.gz", gzip(&hex("0x", "\n\n"))),
        ("mark.txt", [b"\xef\xbb\xbf".as_slice(), &hex("0x", "\n")].concat()),
        ("text.jsonl", [hex("\"0x", "\"\n"), b"\n".to_vec()].concat()),
        ("object.jsonl", hex("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":\"0x", "\"}\n")),
        ("raw.jsonl", hex("{\"rawTx\":\"0x", "\"}\n")),
        ("signed.jsonl", hex("{\"result\":{\"raw\":\"0x", "\",\"tx\":{}}}\n")),
    ] {
        let file = place(&directory, name, &bytes);
        let run = phalanx(["senders", "--json", "--out", "-", &file]).expect(0).counts([6, 6, 0, 0]);
        all_found(&run, &transactions);
        assert_eq!(run.summary()["blocks"], 0, "{name}");
        phalanx_on(&bytes, ["senders", "-"]).expect(0);
    }
    let file = place(&directory, "anything", &hex("0x", "\n"));
    phalanx(["senders", "--format", "hex", &file]).expect(0);
}

#[test]
fn lines_of_hex_that_are_no_transactions() {
    let good = const_hex::encode(&transactions()[2].0);
    let hash = "ab".repeat(32);
    let whole = const_hex::encode(block(PRAGUE, 2).rlp());
    for (line, column, what) in [
        (hash.as_str(), "transaction", "a hash; ask the node for the transaction"),
        (&whole, "transaction", "a block in hex"),
        (&good[..good.len() - 2], "transaction", "missing or cut short"),
        (&good[..good.len() - 1], "", "neither JSON nor a transaction in hex"),
        ("hello", "", "neither JSON nor a transaction in hex"),
        ("05c0", "type", "transaction type 0x5 is unknown"),
    ] {
        let run = phalanx_on(format!("{good}\n{line}\n").as_bytes(), ["senders", "--json", "--out", "-", "-"]);
        let run = run.expect(3).counts([2, 1, 0, 1]);
        assert_eq!(run.answers()[1]["column"].as_str().unwrap_or(""), column, "{line}");
        assert!(run.stderr.contains("standard input: row 2") && run.stderr.contains(what), "{what}: {}", run.stderr);
    }
}

#[test]
fn a_blob_transaction_as_the_network_passes_it_on() {
    let (raw, sender) = signed(&fields(TransactionType::Blob, 7), 9);
    let blob = list(&[string(&vec![1; 131_072])]);
    let sidecar = [blob, list(&[string(&[2; 48])]), list(&[string(&[3; 48])])];
    let pooled = [&[3][..], &list(&[raw[1..].to_vec(), sidecar.concat()])].concat();
    let run = phalanx_on(const_hex::encode(&pooled).as_bytes(), ["senders", "--out", "-", "-"]).expect(0);
    all_found(&run, &[(raw, sender)]);
}

#[test]
fn objects_have_the_rules_of_their_block() {
    let (raw, sender) = signed(&fields(TransactionType::FeeMarket, 7), 9);
    let mut alone = object(&raw, sender, 5);
    alone["blockNumber"] = "0xc65d40".into();
    let pending = json!({ "blockNumber": null, "blockHash": null, "transactionIndex": null });
    let run = |object: &Value| phalanx_on(object.to_string().as_bytes(), ["senders", "--out", "-", "-"]);
    let answer = |object: &Value, status| run(object).expect(status).answers().remove(0);
    let found = answer(&alone, 0);
    assert_eq!(json!([found["block"], found["index"]]), json!([13_000_000, 5]));
    assert_eq!(answer(&json!({ "jsonrpc": "2.0", "id": 1, "result": &alone }), 0), found);
    let notice = json!({ "jsonrpc": "2.0", "method": "eth_subscription", "params": { "subscription": "0x1", "result": &alone } });
    assert_eq!(answer(&notice, 0), found);
    // Before London there was no type 2.
    alone["blockNumber"] = "0xc5d487".into();
    assert_eq!(json!([answer(&alone, 1)["reason"], answer(&alone, 1)["column"]]), json!(["invalid_signature", "type"]));
    // One that waits has those of the last fork.
    for (name, value) in pending.as_object().unwrap() {
        alone[name] = value.clone();
    }
    let found = answer(&alone, 0);
    assert_eq!(json!([found["block"], found["index"]]), json!([null, null]));
    // The first transaction of the main chain that Ethereum's own documentation shows.
    let shown = r#"{"blockHash":"0x1d59ff54b1eb26b013ce3cb5fc9dab3705b415a67127a003c3e61eb445bb8df2","blockNumber":"0x5daf3b",
        "from":"0xa7d9ddbe1f17865597fbd27ec712455208b6b76d","gas":"0xc350","gasPrice":"0x4a817c800",
        "hash":"0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b","input":"0x68656c6c6f21","nonce":"0x15",
        "to":"0xf02c1c8e6114b1dbe8937a39260b5b0a374432bb","transactionIndex":"0x41","value":"0xf3dbb76162000","v":"0x25",
        "r":"0x1b5e176d927f8e9ab405058b2d2457392da3e20f328b16ddabcebc33eaac5fea",
        "s":"0x4ba69724e8f69de52f0125ad8b3c5c2cef33019bac3249e2c0a2192766d1721c"}"#;
    phalanx_on(shown.replace('\n', "").as_bytes(), ["senders", "--json", "-"]).expect(0).counts([1, 1, 0, 0]);
}

#[test]
fn answers_without_a_transaction_say_what_they_are() {
    for (line, what) in [
        (
            json!({ "jsonrpc": "2.0", "id": 1, "result": null }),
            "result: null: the node has no such block or transaction",
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32000, "message": "x" } }),
            "error: the node answered with an error: {\"code\":-32000",
        ),
        (json!({ "jsonrpc": "2.0", "id": 1, "result": [] }), "result: expected an object"),
        (json!({ "jsonrpc": "2.0", "id": 1, "result": "0x".to_owned() + &"1".repeat(64) }), "a hash; ask the node"),
        (json!({ "jsonrpc": "2.0", "id": 1, "result": "0x" }), "transaction: null or empty"),
        (json!({ "a": 1 }), "neither a block nor a transaction"),
    ] {
        let run = phalanx_on(line.to_string().as_bytes(), ["senders", "--json", "-"]).expect(3).counts([1, 0, 0, 1]);
        assert!(run.stderr.contains(what), "{what}: {}", run.stderr);
    }
}

/// A table of raw transactions, with the wrong hash and the wrong sender in the last two rows.
fn table(raw: &str) -> (RecordBatch, Vec<Sent>) {
    let transactions = transactions();
    let rows = transactions.len();
    let text = |value: &dyn Fn(usize) -> String| -> ArrayRef {
        Arc::new((0..rows).map(|row| Some(value(row))).collect::<StringArray>())
    };
    let hash = |row: usize| const_hex::encode_prefixed(Transaction::decode(&transactions[row].0).unwrap().hash());
    let raws = transactions.iter().map(|(raw, _)| raw.as_slice());
    let table = RecordBatch::try_from_iter([
        ("timestamp", Arc::new(UInt64Array::from_iter_values(0..rows as u64)) as ArrayRef),
        ("hash", text(&|row| if row == rows - 2 { "0x01".to_owned() } else { hash(row) })),
        ("chainId", text(&|_| "1".to_owned())),
        ("from", text(&|row| const_hex::encode_prefixed(if row == rows - 1 { [7; 20] } else { transactions[row].1 }))),
        ("to", text(&|_| String::new())),
        (raw, Arc::new(BinaryArray::from_iter_values(raws))),
    ]);
    (table.unwrap(), transactions)
}

#[test]
fn columns_of_raw_transactions() {
    let directory = directory();
    for name in ["rawTx", "raw", "raw_tx", "RAWTX", "rawTransaction", "raw_transaction", "signedTransaction"] {
        let (table, transactions) = table(name);
        let file = place(&directory, "mempool.parquet", &parquet(&table, 1000));
        let run = phalanx(["senders", "--json", "--out", "-", &file]).expect(1).counts([6, 4, 2, 0]);
        let answers = run.answers();
        for (answer, (raw, sender)) in answers.iter().zip(&transactions).take(4) {
            assert_eq!(answer["sender"], const_hex::encode_prefixed(sender), "{name}");
            assert_eq!(answer["hash"], const_hex::encode(Transaction::decode(raw).unwrap().hash()));
        }
        let columns: Vec<_> = answers[4..].iter().map(|answer| answer["column"].clone()).collect();
        assert_eq!(columns, ["hash", "from"]);
        assert!(run.stderr.contains("hash: 0x01 is not the hash of these fields"), "{}", run.stderr);
        assert!(run.stderr.contains("from: not the address that signed"), "{}", run.stderr);
        // The same as text.
        let line = |(raw, sender): &Sent| {
            format!("{},{}\r\n", const_hex::encode_prefixed(sender), const_hex::encode_prefixed(raw))
        };
        let csv = format!("from,{name}\r\n") + &transactions.iter().map(line).collect::<String>();
        let csv = place(&directory, "mempool.csv", csv.as_bytes());
        all_found(&phalanx(["senders", "--out", "-", &csv]).expect(0), &transactions);
    }
    // A table is told by its columns.
    let run = phalanx(["senders", &place(&directory, "a.csv", b"hash,from\n")]).expect(2);
    assert!(
        run.stderr.contains("no column `raw` with whole transactions, and no column `block_number`"),
        "{}",
        run.stderr
    );
    // Bytes that are not a transaction are a row.
    let file = place(&directory, "b.csv", b"rawTx,block_number\n\\x05,1\n,2\nzz,2\n0xc0,x\n0xc0\n");
    let run = phalanx(["senders", "--json", "--out", "-", &file]).expect(3).counts([5, 0, 0, 5]);
    let columns: Vec<_> = run.answers().iter().map(|answer| answer["column"].clone()).collect();
    assert_eq!(json!(columns), json!(["type", "rawTx", "rawTx", "block_number", null]));
    assert_eq!(run.summary()["blocks"], 2);
}
