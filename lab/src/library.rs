//! The measured libraries: each in a folder of its own, built when asked for, reached through one trait.
//!
//! [`folder`] finds and builds, [`object`] opens what was built as a shared object, [`process`] starts what was built as
//! a program, [`serve`] is such a program around any library.

mod folder;
#[allow(unsafe_code)]
mod object;
mod process;
mod serve;

use crate::Failure;
use lab_abi::{Description, Request};
use std::{ops::Range, time::Duration};

pub(crate) use folder::{Build, lab};
pub(crate) use serve::serve;

/// The folder of our own side, beside those of the peers.
pub(crate) const OURS: &str = "phalanx";

/// A library that is there.
pub(crate) trait Library {
    /// What it says it is.
    fn about(&self) -> &Description;

    /// Prepares a job; the error is the library's refusal, a clause for a person.
    fn prepare(&self, request: &Request, input: &[u8]) -> Result<Box<dyn Running + '_>, String>;
}

/// A prepared job. Errors are breakdowns of the library's process.
pub(crate) trait Running {
    /// The backend that the library chose.
    fn backend(&self) -> &str;

    /// Computes rows, so many times over, and says how long that took.
    fn run(&mut self, rows: Range<usize>, times: usize) -> Result<Duration, String>;

    /// The results.
    fn output(&mut self) -> Result<Vec<u8>, String>;
}

/// Builds and opens a library by its name.
pub(crate) fn open(name: &str, build: Build) -> Result<Box<dyn Library>, String> {
    let artifact = folder::build(name, build)?;
    let opened: Box<dyn Library> = match artifact {
        folder::Artifact::Object(path) => Box::new(object::Object::open(&path)?),
        folder::Artifact::Program(path) => Box::new(process::Program::start(&path, &[])?),
    };
    Ok(opened)
}

/// Opens a library in a process of its own, whatever language it is written in.
pub(crate) fn open_apart(name: &str, build: Build) -> Result<Box<dyn Library>, String> {
    let this = std::env::current_exe().map_err(|error| format!("no program to start: {error}"))?;
    Ok(Box::new(process::Program::start(&this, &["serve", name, "--build", build.name()])?))
}

/// The names of all peers, sorted.
pub(crate) fn peers() -> Vec<String> {
    folder::names()
}

/// Prints the peers.
pub(crate) fn list(names: &[String], json: bool) -> Result<(), Failure> {
    let all = peers();
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        return Err(Failure::NotThere(format!("no peer named {unknown}; there are {}", all.join(", "))));
    }
    for name in all.iter().filter(|name| names.is_empty() || names.contains(name)) {
        let opened = open(name, Build::Native);
        let about = opened.as_ref().map(|library| library.about());
        match (about, json) {
            (Ok(about), false) => println!("{name:<24} {:<10} {}", about.version, about.flags),
            (Err(reason), false) => println!("{name:<24} absent: {reason}"),
            (Ok(about), true) => {
                println!("{}", serde_json::json!({"peer": name, "version": about.version, "flags": about.flags}));
            }
            (Err(reason), true) => println!("{}", serde_json::json!({"peer": name, "absent": reason})),
        }
    }
    Ok(())
}

/// Reads `key=value` lines as libraries write them.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.split_once('=').filter(|(name, _)| *name == key)).map(|(_, value)| value)
}

/// A description from its text.
fn description(text: &str) -> Description {
    let read = |key| value_of(text, key).unwrap_or("unknown").to_owned();
    Description { version: read("version"), flags: read("flags") }
}
