//! `phalanx blocks`: folders and files of blocks.

use std::fs;
use std::path::Path;

use phalanx_testkit::regtest::{self, MadeBlock};
use serde_json::Value;
use tempfile::TempDir;

use crate::running::{Run, command, directory, json_lines, names, path, phalanx, piped, place};

/// A node's folder of a made-up chain, as an argument.
pub(crate) fn node(directory: &TempDir, chain: &[MadeBlock], undo: &[&MadeBlock]) -> String {
    let blocks = directory.path().join("blocks");
    fs::create_dir_all(&blocks).unwrap();
    let key = [1, 2, 3, 4, 5, 6, 7, 0xf8];
    fs::write(blocks.join("xor.dat"), key).unwrap();
    let records = |records: Vec<Vec<u8>>, name: &str| regtest::write(&blocks.join(name), &records, key);
    records(chain.iter().map(MadeBlock::record).collect(), "blk00000.dat");
    records(undo.iter().map(|block| block.undo_record()).collect(), "rev00000.dat");
    directory.path().to_str().unwrap().to_owned()
}

pub(crate) fn whole(directory: &TempDir, length: usize) -> String {
    let chain = regtest::chain(length);
    node(directory, &chain, &chain.iter().skip(1).collect::<Vec<_>>())
}

pub(crate) fn summary(run: &Run) -> Value {
    serde_json::from_str(run.stdout.lines().last().expect("a line")).unwrap()
}

/// Blocks, inputs, valid and invalid ones, and faults.
pub(crate) fn counts(run: &Run) -> [u64; 5] {
    let summary = summary(run);
    ["blocks", "inputs", "valid", "invalid", "fault_count"].map(|name| summary[name].as_u64().unwrap())
}

/// The files of a folder with their contents.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    names(folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

#[test]
fn a_folder_is_verified_and_stays_as_it_is() {
    let directory = directory();
    let folder = whole(&directory, 60);
    let before = contents(&directory.path().join("blocks"));
    let run = phalanx(["blocks", "--json", &folder]).expect(0);
    assert_eq!((counts(&run), &run.stderr[..]), ([60, 59, 59, 0, 0], ""));
    assert_eq!((&summary(&run)["ecdsa"], &summary(&run)["executed_again"]), (&59.into(), &0.into()));
    let text = phalanx(["blocks", "-j", "2", &folder]).expect(0).stdout;
    assert!(text.contains("60  blocks\n59  inputs\n59  valid\n 0  invalid\n59  ECDSA signatures checked\n"), "{text}");
    assert_eq!(contents(&directory.path().join("blocks")), before);
    assert_eq!(names(directory.path()), ["blocks"]);

    for (heights, blocks) in [("10..19", 10), ("..9", 10), ("50..", 10), ("0..0", 1)] {
        let run = phalanx(["blocks", "--json", "--heights", heights, &folder]).expect(0);
        assert_eq!(counts(&run)[0], blocks, "{heights}");
    }
    // A named height that is not there.
    let run = phalanx(["blocks", "--json", "--heights", "58..99", &folder]).expect(3);
    assert_eq!(counts(&run), [2, 2, 2, 0, 1]);
    assert!(run.stderr.ends_with("of the heights asked for, only 58 to 59 are there\n"), "{}", run.stderr);
    let verified = &summary(&run)["verified"][0];
    let last = phalanx_bitcoin::reversed_hex(&regtest::chain(60)[59].hash());
    assert_eq!((&verified["network"], &verified["last_block"]), (&"regtest".into(), &last[..].into()));
    assert_eq!((&verified["first_height"], &verified["last_height"]), (&58.into(), &59.into()));
    assert!(text.contains(&format!(": regtest, heights 0 to 59, the last block is {last}\n")), "{text}");
    // None of those that are named is there.
    for heights in ["60..", "70..80"] {
        let run = phalanx(["blocks", "--json", "--heights", heights, &folder]).expect(3);
        assert_eq!(counts(&run), [0, 0, 0, 0, 1]);
        assert!(
            run.stderr.ends_with("none of the heights of --heights is there: the folder has 0 to 59\n"),
            "{}",
            run.stderr
        );
    }
    for wrong in ["5", "9..5", "a..b", "-1..5"] {
        phalanx(["blocks", &format!("--heights={wrong}"), &folder]).expect(2);
    }
    let run = phalanx(["blocks", "--network", "main", &folder]).expect(2);
    assert!(run.stderr.contains("at byte 0 there is a record of the network regtest"), "{}", run.stderr);
    phalanx(["blocks", "--network", "moon", &folder]).expect(2);
}

