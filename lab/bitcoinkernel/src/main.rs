//! Scripts of Bitcoin by Phalanx beside Bitcoin Core's consensus code, which the crate `bitcoinkernel` compiles.
//!
//! `blocks` times both on real blocks, `cases` looks for a case in which their verdicts differ.
//!
//! [`real_blocks`] reads blocks, [`kernel`] is Bitcoin Core's side, [`blocks`] the comparison of times. [`spending`] is
//! a transaction that can be changed, with its [`encoding`], [`draw`] the source of chance, [`mutations`], [`scripts`]
//! and [`signed`] make cases of it, and [`cases`] compares verdicts.

mod blocks;
mod cases;
mod draw;
mod encoding;
mod kernel;
mod mutations;
mod real_blocks;
mod scripts;
mod signed;
mod spending;
#[path = "../../src/stats.rs"]
mod stats;

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
}

/// Why a command did not do what was asked.
enum Failure {
    /// Something is missing: exit status 2.
    NotThere(String),
    /// The two differ: exit status 1.
    Different(String),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Blocks(settings) => blocks::command(&settings),
        Command::Cases(settings) => cases::command(&settings),
    };
    let (status, reason) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::NotThere(reason)) => (2, reason),
        Err(Failure::Different(reason)) => (1, reason),
    };
    eprintln!("bitcoinkernel: {reason}");
    ExitCode::from(status)
}
