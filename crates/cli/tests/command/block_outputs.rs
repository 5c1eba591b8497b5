//! `phalanx blocks --inputs`, and what its summary in JSON lists.

use std::fs;

use phalanx_bitcoin::{Block, reversed_hex};
use phalanx_testkit::regtest::{self, MadeBlock};
use serde_json::{Value, json};

use crate::blocks::{counts, node, summary, whole};
use crate::running::{directory, json_lines, names, path, phalanx, place};

/// A chain in which what some blocks spend is another script, so that their inputs are not valid.
fn broken(length: usize, every: usize) -> Vec<MadeBlock> {
    let mut chain = regtest::chain(length);
    for block in chain.iter_mut().skip(1).step_by(every) {
        // Of a long key it is the byte that tells the two apart.
        let place = block.undo.len() - if block.height % 3 == 1 { 33 } else { 5 };
        block.undo[place] ^= 1;
    }
    chain
}

#[test]
fn every_input_has_a_row() {
    let directory = directory();
    let chain = broken(60, 2);
    let folder = node(&directory, &chain, &chain[1..].iter().collect::<Vec<_>>());
    let out = |ending: &str| path(&directory, &format!("inputs.{ending}"));
    let mut rows = Vec::new();
    for ending in ["jsonl", "csv", "parquet"] {
        let run = phalanx(["blocks", "--json", "--inputs", &out(ending), &folder]).expect(1);
        assert_eq!(counts(&run), [60, 59, 29, 30, 0]);
        // Ten are said, and the others are in the file.
        assert!(run.stderr.ends_with("and 20 more inputs that are not valid\n"), "{}", run.stderr);
        rows.push(fs::read(out(ending)).unwrap());
    }
    let found = json_lines(&out("jsonl"));
    assert_eq!(found.len(), 59);
    for (row, block) in found.iter().zip(&chain[1..]) {
        let txid = Block::decode(&block.bytes).unwrap().transactions[1].txid();
        let (verdict, reason) =
            if block.height % 2 == 1 { ("invalid", row["reason"].clone()) } else { ("valid", Value::Null) };
        let hash = reversed_hex(&block.hash());
        let expected = json!({
            "height": block.height, "block": hash, "txid": reversed_hex(&txid), "input": 0, "verdict": verdict,
            "reason": reason,
        });
        assert_eq!(*row, expected);
        assert_eq!(row["reason"].is_string(), verdict == "invalid");
    }
    let text = String::from_utf8(rows[1].clone()).unwrap();
    assert!(text.starts_with("height,block,txid,input,verdict,reason\n1,"), "{text}");
    assert_eq!((text.lines().count(), text.matches(",valid,\n").count()), (60, 29));
    assert_eq!(text.matches(",invalid,E").count(), 30, "EVAL_FALSE or EQUALVERIFY: {text}");
    assert!(rows[2].starts_with(b"PAR1"));
    // On standard output, in one order for any number of threads, beside the checks in a file.
    let checks = path(&directory, "checks.csv");
    let run = phalanx(["blocks", "-q", "-j", "3", "--inputs", "-", "--out", &checks, &folder]).expect(1);
    assert_eq!(run.answers(), found);
    assert!(run.stderr.contains("30  invalid\n") && fs::read_to_string(&checks).unwrap().lines().count() > 40);
    assert!(phalanx(["blocks", &folder]).expect(1).stderr.ends_with("; --inputs FILE writes all\n"));
}

#[test]
fn the_summary_in_json_lists_what_is_not_valid() {
    let directory = directory();
    let chain = broken(40, 3);
    let folder = node(&directory, &chain, &chain[1..].iter().collect::<Vec<_>>());
    let found = summary(&phalanx(["blocks", "--json", "-q", &folder]).expect(1));
    let listed = found["invalid_inputs"].as_array().unwrap();
    assert_eq!((listed.len(), &found["invalid"], &found["invalid_blocks"]), (13, &json!(13), &json!([])));
    for (listed, block) in listed.iter().zip(chain[1..].iter().step_by(3)) {
        let txid = Block::decode(&block.bytes).unwrap().transactions[1].txid();
        assert_eq!((&listed["path"], &listed["height"]), (&json!(folder), &json!(block.height)));
        assert_eq!(listed["block"], reversed_hex(&block.hash()));
        assert_eq!((&listed["txid"], &listed["input"]), (&json!(reversed_hex(&txid)), &json!(0)));
        assert!(["EVAL_FALSE", "EQUALVERIFY"].map(Value::from).contains(&listed["reason"]), "{listed}");
    }
}

