//! Every form of input has the same rows, in every form of output.

use phalanx_ethereum::{TransactionFields, TransactionType};
use serde_json::{Value, json};

use super::blocks::{PRAGUE, TestBlock, block, era1, fields, object, signed, table};
use crate::files::{gzip, parquet, zstandard};
use crate::running::{directory, path, phalanx, phalanx_on, place};

/// What an output has of each row that the test knows.
fn rows(answers: &[Value]) -> Vec<Value> {
    let row = |answer: &Value| json!([answer["block"], answer["index"], answer["hash"], answer["sender"]]);
    answers.iter().map(row).collect()
}

fn expected(blocks: &[TestBlock]) -> Vec<Value> {
    blocks.iter().flat_map(TestBlock::expected).collect()
}

#[test]
fn blocks_in_every_form_have_the_same_senders() {
    let blocks = [block(PRAGUE, 23), block(PRAGUE + 1, 0), block(PRAGUE + 2, 9)];
    let rlp: Vec<u8> = blocks.iter().flat_map(TestBlock::rlp).collect();
    let lines: String = blocks.iter().map(|block| block.json().to_string() + "\n").collect();
    let response =
        |block: &TestBlock| json!({ "jsonrpc": "2.0", "id": 1, "result": block.json() }).to_string() + "\r\n";
    let responses: String = blocks.iter().map(|block| response(block) + "\n").collect();
    let directory = directory();
    for (name, bytes) in [
        ("blocks.rlp", rlp.clone()),
        ("blocks.rlp.gz", gzip(&rlp)),
        ("blocks.bin", zstandard(&rlp)),
        ("blocks.era1", era1(&blocks)),
        ("archive", era1(&blocks)),
        ("blocks.json", lines.clone().into_bytes()),
        ("blocks.jsonl.zst", zstandard(responses.as_bytes())),
        ("blocks", responses.clone().into_bytes()),
    ] {
        let file = place(&directory, name, &bytes);
        let run = phalanx(["senders", "--out", "-", "--json", &file]).expect(0).counts([32, 32, 0, 0]);
        assert_eq!(rows(&run.answers()), expected(&blocks), "{name}");
        assert!(run.answers().iter().all(|row| row["valid"] == true && row["reason"] == "valid"), "{name}");
        let piped = phalanx_on(&bytes, ["senders", "--out", "-", "--json", "-"]).expect(0);
        assert_eq!(piped.stdout, run.stdout, "{name}");
        for options in [["--block-rows", "1"], ["--block-rows", "7"], ["--threads", "3"], ["--backend", "portable"]] {
            let other = phalanx([&["senders", "--out", "-", &file], &options[..]].concat()).expect(0);
            assert_eq!(other.stdout, run.stdout, "{name} {options:?}");
        }
    }
}

/// Block 46,147 of the main chain, which holds its first transaction.
#[test]
fn a_real_block() {
    let head = "f90277f90208a05a41d0e66b4120775176c09fcf39e7c0520517a13d2b57b18d33d342df038bfca01dcc4de8dec75d7aab85b567b6ccd\
                41ad312451b948a7413f0a142fd40d4934794e6a7a1d47ff21b6321162aea7c6cb457d5476bcaa00e0df2706b0a4fb8bd08c9246d472ab\
                be850af446405d9eba1db41db18b4a169a04513310fcb9f6f616972a3b948dc5d547f280849a87ebb5af0191f98b87be598a0fe2bf2a94\
                1abf41d72637e5b91750332a30283efd40c424dc522b77e6f0ed8c4b90100";
    let tail = "860153886c1bbd82b44382520b8252088455c426598b657468706f6f6c2e6f7267a0b48c515a9dde8d346c3337ea520aa995a4738bb595\
                495506125449c1149d6cf488ba4f8ecd18aab215f869f86780862d79883d2000825208945df9b87991262f6ba471f09758cde1c0fc1de7\
                34827a69801ca088ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0a045e0aff800961cfce805daef7016b9\
                b675c137a6a41a548f7b60a3484c06a33ac0";
    let block = const_hex::decode([head, &"00".repeat(256), tail].concat()).unwrap();
    let run = phalanx_on(&block, ["senders", "--out", "-", "-"]).expect(0);
    let hash = "5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";
    assert_eq!(rows(&run.answers()), [json!([46_147, 0, hash, "0xa1e4380a3b1f749673e270229993ee55f35663b4"])]);
}

