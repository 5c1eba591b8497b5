//! Files that were made to take much memory, or to break the command: each ends with a documented status, and with two
//! threads none takes more than 512 MiB.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::time::Duration;

use crate::crafted::{
    Column, DELTA, DELTA_LENGTH, DICTIONARY, GZIP, PLAIN, SNAPPY, deltas, dictionary, element, file, groups, page,
    plain, shared, with_footer,
};
use crate::files::{csv, gzip, hex, zstandard};
use crate::rows::{row, rows};
use crate::running::{Run, command, directory, place};

/// What a run with two threads may take at most.
const MOST: u64 = 512 << 20;

/// Runs the command on bytes as a file, or on standard input for the name `-`; asserts how it ends and what it takes.
#[track_caller]
pub(crate) fn hold(name: &str, bytes: &[u8], arguments: &[&str], status: i32) -> Run {
    let directory = directory();
    let file = place(&directory, if name == "-" { "stdin" } else { name }, bytes);
    let mut child = command();
    child.args(&arguments[..1]).args(["--threads", "2", "-q"]).args(&arguments[1..]).current_dir(directory.path());
    if name == "-" {
        child.arg("-").stdin(File::open(&file).unwrap());
    } else {
        child.arg(&file);
    }
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(high_water(child.id()));
        std::thread::sleep(Duration::from_millis(1));
    }
    let run = Run::of(child.wait_with_output().unwrap());
    println!("{:>4} MiB, status {}: {arguments:?} {name}: {}", peak >> 20, run.status, run.stderr.trim());
    assert!(peak <= MOST, "{} MiB: {arguments:?} {name}", peak >> 20);
    run.expect(status)
}

/// The most memory that a process has taken so far.
fn high_water(process: u32) -> u64 {
    let mut text = String::new();
    let read = File::open(format!("/proc/{process}/status")).and_then(|mut file| file.read_to_string(&mut text));
    let line = read.ok().and_then(|_| text.lines().find_map(|line| line.strip_prefix("VmHWM:")));
    line.map_or(0, |line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() << 10)
}

/// Columns that `verify` needs, each of one page of the same value in so many rows, but for one that is crafted.
fn columns<'a>(rows: usize, crafted: Column<'a>) -> Vec<Column<'a>> {
    let good = row(3);
    let values = [("msg_hash", good.digest), ("pubkey", good.key), ("sig", good.signature)];
    let mut columns: Vec<Column<'a>> = Vec::new();
    for (name, value) in values.into_iter().filter(|(name, _)| *name != crafted.name) {
        columns.push(shared(name, hex(&value).as_bytes(), rows));
    }
    columns.push(crafted);
    columns
}

fn crafted(rows: usize, column: Column<'_>) -> Vec<u8> {
    file(&columns(rows, column), rows as i64)
}

#[test]
fn nested_groups() {
    for depth in [1_000, 100_000] {
        let mut schema = vec![element("root", Some(4))];
        schema.extend(["msg_hash", "pubkey", "sig"].map(|name| element(name, None)));
        schema.extend((0..depth).map(|_| element("g", Some(1))));
        schema.push(element("leaf", None));
        let bytes = with_footer(b"PAR1".to_vec(), &schema, 0, &[]);
        let run = hold("nested.parquet", &bytes, &["verify"], 2);
        assert!(run.stderr.contains("nested more than 64 deep"), "{}", run.stderr);
    }
}

