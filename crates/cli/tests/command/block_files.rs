//! `phalanx blocks`: files of one block, in every form that Bitcoin Core gives them.

use std::fs;

use phalanx_bitcoin::{Block, reversed_hex};
use phalanx_testkit::regtest::{self, MadeBlock};
use serde_json::{Value, json};

use crate::blocks::{counts, summary, whole};
use crate::running::{Run, directory, path, phalanx, place};
use crate::shared::shared;

#[test]
fn blocks_in_files() {
    for (name, inputs, checks) in
        [("bitcoin-block-300025.raw", 1427, [1427, 0, 0]), ("bitcoin-block-866342.raw.zst", 7972, [5701, 2375, 150])]
    {
        let Some(file) = shared(name, &format!("{inputs} inputs of a block in a file")) else { continue };
        let directory = directory();
        let out = path(&directory, "checks.parquet");
        let run = phalanx(["blocks", "--json", "--out", &out, &file]).expect(0);
        assert_eq!((counts(&run), &run.stderr[..]), ([1, inputs, inputs, 0, 0], ""));
        let summary = summary(&run);
        assert_eq!(["ecdsa", "schnorr", "commitments"].map(|kind| summary[kind].as_u64().unwrap()), checks);
        // Where CHECKMULTISIG tried a signature under another key, that row does not hold.
        let rows = checks[0] + checks[1];
        let passed_over = if inputs == 7972 { 23 } else { 0 };
        let verified = phalanx(["verify", "--json", "-q", "--hybrid-keys", &out]).expect(i32::from(passed_over > 0));
        verified.counts([rows, rows - passed_over, passed_over, 0]);
    }
    let directory = directory();
    let block = regtest::next(regtest::chain(3).last(), 0);
    let file = place(&directory, "one.raw", &block.bytes);
    assert!(phalanx(["blocks", &file]).expect(2).stderr.contains("beside it there is neither one.undo.raw nor"));
    let spent = |script: &str| {
        place(
            &directory,
            "one.spent-outputs.json",
            format!("[{{\"value\":1,\"script_pubkey\":\"{script}\"}}]").as_bytes(),
        );
        phalanx(["blocks", "--network", "regtest", "--json", &file])
    };
    assert_eq!(counts(&spent("51").expect(0)), [1, 1, 1, 0, 0]);
    assert_eq!(counts(&spent("00").expect(1)), [1, 1, 0, 1, 0]);
    assert!(spent("5").expect(3).stderr.contains("one.raw: what it spends cannot be read: output 0: script: "));
    // Two files say what it spends.
    let undo = place(&directory, "one.undo.raw", &[&[0; 8][..], &[1, 0x51]].concat());
    let said = spent("51").expect(2).stderr;
    assert!(said.contains("one.undo.raw and ") && said.contains("one.spent-outputs.json say what it spends"), "{said}");
    fs::remove_file(path(&directory, "one.spent-outputs.json")).unwrap();
    let run = || phalanx(["blocks", "--network", "regtest", "--json", &file]);
    assert_eq!(counts(&run().expect(0)), [1, 1, 1, 0, 0]);
    place(&directory, "one.undo.raw.zst", b"");
    assert!(run().expect(2).stderr.contains("one.undo.raw.zst say what it spends: keep one of them"));
    fs::remove_file(path(&directory, "one.undo.raw.zst")).unwrap();
    fs::write(&undo, [0; 9 * 3]).unwrap();
    let said = run().expect(3).stderr;
    assert!(said.contains("1 inputs spend something, and there are 3 spent outputs"), "{said}");
    assert!(phalanx(["blocks", &undo]).expect(2).stderr.contains("holds what a block spends: give the file of the"));
    place(&directory, "one.raw", &[0; 200]);
    assert!(run().expect(3).stderr.contains("one.raw cannot be read: "));
    place(&directory, "one.raw", &vec![0; 4_000_001]);
    assert!(run().expect(3).stderr.contains("has more than 4000000 bytes"));
}

