//! Standard input, output and error that are closed, full, or pipes with nobody at the other end: only the documented
//! exit statuses, and nothing left behind.
#![cfg(unix)]

use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::files::csv;
use crate::rows::{GENERATOR, ONE, Signed, row, rows};
use crate::running::{by_shell, command, directory, names, path, place};

const FULL: &str = "/dev/full";

/// A stream as the command finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Open,
    Closed,
    /// A device without room; read from, it gives zeros without end.
    Full,
    /// A pipe that nobody reads from, or that nobody writes to.
    Alone,
}

use Stream::{Alone, Closed, Full, Open};

/// Standard output and standard error, together with standard input where the command reads it.
fn outgoing() -> impl Iterator<Item = (Stream, Stream)> {
    let odd = [Closed, Full, Alone].into_iter();
    odd.flat_map(|stream| [(stream, Open), (Open, stream), (stream, stream)]).chain([(Open, Open)])
}

/// What standard output means to a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// It is not used.
    Unused,
    /// It carries the result.
    Result,
    /// It explains: the result is elsewhere, or there is none.
    Explanation,
}

use Output::{Explanation, Result, Unused};

fn run(arguments: &[&str], stdin: Stdio, closed: &str, output: Stream, error: Stream) -> Option<i32> {
    let outgoing = |stream| match stream {
        Open | Closed => Stdio::null(),
        Full => File::options().write(true).open(FULL).unwrap().into(),
        Alone => std::io::pipe().unwrap().1.into(),
    };
    let close = |stream, what| if stream == Closed { what } else { "" };
    let mut shell = by_shell(&format!("exec \"$@\" {closed} {} {}", close(output, ">&-"), close(error, "2>&-")));
    shell.args(arguments).stdin(stdin).stdout(outgoing(output)).stderr(outgoing(error)).status().unwrap().code()
}

/// Runs with every state of standard output and standard error, and expects the status of a run in which both are open,
/// except that results that cannot be written are status 2.
fn every_ending(arguments: &[&str], output: Output, status: i32, check: impl Fn(i32)) {
    for (out, error) in outgoing() {
        let closed = if (out, error) == (Closed, Closed) { "<&-" } else { "" };
        let lost = match out {
            Open | Closed => false,
            Full => output != Unused,
            Alone => output == Result,
        };
        let expected = if lost { 2 } else { status };
        let found = run(arguments, Stdio::null(), closed, out, error);
        assert_eq!(found, Some(expected), "{arguments:?} with standard output {out:?} and standard error {error:?}");
        check(expected);
    }
}

struct Files {
    directory: TempDir,
    valid: String,
    malformed: String,
    recoverable: String,
    terms: String,
    no_terms: String,
    key: String,
    names: Vec<String>,
}

impl Files {
    /// None, which is said, where there is no full device to write to.
    fn new() -> Option<Files> {
        if !Path::new(FULL).exists() {
            crate::running::skipped("there is no /dev/full here; no run with unusable streams was tried");
            return None;
        }
        let directory = directory();
        // Row 5 has a 65th byte, so that recovery does not stop for want of `v`.
        let malformed: Vec<Signed> = (5..25).map(|number| Signed { digest: vec![1; 31], ..row(number) }).collect();
        let file = |name: &str, text: &str| place(&directory, name, text.as_bytes());
        let mut files = Files {
            valid: file("valid.csv", &csv(&rows(8))),
            malformed: file("malformed.csv", &csv(&malformed)),
            recoverable: file("recoverable.csv", &csv(&[row(5)])),
            terms: file("terms.csv", &format!("scalar,point\n{ONE},{GENERATOR}\n")),
            no_terms: file("no-terms.csv", "scalar,point\n1,2\n"),
            key: file("key", ONE),
            names: Vec::new(),
            directory,
        };
        files.names = names(files.directory.path());
        Some(files)
    }

    /// Asserts that no file has come or gone.
    fn are_all(&self, arguments: &[&str]) {
        assert_eq!(names(self.directory.path()), self.names, "{arguments:?}");
    }
}

