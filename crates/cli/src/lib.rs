//! The command `phalanx`: files of secp256k1 signatures in, a verdict for every row out. It is a library so that fuzz
//! targets reach its readers; the program is [`main`].
//!
//! From the outside in: `args` is the command line; `run` does `verify` and `recover`, `msm` sums of products,
//! `single` the commands for one item, `info` tells about the machine. A run opens its inputs (`input`), which finds
//! the roles of their columns (`columns`) or a Nostr `event`, and sends them through the `pipeline`: blocks are decoded
//! into a `batch` of `cells`, judged (`verify`, `recover`), and written by `output`; `summary` is what is left to say.

// `print!` and `eprint!` panic where they cannot write: `standard` does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod arrow;
mod backend;
mod failure;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod info;
mod input;
mod interrupt;
mod msm;
mod output;
mod pending;
mod pipeline;
mod progress;
mod room;
mod run;
mod secret;
mod single;
mod standard;
mod summary;
mod unnamed;

use std::io::{self, Write};
use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use phalanx_rows::{BatchMode, RowJob};

/// The whole command: reads the command line, does what it says, returns the exit status.
pub fn main() -> ExitCode {
    guard::install();
    match guard::guard("internal error", command_line) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            failure.report();
            ExitCode::from(failure::STATUS)
        }
    }
}

fn command_line() -> Result<u8, Failure> {
    match Cli::try_parse() {
        Ok(cli) => dispatch(cli.command),
        Err(wrong) if wrong.use_stderr() => {
            // As any other remark, it may be lost.
            let _ = wrong.print();
            Ok(failure::STATUS)
        }
        Err(help) => {
            standard::unless_unwanted(help.print().and_then(|()| io::stdout().flush()))?;
            Ok(0)
        }
    }
}

fn dispatch(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Verify(args) => run::run(RowJob::Verify, args.run, args.hybrid_keys, args.batch.into()),
        Command::Recover(args) => run::run(RowJob::Recover, args, false, BatchMode::Never),
        Command::Msm(args) => msm::run(&args),
        Command::Keygen(args) => single::keygen(&args),
        Command::Pubkey(args) => single::pubkey(&args),
        Command::Sign(args) => single::sign(&args),
        Command::Ecdh(args) => single::ecdh(&args),
        Command::Info(args) => info::info(&args),
    }
}
