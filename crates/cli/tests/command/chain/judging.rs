//! What makes a transaction invalid or malformed.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch};
use phalanx_ethereum::{TransactionFields, TransactionType};
use serde_json::{Value, json};

use super::blocks::{PRAGUE, TestBlock, block, fields, object, signed, table};
use crate::files::parquet;
use crate::running::{Run, directory, phalanx, phalanx_on, place};

/// Runs over one block in JSON whose transactions were changed.
fn changed(change: impl FnOnce(&mut Value)) -> Run {
    let mut block = block(PRAGUE, 5).json();
    change(&mut block["transactions"]);
    phalanx_on(block.to_string().as_bytes(), ["senders", "--json", "--out", "-", "-"])
}

/// The reason and the column of a row.
fn judged(run: &Run, row: usize) -> [Value; 2] {
    let answers = run.answers();
    ["reason", "column"].map(|name| answers[row][name].clone())
}

#[test]
fn another_sender_or_hash_than_stated_is_a_failure() {
    for (row, name) in [(0, "from"), (3, "from"), (1, "hash"), (4, "hash")] {
        let run = changed(|transactions| {
            let stated = transactions[row][name].as_str().unwrap().to_owned();
            let last = if stated.ends_with('0') { "1" } else { "0" };
            transactions[row][name] = (stated[..stated.len() - 1].to_owned() + last).into();
        });
        let run = run.expect(1).counts([5, 4, 1, 0]);
        assert_eq!(judged(&run, row), [json!("invalid_signature"), json!(name)]);
        assert_eq!(run.answers()[row]["sender"], Value::Null);
    }
    // What is not stated is not compared.
    let run = changed(|transactions| {
        for transaction in transactions.as_array_mut().unwrap() {
            let object = transaction.as_object_mut().unwrap();
            for name in ["from", "hash"] {
                object.remove(name).unwrap();
            }
        }
    });
    run.expect(0).counts([5, 5, 0, 0]);
}

#[test]
fn the_chain_beside_a_legacy_transaction_is_that_of_its_v() {
    let good = [json!("valid"), Value::Null];
    let malformed = [json!("malformed_row"), json!("chainId")];
    for (chain_id, expected) in [
        (json!("0x1"), &good),
        (json!(null), &good),
        (json!("0x2"), &malformed),
        (json!("0x0"), &malformed),
        (json!(format!("0x1{}", "0".repeat(32))), &malformed),
        (json!("0x"), &malformed),
        (json!(1), &good),
        (json!("1"), &good),
        (json!(2), &malformed),
        (json!(1.0), &malformed),
    ] {
        let run = changed(|transactions| transactions[0]["chainId"] = chain_id.clone());
        assert_eq!(judged(&run, 0), *expected, "{chain_id}");
        run.expect(if *expected == good { 0 } else { 3 });
    }
    // A v that names no chain makes another transaction, and contradicts nothing.
    let run = changed(|transactions| {
        transactions[0]["chainId"] = "0x1".into();
        transactions[0]["v"] = "0x1b".into();
    });
    assert_eq!(judged(&run, 0), [json!("invalid_signature"), json!("hash")]);
}

#[test]
fn fields_of_json_that_are_none() {
    for (row, name, value, column) in [
        (0, "nonce", json!(null), "nonce"),
        (0, "nonce", json!(7.5), "nonce"),
        (0, "nonce", json!("0x10000000000000000"), "nonce"),
        (0, "gasPrice", json!("0x"), "gasPrice"),
        (1, "gas", json!("21000.0"), "gas"),
        (1, "to", json!("0x1111"), "to"),
        (2, "input", json!("0x123"), "input"),
        (2, "value", json!(format!("0x{}", "f".repeat(65))), "value"),
        (2, "accessList", json!([{ "address": "0x11", "storageKeys": [] }]), "accessList"),
        (2, "type", json!("0x7b"), "type"),
        (2, "chainId", json!(null), "chainId"),
        (2, "yParity", json!("0x7"), "yParity"),
        (3, "blobVersionedHashes", json!(["0x01"]), "blobVersionedHashes"),
        (3, "blobVersionedHashes", json!(null), "blobVersionedHashes"),
        (3, "to", json!(null), "to"),
        (4, "authorizationList", json!([{}]), "authorizationList"),
        (4, "from", json!("nobody"), "from"),
        (4, "hash", json!("zz"), "hash"),
    ] {
        let run = changed(|transactions| transactions[row][name] = value.clone()).expect(3).counts([5, 4, 0, 1]);
        assert_eq!(judged(&run, row), [json!("malformed_row"), json!(column)], "{name}: {value}");
    }
    let run = changed(|transactions| transactions[2] = json!("0x1234")).expect(3).counts([5, 4, 0, 1]);
    assert_eq!(judged(&run, 2), [json!("malformed_row"), json!("type")]);
    // What cannot be an address or a hash is not the right one.
    for (row, name) in [(4, "from"), (1, "hash")] {
        let run = changed(|transactions| transactions[row][name] = json!("0x00")).expect(1).counts([5, 4, 1, 0]);
        assert_eq!(judged(&run, row), [json!("invalid_signature"), json!(name)]);
    }
    // A changed field changes the hash; a wrong v is found before that.
    let run = changed(|transactions| transactions[2]["nonce"] = json!("0x99")).expect(1);
    assert_eq!(judged(&run, 2), [json!("invalid_signature"), json!("hash")]);
    let run = changed(|transactions| transactions[2]["v"] = json!("0x2"));
    assert_eq!(judged(&run.expect(3), 2), [json!("malformed_row"), json!("yParity")]);
    let run = changed(|transactions| transactions[0]["v"] = json!("0x1d"));
    assert_eq!(judged(&run.expect(1), 0), [json!("out_of_range"), json!("v")]);
    // Typed transactions may have either name of v.
    for name in ["v", "yParity"] {
        changed(|transactions| drop(transactions[2].as_object_mut().unwrap().remove(name))).expect(0);
    }
}

