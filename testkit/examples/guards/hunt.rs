//! The search for a test that fails.

use crate::planted::{FIRED, VARIABLE};
use phalanx_testkit::faults::tree::{Program, Tree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is compiled for a few runs only. The library is not: tests compute with it most of the time.
pub(crate) const QUICK: [&str; 7] = [
    "phalanx-ethereum",
    "phalanx-bitcoin",
    "phalanx-frost",
    "phalanx-bip32",
    "phalanx-silent",
    "phalanx-musig",
    "phalanx-testkit",
];

/// Without a guard, a test may take at most this many times as long as with it.
const TIMES: u32 = 20;
/// A test may take at least this long.
const LEAST: Duration = Duration::from_secs(20);
/// What a program may take of memory, in KiB: a limit that is off may be one of memory.
const MEMORY: &str = "8000000";

/// A test, and what it does as long as no guard is off.
pub(crate) struct Test {
    program: Program,
    name: String,
    seconds: Duration,
    /// The guards that fire.
    fired: BTreeSet<u32>,
}

impl Test {
    /// The program and the test in it.
    fn title(&self) -> String {
        let target = self.program.target.as_deref().unwrap_or("unit tests");
        format!("{target}: {}", self.name)
    }
}

/// Runs each test of some programs by itself, the fastest first in the result.
pub(crate) fn tests<'p>(programs: impl Iterator<Item = &'p Program>, tree: &Tree) -> Result<Vec<Test>, String> {
    let log = tree.root.with_file_name("fired");
    let mut tests = Vec::new();
    for program in programs {
        let listed = Command::new(&program.path).args(["--list", "--format", "terse"]).output();
        let listed = listed.map_err(|error| format!("{}: {error}", program.path.display()))?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        for name in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
            remove(&log)?;
            let begin = Instant::now();
            let limit = Duration::from_secs(900);
            if !passes(program, name, None, limit, Some(&log))? {
                return Err(format!("{name} fails with all guards on"));
            }
            let seconds = begin.elapsed();
            let fired = match std::fs::read_to_string(&log) {
                Ok(numbers) => numbers.lines().filter_map(|number| number.parse().ok()).collect(),
                Err(_) => BTreeSet::new(),
            };
            tests.push(Test { program: program.clone(), name: name.to_owned(), seconds, fired });
        }
    }
    tests.sort_by_key(|test| test.seconds);
    Ok(tests)
}

/// Whether a guard fires in any test.
pub(crate) fn fires(tests: &[Test], guard: u32) -> bool {
    tests.iter().any(|test| test.fired.contains(&guard))
}

/// The first test that fails while a guard is off: the one of an earlier record, if it still does, or the fastest.
pub(crate) fn first_failing(tests: &[Test], guard: u32, earlier: Option<&str>) -> Result<Option<String>, String> {
    let mut fired: Vec<&Test> = tests.iter().filter(|test| test.fired.contains(&guard)).collect();
    fired.sort_by_key(|test| earlier != Some(test.title().as_str()));
    for test in fired {
        let limit = LEAST.max(test.seconds * TIMES);
        if !passes(&test.program, &test.name, Some(guard), limit, None)? {
            return Ok(Some(test.title()));
        }
    }
    Ok(None)
}

/// Whether a test passes, with the same random numbers each time. One that does not end does not.
fn passes(
    program: &Program,
    name: &str,
    guard: Option<u32>,
    limit: Duration,
    fired: Option<&Path>,
) -> Result<bool, String> {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\"; exec nice -n 15 \"$@\"", MEMORY]);
    command.arg(&program.path).args(["--exact", name, "--test-threads", "1"]).current_dir(&program.folder);
    command
        .env(VARIABLE, guard.unwrap_or(0).to_string())
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .env("PHALANX_SEED", "1");
    command.env_remove("PHALANX_TESTS").env_remove(FIRED).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(path) = fired {
        command.env(FIRED, path);
    }
    let begin = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.path.display()))?;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status.success());
        }
        if begin.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).map_err(|error| format!("{name}: {error}"))?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn remove(path: &PathBuf) -> Result<(), String> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {error}", path.display())),
        _ => Ok(()),
    }
}
