//! The command `phalanx`: files of secp256k1 signatures in, a verdict for every row out. It is a library so that fuzz
//! targets reach its readers; the program is [`main`].
//!
//! What a column means, how a row is read and what is found of it is in the crate `phalanx-rows`. Here, `input` makes
//! rows of files, `output` writes answers down, `pipeline` connects them with those who compute, and `commands` says what
//! each subcommand does with them. A module's first lines say what is in it.

// `print!` and `eprint!` panic where they cannot write: `standard` does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod commands;
mod exit;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod input;
mod output;
mod pipeline;
mod process;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use commands::Cli;
use exit::RunError;
use process::{guard, restore_terminal, seed_words, standard, without_secrets};

/// The whole command: reads the command line, does what it says, returns the exit status.
pub fn main() -> ExitCode {
    guard::install();
    let status = guard::guard("internal error", command_line);
    // A thread that waits for what is typed may have been left behind.
    restore_terminal();
    match status {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            if let Some(message) = error.message() {
                standard::remark(format_args!("phalanx: {message}"));
            }
            ExitCode::from(exit::NO_RESULT)
        }
    }
}

fn command_line() -> Result<u8, RunError> {
    if seed_words() {
        let refused = "the arguments look like the words of a wallet's seed. A secret is never taken from the command \
                       line, which others can see; name files with their endings, or as ./NAME";
        return Err(RunError::new(refused));
    }
    match Cli::try_parse() {
        Ok(cli) => commands::run(cli.command),
        Err(wrong) if wrong.use_stderr() => {
            let text = wrong.render().to_string();
            match without_secrets(&text) {
                // In colour, where the terminal has it. As any other remark, it may be lost.
                shown if *shown == text => drop(wrong.print()),
                shown => standard::prompt(&shown),
            }
            Ok(exit::NO_RESULT)
        }
        Err(help) => {
            standard::unless_unwanted(help.print().and_then(|()| io::stdout().flush()))?;
            Ok(exit::ALL_VALID)
        }
    }
}