#[test]
fn directories_that_claim_too_much() {
    let leaves = ["msg_hash", "pubkey", "sig"].map(|name| element(name, None));
    let root = |members| element("root", Some(members));
    let schema = |first: Vec<u8>, rest: &[Vec<u8>]| [&[first], rest].concat();
    let group = |members| element(&"long".repeat(1 << 14), Some(members));
    for schema in [
        schema(root(i32::MAX.into()), &leaves),
        schema(root(4), &[&leaves[..], &[group(i32::MAX.into())]].concat()),
        // Every leaf's path holds the name of the group above it.
        schema(root(4), &[&leaves[..], &[group(20_000)], &vec![element("leaf", None); 20_000]].concat()),
        schema(root(300_003), &[&leaves[..], &vec![element("leaf", None); 300_000]].concat()),
    ] {
        hold("claims.parquet", &with_footer(b"PAR1".to_vec(), &schema, 0, &[]), &["verify"], 2);
    }
    let mut cut = b"PAR1".to_vec();
    cut.extend(0xffff_fff0_u32.to_le_bytes());
    hold("cut.parquet", &[&cut[..], b"PAR1"].concat(), &["verify"], 2);
}

#[test]
fn one_large_value_that_every_row_refers_to() {
    let rows = 3000;
    let (text, bytes) = ("ab".repeat(1 << 19), vec![7; 1 << 20]);
    for (name, statuses) in [("msg_hash", [3, 3]), ("pubkey", [1, 3]), ("r", [0, 0]), ("v", [3, 3])] {
        for (value, status) in [text.as_bytes(), &bytes].into_iter().zip(statuses) {
            hold("shared.parquet", &crafted(rows, shared(name, value, rows)), &["verify"], status);
        }
    }
}

#[test]
fn what_would_be_read_again_for_each_row_is_refused() {
    let rows = 3000;
    let value = "ab".repeat(1 << 19);
    for name in ["sig", "message"] {
        let run = hold("shared.parquet", &crafted(rows, shared(name, value.as_bytes(), rows)), &["verify"], 2);
        assert!(run.stderr.contains(&format!("share values of column `{name}`")), "{}", run.stderr);
    }
    // Short ones are shared by any number of rows.
    let file = crafted(rows, shared("message", &value.as_bytes()[..4096], rows));
    hold("shared.parquet", &file, &["verify", "--json"], 0).counts([3000, 3000, 0, 0]);
    // A number that fills a dictionary is none.
    let zeros = "0".repeat(4 << 20);
    let file = crafted(rows, shared("v", zeros.as_bytes(), rows));
    hold("shared.parquet", &file, &["verify", "--json"], 3).counts([3000, 0, 0, 3000]);
}

#[test]
fn a_kept_value_that_every_row_refers_to() {
    let (rows, large) = (3000, vec![b'x'; 256 << 10]);
    let bytes = crafted(rows, shared("note", &large, rows));
    for format in ["parquet", "csv", "jsonl"] {
        let arguments = ["verify", "--keep", "note", "--out", "/dev/null", "--out-format", format];
        hold("kept.parquet", &bytes, &arguments, 0);
    }
}

#[test]
fn rows_that_are_too_long() {
    let value = vec![b'a'; 20 << 20];
    let column = shared("note", &value, 3);
    let run = hold("long.parquet", &crafted(3, column), &["verify", "--json", "--keep", "note", "--out", "out.csv"], 3);
    run.counts([3, 0, 0, 3]);
    // Control characters take six bytes each in JSON.
    let (good, note) = (row(3), "\u{1}".repeat(15 << 20));
    let line = format!("{},{},{},{note}\n", hex(&good.digest), hex(&good.key), hex(&good.signature));
    let text = [zstandard(b"msg_hash,pubkey,sig,note\n"), zstandard(line.as_bytes()).repeat(4)].concat();
    let arguments = ["verify", "--json", "--keep", "note", "--out", "/dev/null", "--out-format", "jsonl"];
    hold("escaped.csv.zst", &text, &arguments, 0).counts([4, 4, 0, 0]);
}

