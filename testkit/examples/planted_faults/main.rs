//! Plants the faults of `testkit/src/faults` one at a time, and asks of each that the tests named with it fail.
//!
//! `cargo run -p phalanx-testkit --example planted_faults -- --all`, or `--ten NUMBER` for ten that move on with the
//! number, or names; `--list` lists them.
//!
//! To compile the crates once for each fault would take an hour. So they are copied to `target/planted-faults`, and
//! there every expression that a chosen fault would replace becomes a choice between the right one and the wrong one,
//! which a variable of the environment makes when a program starts. A fault in a constant is no such choice and gets a
//! build of its own. What does not compile stops the run; tests that fail without any fault, or of which there are
//! none, do as well; and of each fault there must be a test that fails, not a crash or a delay.

mod planted;
mod programs;

use phalanx_testkit::faults::tree::Tree;
use phalanx_testkit::faults::{self, Fault};
use programs::Programs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match chosen(&arguments).and_then(|faults| run(&faults)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("planted faults: {error}");
            ExitCode::from(2)
        }
    }
}

/// The faults that are asked for.
fn chosen(arguments: &[String]) -> Result<Vec<Fault>, String> {
    let all = faults::all();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--all"] => Ok(all),
        ["--list"] => {
            all.iter().for_each(|fault| println!("{}: {}: {}", fault.name, fault.file, fault.why));
            Ok(Vec::new())
        }
        ["--ten", number] => {
            let number: usize = number.parse().map_err(|_| format!("{number} is no number"))?;
            // Ten that lie apart, so that each time has some of every crate; the next number has their neighbours.
            let apart = all.len().div_ceil(10);
            Ok(all.iter().skip(number % apart).step_by(apart).copied().collect())
        }
        [] => Err("--all, --ten NUMBER, --list or names".into()),
        _ => {
            let find = |name: &&str| all.iter().find(|fault| fault.name == *name).copied();
            arguments.iter().map(|name| find(name).ok_or(format!("no fault is named {name}"))).collect()
        }
    }
}

/// Whether every fault was caught.
fn run(faults: &[Fault]) -> Result<bool, String> {
    let (faults, skipped): (Vec<Fault>, Vec<Fault>) =
        faults.iter().copied().partition(|fault| !fault.vectors || has_vectors());
    for fault in &skipped {
        let what = format!("the fault {} needs a vector unit", fault.name);
        phalanx_tiers::skipped(&what, "that the short tier catches it");
    }
    if faults.is_empty() {
        return Ok(true);
    }
    println!("| fault | where | caught by | seconds |\n|---|---|---|---|");
    let (alone, together): (Vec<Fault>, Vec<Fault>) = faults.iter().partition(|fault| fault.constant);
    let mut survivors = Vec::new();
    for build in together.chunks(faults.len()).chain(alone.chunks(1)) {
        plant(build, &mut survivors)?;
    }
    let caught = faults.len() - survivors.len();
    println!("\nplanted faults: {caught} of {} caught", faults.len());
    survivors.iter().for_each(|name| println!("SURVIVED: {name}"));
    Ok(survivors.is_empty())
}

/// Builds the copy with these faults, and adds those to `survivors` that are not caught.
fn plant(faults: &[Fault], survivors: &mut Vec<&'static str>) -> Result<(), String> {
    let tree = Tree::with("planted-faults", &planted::files(faults)?)?;
    let mut programs = Programs::build(&tree, faults)?;
    for (number, fault) in (1..).zip(faults) {
        // What the compiler computes is wrong in this build from the start.
        if !fault.constant {
            programs.check_without_faults(fault)?;
        }
        let (failed, seconds) = programs.run(fault, Some(number))?;
        if failed.is_none() {
            survivors.push(fault.name);
        }
        let by = failed.unwrap_or("**nothing**".into());
        println!("| {} | `{}` | {by} | {seconds:.1} |", fault.name, fault.file);
    }
    Ok(())
}

fn has_vectors() -> bool {
    phalanx::Backend::available().contains(&phalanx::Backend::Ifma)
}