#[test]
fn output_and_error_that_cannot_be_written() {
    let Some(files) = Files::new() else { return };
    let digest = "05".repeat(32);
    let Files { valid, malformed, recoverable, terms, no_terms, key, .. } = &files;
    for (arguments, output, status) in [
        (&["verify", valid][..], Explanation, 0),
        (&["verify", "--json", malformed], Explanation, 3),
        (&["verify", "--quiet", valid], Explanation, 0),
        (&["verify", valid, "--out", "-"], Result, 0),
        (&["verify", "--json", malformed, "--out", "-"], Result, 3),
        (&["verify", malformed, "--out", "-", "--out-format", "parquet"], Result, 3),
        (&["verify", malformed, "--out", FULL, "--out-format", "csv"], Unused, 2),
        (&["verify", "/no/such/file"], Unused, 2),
        (&["verify", valid, "--backend", "abacus"], Unused, 2),
        (&["recover", recoverable], Explanation, 0),
        (&["recover", "--json", malformed, "--out", "-"], Result, 3),
        (&["msm", terms], Result, 0),
        (&["msm", "--json", terms], Result, 0),
        (&["msm", no_terms], Unused, 3),
        (&["keygen"], Result, 0),
        (&["pubkey", "--secret-file", key], Result, 0),
        (&["sign", "--secret-file", key, "--digest", &digest], Result, 0),
        (&["ecdh", "--secret-file", key, "--public-key", GENERATOR], Result, 0),
        (&["info"], Explanation, 0),
        (&["info", "--json"], Explanation, 0),
        (&["help"], Explanation, 0),
        (&["help", "verify"], Explanation, 0),
        (&["sign", "-h"], Explanation, 0),
        (&["--version"], Explanation, 0),
        (&[], Unused, 2),
        (&["frobnicate"], Unused, 2),
        (&["verify", valid, "--threads", "0"], Unused, 2),
    ] {
        every_ending(arguments, output, status, |_| files.are_all(arguments));
    }
}

#[test]
fn a_file_appears_if_its_run_has_a_result() {
    let Some(files) = Files::new() else { return };
    let out = path(&files.directory, "out.csv");
    every_ending(&["verify", &files.malformed, "--out", &out], Explanation, 3, |status| {
        let written = std::fs::read_to_string(&out).ok();
        assert_eq!(written.map(|text| text.lines().count()), (status == 3).then_some(21));
        let _ = std::fs::remove_file(&out);
        files.are_all(&[]);
    });
    // A key that is written is kept, even if nobody is told its public key.
    let key = path(&files.directory, "new-key");
    every_ending(&["keygen", "--secret-file", &key], Result, 0, |_| {
        assert_eq!(std::fs::read_to_string(&key).unwrap().len(), 65);
        std::fs::remove_file(&key).unwrap();
        files.are_all(&[]);
    });
}

#[test]
fn input_that_cannot_be_read() {
    let Some(files) = Files::new() else { return };
    let digest = "05".repeat(32);
    let error = command().args(["verify", "-"]).stdin(Stdio::null()).output().unwrap().stderr;
    let error = String::from_utf8(error).unwrap();
    assert!(error.starts_with("phalanx: standard input: is closed"), "{error}");
    // No rows are no invalid rows; zeros are no rows. What is closed holds nothing, not even no rows.
    for (arguments, empty, zeros) in [
        (&["verify", "-"][..], 0, 2),
        (&["verify", "-", "--format", "csv"], 2, 2),
        (&["verify", "-", "--json", "--out", "-"], 0, 2),
        (&["recover", "-"], 0, 2),
        (&["msm", "-"], 0, 2),
        (&["pubkey"], 2, 2),
        (&["sign", "--digest", &digest], 2, 2),
        (&["ecdh", "--public-key", GENERATOR], 2, 2),
    ] {
        let run = |stdin: Stdio, closed| run(arguments, stdin, closed, Open, Open);
        assert_eq!(run(Stdio::null(), "<&-"), Some(2), "{arguments:?} on nothing");
        assert_eq!(run(Stdio::null(), ""), Some(2), "{arguments:?} on the null device");
        let (pipe, writer) = std::io::pipe().unwrap();
        drop(writer);
        assert_eq!(run(pipe.into(), ""), Some(empty), "{arguments:?} on an empty pipe");
        assert_eq!(run(File::open(FULL).unwrap().into(), ""), Some(zeros), "{arguments:?} on zeros");
        let unreadable = File::options().write(true).open("/dev/null").unwrap();
        assert_eq!(run(unreadable.into(), ""), Some(2), "{arguments:?} on what cannot be read");
        let folder = File::open(files.directory.path()).unwrap();
        assert_eq!(run(folder.into(), ""), Some(2), "{arguments:?} on a directory");
        files.are_all(arguments);
    }
}
