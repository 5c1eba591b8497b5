//! Files that were made to take much memory: with two threads none takes more than 512 MiB.

use super::blocks::{header, index, list, record, snappy, string};
use crate::crafted::{file, shared};
use crate::hostile::hold;

/// A line with a block of these transactions.
fn line(transactions: &str) -> String {
    format!("{{\"number\":\"0x1\",\"transactions\":[{transactions}]}}\n")
}

#[test]
fn lines_of_many_transactions_and_long_lists() {
    let objects = |object: &str, count: usize| format!("{}{object}", format!("{object},").repeat(count - 1));
    // Empty objects, and objects as short as are read.
    let many = line(&objects("{}", 5 << 20)).repeat(3);
    hold("a.jsonl", many.as_bytes(), &["senders"], 3);
    let short = format!("{{\"x\":\"{}\"}}", "0".repeat(60));
    hold("a.jsonl", line(&objects(&short, 1 << 16)).repeat(5).as_bytes(), &["senders"], 3);
    hold("a.jsonl", line(&objects(&short, 50)).repeat(3_000).as_bytes(), &["senders"], 3);
    // One transaction with lists of millions of elements.
    let fields = "\"type\":\"0x4\",\"nonce\":\"0x0\",\"gas\":\"0x0\",\"value\":\"0x0\",\"input\":\"0x\",\"v\":\"0x0\",\
                  \"r\":\"0x1\",\"s\":\"0x1\",\"chainId\":\"0x1\",\"maxFeePerGas\":\"0x0\",\"maxPriorityFeePerGas\":\"0x0\"";
    let address = format!("\"address\":\"0x{}\"", "1".repeat(40));
    let access = format!("{{{address},\"storageKeys\":[]}}");
    let authorization =
        format!("{{{address},\"chainId\":\"0x0\",\"nonce\":\"0x0\",\"yParity\":\"0x0\",\"r\":\"0x0\",\"s\":\"0x0\"}}");
    for (name, element) in [
        ("accessList", access.as_str()),
        ("accessList", "0"),
        ("accessList", "{}"),
        ("authorizationList", &authorization),
        ("authorizationList", "{}"),
        ("blobVersionedHashes", "0"),
        ("nonce", "[]"),
    ] {
        let count = (15 << 20) / (element.len() + 1);
        let transaction = format!("{{{fields},\"{name}\":[{}]}}", objects(element, count));
        hold("a.jsonl", line(&transaction).repeat(3).as_bytes(), &["senders"], 3);
    }
}

#[test]
fn blocks_of_many_transactions_and_many_blocks_of_none() {
    // As many transactions of one byte as a block may have.
    let raws = vec![&[7_u8][..]; 1 << 16];
    let full = list(&[header(1, &raws), list(&vec![vec![7]; 1 << 16]), list(&[])]);
    hold("a.rlp", &full.repeat(8), &["senders"], 3);
    // The shortest headers there may be.
    let root = phalanx_ethereum::transactions_root(&[]);
    let fields = [vec![string(&[]); 4], vec![string(&root)], vec![string(&[]); 4]].concat();
    let none = list(&[list(&fields), list(&[]), list(&[])]);
    hold("a.rlp", &none.repeat(200_000), &["senders"], 0);
    hold("-", &none.repeat(200_000), &["senders", "--block-rows", "1000000"], 0);
    // A transaction as long as a block may be.
    let long = [&[3][..], &list(&[string(&vec![0; 15 << 20])])].concat();
    let block = list(&[header(1, &[&long]), list(&[string(&long)]), list(&[])]);
    hold("a.rlp", &block.repeat(6), &["senders"], 3);
}

#[test]
fn archives_that_unfold() {
    let version = record([0x65, 0x32], &[]);
    let zeros = snappy(&vec![0; 16 << 20]);
    let wrong = [version.clone(), record([3, 0], &zeros)].concat();
    hold("a.era1", &wrong, &["senders"], 2);
    // Receipts that unfold are not unfolded.
    let skipped = [version.clone(), record([5, 0], &zeros).repeat(20), index(0)].concat();
    hold("a.era1", &skipped, &["senders"], 0);
    // Bodies of one transaction that is all zeros.
    let raw = vec![0; 15 << 20];
    let block = [
        record([3, 0], &snappy(&header(1, &[&raw]))),
        record([4, 0], &snappy(&list(&[list(&[string(&raw)]), list(&[])]))),
    ];
    hold("a.era1", &[version, block.concat().repeat(6), index(6)].concat(), &["senders"], 3);
}

#[test]
fn tables_whose_rows_share_values() {
    let hash = format!("0x{}", "ab".repeat(32));
    let input = format!("0x{}", "cd".repeat(1 << 19));
    let table = |rows: usize, input: &str| {
        let names = ["block_number", "transaction_type", "chain_id", "nonce", "gas_price", "max_priority_fee_per_gas"];
        let more = ["max_fee_per_gas", "gas_limit", "value", "v", "r", "s"];
        let mut columns: Vec<_> = names.iter().chain(&more).map(|name| shared(name, b"0x1", rows)).collect();
        columns.push(shared("transaction_hash", hash.as_bytes(), rows));
        columns.push(shared("to_address", &hash.as_bytes()[..42], rows));
        columns.push(shared("input", input.as_bytes(), rows));
        file(&columns, rows as i64)
    };
    // Values that are too long to be read for each row fail the file; short ones make rows, here of a type that their block's
    // fork does not have.
    let run = hold("a.parquet", &table(100_000, &input), &["senders"], 2);
    assert!(run.stderr.contains("rows share values of column `input`"), "{}", run.stderr);
    hold("a.parquet", &table(300_000, "0x12"), &["senders"], 1);
    hold("a.parquet", &table(40, &input), &["senders"], 1);
}