#[test]
fn lines_that_are_no_blocks() {
    let block = block(PRAGUE, 2).json().to_string();
    for line in [
        "7",
        "[7]",
        "{}",
        "{\"transactions\":7}",
        "{\"result\":null,\"id\":1}",
        "{\"number\":\"0x1\"}",
        "{\"x",
        "\u{fc}",
    ] {
        let text = format!("{block}\n\n{line}\n{block}\n");
        let run = phalanx_on(text.as_bytes(), ["senders", "--format", "jsonl", "--json", "--out", "-", "-"]);
        let run = run.expect(3).counts([5, 4, 0, 1]);
        assert_eq!(run.answers()[2]["row"], 3, "the number of the line");
        assert_eq!(judged(&run, 2)[0], "malformed_row");
    }
    // Bytes that are not transactions, and a hash among transactions.
    let hash = "0x".to_owned() + &"1".repeat(64);
    let short = json!({ "number": "0x1", "transactions": ["0x12", "zz", hash], "extraData": "0".repeat(200) });
    phalanx_on(short.to_string().as_bytes(), ["senders", "--json", "-"]).expect(3).counts([3, 0, 0, 3]);
    // A block that lacks a transaction, or has one too many, is not the one that it names.
    let whole = self::block(PRAGUE, 5).json();
    let changes: [fn(&mut Vec<Value>); 3] =
        [|list| drop(list.remove(1)), |list| list.push(list[0].clone()), |list| list.swap(0, 1)];
    for change in changes {
        let mut other = whole.clone();
        change(other["transactions"].as_array_mut().unwrap());
        let run = phalanx_on(other.to_string().as_bytes(), ["senders", "--json", "--out", "-", "-"]).expect(3);
        assert_eq!(judged(&run.counts([1, 0, 0, 1]), 0)[0], "malformed_row");
        // One that names no root is judged by what it holds.
        other.as_object_mut().unwrap().remove("transactionsRoot").unwrap();
        phalanx_on(other.to_string().as_bytes(), ["senders", "-"]).expect(0);
    }
    // Twice the same key is one too many.
    let twice = block.replacen("\"nonce\"", "\"nonce\":\"0x0\",\"nonce\"", 1);
    phalanx_on(twice.as_bytes(), ["senders", "--json", "-"]).expect(3).counts([2, 1, 0, 1]);
}

/// The other form of a legacy transaction without a chain id: n - s, and the other v.
fn high(fields: &TransactionFields, key: u8) -> Vec<u8> {
    let (raw, _) = signed(fields, key);
    let end = raw.len();
    let s = phalanx::Scalar::from_bytes(&raw[end - 32..]).unwrap();
    let v = 27 + 28 - u128::from(raw[end - 67]);
    let r = raw[end - 65..end - 33].try_into().unwrap();
    TransactionFields { v, r, s: (-s).to_bytes(), ..fields.clone() }.encode()
}

