//! `phalanx scan`: a receiver's outputs in an index, whatever its format.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, BinaryArray, Int32Array, RecordBatch};
use parquet::file::properties::{WriterProperties, WriterVersion};
use phalanx::{Backend, PublicKey, SecretKey, ecdsa, hash::sha256};
use phalanx_silent::{OutPoint, Scanner, SendingKey, outputs, tweak_point};
use phalanx_testkit::regtest;
use ripemd::{Digest, Ripemd160};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::files::{gzip, hex, parquet, parquet_with, read_parquet, zstandard};
use crate::running::{Run, directory, json_lines, path, phalanx, phalanx_on, place};
use crate::shared::shared;

/// A transaction of the index.
struct Indexed {
    txid: [u8; 32],
    point: Vec<u8>,
    outputs: Vec<[u8; 32]>,
}

/// An index, and the matches that are to be found.
struct Index {
    rows: Vec<Indexed>,
    expected: Vec<Value>,
}

fn key(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32]).unwrap()
}

fn spend_key() -> String {
    hex(&key(5).public_key().to_bytes())
}

/// The point in the form in which libsecp256k1 keeps it.
fn stored(point: &PublicKey) -> Vec<u8> {
    let full = point.to_bytes_uncompressed();
    full[1..33].iter().rev().chain(full[33..].iter().rev()).copied().collect()
}

/// Rows of which every fifth pays the receiver: once, or twice with label 2, or to change.
fn index(count: u32) -> Index {
    let scanner = Scanner::new(&key(3), key(5).public_key(), [2]).unwrap();
    let [plain, label, change] =
        [scanner.address(true), scanner.labelled_address(2, true).unwrap(), scanner.labelled_address(0, true).unwrap()];
    let mut index = Index { rows: Vec::new(), expected: Vec::new() };
    for number in 0..count {
        let txid = sha256(&number.to_be_bytes());
        let sender = SecretKey::from_bytes(&sha256(&txid)).unwrap();
        let outpoint = OutPoint { txid, index: number };
        let point = tweak_point(&[sender.public_key()], &[outpoint]).unwrap();
        let mut keys: Vec<_> = (0..number % 4).map(|output| sha256(&[number as u8, output as u8])).collect();
        let (addresses, labels) = match number % 20 {
            0 => (vec![plain], vec![None]),
            5 => (vec![plain, label], vec![None, Some(2)]),
            10 => (vec![change], vec![Some(0)]),
            15 => (vec![plain; 3], vec![None; 3]),
            _ => (Vec::new(), Vec::new()),
        };
        let sent = outputs(&[SendingKey { key: &sender, taproot: false }], &[outpoint], &addresses).unwrap();
        for (k, (label, sent)) in labels.iter().zip(&sent).enumerate() {
            index.expected.push(json!({
                "txid": hex(&txid),
                "height": 800_000 + number,
                "output": keys.len(),
                "k": k,
                "label": label,
                "key": hex(&sent.to_bytes()),
            }));
            keys.push(sent.to_bytes());
        }
        let point = if number.is_multiple_of(2) { stored(&point) } else { point.to_bytes().to_vec() };
        index.rows.push(Indexed { txid, point, outputs: keys });
    }
    index
}

impl Indexed {
    fn prefixes(&self) -> Vec<i64> {
        self.outputs.iter().map(|key| i64::from_be_bytes(key[..8].try_into().unwrap())).collect()
    }
}

impl Index {
    fn json_lines(&self, whole: bool) -> String {
        let line = |(number, row): (usize, &Indexed)| {
            let keys: Vec<_> = row.outputs.iter().map(|key| hex(key)).collect();
            let outputs = if whole { json!(keys) } else { json!(row.prefixes()) };
            let (txid, point) = (hex(&row.txid), const_hex::encode_prefixed(&row.point));
            let line =
                json!({ "outputs": outputs, "kind": 1, "txid": txid, "height": 800_000 + number, "tweak_key": point });
            line.to_string() + "\n"
        };
        self.rows.iter().enumerate().map(line).collect()
    }

    fn csv(&self) -> String {
        let line = |(number, row): (usize, &Indexed)| {
            let (txid, point) = (hex(&row.txid), hex(&row.point));
            format!("{txid},{},{point},\"{:?}\"\n", 800_000 + number, row.prefixes())
        };
        let lines: String = self.rows.iter().enumerate().map(line).collect();
        format!("txid,height,tweak_key,outputs\n{lines}")
    }

