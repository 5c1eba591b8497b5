//! Finds for each guard of some crates a test that fails without it, and writes `testkit/record/guards.txt`.
//!
//! `cargo run -p phalanx-testkit --example guards`, or with names of crates: `bitcoin frost`. A run that was ended goes
//! on where it stopped, as long as no file has changed. `--list` lists the guards.
//!
//! The crates are copied to `target/planted-guards`, with every guard made one that a variable of the environment
//! switches off, and compiled once. Each test runs by itself and notes which guards fire. A guard is then switched off
//! in the tests in which it fires, the fastest first, until one fails. `testkit/record/guards-without-test.txt` says of
//! a guard why no test can fail without it.

mod hunt;
mod planted;
mod record;

use phalanx_testkit::faults::guards::{Guard, of_crate};
use phalanx_testkit::faults::repository;
use phalanx_testkit::faults::tree::Tree;
use record::{Found, Record};
use std::process::ExitCode;

/// The crates whose guards are looked at.
const CRATES: [&str; 6] = ["musig", "silent", "bip32", "frost", "ethereum", "bitcoin"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("guards: {error}");
            ExitCode::from(2)
        }
    }
}

/// Files beside the repository stand beside the copy too: some tests read them.
fn share_files(tree: &Tree) -> Result<(), String> {
    let (there, link) = (repository().join("../shared"), tree.root.with_file_name("shared"));
    match there.canonicalize() {
        Ok(there) if !link.exists() => {
            std::os::unix::fs::symlink(there, &link).map_err(|error| format!("{}: {error}", link.display()))
        }
        Ok(_) => Ok(()),
        Err(_) => {
            phalanx_tiers::skipped("../shared is not there", "guards whose tests read its files");
            Ok(())
        }
    }
}

/// Whether each guard that was looked at has a test, or a reason.
fn run(arguments: &[String]) -> Result<bool, String> {
    let mut guards: Vec<(&str, Guard)> = Vec::new();
    for name in CRATES {
        guards.extend(of_crate(repository(), &format!("crates/{name}"))?.into_iter().map(|guard| (name, guard)));
    }
    if arguments == ["--list"] {
        guards.iter().for_each(|(_, guard)| println!("{}: {}", guard.file, guard.place));
        return Ok(true);
    }
    if let Some(other) = arguments.iter().find(|argument| !CRATES.contains(&argument.as_str())) {
        return Err(format!("{other}: the crates are {}", CRATES.join(", ")));
    }
    let chosen = |name: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == name);

    let reasons = record::reasons()?;
    for (file, place) in reasons.keys() {
        if !guards.iter().any(|(_, guard)| guard.file == *file && guard.place == *place) {
            println!("{}: no guard is {file}: {place}", record::REASONS);
        }
    }
    let plain: Vec<Guard> = guards.iter().map(|(_, guard)| guard.clone()).collect();
    let tree = Tree::with("planted-guards", &planted::files(&plain)?)?;
    share_files(&tree)?;
    let packages = CRATES.map(|name| format!("phalanx-{name}"));
    let which = packages.iter().flat_map(|package| ["--package", package]);
    let programs = tree.build(which, &hunt::QUICK)?;
    let mut record = Record::read(&tree)?;
    let (mut caught, mut excused, mut without) = (0, 0, Vec::new());
    for name in CRATES.into_iter().filter(|name| chosen(name)) {
        let package = format!("phalanx-{name}");
        let mut tests = None;
        for (number, (_, guard)) in (1..).zip(&guards).filter(|(_, (of, _))| *of == name) {
            let found = match record.known(guard) {
                Some(found) => found,
                None => {
                    if tests.is_none() {
                        tests = Some(hunt::tests(programs.iter().filter(|program| program.package == package), &tree)?);
                    }
                    let tests = tests.as_ref().ok_or("the tests have been run")?;
                    let found = match hunt::first_failing(tests, number, record.earlier(guard))? {
                        Some(test) => Found::Test(test),
                        None if hunt::fires(tests, number) => Found::Survives,
                        None => Found::NeverFires,
                    };
                    record.note(guard, found.clone())?;
                    found
                }
            };
            match (&found, reasons.get(&record::key(guard))) {
                (Found::Test(test), reason) => {
                    caught += 1;
                    if reason.is_some() {
                        println!("{}: {test} fails without {}", record::REASONS, guard.place);
                    }
                }
                (_, Some(_)) => excused += 1,
                (found, None) => without.push(format!("{}: {} ({found})", guard.file, guard.place)),
            }
        }
        record.write(&plain, &reasons)?;
        println!("{name}: done");
    }
    println!("{caught} guards have a test, {excused} a reason, {} neither", without.len());
    without.iter().for_each(|guard| println!("NO TEST: {guard}"));
    Ok(without.is_empty())
}
