//! Interrupts and requests to terminate, and those that whoever started the command has turned off.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command};
use std::time::Duration;

use tempfile::TempDir;

use crate::files::csv;
use crate::rows::rows;
use crate::running::{Run, by_shell, command, directory, names, path, piped, skipped};

const ENDINGS: [&str; 3] = ["csv", "jsonl", "parquet"];

/// Sends a run a signal.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Whether a signal reaches what this process starts. Where the tests themselves were started with it ignored, as a
/// script starts what it puts into the background, it does not; that is said.
pub(crate) fn is_delivered(name: &str) -> bool {
    let numbers = [("HUP", 1), ("INT", 2), ("QUIT", 3), ("USR1", 10), ("TERM", 15)];
    let (_, number) = numbers.into_iter().find(|(other, _)| *other == name).expect("a signal with a number");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u128::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let is_delivered = mask >> (number - 1) & 1 == 0;
    if !is_delivered {
        skipped(&format!("the tests were started with SIG{name} ignored: runs that it interrupts"));
    }
    is_delivered
}

/// Waits until a run has begun its output: a file without a name, which only the process's own list of files shows, or
/// one with a temporary name.
fn wait_for_output(child: &mut Child, directory: &Path) {
    let named = || names(directory).iter().any(|name| name.starts_with(".phalanx-"));
    let unnamed = |child: &Child| {
        let files = std::fs::read_dir(format!("/proc/{}/fd", child.id()));
        let mut paths = files.into_iter().flatten().flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
        paths.any(|path| path.starts_with(directory))
    };
    while !named() && !unnamed(child) {
        assert!(child.try_wait().unwrap().is_none(), "the run has ended without an output");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A run that has begun an output and waits for more input. Before it, a shell carries out some words.
fn waiting(directory: &TempDir, words: &str, ending: &str) -> (Child, ChildStdin) {
    let out = path(directory, &format!("out.{ending}"));
    let mut shell = by_shell(&format!("{words} \"$@\""));
    let mut child = piped(shell.args(["verify", "-", "--block-rows", "8", "--out", &out]));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(csv(&rows(64)).as_bytes()).unwrap();
    stdin.flush().unwrap();
    wait_for_output(&mut child, &directory.path().canonicalize().unwrap());
    (child, stdin)
}

#[test]
fn interrupted_runs_leave_nothing() {
    for name in ["INT", "TERM", "HUP"].into_iter().filter(|name| is_delivered(name)) {
        for ending in ENDINGS {
            let directory = directory();
            let out = path(&directory, &format!("out.{ending}"));
            std::fs::write(&out, "what was there").unwrap();
            let (child, stdin) = waiting(&directory, "exec", ending);
            signal(&child, name);
            let run = Run::of(child.wait_with_output().unwrap()).expect(130);
            assert_eq!(run.stdout, "");
            assert_eq!(names(directory.path()), [format!("out.{ending}")]);
            assert_eq!(std::fs::read(&out).unwrap(), b"what was there");
            drop(stdin);
        }
    }
}

#[test]
fn a_text_without_rows_can_be_interrupted() {
    if !is_delivered("INT") {
        return;
    }
    for (header, filler) in
        [("msg_hash,pubkey,sig\n", "\n"), ("{}\n", "\n"), ("msg_hash,pubkey,sig\n", "x"), ("{}\n", "x")]
    {
        let mut child = piped(command().args(["verify", "-"]));
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(header.as_bytes()).unwrap();
        let part = filler.repeat(1 << 20);
        // What it has read of a text that never ends: more than a block, and more than a row may have.
        (0..40).for_each(|_| stdin.write_all(part.as_bytes()).unwrap());
        signal(&child, "INT");
        let endless = std::thread::spawn(move || while stdin.write_all(part.as_bytes()).is_ok() {});
        assert_eq!(Run::of(child.wait_with_output().unwrap()).expect(130).stdout, "");
        endless.join().unwrap();
    }
}

#[test]
fn killed_runs_leave_nothing_where_files_need_no_name() {
    for ending in ENDINGS {
        let directory = directory();
        let (mut child, stdin) = waiting(&directory, "exec", ending);
        let named = !names(directory.path()).is_empty();
        child.kill().unwrap();
        child.wait().unwrap();
        if named {
            skipped("temporary files have names here: killed runs leave them, as documented");
            return;
        }
        assert!(names(directory.path()).is_empty());
        drop(stdin);
    }
}

#[test]
fn ignored_signals_stay_ignored() {
    for (words, names, others) in [
        ("trap '' INT; exec", &["INT"][..], "TERM"),
        ("trap '' INT TERM HUP; exec", &["INT", "TERM", "HUP"], "KILL"),
        ("exec nohup", &["HUP"], "TERM"),
    ] {
        let directory = directory();
        let (mut child, stdin) = waiting(&directory, words, "csv");
        for name in names {
            signal(&child, name);
        }
        // A signal that is not ignored would end the run in this time.
        std::thread::sleep(Duration::from_millis(200));
        assert!(child.try_wait().unwrap().is_none(), "{words}: a signal has ended the run");
        drop(stdin);
        Run::of(child.wait_with_output().unwrap()).expect(0);
        let written = std::fs::read_to_string(path(&directory, "out.csv")).unwrap();
        assert_eq!(written.lines().count(), 65);

        // The other signals are as they were.
        std::fs::remove_file(path(&directory, "out.csv")).unwrap();
        let (child, stdin) = waiting(&directory, words, "csv");
        if others != "KILL" {
            signal(&child, others);
            Run::of(child.wait_with_output().unwrap()).expect(130);
            assert!(crate::running::names(directory.path()).is_empty());
        } else {
            drop(stdin);
            Run::of(child.wait_with_output().unwrap()).expect(0);
        }
    }
}