    fn table(&self) -> RecordBatch {
        let mut lists = ListBuilder::new(Int64Builder::new());
        self.rows.iter().for_each(|row| lists.append_value(row.prefixes().into_iter().map(Some)));
        let heights = (0..self.rows.len() as i32).map(|number| 800_000 + number);
        RecordBatch::try_from_iter([
            ("txid", Arc::new(BinaryArray::from_iter_values(self.rows.iter().map(|row| row.txid))) as ArrayRef),
            ("height", Arc::new(Int32Array::from_iter_values(heights))),
            ("tweak_key", Arc::new(BinaryArray::from_iter_values(self.rows.iter().map(|row| &row.point)))),
            ("outputs", Arc::new(lists.finish())),
        ])
        .unwrap()
    }
}

/// Scans with the receiver's keys, of which the secret one is in a file of this directory.
fn scan(directory: &TempDir, arguments: &[&str]) -> Run {
    let secret = place(directory, "scan-key", format!("{}\n", hex(&[3; 32])).as_bytes());
    let spend = spend_key();
    let run = phalanx([&["scan", "--scan-key", &secret, "--spend-key", &spend], arguments].concat());
    assert!(!run.stdout.contains(&hex(&[3; 32])) && !run.stderr.contains(&hex(&[3; 32])));
    run
}

/// Asserts that these are the matches, and that each tweak spends its output.
#[track_caller]
fn check(answers: Vec<Value>, index: &Index) {
    assert_eq!(answers.len(), index.expected.len());
    for (mut answer, expected) in answers.into_iter().zip(&index.expected) {
        let tweak = answer.as_object_mut().unwrap().remove("tweak").unwrap();
        let tweak: [u8; 32] = const_hex::decode(tweak.as_str().unwrap()).unwrap().try_into().unwrap();
        assert_eq!(answer, *expected);
        let spending = key(5).tweak_add(&tweak).unwrap().public_key();
        assert_eq!(hex(&spending.x_only().0.to_bytes()), answer["key"].as_str().unwrap());
    }
}

#[test]
fn every_format_has_the_same_matches() {
    let (directory, index) = (directory(), index(90));
    assert!(index.expected.len() > 25);
    let version = WriterProperties::builder().set_writer_version(WriterVersion::PARQUET_2_0);
    let files = [
        place(&directory, "keys.jsonl", index.json_lines(true).as_bytes()),
        place(&directory, "prefixes.jsonl.zst", &zstandard(index.json_lines(false).as_bytes())),
        place(&directory, "index.csv.gz", &gzip(index.csv().as_bytes())),
        place(&directory, "index.parquet", &parquet(&index.table(), 1 << 20)),
        place(&directory, "groups.parquet", &parquet(&index.table(), 7)),
        place(&directory, "second.parquet", &parquet_with(&index.table(), version.build())),
    ];
    for file in &files {
        for backend in Backend::available() {
            let options = ["--labels", "2", "--json", "--out", "-", "--backend", backend.name(), file];
            let run = scan(&directory, &options).expect(0);
            let summary = run.summary();
            let counts = ["rows", "matches", "malformed"].map(|name| summary[name].as_u64().unwrap());
            assert_eq!(counts, [90, index.expected.len() as u64, 0], "{file}");
            check(run.answers(), &index);
        }
    }
    let out = path(&directory, "matches.jsonl");
    let run = scan(&directory, &["--labels", "2", "--out", &out, &files[3]]).expect(0);
    assert!(run.stdout.contains(&format!("{}  matches", index.expected.len())), "{}", run.stdout);
    assert!(run.stderr.contains("row 1: transaction ") && run.stderr.contains(", k 0"), "{}", run.stderr);
    check(json_lines(&out), &index);
    // Without the label, what was paid to it is another's, and what came after it is not found.
    let fewer = scan(&directory, &["--json", "--quiet", &files[3]]).expect(0);
    assert!(fewer.summary()["matches"].as_u64().unwrap() < index.expected.len() as u64);
    assert_eq!(fewer.stderr, "");
}