/// A block whose last output is larger than all that there is, with what it spends beside it.
fn too_much(directory: &tempfile::TempDir) -> (String, [u8; 32]) {
    let mut bytes = regtest::chain(4)[3].bytes.clone();
    let value = bytes.len() - 4 - 2 - 1;
    assert_eq!(bytes[value - 7..=value], 1000_u64.to_le_bytes());
    bytes[value] = 1;
    let block = Block::decode(&bytes).unwrap();
    let ids: Vec<[u8; 32]> = block.transactions.iter().map(|transaction| transaction.txid()).collect();
    let root = phalanx::hash::sha256(&phalanx::hash::sha256(ids.as_flattened()));
    bytes[36..68].copy_from_slice(&root);
    place(directory, "b.undo.raw", &[&[0; 8][..], &[1, 0x51]].concat());
    (place(directory, "b.raw", &bytes), ids[1])
}

#[test]
fn inputs_of_a_block_that_is_not_valid_have_rows() {
    let directory = directory();
    let (file, txid) = too_much(&directory);
    let out = path(&directory, "inputs.jsonl");
    let run = phalanx(["blocks", "--json", "--network", "regtest", "--inputs", &out, &file]).expect(1);
    assert_eq!((counts(&run), &summary(&run)["blocks_not_valid"]), ([0, 0, 0, 0, 0], &json!(1)));
    let hash = reversed_hex(&Block::decode(&fs::read(&file).unwrap()).unwrap().header.hash());
    let rule = "output 0 has more than 21,000,000 bitcoins (bad-txns-vout-toolarge)";
    let rule = format!("transaction 1, {}: {rule}", reversed_hex(&txid));
    let expected = json!([{ "path": file, "height": 3, "block": hash, "reason": rule }]);
    assert_eq!(summary(&run)["invalid_blocks"], expected);
    let row = json!({
        "height": 3, "block": hash, "txid": reversed_hex(&txid), "input": 0, "verdict": "block_invalid", "reason": rule,
    });
    assert_eq!(json_lines(&out), [row]);
    // A damaged block has none.
    let mut bytes = fs::read(&file).unwrap();
    bytes[40] ^= 1;
    fs::write(&file, bytes).unwrap();
    let run = phalanx(["blocks", "--json", "--network", "regtest", "--inputs", &out, &file]).expect(3);
    assert_eq!((counts(&run)[4], &summary(&run)["invalid_blocks"]), (1, &json!([])));
    assert!(json_lines(&out).is_empty());
}

#[test]
fn each_output_has_a_place_of_its_own() {
    let directory = directory();
    let folder = whole(&directory, 3);
    let refused = |arguments: &[&str], said: &str| {
        let run = phalanx([&["blocks"], arguments, &[&folder]].concat()).expect(2);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    };
    let (one, inside) = (path(&directory, "one.csv"), format!("{folder}/blocks/new.csv"));
    let spelled = format!("{folder}/./one.csv");
    refused(&["--inputs", &inside], "or lie among the blocks of a node");
    refused(&["--inputs", &format!("{folder}/blocks/blk00000.dat")], "the ending says no format");
    refused(&["--inputs", &one, "--out", &one], "--out and --inputs are the same file");
    refused(&["--inputs", &one, "--out", &spelled], "--out and --inputs are the same file");
    refused(&["--inputs", &one, "--silent-index", &spelled], "--inputs and --silent-index are the same file");
    refused(&["--inputs", "-", "--out", "-"], "--out and --inputs are the same file");
    fs::write(&one, "old").unwrap();
    fs::hard_link(&one, path(&directory, "two.csv")).unwrap();
    refused(&["--inputs", &one, "--out", &path(&directory, "two.csv")], "--out and --inputs are the same file");
    assert_eq!(fs::read_to_string(&one).unwrap(), "old");
    assert_eq!(names(directory.path()), ["blocks", "one.csv", "two.csv"]);
    // Where a path cannot be read, no output appears.
    let nothing = path(&directory, "nothing");
    phalanx(["blocks", "--inputs", &path(&directory, "three.csv"), &nothing, &folder]).expect(2);
    assert_eq!(names(directory.path()), ["blocks", "one.csv", "two.csv"]);
}
