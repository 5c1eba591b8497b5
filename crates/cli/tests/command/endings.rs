//! Runs that do not reach their end leave nothing half-written: kills, full disks, closed pipes.
#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::files::{csv, json_lines, parquet, table, valid_rows};
use crate::rows::rows;
use crate::running::{Run, by_shell, command, directory, names, path, phalanx, piped, place};

#[test]
fn killed_runs_show_no_partial_output_and_repeat_to_the_byte() {
    let directory = directory();
    let file = place(&directory, "rows.parquet", &parquet(&table(&rows(1500)), 100));
    for ending in ["csv", "parquet"] {
        let reference = path(&directory, &format!("reference.{ending}"));
        phalanx(["verify", &file, "--out", &reference]).expect(0);
        let reference = std::fs::read(&reference).unwrap();
        let out = path(&directory, &format!("out.{ending}"));
        for attempt in 0..20 {
            let mut child = command()
                .args(["verify", &file, "--threads", "2", "--block-rows", "16", "--out", &out])
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(attempt * 4));
            child.kill().unwrap();
            child.wait().unwrap();
            if let Ok(bytes) = std::fs::read(&out) {
                assert!(bytes == reference, "a partial output is visible");
                std::fs::remove_file(&out).unwrap();
            }
        }
        phalanx(["verify", &file, "--out", &out]).expect(0);
        assert!(std::fs::read(&out).unwrap() == reference);
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        phalanx_tiers::skipped("there is no /dev/full here", "4 runs that end with status 2");
        return;
    }
    let (directory, file) = valid_rows(64);
    for format in ["csv", "jsonl", "parquet"] {
        let run = phalanx(["verify", &file, "--out", "/dev/full", "--out-format", format]).expect(2);
        assert!(run.stderr.contains("/dev/full: ") && run.stdout.is_empty(), "{}", run.stderr);
    }
    let out = path(&directory, "out.csv");
    let full = File::options().write(true).open(full).unwrap();
    let run = Run::of(command().args(["verify", &file, "--out", &out]).stdout(full).output().unwrap()).expect(2);
    assert!(run.stderr.contains("standard output: "), "{}", run.stderr);
    assert_eq!(names(directory.path()), ["rows.csv"]);
}

#[test]
fn a_file_that_cannot_grow_is_an_error_and_leaves_nothing() {
    let directory = directory();
    let file = place(&directory, "rows.jsonl", json_lines(&rows(1000)).as_bytes());
    for ending in ["csv", "jsonl", "parquet"] {
        let out = path(&directory, &format!("out.{ending}"));
        // One or two blocks of 512 or 1,024 bytes, and no signal where they are exceeded.
        let mut shell = by_shell("trap '' XFSZ; ulimit -f 2; exec \"$@\"");
        let run = Run::of(shell.args(["verify", &file, "--out", &out]).output().unwrap()).expect(2);
        assert!(run.stderr.contains(&out) && run.stdout.is_empty(), "{}", run.stderr);
        assert_eq!(names(directory.path()), ["rows.jsonl"]);
    }
}

#[test]
fn a_failed_output_does_not_wait_for_more_input() {
    if !std::path::Path::new("/dev/full").exists() {
        phalanx_tiers::skipped("there is no /dev/full here", "1 run that ends with status 2");
        return;
    }
    let arguments = ["verify", "-", "--block-rows", "8", "--out", "/dev/full", "--out-format", "csv"];
    let mut child = piped(command().args(arguments));
    let mut stdin = child.stdin.take().unwrap();
    // More than the output's buffer of a mebibyte holds; the input stays open.
    let rows = csv(&rows(64));
    let (header, lines) = rows.split_once('\n').unwrap();
    let malformed: String = lines.lines().map(|line| line.replacen("row-", &"x".repeat(4000), 1) + "\n").collect();
    // The command may end before it has taken everything.
    let _ = stdin.write_all(format!("{header}\n{}", malformed.repeat(8)).as_bytes());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(stderr.contains("/dev/full: "), "{stderr}");
    drop(stdin);
}

#[test]
fn a_reader_that_leaves_is_no_reason_to_complain() {
    let directory = directory();
    let file = place(&directory, "rows.jsonl", json_lines(&rows(3000)).as_bytes());
    for format in ["csv", "jsonl", "parquet"] {
        let arguments = ["verify", &file, "--out", "-", "--out-format", format, "--block-rows", "64"];
        let mut child = piped(command().args(arguments));
        let mut stdout = BufReader::with_capacity(16, child.stdout.take().unwrap());
        stdout.read_until(b'\n', &mut Vec::new()).unwrap();
        drop(stdout);
        let run = Run::of(child.wait_with_output().unwrap());
        // Parquet may fit into the pipe's buffer whole.
        if format != "parquet" || run.status != 0 {
            assert_eq!(run.expect(2).stderr, "");
        }
    }
    let out = path(&directory, "out.csv");
    let mut child = piped(command().args(["verify", &file, "--out", &out]));
    drop(child.stdout.take());
    let run = Run::of(child.wait_with_output().unwrap()).expect(0);
    assert_eq!(run.stderr, "");
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 3001);
}

#[test]
fn pipes_and_process_substitution_are_read_once() {
    let directory = directory();
    let csv = place(&directory, "rows.csv", csv(&rows(100)).as_bytes());
    let table = place(&directory, "rows.parquet", &parquet(&table(&rows(100)), 30));
    let pipe = path(&directory, "pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in [csv, table] {
        let child = piped(command().args(["verify", "--json", &pipe]));
        let bytes = std::fs::read(&file).unwrap();
        File::options().write(true).open(&pipe).unwrap().write_all(&bytes).unwrap();
        Run::of(child.wait_with_output().unwrap()).expect(0).counts([100, 100, 0, 0]);
    }
}