#[test]
fn the_fork_decides_on_high_s_types_and_chain_ids() {
    let unprotected = TransactionFields { chain_id: None, ..fields(TransactionType::Legacy, 1) };
    let (low, sender) = signed(&unprotected, 1);
    let transactions = vec![
        (low, sender),
        (high(&unprotected, 1), sender),
        signed(&fields(TransactionType::Legacy, 1), 2),
        signed(&fields(TransactionType::AccessList, 1), 2),
        signed(&fields(TransactionType::FeeMarket, 1), 2),
        signed(&fields(TransactionType::Blob, 1), 2),
        signed(&fields(TransactionType::SetCode, 1), 2),
    ];
    let reasons = |number: u64, options: &[&str]| -> Vec<String> {
        let block = TestBlock { number, transactions: transactions.clone() };
        let arguments = [&["senders", "--out", "-", "-"], options].concat();
        let run = phalanx_on(&block.rlp(), arguments);
        run.answers().iter().map(|row| row["reason"].as_str().unwrap().to_owned()).collect()
    };
    const V: &str = "valid";
    const I: &str = "invalid_signature";
    const O: &str = "out_of_range";
    const H: &str = "high_s";
    let names = ["frontier", "homestead", "spurious-dragon", "berlin", "london", "cancun", "prague"];
    let first = [0, 1_150_000, 2_675_000, 12_244_000, 12_965_000, 19_426_587, 22_431_084];
    let expected = [
        [V, V, O, I, I, I, I],
        [V, H, O, I, I, I, I],
        [V, H, V, I, I, I, I],
        [V, H, V, V, I, I, I],
        [V, H, V, V, V, I, I],
        [V, H, V, V, V, V, I],
        [V, H, V, V, V, V, V],
    ];
    for ((name, first), expected) in names.into_iter().zip(first).zip(expected) {
        assert_eq!(reasons(first, &[]), expected, "block {first}");
        assert_eq!(reasons(0, &["--fork", name]), expected, "{name}");
        assert_eq!(reasons(0, &["--fork", name, "--chain-id", "1"]), expected, "{name}");
    }
    assert_eq!(reasons(0, &["--fork", "prague", "--chain-id", "2"]), [V, H, I, I, I, I, I]);
    assert_eq!(reasons(PRAGUE, &["--chain-id", "2"]), [V, H, I, I, I, I, I]);
    let block = TestBlock { number: PRAGUE, transactions };
    let summary = phalanx_on(&block.rlp(), ["senders", "--json", "-"]).expect(1).summary();
    assert_eq!([&summary["high_s_rows"], &summary["reasons"]["high_s"]], [1, 1]);
    phalanx(["senders", "--fork", "paris", "x"]).expect(2);
}

#[test]
fn a_table_cannot_hide_an_access_list() {
    let with_list = signed(&fields(TransactionType::FeeMarket, 1), 1);
    let without = TransactionFields { access_list: vec![], ..fields(TransactionType::FeeMarket, 1) };
    let (raw, sender) = signed(&without, 2);
    let mut other = sender;
    other[0] ^= 1;
    let blob = signed(&fields(TransactionType::Blob, 1), 3);
    let legacy = signed(&fields(TransactionType::Legacy, 1), 3);
    let transactions = vec![with_list, (raw.clone(), sender), (raw.clone(), other), blob, legacy, (raw, sender)];
    let table = table(&TestBlock { number: PRAGUE, transactions });
    // The last two hashes are those of another transaction.
    let columns = table.schema_ref().fields().iter().zip(table.columns()).map(|(field, column)| {
        let hashes = column.as_binary_opt::<i32>().filter(|_| field.name() == "transaction_hash");
        let hashes = hashes.map(|hashes| {
            let changed = (0..hashes.len()).map(|row| hashes.value(if row >= 4 { 0 } else { row }));
            Arc::new(BinaryArray::from_iter_values(changed)) as ArrayRef
        });
        (field.name().clone(), hashes.unwrap_or_else(|| Arc::clone(column)))
    });
    let table = RecordBatch::try_from_iter(columns.collect::<Vec<_>>()).unwrap();
    let directory = directory();
    let file = place(&directory, "transactions.parquet", &parquet(&table, 1000));
    let run = phalanx(["senders", "--out", "-", "--json", &file]).expect(3).counts([6, 1, 3, 2]);
    assert_eq!(judged(&run, 0), [json!("malformed_row"), json!("access_list")]);
    assert_eq!(judged(&run, 2), [json!("invalid_signature"), json!("from_address")]);
    assert_eq!(judged(&run, 3), [json!("malformed_row"), json!("transaction_type")]);
    // Where the sender is right, so are the fields: the hash is wrong.
    assert_eq!(judged(&run, 4), [json!("invalid_signature"), json!("transaction_hash")]);
    assert_eq!(judged(&run, 5), [json!("invalid_signature"), json!("transaction_hash")]);
    assert_eq!(run.answers()[5]["sender"], Value::Null);
    assert_eq!(run.stderr.matches(" is not the hash of these fields").count(), 2, "{}", run.stderr);
    assert_eq!(run.stderr.matches("access_list: missing: 0x").count(), 1, "{}", run.stderr);
    assert_eq!(object(&without.encode(), sender, 0)["accessList"], json!([]));
}
