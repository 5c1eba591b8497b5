//! `lab`: measures Phalanx beside its peers. The method is in `lab/README.md`.
//!
//! [`library`] builds and reaches the measured libraries, [`presence`] says which are there, [`inputs`] makes their
//! rows, [`sampling`] times two of them in turn, [`compare`] is one comparison, [`outcome`] its printed forms.
//! [`record`] runs lists of comparisons and keeps the results, [`records`] reads them back, [`diff`] compares two
//! records, [`report`] makes a table of the newest, [`study`] measures what others published and prints their tables, [`files`]
//! compares the command with loops over a file. [`chart`] draws.

mod chart;
mod compare;
mod diff;
mod files;
mod inputs;
mod library;
mod machine;
mod outcome;
mod presence;
mod record;
mod records;
mod report;
mod revision;
mod sampling;
mod stats;
mod study;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "lab", about = "Measures Phalanx beside its peers")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// One comparison: two libraries, one operation, interleaved
    Compare(compare::Settings),
    /// The peers, their versions and flags, or why they are absent
    Peers(presence::Settings),
    /// Runs the comparisons of a list in `lab/lists/` and keeps them in `lab/record/<date>-<cpu>/`
    Record(record::Settings),
    /// Two records row by row: both ratios, the change, and whether it is within the noise that the records state
    Diff(diff::Settings),
    /// The command `phalanx verify FILE` beside loops that a user would write, on the same file
    Files(files::Settings),
    /// A published comparison, or all five: its own tables, measured here
    Study(study::Settings),
    /// How many times as fast as libsecp256k1, by CPU, from the newest records
    Report(report::Settings),
}

/// Why a command did not do what was asked.
#[derive(Debug, Clone)]
enum Failure {
    /// The peer or the operation is not there, or the request makes no sense: exit status 2.
    NotThere(String),
    /// Two libraries disagree, or one broke while it ran: exit status 1.
    Broken(String),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Compare(settings) => compare::command(&settings),
        Command::Peers(settings) => presence::command(&settings),
        Command::Record(settings) => record::command(&settings),
        Command::Diff(settings) => diff::command(&settings),
        Command::Files(settings) => files::command(&settings),
        Command::Study(settings) => study::command(&settings),
        Command::Report(settings) => report::command(&settings),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::NotThere(reason)) => {
            eprintln!("lab: {reason}");
            ExitCode::from(2)
        }
        Err(Failure::Broken(reason)) => {
            eprintln!("lab: {reason}");
            ExitCode::FAILURE
        }
    }
}
