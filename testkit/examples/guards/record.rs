//! What is known of guards: by the committed record, by the run that was ended, and by hand.

use phalanx_testkit::faults::guards::Guard;
use phalanx_testkit::faults::repository;
use phalanx_testkit::faults::tree::Tree;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;

const RECORD: &str = "testkit/record/guards.txt";
/// Why no test can fail without some guards, by hand.
pub(crate) const REASONS: &str = "testkit/record/guards-without-test.txt";

const HEAD: &str =
    "# Guards of the six newest crates, and a test that fails without each. By the example `guards` of the testkit.
# A guard is switched off, or panics where there is no value to go on with.
";

/// What a search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// This test fails without the guard.
    Test(String),
    /// It fires in tests, and all pass without it.
    Survives,
    /// It fires in no test.
    NeverFires,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Found::Test(test) => test,
            Found::Survives => SURVIVES,
            Found::NeverFires => NEVER_FIRES,
        })
    }
}

/// How guards without a test begin in the record.
const NO_TEST: &str = "NO TEST";
const SURVIVES: &str = "NO TEST: all pass without it";
const NEVER_FIRES: &str = "NO TEST: it never fires";

impl From<&str> for Found {
    fn from(text: &str) -> Found {
        match text {
            SURVIVES => Found::Survives,
            NEVER_FIRES => Found::NeverFires,
            test => Found::Test(test.to_owned()),
        }
    }
}

/// The file and the place of a guard.
pub(crate) type Key = (String, String);

pub(crate) fn key(guard: &Guard) -> Key {
    (guard.file.clone(), guard.place.clone())
}

/// What was found.
pub(crate) struct Record {
    /// Of other sources: in the committed record, or by an earlier run.
    earlier: BTreeMap<Key, String>,
    /// Of these very files, by this run or one that was ended.
    found: BTreeMap<Key, Found>,
    /// Where the second is kept.
    progress: PathBuf,
}

impl Record {
    pub(crate) fn read(tree: &Tree) -> Result<Record, String> {
        let progress = tree.root.with_file_name("progress");
        let digest = format!("{:016x}\n", tree.digest);
        let kept = std::fs::read_to_string(&progress).unwrap_or_default();
        let mut earlier = entries(&read(RECORD));
        let found = match kept.strip_prefix(&digest) {
            Some(rest) => entries(rest).into_iter().map(|(key, found)| (key, Found::from(found.as_str()))).collect(),
            None => {
                earlier.extend(entries(&kept));
                std::fs::write(&progress, &digest).map_err(|error| format!("{}: {error}", progress.display()))?;
                BTreeMap::new()
            }
        };
        Ok(Record { earlier, found, progress })
    }

    /// What was found of this guard in these files.
    pub(crate) fn known(&self, guard: &Guard) -> Option<Found> {
        self.found.get(&key(guard)).cloned()
    }

    /// The test that was found in other sources.
    pub(crate) fn earlier(&self, guard: &Guard) -> Option<&str> {
        self.earlier.get(&key(guard)).map(String::as_str)
    }

    /// Notes what was found, also for a run to come.
    pub(crate) fn note(&mut self, guard: &Guard, found: Found) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.progress.display());
        let mut file = std::fs::OpenOptions::new().append(true).open(&self.progress).map_err(failed)?;
        write!(file, "## {}\n{}\n    {found}\n", guard.file, guard.place).map_err(failed)?;
        self.found.insert(key(guard), found);
        Ok(())
    }

    /// Writes the record of all guards, of some perhaps as they were.
    pub(crate) fn write(&self, guards: &[Guard], reasons: &BTreeMap<Key, String>) -> Result<(), String> {
        let mut text = HEAD.to_owned();
        let mut file = "";
        for guard in guards {
            if file != guard.file {
                file = &guard.file;
                text.push_str(&format!("\n## {file}\n"));
            }
            let key = key(guard);
            let found = self.found.get(&key).map(Found::to_string).or_else(|| self.earlier.get(&key).cloned());
            let found = match (found, reasons.get(&key)) {
                (Some(found), Some(reason)) if found.starts_with(NO_TEST) => format!("no test: {reason}"),
                (Some(found), _) => found,
                (None, _) => "not looked at".to_owned(),
            };
            text.push_str(&format!("{}\n    {found}\n", guard.place));
        }
        std::fs::write(repository().join(RECORD), text).map_err(|error| format!("{RECORD}: {error}"))
    }
}

/// The reasons that were written by hand.
pub(crate) fn reasons() -> Result<BTreeMap<Key, String>, String> {
    let reasons = entries(&read(REASONS));
    match reasons.iter().find(|(_, reason)| reason.is_empty()) {
        Some(((_, place), _)) => Err(format!("{REASONS}: {place} has no reason")),
        None => Ok(reasons),
    }
}

fn read(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_default()
}

/// A file of entries: `## FILE`, a line with the place, and an indented line with the remark.
fn entries(text: &str) -> BTreeMap<Key, String> {
    let (mut file, mut place) = ("", "");
    let mut entries = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("## ") {
            file = name;
        } else if let Some(said) = line.strip_prefix("    ") {
            entries.insert((file.to_owned(), place.to_owned()), said.to_owned());
        } else if !line.starts_with('#') {
            place = line;
        }
    }
    entries
}
