//! The command line: the subcommands, and what each does. The options of a subcommand and what help says of it stand
//! beside it; those that several have are in `files`, `out` and `backend`.

mod backend;
mod bench;
pub(crate) mod blocks;
mod choice;
mod derive;
mod files;
mod info;
mod manual;
mod msm;
mod out;
pub(crate) mod rows;
mod scan;
mod secret;
mod single;
pub(crate) mod summary;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use crate::exit::RunError;

/// Verifies and recovers secp256k1 signatures in bulk: ECDSA and Schnorr (BIP-340), with a verdict for every row.
#[derive(Debug, Parser)]
#[command(name = "phalanx", version, max_term_width = 100, after_help = STATUSES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Verify(rows::VerifyArgs),
    Recover(rows::RunArgs),
    Senders(rows::SendersArgs),
    Msm(msm::MsmArgs),
    Scan(scan::ScanArgs),
    Blocks(blocks::BlocksArgs),
    Derive(derive::DeriveArgs),
    Keygen(single::KeygenArgs),
    Pubkey(single::PubkeyArgs),
    Sign(single::SignArgs),
    Ecdh(single::EcdhArgs),
    Info(info::InfoArgs),
    Bench(bench::BenchArgs),
    /// Print a script with which a shell completes this command's words.
    ///
    /// For bash: `phalanx completions bash > ~/.local/share/bash-completion/completions/phalanx`.
    Completions {
        /// The shell.
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page of this command and its subcommands.
    ///
    /// `phalanx man > phalanx.1` writes it to a file, which `man ./phalanx.1` shows.
    Man,
}

/// Does what the command line says; returns the exit status.
pub(crate) fn run(command: Command) -> Result<u8, RunError> {
    match command {
        Command::Verify(args) => rows::verify(args),
        Command::Recover(args) => rows::recover(args),
        Command::Senders(args) => rows::senders(args),
        Command::Msm(args) => msm::run(&args),
        Command::Scan(args) => scan::run(&args),
        Command::Blocks(args) => blocks::run(&args),
        Command::Derive(args) => derive::run(&args),
        Command::Keygen(args) => single::keygen(&args),
        Command::Pubkey(args) => single::pubkey(&args),
        Command::Sign(args) => single::sign(&args),
        Command::Ecdh(args) => single::ecdh(&args),
        Command::Info(args) => info::info(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man => manual::man(),
    }
}

/// Texts of the help, one after the other.
fn joined(parts: &[&str]) -> String {
    parts.join("\n\n")
}

const STATUSES: &str = "\
Exit status:
  0    every row is valid
  1    at least one row is invalid, none is malformed
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one row is malformed
  130  interrupted; no output is left behind

A file that cannot be read does not keep the others from being read. The status is 2 then, the summary names it, and \
no --out file appears.

An answer that cannot be written to standard output is an output error, unless the reader of a summary, of \
information or of help has gone away. Messages that cannot be written to standard error are lost; the status stays \
the same.";

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::*;

    fn check(command: &Command, width: usize) {
        command.get_subcommands().for_each(|command| check(command, width));
        let help = command.clone().render_long_help().to_string();
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            // `clap` writes the usage on one line.
            assert!(pair[0].chars().count() <= width || pair[0].starts_with("Usage: "), "{}", pair[0]);
            let [first, second] = [pair[0], pair[1]].map(|line| line.trim_end());
            let word = second.split(' ').next().unwrap_or_default();
            // What is no part of a table is broken only where the next word has no room.
            let whole = first.is_empty() || word.is_empty() || first.starts_with(' ') || first.ends_with(':');
            let full = first.chars().count() + 1 + word.chars().count() > width;
            assert!(whole || full, "broken at {width} columns:\n{first}\n{second}");
        }
        let tables = command.get_after_long_help().map(|help| help.to_string()).unwrap_or_default();
        for line in tables.lines().filter(|line| line.starts_with(' ')) {
            assert!(lines.contains(&line), "broken at {width} columns: {line}");
        }
    }

    #[test]
    fn no_line_of_help_is_broken_within_a_phrase() {
        for width in [80, 90, 100] {
            let mut command = Cli::command().term_width(width);
            command.build();
            check(&command, width);
        }
    }
}