#[test]
fn rows_are_those_that_verify_reads() {
    let directory = directory();
    let folder = whole(&directory, 40);
    let out = |ending: &str| path(&directory, &format!("checks.{ending}"));
    let threads = |count: &str, ending: &str| {
        phalanx(["blocks", "-q", "-j", count, "--out", &out(ending), &folder]).expect(0);
        fs::read(out(ending)).unwrap()
    };
    for ending in ["parquet", "csv", "jsonl"] {
        assert_eq!(threads("1", ending), threads("3", ending), "{ending}");
        phalanx(["verify", "--json", "--low-s", "require", &out(ending)]).expect(0).counts([39, 39, 0, 0]);
    }
    let rows = json_lines(&out("jsonl"));
    let chain = regtest::chain(40);
    for (row, block) in rows.iter().zip(&chain[1..]) {
        let mut hash = block.hash();
        hash.reverse();
        assert_eq!((&row["height"], &row["input"]), (&block.height.into(), &0.into()));
        assert_eq!(row["block"], const_hex::encode(hash));
        assert_eq!((&row["scheme"], &row["valid"]), (&"ecdsa".into(), &true.into()));
    }
    // On standard output, with the summary on standard error.
    let run = phalanx(["blocks", "--json", "--out", "-", &folder]).expect(0);
    assert_eq!(run.answers(), rows);
    assert!(run.stderr.starts_with('{'));
}

#[test]
fn what_is_wrong_is_named_and_the_rest_is_verified() {
    let directory = directory();
    let chain = regtest::chain(30);
    // What the first block spends is in none.
    let folder = node(&directory, &chain[7..], &chain[8..].iter().collect::<Vec<_>>());
    let out = path(&directory, "checks.csv");
    let run = phalanx(["blocks", "--json", "--out", &out, &folder]).expect(3);
    assert_eq!(counts(&run), [22, 22, 22, 0, 1]);
    assert!(run.stderr.contains(": block 7 ("), "{}", run.stderr);
    assert!(run.stderr.ends_with("there is no undo data for it, and not all outputs that it spends are here\n"));
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 23);

    // Without a whole file of records, blocks that spend what others have need none.
    let run = phalanx(["blocks", "--json", &node(&directory, &chain, &[])]).expect(0);
    assert_eq!(counts(&run), [30, 29, 29, 0, 0]);
    // All blocks that need one get one line: none of these has the outputs that the next one spends.
    let mut damaged = chain.clone();
    damaged.iter_mut().for_each(|block| block.bytes[150] ^= 1);
    let folder = node(&directory, &damaged, &[]);
    let run = phalanx(["blocks", "--json", "--heights", "1..29", &folder]).expect(3);
    assert_eq!(counts(&run), [0, 0, 0, 0, 1]);
    let said = ": blocks 1 to 29: there is no undo data for them, and not all outputs that they spend are here\n";
    assert!(run.stderr.ends_with(said), "{}", run.stderr);

    // The script that a block spends is another: its input is not valid, and the block is named.
    let mut chain = chain;
    let place = chain[11].undo.len() - 5;
    chain[11].undo[place] ^= 1;
    let folder = node(&directory, &chain, &chain[1..].iter().collect::<Vec<_>>());
    let run = phalanx(["blocks", "--json", &folder]).expect(1);
    assert_eq!(counts(&run), [30, 29, 28, 1, 0]);
    assert_eq!(summary(&run)["executed_again"], 1);
    assert!(run.stderr.contains("block 11, transaction ") && run.stderr.contains(", input 0: "), "{}", run.stderr);
    assert_eq!(phalanx(["blocks", "-q", &folder]).expect(1).stderr, "");
    // The second run of a script computes on the backend that was asked for, too.
    let asked = ["blocks", "--backend", "portable", "--json", &folder];
    let run = Run::of(command().args(asked).env("PHALANX_BACKEND", "none").output().unwrap()).expect(1);
    assert_eq!((counts(&run), &summary(&run)["backend"]), ([30, 29, 28, 1, 0], &"portable".into()));

    // A bit of a transaction: the header commits to another.
    let place = chain[20].bytes.len() - 20;
    chain[20].bytes[place] ^= 1;
    let folder = node(&directory, &chain, &chain[1..].iter().collect::<Vec<_>>());
    let run = phalanx(["blocks", "--json", &folder]).expect(3);
    assert_eq!((counts(&run), &summary(&run)["blocks_not_valid"]), ([29, 28, 27, 1, 1], &0.into()));
    let said = "block 20: the header does not commit to these transactions: they are damaged or mutated";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    // A path that is none keeps the others from nothing but the status.
    let run = phalanx(["blocks", "--json", &path(&directory, "nothing"), &folder]).expect(2);
    assert_eq!(counts(&run), [29, 28, 27, 1, 1]);
    assert_eq!(summary(&run)["failed"].as_array().unwrap().len(), 1);
}