#[test]
fn rows_that_cannot_be_read_are_told_and_the_others_scanned() {
    let (directory, index) = (directory(), index(6));
    let text = index.json_lines(false);
    let lines: Vec<_> = text.lines().collect();
    let good = lines[0];
    let point = hex(&index.rows[0].point);
    let broken = [
        good.replace("outputs", "other"),
        good.replace("tweak_key", "other"),
        good.replace("[", "[x,"),
        good.replace("[", "").replace("]", ""),
        good.replace(&point, &point[2..]),
        good.replace(&point, &"00".repeat(64)),
        good.replace(&point, "zz"),
        "{".to_owned(),
        "[1]".to_owned(),
        good.replace("[", "[null,"),
        good.replace("[", &format!("[{},", u64::MAX)),
    ];
    let all: String = [good]
        .into_iter()
        .chain(broken.iter().map(|line| &line[..]))
        .chain([good])
        .fold(String::new(), |text, line| text + line + "\n");
    let file = place(&directory, "index.jsonl", all.as_bytes());
    let run = scan(&directory, &["--json", "--out", "-", &file]).expect(3);
    let summary = run.summary();
    let counts = ["rows", "matches", "malformed"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!(counts, [13, 2, 11], "{}", run.stderr);
    assert!(run.stderr.contains("row 7: tweak_key is no point of the curve"), "{}", run.stderr);
    assert!(run.stderr.contains("row 2: outputs is missing"), "{}", run.stderr);
    // A table of Parquet with a null in a list, and with no list at all.
    let mut lists = ListBuilder::new(Int64Builder::new());
    lists.append_value([Some(1), None]);
    let point = Arc::new(BinaryArray::from_iter_values([&index.rows[0].point])) as ArrayRef;
    let with_outputs = |outputs: ArrayRef| {
        let table = RecordBatch::try_from_iter([("tweak_key", Arc::clone(&point)), ("outputs", outputs)]).unwrap();
        let file = place(&directory, "index.parquet", &parquet(&table, 10));
        scan(&directory, &["--json", &file])
    };
    for outputs in [Arc::new(lists.finish()) as ArrayRef, Arc::clone(&point)] {
        let summary = with_outputs(outputs).expect(3).summary();
        assert_eq!(summary["malformed"], 1, "{summary}");
    }
    let mut texts = ListBuilder::new(StringBuilder::new());
    texts.append_value([Some("a")]);
    let run = with_outputs(Arc::new(texts.finish())).expect(2);
    assert!(run.stderr.contains("column `outputs` is a group or a list"), "{}", run.stderr);
}

#[test]
fn what_is_no_index_and_no_key_is_refused() {
    let (directory, index) = (directory(), index(3));
    let good = place(&directory, "index.csv", index.csv().as_bytes());
    let other = place(&directory, "other.csv", b"txid,height,outputs\n");
    let bad = place(&directory, "bad-key", b"00\n");
    let run = scan(&directory, &[&other]).expect(2);
    assert!(run.stderr.contains("no column `tweak_key`"), "{}", run.stderr);
    let run = scan(&directory, &[&good, &other]).expect(2);
    assert!(run.stderr.contains("other.csv"), "{}", run.stderr);
    let spend = spend_key();
    for (secret, spend, file, said) in [
        (&*bad, &*spend, &*good, "a secret key is 64 hex digits"),
        (&*path(&directory, "nothing"), &spend, &good, "nothing"),
        (&*good, "02", &good, "--spend-key"),
        ("-", &spend, "-", "standard input can be read only once"),
    ] {
        let run = phalanx(["scan", "--scan-key", secret, "--spend-key", spend, file]).expect(2);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
    let arguments = ["scan", "--scan-key", "-", "--spend-key", &spend, "--json", &good];
    let run = phalanx_on(hex(&[3; 32]).as_bytes(), arguments).expect(0);
    assert_eq!((&run.summary()["rows"], &run.summary()["matches"]), (&json!(3), &json!(1)));
    assert!(phalanx(["help", "scan"]).expect(0).stdout.contains("tweak_key"));
}

/// A list of keys, in which a value of a dictionary could stand for ever.
#[test]
fn lists_of_keys_in_parquet_are_refused() {
    let directory = directory();
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some(hex(&[7; 32]))]);
    let table = RecordBatch::try_from_iter([
        ("tweak_key", Arc::new(BinaryArray::from_iter_values([key(9).public_key().to_bytes()])) as ArrayRef),
        ("outputs", Arc::new(lists.finish())),
    ]);
    let file = place(&directory, "index.parquet", &parquet(&table.unwrap(), 100));
    let run = scan(&directory, &[&file]).expect(2);
    assert!(run.stderr.contains("`outputs` is a group or a list; of lists, those of 64-bit numbers"), "{}", run.stderr);
}

/// A page of a few bytes may stand for millions of values. What the lists of a row group may have is bounded.
#[test]
fn lists_that_unfold_are_refused() {
    let directory = directory();
    let mut lists = ListBuilder::new(Int64Builder::new());
    for _ in 0..40 {
        lists.append_value(std::iter::repeat_n(Some(7), 1 << 18));
    }
    let point = key(9).public_key().to_bytes();
    let table = RecordBatch::try_from_iter([
        ("tweak_key", Arc::new(BinaryArray::from_iter_values([&point; 40])) as ArrayRef),
        ("outputs", Arc::new(lists.finish())),
    ]);
    let bytes = parquet(&table.unwrap(), 100);
    assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
    let file = place(&directory, "index.parquet", &bytes);
    let run = scan(&directory, &[&file]).expect(2);
    assert!(run.stderr.contains("the lists of column `outputs`"), "{}", run.stderr);
}

