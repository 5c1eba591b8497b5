//! Starts the command and collects what comes back.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(output: Output) -> Run {
        Run {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The summary of a run with `--json`, on standard error where rows are on standard output.
    pub(crate) fn summary(&self) -> Value {
        let mut lines = self.stdout.lines().chain(self.stderr.lines());
        let summary = lines.find(|line| line.starts_with("{\"rows\""));
        serde_json::from_str(summary.unwrap_or_else(|| panic!("no summary: {}{}", self.stdout, self.stderr))).unwrap()
    }

    /// The answers of a run with `--out -`.
    pub(crate) fn answers(&self) -> Vec<Value> {
        parsed(&self.stdout)
    }

    /// What stands on the one line of standard output.
    pub(crate) fn line(&self) -> &str {
        self.stdout.strip_suffix('\n').unwrap()
    }

    /// Asserts the exit status, showing what the command said if it is another.
    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> Run {
        assert_eq!(self.status, status, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Asserts rows, valid, invalid and malformed rows.
    #[track_caller]
    pub(crate) fn counts(self, expected: [u64; 4]) -> Run {
        let summary = self.summary();
        let counts = ["rows", "valid", "invalid", "malformed"].map(|name| summary[name].as_u64().unwrap());
        assert_eq!(counts, expected, "{summary}\n{}", self.stderr);
        self
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_phalanx"));
    command.stdin(Stdio::null()).env_remove("PHALANX_BACKEND");
    command
}

/// Runs to the end.
pub(crate) fn phalanx<A: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    Run::of(command().args(arguments).output().unwrap())
}

/// The command as a script for a shell starts it, which calls it `"$@"`.
#[cfg(unix)]
pub(crate) fn by_shell(script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh", env!("CARGO_BIN_EXE_phalanx")]).env_remove("PHALANX_BACKEND");
    shell
}

/// Starts a command with pipes at its three streams.
pub(crate) fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs to the end with bytes on standard input.
pub(crate) fn phalanx_on<A: AsRef<std::ffi::OsStr>>(stdin: &[u8], arguments: impl IntoIterator<Item = A>) -> Run {
    let mut child = piped(command().args(arguments));
    let mut pipe = child.stdin.take().unwrap();
    let bytes = stdin.to_vec();
    // The command may end before it has read everything.
    let writer = std::thread::spawn(move || drop(pipe.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run::of(output)
}

/// Says what was not checked and why. Straight to the stream: what a test that passes prints is not shown.
#[cfg(unix)]
pub(crate) fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// A directory of the test's own.
pub(crate) fn directory() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Writes a file into a directory and returns its path as an argument.
pub(crate) fn place(directory: &TempDir, name: &str, bytes: &[u8]) -> String {
    let path = directory.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The path of a file that is to come.
pub(crate) fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).to_str().unwrap().to_owned()
}

/// The names in a directory, sorted.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The lines of a JSON lines file.
pub(crate) fn json_lines(path: &str) -> Vec<Value> {
    parsed(&std::fs::read_to_string(path).unwrap())
}

fn parsed(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