#[test]
fn the_output_takes_no_place_of_an_input() {
    let directory = directory();
    let folder = whole(&directory, 3);
    let block = regtest::next(regtest::chain(3).last(), 0);
    let file = place(&directory, "one.raw", &block.bytes);
    let spent = place(&directory, "one.undo.raw", &[&[1, 0, 0, 0, 0, 0, 0, 0][..], &[1, 0x51]].concat());
    let inside = ["blk00000.dat", "rev00000.dat", "new.csv"].map(|name| format!("{folder}/blocks/{name}"));
    let before = (contents(&directory.path().join("blocks")), fs::read(&file).unwrap(), fs::read(&spent).unwrap());
    for out in inside.iter().chain([&file, &spent]) {
        let run = phalanx(["blocks", "--network", "regtest", "--out-format", "csv", "--out", out, &folder, &file]);
        assert!(run.expect(2).stderr.contains("the output would replace an input"), "{out}");
    }
    let after = (contents(&directory.path().join("blocks")), fs::read(&file).unwrap(), fs::read(&spent).unwrap());
    assert!(before == after);
}

#[cfg(unix)]
#[test]
fn the_output_is_no_second_name_of_an_input() {
    let directory = directory();
    let folder = whole(&directory, 3);
    let block = regtest::next(regtest::chain(3).last(), 0);
    let file = place(&directory, "one.raw", &block.bytes);
    let spent = place(&directory, "one.undo.raw", &[&[1, 0, 0, 0, 0, 0, 0, 0][..], &[1, 0x51]].concat());
    let [first, undo] = ["blk00000.dat", "rev00000.dat"].map(|name| format!("{folder}/blocks/{name}"));
    let out = path(&directory, "second.csv");
    let run = || phalanx(["blocks", "--network", "regtest", "--out", &out, &folder, &file]);
    for input in [&file, &spent, &first, &undo] {
        let before = fs::read(input).unwrap();
        fs::hard_link(input, &out).unwrap();
        assert!(run().expect(2).stderr.contains("the output would replace an input"), "{input}");
        assert!(fs::read(input).unwrap() == before && fs::read(&out).unwrap() == before, "{input}");
        fs::remove_file(&out).unwrap();
    }
    // A link to a file among the blocks that is yet to come.
    std::os::unix::fs::symlink(format!("{folder}/blocks/new.csv"), &out).unwrap();
    assert!(run().expect(2).stderr.contains("or lie among the blocks of a node"));
    fs::remove_file(&out).unwrap();
    // Another file is replaced.
    fs::write(&out, "old").unwrap();
    run().expect(0);
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 3);
}

#[cfg(unix)]
#[test]
fn what_keeps_many_blocks_from_being_read_is_said_once() {
    let directory = directory();
    let folder = whole(&directory, 30);
    let undo = format!("{folder}/blocks/rev00000.dat");
    let kept = fs::read(&undo).unwrap();
    fs::remove_file(&undo).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&undo).status().unwrap().success());
    let run = phalanx(["blocks", "--json", &folder]).expect(3);
    assert_eq!(counts(&run), [0, 0, 0, 0, 1]);
    let said = format!("phalanx: {folder}: blocks 0 to 29: {undo}: not a regular file\n");
    assert_eq!(run.stderr, said);
    let run = phalanx(["blocks", "--json", "--heights", "7..7", &folder]).expect(3);
    assert_eq!(run.stderr, said.replace("blocks 0 to 29", "block 7"));
    fs::remove_file(&undo).unwrap();
    fs::write(&undo, kept).unwrap();
    assert_eq!(counts(&phalanx(["blocks", "--json", &folder]).expect(0)), [30, 29, 29, 0, 0]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_where_to_go_on() {
    let directory = directory();
    let folder = whole(&directory, 600);
    // Nobody reads the rows: the run cannot end.
    let run = (0..8).find_map(|doublings| {
        let child =
            piped(command().args(["blocks", "--out", "-", "--out-format", "jsonl", "--heights", "1..599", &folder]));
        std::thread::sleep(std::time::Duration::from_millis(200 << doublings));
        let status = std::process::Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status().unwrap();
        assert!(status.success());
        let run = Run::of(child.wait_with_output().unwrap());
        run.stderr.contains("interrupted after block ").then_some(run)
    });
    let said = run.expect("some blocks are verified within seconds").expect(130).stderr;
    let (_, said) = said.split_once("interrupted after block ").unwrap();
    let height: u32 = said.split(' ').next().unwrap().parse().unwrap();
    assert!(said.contains(&format!("{height} inputs of {height} blocks, 0 of them not valid;")), "{said}");
    // All may be verified, and wait to be written.
    let rest = match height {
        599 => "no block of it is left".to_owned(),
        _ => format!("go on with --heights {}..599", height + 1),
    };
    assert!(said.contains(&rest), "{said}");
    assert_eq!(names(directory.path()), ["blocks"]);
}