#[test]
fn pages_as_large_as_may_be() {
    let values = plain("\u{1}".repeat(12 << 20).as_bytes()).repeat(5);
    let packed = snap::raw::Encoder::new().compress_vec(&values).unwrap();
    let pages = |count| vec![page(5, PLAIN, values.len() as i64, &packed); count];
    let bytes = crafted(15, Column { name: "note", codec: SNAPPY, pages: pages(3) });
    for format in ["parquet", "jsonl"] {
        let arguments = ["verify", "--keep", "note", "--out", "/dev/null", "--out-format", format];
        hold("pages.parquet", &bytes, &arguments, 0);
    }
    // Pages near the bound, one of which ends within a batch, and text that takes six times as much in JSON.
    let values = plain("\u{1}".repeat(64 << 10).as_bytes()).repeat(1_800);
    let packed = snap::raw::Encoder::new().compress_vec(&values).unwrap();
    let large = vec![page(1_800, PLAIN, values.len() as i64, &packed); 2];
    let bytes = crafted(3_600, Column { name: "note", codec: SNAPPY, pages: large });
    let arguments = ["verify", "--keep", "note", "--out", "/dev/null", "--out-format", "jsonl"];
    hold("pages.parquet", &bytes, &arguments, 0);
    let mut columns = columns(10, Column { name: "note", codec: SNAPPY, pages: pages(2) });
    columns.extend(["more", "most"].map(|name| Column { name, codec: SNAPPY, pages: pages(2) }));
    let run =
        hold("pages.parquet", &file(&columns, 10), &["verify", "--keep", "note,more,most", "--out", "out.csv"], 2);
    assert!(run.stderr.contains("128 MiB can be held"), "{}", run.stderr);
}

#[test]
fn pages_that_are_not_what_they_claim() {
    let claim = i64::from(i32::MAX);
    let crafted = |codec, pages| crafted(100, Column { name: "sig", codec, pages });
    let zeros = vec![gzip(&vec![0; 40 << 20]); 20].concat();
    let shared_prefix = [deltas(100, 8 << 20, true), deltas(100, 8 << 20, false), vec![b'a'; 8 << 20]].concat();
    let shared_prefix = snap::raw::Encoder::new().compress_vec(&shared_prefix).unwrap();
    let size = snap::raw::decompress_len(&shared_prefix).unwrap() as i64;
    let many = |count| deltas(1, 0, true).iter().copied().take(3).chain(count).collect::<Vec<u8>>();
    let endless = many([0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0, 0]);
    for (what, bytes) in [
        ("2 GiB", crafted(SNAPPY, vec![page(100, PLAIN, claim, b"tiny")])),
        ("2 GiB in gzip", crafted(GZIP, vec![page(100, PLAIN, 1000, &zeros)])),
        (
            "a dictionary of 2^31 values",
            crafted(0, vec![dictionary(claim, 4, &[0; 4]), page(100, DICTIONARY, 2, &[1, 0])]),
        ),
        ("2^34 lengths", crafted(0, vec![page(100, DELTA_LENGTH, endless.len() as i64, &endless)])),
        ("2^34 prefixes", crafted(0, vec![page(100, DELTA, endless.len() as i64, &endless)])),
        ("2^31 lengths", crafted(0, vec![page(claim, DELTA_LENGTH, endless.len() as i64, &endless)])),
        ("values that share 8 MiB", crafted(SNAPPY, vec![page(100, DELTA, size, &shared_prefix)])),
    ] {
        println!("{what}");
        hold("claims.parquet", &bytes, &["verify"], 2);
    }
}

/// An `id` for each of so many rows, beside rows that are valid.
fn with_ids(ids: usize, rows: usize) -> Vec<Column<'static>> {
    let values = (0..ids).flat_map(|number| plain(format!("{number:04}").as_bytes())).collect::<Vec<u8>>();
    columns(rows, Column { name: "id", codec: 0, pages: vec![page(ids as i64, PLAIN, values.len() as i64, &values)] })
}

