//! The measured libraries: each in a folder of its own, built when asked for, reached through one trait.
//!
//! [`folder`] finds and builds, [`commit`] does so for an earlier commit of this repository, [`object`] opens what
//! was built as a shared object, [`process`] starts what was built as a program. [`tables`] runs our sums by tables.

mod commit;
mod folder;
#[allow(unsafe_code)]
mod object;
mod process;
mod tables;

use crate::revision::lab;
use commit::Commit;
use lab_abi::{Description, Request, heap::Heap};
use std::{ops::Range, time::Duration};

pub(crate) use folder::{Build, names as peers, target};
pub(crate) use tables::{Sum, sweep};

/// The folder of our own side, beside those of the peers.
pub(crate) const OURS: &str = "phalanx";

/// A library that is there.
pub(crate) trait Library {
    /// What it says it is.
    fn about(&self) -> &Description;

    /// Whether it draws the nonces of its signatures.
    fn draws_nonces(&self) -> bool {
        false
    }

    /// Whether it computes on another curve.
    fn has_other_curve(&self) -> bool {
        false
    }

    /// Prepares a job; the error is the library's refusal, a clause for a person.
    fn prepare(&self, request: &Request, input: &[u8]) -> Result<Box<dyn Running + '_>, String>;
}

/// A prepared job. Errors are breakdowns of the library's process.
pub(crate) trait Running {
    /// The backend that the library chose.
    fn backend(&self) -> &str;

    /// Computes rows, so many times over, and says how long that took.
    fn run(&mut self, rows: Range<usize>, times: usize) -> Result<Duration, String>;

    /// What computing rows once takes from the heap; none where the library does not count.
    fn count(&mut self, rows: Range<usize>) -> Result<Option<Heap>, String>;

    /// The results.
    fn output(&mut self) -> Result<Vec<u8>, String>;
}

/// Where a library comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A folder of the work tree, ours or a peer's, by its name.
    Folder(String),
    /// Our side at an earlier commit.
    Commit(Commit),
}

impl Source {
    /// What a name on the command line stands for. Nothing is built.
    pub(crate) fn find(name: &str) -> Result<Self, String> {
        if let Some(revision) = commit::revision_of(name) {
            return Commit::find(lab(), revision).map(Self::Commit);
        }
        if name == OURS || peers().iter().any(|peer| peer == name) {
            return Ok(Self::Folder(name.to_owned()));
        }
        Err(format!("no peer named {name}; there are {}, and {OURS}@COMMIT", peers().join(", ")))
    }

    /// The name in records, by which it can be found again: a commit by its hash.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Folder(name) => name.clone(),
            Self::Commit(commit) => commit.name(),
        }
    }

    /// Whether it is our side, as it is or at an earlier commit.
    pub(crate) fn is_ours(&self) -> bool {
        match self {
            Self::Folder(name) => name == OURS,
            Self::Commit(_) => true,
        }
    }

    /// Builds and opens the library.
    pub(crate) fn open(&self, build: Build) -> Result<Box<dyn Library>, String> {
        let artifact = match self {
            Self::Folder(name) => folder::build(name, build),
            Self::Commit(commit) => commit.build(lab(), build),
        }?;
        let opened: Box<dyn Library> = match artifact {
            folder::Artifact::Object(path) => Box::new(object::Object::open(&path)?),
            folder::Artifact::Program(path) => Box::new(process::Program::start(&path)?),
        };
        Ok(opened)
    }
}

/// Builds and opens a library by its name.
pub(crate) fn open(name: &str, build: Build) -> Result<Box<dyn Library>, String> {
    Source::find(name)?.open(build)
}

/// Reads `key=value` lines as libraries write them.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.split_once('=').filter(|(name, _)| *name == key)).map(|(_, value)| value)
}

/// A description from its text, of a library that speaks this lab's ABI.
fn description(text: &str) -> Result<Description, String> {
    let (theirs, ours) = (value_of(text, "abi").unwrap_or("1"), lab_abi::VERSION.to_string());
    if theirs != ours {
        return Err(format!("speaks version {theirs} of the lab's ABI, and this lab version {ours}"));
    }
    let read = |key| value_of(text, key).unwrap_or("unknown").to_owned();
    Ok(Description { version: read("version"), flags: read("flags") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_abi_is_refused_and_none_is_the_first() {
        let about = Description { version: "2".into(), flags: "-O3".into() };
        let text = "version=2\nflags=-O3\n";
        assert_eq!(description(&format!("abi={}\n{text}", lab_abi::VERSION)), Ok(about.clone()));
        assert_eq!(description(text).is_ok(), lab_abi::VERSION == 1);
        let refusal = description(&format!("abi={}\n{text}", lab_abi::VERSION + 1)).unwrap_err();
        assert!(refusal.contains("of the lab's ABI"), "{refusal}");
    }

    #[test]
    fn a_name_is_ours_a_peer_or_a_commit() {
        assert_eq!(Source::find("phalanx"), Ok(Source::Folder("phalanx".into())));
        assert_eq!(Source::find("k256"), Ok(Source::Folder("k256".into())));
        for (name, reason) in [
            ("nobody", "no peer named nobody; there are alloy-k256"),
            ("k256@HEAD", "no peer named k256@HEAD"),
            ("phalanx@", "no commit is named behind phalanx@"),
        ] {
            let said = Source::find(name).unwrap_err();
            assert!(said.contains(reason), "{said}");
        }
    }
}