/// A block of a file: its reward, and a payment of an output to a key's hash, which pays the receiver twice.
fn block(directory: &TempDir) -> (String, [u8; 32]) {
    let hash = |bytes: &[u8]| sha256(&sha256(bytes));
    let scanner = Scanner::new(&key(3), key(5).public_key(), []).unwrap();
    let (sender, outpoint) = (key(9), OutPoint { txid: [7; 32], index: 1 });
    let sent =
        outputs(&[SendingKey { key: &sender, taproot: false }], &[outpoint], &[scanner.address(true); 2]).unwrap();
    let public = sender.public_key().to_bytes();
    let spent = [&[0x76, 0xa9, 20][..], &Ripemd160::digest(sha256(&public)), &[0x88, 0xac]].concat();
    let taproot = |key: &[u8; 32]| [&1000_u64.to_le_bytes()[..], &[34, 0x51, 32], key].concat();
    let other = [&1000_u64.to_le_bytes()[..], &[1, 0x51]].concat();
    let outputs = [&[3][..], &taproot(&sent[1].to_bytes()), &other, &taproot(&sent[0].to_bytes())].concat();
    let with = |script: &[u8]| {
        let input =
            [&[1, 0, 0, 0, 1][..], &outpoint.txid, &1_u32.to_le_bytes(), &[script.len() as u8], script].concat();
        [&input[..], &[0xff; 4], &outputs, &[0; 4]].concat()
    };
    let digest = hash(&[with(&spent), vec![1, 0, 0, 0]].concat());
    let signature = [&ecdsa::sign(&digest, &sender).to_der()[..], &[1]].concat();
    let payment = with(&[&[signature.len() as u8][..], &signature, &[33], &public].concat());
    let first = regtest::next(None, 0).bytes;
    let (mut header, reward) = (first[..80].to_vec(), &first[81..]);
    header[36..68].copy_from_slice(&hash(&[hash(reward), hash(&payment)].concat()));
    let file = place(directory, "one.raw", &[&header[..], &[2], reward, &payment].concat());
    place(directory, "one.undo.raw", &[&[1, 0, 0, 0, 0, 0, 0, 0][..], &[spent.len() as u8], &spent].concat());
    (file, hash(&payment))
}

#[test]
fn blocks_make_an_index_that_is_scanned() {
    let directory = directory();
    let (file, mut txid) = block(&directory);
    txid.reverse();
    for name in ["index.parquet", "index.csv", "index.jsonl"] {
        let index = path(&directory, name);
        let run = phalanx(["blocks", "--network", "regtest", "--silent-index", &index, &file]).expect(0);
        assert!(run.stdout.contains("1  blocks"), "{}", run.stdout);
        let run = scan(&directory, &["--json", "--out", "-", &index]).expect(0);
        assert_eq!((&run.summary()["rows"], &run.summary()["malformed"]), (&json!(1), &json!(0)), "{name}");
        // Of the taproot outputs, the second is paid first.
        let found: Vec<_> =
            run.answers().iter().map(|row| [&row["output"], &row["k"], &row["height"]].map(Value::clone)).collect();
        assert_eq!(found, [[1, 0, 0], [0, 1, 0]].map(|row| row.map(Value::from)), "{name}");
        assert!(run.answers().iter().all(|row| row["txid"] == hex(&txid)), "{}", run.stdout);
    }
    // A block with an input that is not valid has no rows.
    place(&directory, "one.undo.raw", &[&[1, 0, 0, 0, 0, 0, 0, 0][..], &[1, 0]].concat());
    let index = path(&directory, "index.jsonl");
    phalanx(["blocks", "--network", "regtest", "--silent-index", &index, &file]).expect(1);
    assert_eq!(std::fs::read(&index).unwrap(), b"");
    let arguments = ["blocks", "--silent-index", "-", "--out", "-", &file];
    assert!(phalanx(arguments).expect(2).stderr.contains("are the same file"));
    let named = place(&directory, "one.jsonl", &std::fs::read(&file).unwrap());
    place(&directory, "one.jsonl.undo.raw", &[0; 9]);
    assert!(phalanx(["blocks", "--silent-index", &named, &named]).expect(2).stderr.contains("would replace an input"));
}

#[test]
fn a_real_block_has_an_index() {
    let Some(file) = shared("bitcoin-block-866342.raw.zst", "an index of a block of 2024") else { return };
    let directory = directory();
    let index = path(&directory, "index.parquet");
    phalanx(["blocks", "--silent-index", &index, &file]).expect(0);
    let rows = read_parquet(&index);
    assert!(rows.num_rows() > 100, "{} rows", rows.num_rows());
    let summary = scan(&directory, &["--json", &index]).expect(0).summary();
    let counts = ["rows", "matches", "malformed"].map(|name| summary[name].as_u64().unwrap());
    assert_eq!(counts, [rows.num_rows() as u64, 0, 0]);
}
