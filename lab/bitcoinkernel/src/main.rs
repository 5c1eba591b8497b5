//! Scripts of Bitcoin by Phalanx beside Bitcoin Core's consensus code, which the crate `bitcoinkernel` compiles.
//!
//! `blocks` times both on real blocks, `worst` on blocks that are made to take time. `cases` looks for a case in which
//! their verdicts differ, `programs` among all witness programs. `folders` has Bitcoin Core's code write data folders.
//! `rate` times the command `phalanx blocks`.
//!
//! - [`kernel`]: Bitcoin Core's side;
//! - [`real_blocks`], [`blocks`]: blocks from files, and the comparison of times;
//! - [`spending`], [`encoding`], [`scripts`], [`signed`]: transactions that can be changed, scripts and signatures;
//! - [`draw`], [`mutations`], [`cases`]: chance, and the cases that come of it;
//! - [`programs`]: outputs of every witness version, length and wrapping;
//! - [`outputs`], [`miner`], [`folders`]: coins of every kind, a chain of them, the folders;
//! - [`worst`]: blocks that take time;
//! - [`large`], [`rate`]: a large folder, and the rate at which it is read.

mod blocks;
mod cases;
mod draw;
mod encoding;
mod folders;
mod kernel;
mod large;
mod miner;
mod mutations;
mod outputs;
mod programs;
mod rate;
mod real_blocks;
mod scripts;
mod signed;
mod spending;
#[path = "../../src/stats.rs"]
mod stats;
mod worst;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "bitcoinkernel", about = "Phalanx beside the consensus code of Bitcoin Core")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Times both on the inputs of real blocks, in turn, on one thread
    Blocks(blocks::Settings),
    /// Compares verdicts on changed real transactions, signed inputs and random scripts
    Cases(cases::Settings),
    /// Has Bitcoin Core's code write data folders of a chain of ours, and reads them with both
    Folders(folders::Settings),
    /// Compares verdicts on outputs of every witness version, length and wrapping
    Programs,
    /// Times the command on a large folder, the same blocks in memory, and their signatures alone
    Rate(rate::Settings),
    /// Compares and times both on blocks that are made to take time
    Worst(worst::Settings),
}

/// Why a command did not do what was asked.
enum Failure {
    /// Something is missing: exit status 2.
    NotThere(String),
    /// The two differ: exit status 1.
    Different(String),
}

fn main() -> ExitCode {
    bitcoinkernel::disable_logging();
    let outcome = match Arguments::parse().command {
        Command::Blocks(settings) => blocks::command(&settings),
        Command::Cases(settings) => cases::command(&settings),
        Command::Folders(settings) => folders::command(&settings),
        Command::Programs => programs::command(),
        Command::Rate(settings) => rate::command(&settings),
        Command::Worst(settings) => worst::command(&settings),
    };
    let (status, reason) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::NotThere(reason)) => (2, reason),
        Err(Failure::Different(reason)) => (1, reason),
    };
    eprintln!("bitcoinkernel: {reason}");
    ExitCode::from(status)
}