#[test]
fn a_file_of_a_block_has_a_height() {
    let directory = directory();
    let blocks = regtest::chain(4);
    // Of version 1, which names no height.
    let mut bytes = blocks[3].bytes.clone();
    bytes[0] = 1;
    let file = place(&directory, "one.raw", &bytes);
    place(&directory, "one.undo.raw", &[&[1, 0, 0, 0, 0, 0, 0, 0][..], &[1, 0x51]].concat());
    let run = phalanx(["blocks", "--json", "--network", "regtest", &file]).expect(3);
    assert_eq!(counts(&run), [0, 0, 0, 0, 1]);
    assert!(run.stderr.contains("one.raw: its height is not known; --heights N..N gives it"), "{}", run.stderr);
    let run = phalanx(["blocks", "--json", "--network", "regtest", "--heights", "3..3", &file]).expect(0);
    assert_eq!((counts(&run), &summary(&run)["verified"][0]["last_height"]), ([1, 1, 1, 0, 0], &3.into()));
    let first = place(&directory, "first.raw", &blocks[0].bytes);
    place(&directory, "first.undo.raw", &[]);
    assert_eq!(counts(&phalanx(["blocks", "--json", &first]).expect(0)), [1, 0, 0, 0, 0]);
    // An output that is larger than all that there is: the block as a whole is not valid.
    let mut bytes = blocks[0].bytes.clone();
    let value = bytes.windows(8).position(|bytes| bytes == 5_000_000_000_u64.to_le_bytes()).unwrap();
    bytes[value + 7] = 1;
    let root = phalanx::hash::sha256(&phalanx::hash::sha256(&bytes[81..]));
    bytes[36..68].copy_from_slice(&root);
    place(&directory, "first.raw", &bytes);
    let run = phalanx(["blocks", "--json", &first]).expect(1);
    assert_eq!((counts(&run), &summary(&run)["blocks_not_valid"]), ([0, 0, 0, 0, 0], &1.into()));
    let txid = phalanx_bitcoin::reversed_hex(&root);
    let rule = "output 0 has more than 21,000,000 bitcoins (bad-txns-vout-toolarge)";
    assert!(run.stderr.contains(&format!("first.raw: transaction 0, {txid}: {rule}")), "{}", run.stderr);
    assert!(phalanx(["blocks", &first]).expect(1).stdout.contains("1  blocks that are not valid\n"));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_a_block() {
    let directory = directory();
    let pipe = path(&directory, "never.raw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    place(&directory, "never.undo.raw", &[]);
    assert!(phalanx(["blocks", &pipe]).expect(3).stderr.contains("never.raw: not a regular file"));
}

/// The block of height 3 as bytes, and as `getblock` with verbosity 3 prints it.
fn printed() -> (Vec<u8>, Value) {
    let chain = regtest::chain(4);
    let (before, bytes) = (&chain[2], &chain[3].bytes);
    let (before, block) = (Block::decode(&before.bytes).unwrap(), Block::decode(bytes).unwrap());
    let (reward, header) = (&before.transactions[0], &block.header);
    // The payment begins with its version and the number of its inputs, and then names what it spends.
    let payment = bytes.windows(32).position(|window| window == reward.txid()).unwrap() - 5;
    let printed = json!({
        "hash": reversed_hex(&header.hash()), "height": 3, "version": header.version,
        "previousblockhash": reversed_hex(&header.previous), "merkleroot": reversed_hex(&header.merkle_root),
        "time": header.time, "bits": format!("{:08x}", header.bits), "nonce": header.nonce,
        "tx": [
            { "vin": [{ "coinbase": "00" }], "hex": const_hex::encode(&bytes[81..payment]) },
            {
                "vin": [{ "txid": reversed_hex(&reward.txid()), "vout": 0, "prevout": {
                    "height": 2, "value": 50.0,
                    "scriptPubKey": { "hex": const_hex::encode(&reward.outputs[0].script), "type": "pubkey" },
                } }],
                "hex": const_hex::encode(&bytes[payment..]),
            },
        ],
    });
    (bytes.clone(), printed)
}

/// Runs on a file of regtest.
fn run(file: &str) -> Run {
    phalanx(["blocks", "--network", "regtest", "--json", file])
}

#[test]
fn a_block_in_json_has_what_it_spends() {
    let (bytes, printed) = printed();
    let text = printed.to_string();
    let directory = directory();
    let answer = json!({ "result": printed, "error": null, "id": 1 }).to_string();
    let packed = zstd::encode_all(text.as_bytes(), 1).unwrap();
    for (name, content) in
        [("b.json", text.as_bytes()), ("b.json.zst", &packed), ("b.raw", text.as_bytes()), ("b", answer.as_bytes())]
    {
        let file = place(&directory, name, content);
        let found = run(&file).expect(0);
        assert_eq!((counts(&found), &summary(&found)["verified"][0]["last_height"]), ([1, 1, 1, 0, 0], &json!(3)));
        fs::remove_file(file).unwrap();
    }
    // Beside the bytes of the block, as what it spends.
    let file = place(&directory, "c.raw", &bytes);
    let spent = place(&directory, "c.spent-outputs.json", text.as_bytes());
    assert_eq!(counts(&run(&file).expect(0)), [1, 1, 1, 0, 0]);
    let mut other = printed.clone();
    other["nonce"] = json!(1);
    other.as_object_mut().unwrap().remove("hash");
    fs::write(&spent, other.to_string()).unwrap();
    assert!(run(&file).expect(3).stderr.contains("what it spends cannot be read: it is that of block "));
    // What is lacking is asked for; other scripts and amounts are not valid.
    for (before, after, status, said) in [
        ("\"prevout\"", "\"other\"", 3, "input 0 of transaction 1 has no prevout: ask for the block with verbosity 3"),
        ("50.0", "50.000000001", 3, "value 50.000000001: expected bitcoins with at most 8 decimals"),
        ("\"height\":3", "\"height\":4", 0, ""),
        (
            "\"hash\":\"",
            "\"hash\":\"0",
            3,
            "d.json cannot be read: in JSON: the members of the header do not give the hash",
        ),
        ("\"tx\":[", "\"tx\":[\"00\",", 3, "tx has only the ids of transactions: ask for the block with verbosity 3"),
    ] {
        let changed = text.replacen(before, after, 1);
        assert_ne!(changed, text);
        let found = run(&place(&directory, "d.json", changed.as_bytes())).expect(status);
        assert!(found.stderr.contains(said), "{before}: {}", found.stderr);
    }
}

#[test]
fn a_block_in_hex_is_read() {
    let (bytes, _) = printed();
    let directory = directory();
    let digits = const_hex::encode(&bytes);
    let upper = format!("{}\r\n", digits.to_uppercase());
    let answer = json!({ "result": digits, "error": null }).to_string();
    let spent = const_hex::encode([&[0; 8][..], &[1, 0x51]].concat());
    for text in [digits.clone(), format!("{digits}\n"), upper, format!("\"{digits}\""), answer] {
        for name in ["b.raw", "b.hex"] {
            let file = place(&directory, name, text.as_bytes());
            for undo in [spent.as_bytes(), &const_hex::decode(&spent).unwrap()] {
                place(&directory, "b.undo.raw", undo);
                assert_eq!(counts(&run(&file).expect(0)), [1, 1, 1, 0, 0], "{text}");
            }
            fs::remove_file(file).unwrap();
        }
    }
    for (text, said) in [
        (&digits[1..], "b.raw cannot be read: in hex: odd number of digits"),
        (&digits[..digits.len() - 2], "b.raw cannot be read: in hex: the bytes end too early"),
        (&format!("{digits}g"), "b.raw cannot be read: in hex: "),
    ] {
        let found = run(&place(&directory, "b.raw", text.as_bytes())).expect(3);
        assert!(found.stderr.contains(said), "{}", found.stderr);
    }
}

#[test]
fn a_block_that_spends_nothing_needs_no_other_file() {
    let directory = directory();
    let chain = regtest::chain(2);
    for text in [chain[0].bytes.clone(), const_hex::encode(&chain[0].bytes).into_bytes()] {
        let run = run(&place(&directory, "first.raw", &text)).expect(0);
        assert_eq!((counts(&run), &summary(&run)["verified"][0]["last_height"]), ([1, 0, 0, 0, 0], &json!(0)));
    }
    for text in [chain[1].bytes.clone(), const_hex::encode(&chain[1].bytes).into_bytes()] {
        let said = run(&place(&directory, "second.raw", &text)).expect(2).stderr;
        assert!(said.contains("second.raw: beside it there is neither second.undo.raw nor"), "{said}");
        assert!(said.contains("getblock HASH 3"), "{said}");
    }
}

#[test]
fn spent_outputs_of_the_rest_interface() {
    let (bytes, printed) = printed();
    let directory = directory();
    let file = place(&directory, "b.raw", &bytes);
    let spent = |text: &str| {
        place(&directory, "b.spent-outputs.json", text.as_bytes());
        run(&file)
    };
    let output = printed["tx"][1]["vin"][0]["prevout"].to_string();
    assert_eq!(counts(&spent(&format!("[[],[{output}]]")).expect(0)), [1, 1, 1, 0, 0]);
    let said = spent(&format!("[[],[{output}],[]]")).expect(3).stderr;
    assert!(said.contains("there are more than 2 transactions"), "{said}");
    let said = spent("[[],[]]").expect(3).stderr;
    assert!(said.contains("transaction 1 spends 0 outputs, and the block's has 1 inputs"), "{said}");
    let Some(file) = shared("../cases/block-rest/b.raw", "1,426 inputs of a block as the REST interface gives it")
    else {
        return;
    };
    assert_eq!(counts(&phalanx(["blocks", "--json", &file]).expect(0))[..2], [1, 1427]);
}

#[test]
fn files_of_a_node_are_not_those_of_one_block() {
    let directory = directory();
    let folder = whole(&directory, 3);
    for name in ["blk00000.dat", "rev00000.dat", "xor.dat"] {
        let said = phalanx(["blocks", &format!("{folder}/blocks/{name}")]).expect(2).stderr;
        assert!(said.contains(&format!("a file of a node's folder: give the folder, {folder}/blocks")), "{said}");
    }
    // Under another name, as `linearize` writes it.
    let chain = regtest::chain(3);
    let file = place(&directory, "bootstrap.dat", &chain.iter().flat_map(MadeBlock::record).collect::<Vec<u8>>());
    let said = phalanx(["blocks", &file]).expect(2).stderr;
    assert!(said.contains("has blocks behind the mark of the network regtest: name it blk00000.dat"), "{said}");
    let other = crate::running::directory();
    place(&other, "blk00000.dat", &fs::read(file).unwrap());
    assert_eq!(counts(&phalanx(["blocks", "--json", other.path().to_str().unwrap()]).expect(0)), [3, 2, 2, 0, 0]);
}

#[test]
fn heights_choose_among_files() {
    let directory = directory();
    let (_, printed) = printed();
    let file = place(&directory, "b.json", printed.to_string().as_bytes());
    let with = |heights: &str| phalanx(["blocks", "--network", "regtest", "--json", "--heights", heights, &file]);
    for heights in ["3..3", "..3", "1..9"] {
        assert_eq!(counts(&with(heights).expect(0)), [1, 1, 1, 0, 0], "{heights}");
    }
    for heights in ["4..4", "..2", "4.."] {
        let run = with(heights).expect(3);
        assert_eq!(counts(&run), [0, 0, 0, 0, 1], "{heights}");
        assert!(run.stderr.contains("b.json: its height, 3, is outside --heights"), "{}", run.stderr);
    }
}