#[test]
fn row_groups_whose_columns_do_not_fit_together() {
    let good = groups(&[&with_ids(2, 2), &with_ids(2, 2)], 2, false);
    hold("groups.parquet", &good, &["verify"], 0);
    // Values that one row group lacks would be taken from the next, and stand beside the signatures of other rows.
    let moved = groups(&[&with_ids(1, 2), &with_ids(3, 2)], 2, false);
    hold("groups.parquet", &moved, &["verify"], 2);
}

#[test]
fn files_that_would_be_read_without_end() {
    let shared = with_ids(2, 2);
    hold("shared.parquet", &groups(&[&shared, &shared], 2, true), &["verify"], 2);
    let zeros = Column { name: "id", codec: 0, pages: vec![vec![0; 64 << 10]] };
    hold("zeros.parquet", &file(&columns(2, zeros), 2), &["verify"], 2);
}

#[test]
fn text_without_ends() {
    let good = csv(&rows(5));
    let (header, first) = good.split_at(good.find('\n').unwrap() + 1);
    let commas = ",".repeat(15 << 20);
    hold("header.csv", format!("msg_hash,pubkey,sig{commas}\n").as_bytes(), &["verify"], 2);
    hold("header.csv", format!("\"msg_hash\",pubkey,sig{commas}\n").as_bytes(), &["verify"], 2);
    let long = "a".repeat(40 << 20);
    let run = hold("long.csv", format!("{good}{long}\n{first}").as_bytes(), &["verify", "--json"], 3);
    run.counts([11, 10, 0, 1]);
    hold("long.csv", format!("{good}\"{long}\"\n{first}").as_bytes(), &["verify"], 2);
    hold("long.csv", format!("{header}{commas}\n{first}").as_bytes(), &["verify", "--json"], 3).counts([6, 5, 0, 1]);
    let quoted = format!("{header}\"\",{commas}\n{first}");
    hold("long.csv", quoted.as_bytes(), &["verify", "--json"], 3).counts([6, 5, 0, 1]);
    // The decompressor keeps as much as the frame asks for.
    let mut wide = zstd::Encoder::new(Vec::new(), 1).unwrap();
    wide.set_parameter(zstd::zstd_safe::CParameter::WindowLog(27)).unwrap();
    wide.write_all(&vec![b'a'; 160 << 20]).unwrap();
    hold("wide.csv.zst", &[zstandard(good.as_bytes()), wide.finish().unwrap()].concat(), &["verify"], 3);
    let bomb = zstandard(&vec![b'a'; 20 << 20]).repeat(35);
    hold("bomb.csv.zst", &[zstandard(good.as_bytes()), bomb.clone()].concat(), &["verify", "--json"], 3)
        .counts([6, 5, 0, 1]);
    hold("bomb.jsonl.zst", &bomb, &["verify", "--json"], 3).counts([1, 0, 0, 1]);
}

#[test]
fn bytes_that_are_hardly_text() {
    let (good, wrong) = (csv(&rows(5)), vec![0xff; 15 << 20]);
    let lines = crate::files::json_lines(&rows(5));
    for (name, text) in
        [("bytes.csv", &good), ("quoted.csv", &good.replace("row-0", "\"row-0\"")), ("bytes.jsonl", &lines)]
    {
        let (before, behind) = text.split_at(text.find("row-2").unwrap());
        let bytes = [before.as_bytes(), &wrong, behind.as_bytes()].concat();
        for format in ["parquet", "csv", "jsonl"] {
            let arguments = ["verify", "--json", "--out", "/dev/null", "--out-format", format];
            hold(name, &bytes, &arguments, 3).counts([5, 4, 0, 1]);
        }
    }
}

#[test]
fn parquet_that_unfolds_is_not_copied() {
    let bomb = [&b"PAR1"[..], &vec![0; 64 << 20]].concat();
    for bytes in [zstandard(&bomb), gzip(&bomb)] {
        for name in ["-", "no-ending"] {
            let run = hold(name, &bytes, &["verify"], 2);
            assert!(run.stderr.contains("decompress it first"), "{}", run.stderr);
        }
    }
}