#[test]
fn outputs_have_the_same_rows() {
    let blocks = [block(PRAGUE, 12)];
    let directory = directory();
    let file = place(&directory, "blocks.rlp", &blocks[0].rlp());
    let [csv, parquet, jsonl] = ["out.csv", "out.parquet", "out.jsonl"].map(|name| path(&directory, name));
    for out in [&csv, &parquet, &jsonl] {
        phalanx(["senders", "--out", out, &file]).expect(0);
    }
    assert_eq!(rows(&crate::running::json_lines(&jsonl)), expected(&blocks));
    let csv = std::fs::read_to_string(csv).unwrap();
    assert_eq!(csv.lines().next(), Some("block,index,hash,row,sender,valid,reason,column"));
    for (number, (line, expected)) in (1..).zip(csv.lines().skip(1).zip(expected(&blocks))) {
        let texts = expected.as_array().unwrap().iter().map(|value| value.to_string().replace('"', ""));
        let [block, index, hash, sender] = texts.collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(line, format!("{block},{index},{hash},{number},{sender},true,valid,"));
    }
    let again = path(&directory, "again.parquet");
    phalanx(["senders", "--threads", "1", "--block-rows", "3", "--out", &again, &file]).expect(0);
    assert_eq!(std::fs::read(again).unwrap(), std::fs::read(parquet).unwrap());
}

/// Types 0 to 2 without access lists, and a legacy one without a chain id, in the order of a table.
fn plain_block() -> TestBlock {
    let kinds = [TransactionType::Legacy, TransactionType::AccessList, TransactionType::FeeMarket];
    let transaction = |place: usize| {
        let mut fields = TransactionFields { access_list: vec![], ..fields(kinds[place % 3], place as u64) };
        if place == 3 {
            fields.chain_id = None;
        }
        if place == 4 {
            fields.to = None;
        }
        signed(&fields, place as u8 + 1)
    };
    TestBlock { number: PRAGUE, transactions: (0..12).map(transaction).collect() }
}

#[test]
fn tables_of_cryo() {
    let block = plain_block();
    let directory = directory();
    let file = place(&directory, "transactions.parquet", &parquet(&table(&block), 1000));
    let run = phalanx(["senders", "--out", "-", "--json", &file]).expect(0).counts([12, 12, 0, 0]);
    assert_eq!(rows(&run.answers()), block.expected());
    // Where v is the parity alone, the hash says what it was.
    let table = table(&block);
    let parity = |(index, (raw, sender)): (u64, &(Vec<u8>, [u8; 20]))| {
        let v = object(raw, *sender, index)["v"].as_str().unwrap().to_owned();
        ["0x1", "0x1c", "0x26"].contains(&v.as_str())
    };
    let parities: Vec<bool> = (0..).zip(&block.transactions).map(parity).collect();
    let columns = table
        .schema()
        .fields()
        .iter()
        .zip(table.columns())
        .map(|(field, column)| {
            let parities = std::sync::Arc::new(arrow_array::BooleanArray::from(parities.clone()));
            (field.name().clone(), if field.name() == "v" { parities } else { column.clone() })
        })
        .collect::<Vec<(String, arrow_array::ArrayRef)>>();
    let table = arrow_array::RecordBatch::try_from_iter(columns).unwrap();
    let file = place(&directory, "parities.parquet", &parquet(&table, 1000));
    let parities = phalanx(["senders", "--out", "-", &file]).expect(0);
    assert_eq!(rows(&parities.answers()), block.expected());
}

#[test]
fn a_table_without_a_column_it_needs_fails() {
    let table = table(&plain_block());
    let directory = directory();
    for (place_of, name) in [(17, "v"), (2, "transaction_hash"), (8, "input"), (6, "value")] {
        let kept: Vec<usize> = (0..table.num_columns()).filter(|column| *column != place_of).collect();
        let bytes = parquet(&table.project(&kept).unwrap(), 1000);
        let file = place(&directory, "transactions.parquet", &bytes);
        let run = phalanx(["senders", &file]).expect(2);
        assert!(run.stderr.contains(&format!("no column `{name}`")), "{}", run.stderr);
    }
    // The index and the sender may be missing.
    let kept: Vec<usize> = (0..table.num_columns()).filter(|column| ![1, 4].contains(column)).collect();
    let file = place(&directory, "transactions.parquet", &parquet(&table.project(&kept).unwrap(), 1000));
    let run = phalanx(["senders", "--out", "-", "--json", &file]).expect(0).counts([12, 12, 0, 0]);
    assert!(run.answers().iter().all(|row| row["index"].is_null() && row["sender"].is_string()));
}

#[test]
fn several_files_and_no_rows() {
    let directory = directory();
    let first = place(&directory, "a.rlp", &block(PRAGUE, 2).rlp());
    let second = place(&directory, "b.jsonl", (block(PRAGUE + 1, 3).json().to_string() + "\n").as_bytes());
    let run = phalanx(["senders", "--out", "-", "--json", &first, &second]).expect(0).counts([5, 5, 0, 0]);
    let files: Vec<Value> = run.answers().iter().map(|row| row["file"].clone()).collect();
    assert_eq!(files, [&first, &first, &second, &second, &second].map(|file| json!(file)));
    for format in ["rlp", "era1", "jsonl"] {
        phalanx_on(b"", ["senders", "--json", "--format", format, "-"]).expect(0).counts([0, 0, 0, 0]);
    }
    phalanx_on(&block(PRAGUE, 0).rlp(), ["senders", "--json", "-"]).expect(0).counts([0, 0, 0, 0]);
}
