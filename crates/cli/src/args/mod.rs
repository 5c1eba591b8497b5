//! The command line: subcommands and options; what an option may be is in `choices`, the longer texts in `texts`.

mod choices;
mod computing;
mod output;
mod scan;
mod senders;
mod texts;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use phalanx::LowS;
use phalanx_bip32::{Chain, DerivationPath, ScriptKind};
use phalanx_bitcoin::Network;
use phalanx_rows::{BatchMode, DerRules, RecoveryIds};

pub(crate) use choices::{Encoding, ForkChoice, HeightRange, IndexRange, KeyForm, Scheme};
use choices::{batch, chain, delimiter, der, format, heights, indexes, low_s, recovery_ids, script_kind, seconds};
pub(crate) use computing::Means;
pub(crate) use output::OutputArgs;
pub(crate) use scan::ScanArgs;
pub(crate) use senders::SendersArgs;
use texts::{
    BENCH_EXAMPLES, BENCH_JSON, BENCH_STATUSES, BLOCKS_COLUMNS, BLOCKS_EXAMPLES, BLOCKS_FILES, BLOCKS_STATUSES,
    COLUMNS, DERIVE_COLUMNS, DERIVE_EXAMPLES, DERIVE_KEYS, DERIVE_STATUSES, EVENTS, MSM_COLUMNS, MSM_EXAMPLES,
    MSM_STATUSES, RECOVER_EXAMPLES, SCAN_COLUMNS, SCAN_EXAMPLES, SCAN_OUTPUT, SCAN_STATUSES, SECRETS, SENDERS_EXAMPLES,
    SENDERS_INPUT, SENDERS_VERDICTS, STATUSES, VERDICTS, VERIFY_EXAMPLES,
};

use crate::input::{Format, TABLES};

/// Verifies and recovers secp256k1 signatures in bulk: ECDSA and Schnorr (BIP-340), with a verdict for every row.
#[derive(Debug, Parser)]
#[command(name = "phalanx", version, max_term_width = 100, after_help = STATUSES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verify rows of signatures, or Nostr events: a verdict per row, and a summary.
    #[command(after_help = STATUSES, after_long_help = joined(&[COLUMNS, EVENTS, VERDICTS, STATUSES, VERIFY_EXAMPLES]))]
    Verify(VerifyArgs),
    /// Recover public keys and Ethereum addresses from digests and recoverable signatures.
    ///
    /// A row that carries `from_address` or `pubkey` is valid only when the recovered key agrees with it. Key and
    /// address are given for valid rows only.
    #[command(after_help = STATUSES, after_long_help = joined(&[COLUMNS, VERDICTS, STATUSES, RECOVER_EXAMPLES]))]
    Recover(RunArgs),
    /// Find the senders of Ethereum transactions, in blocks or alone: their addresses, and a verdict per transaction.
    ///
    /// What was signed is computed from the transaction, of any type from 0 to 4. v and s are judged by the rules of
    /// the fork. Where the input says who sent a transaction, or names its hash, another is a failure. A sender is
    /// given for valid transactions only.
    #[command(
        after_help = STATUSES,
        after_long_help = joined(&[SENDERS_INPUT, SENDERS_VERDICTS, STATUSES, SENDERS_EXAMPLES])
    )]
    Senders(SendersArgs),
    /// Sum scalars times points: k_0 P_0 + k_1 P_1 + ... over all rows of all files.
    ///
    /// Prints the sum as a compressed point, 33 bytes in hex, or the word `infinity`; that is also the sum of no rows.
    /// The sum depends neither on threads nor on memory nor on the backend. Scalars and points are public: this takes
    /// variable time.
    #[command(after_help = MSM_STATUSES, after_long_help = joined(&[MSM_COLUMNS, MSM_STATUSES, MSM_EXAMPLES]))]
    Msm(MsmArgs),
    /// Find a receiver's silent payments (BIP-352) in the rows of an index.
    ///
    /// A row is a transaction: its tweak point, and its taproot outputs. Each output that is the receiver's is a match.
    /// The scan secret is read from a file or standard input alone. It is used in constant time; time may tell which
    /// rows match.
    #[command(after_help = SCAN_STATUSES,
        after_long_help = joined(&[SCAN_COLUMNS, SCAN_OUTPUT, SCAN_STATUSES, SCAN_EXAMPLES]))]
    Scan(ScanArgs),
    /// Verify every input of Bitcoin blocks: those of a node's data folder, or blocks in files.
    ///
    /// Consensus' own verdict on the scripts of each input, by the rules of the block's height. A folder is that of
    /// Bitcoin Core: the data folder, or `blocks` in it. The chain with the most work among its blocks is verified,
    /// and nothing is written there. Amounts, lock times of transactions and the headers' rules are not judged.
    #[command(after_help = BLOCKS_STATUSES,
        after_long_help = joined(&[BLOCKS_FILES, BLOCKS_COLUMNS, BLOCKS_STATUSES, BLOCKS_EXAMPLES]))]
    Blocks(BlocksArgs),
    /// Derive ranges of children of extended keys (BIP-32): their addresses, scripts and keys.
    ///
    /// Children are those that are not hardened. Secret keys serve for paths with hardened steps; what comes out is
    /// public. Without --out, a line for each child has its index, a tab, and its address, or its public key without
    /// --address; where KEYs are several or files, the number of the key comes first. The summary then goes to standard
    /// error, and --quiet without --json leaves it out.
    #[command(after_help = DERIVE_STATUSES,
        after_long_help = joined(&[DERIVE_KEYS, DERIVE_COLUMNS, DERIVE_STATUSES, DERIVE_EXAMPLES]))]
    Derive(DeriveArgs),
    /// Make a new secret key from the operating system's randomness.
    ///
    /// Prints the secret key, the compressed public key, the x-only key of BIP-340 and the Ethereum address in hex, one
    /// on each line after its name. With --secret-file the secret key goes to that file alone.
    Keygen(KeygenArgs),
    /// Print the public key of a secret key.
    #[command(after_help = SECRETS)]
    Pubkey(PubkeyArgs),
    /// Sign a digest or a message with a secret key.
    ///
    /// ECDSA signs a 32-byte digest with the nonce of RFC 6979 and a low s; of a message it signs the SHA-256. Schnorr
    /// (BIP-340) signs a message of any length as it is. Each signature is verified before it is printed.
    #[command(after_help = SECRETS)]
    Sign(SignArgs),
    /// Agree on a secret with the owner of a public key: SHA-256 of the shared point, compressed.
    #[command(after_help = SECRETS)]
    Ecdh(EcdhArgs),
    /// Show the CPU and the backends, and why a backend that this CPU could run is not there.
    Info(InfoArgs),
    /// Measure how many rows per second each backend computes on this CPU.
    ///
    /// Verification, recovery, signing, public keys, shared secrets and sums, one at a time and in bulk, on one thread
    /// and on all. Keys and signatures to verify are read from bytes, as those of a file are. Tables of keys are made
    /// only for the rows that share 16 keys. Answers are checked before anything is timed; a backend that disagrees is
    /// an error.
    #[command(after_help = BENCH_STATUSES, after_long_help = joined(&[BENCH_JSON, BENCH_STATUSES, BENCH_EXAMPLES]))]
    Bench(BenchArgs),
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

fn joined(parts: &[&str]) -> String {
    parts.join("\n\n")
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Accept 65-byte public keys with the prefixes 06 and 07.
    #[arg(long)]
    pub(crate) hybrid_keys: bool,
    /// Which rows are verified together, by one sum for a whole batch. Verdicts do not depend on it; time does.
    ///
    /// Together is faster, 1.5 times and more, if all rows hold. Rows are searched for those to blame where they do
    /// not. ECDSA rows need a recovery id for it, as a 65th byte of `sig` or in `v`; a wrong one costs time alone.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = batch())]
    pub(crate) batch: BatchMode,
}

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Parquet, CSV or JSON lines; text also as .gz or .zst; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// What the files are, whatever their names and contents say.
    #[arg(long, value_name = "FORMAT", value_parser = format(&TABLES))]
    pub(crate) format: Option<&'static Format>,

    /// What stands between the columns of CSV: one character, or the word tab.
    ///
    /// Without it, a comma; or a semicolon, a tab or a vertical bar, if the header has more known columns by it.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    /// Which columns play which roles, where their names do not say so.
    #[arg(long, value_name = "ROLE=NAME", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Further columns to pass through to the output.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,

    /// What to do with ECDSA signatures whose s is above half the group order; the summary counts them either way.
    #[arg(long, value_name = "POLICY", default_value = "allow", value_parser = low_s())]
    pub(crate) low_s: LowS,

    /// How DER signatures are read.
    #[arg(long, value_name = "RULES", default_value = "strict", value_parser = der())]
    pub(crate) der: DerRules,

    /// Where the recovery id of a signature stands; by default last.
    #[arg(long, value_name = "WHERE", value_parser = recovery_ids())]
    pub(crate) v: Option<RecoveryIds>,

    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
}

/// How rows are answered.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// How many rows are computed together. Answers do not depend on it; memory does.
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) block_rows: u32,
}

#[derive(Debug, Args)]
pub(crate) struct MsmArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) means: Means,

    /// About how much memory terms and their tables may take, in MiB, for all threads together.
    ///
    /// Longer pieces of a sum cost less a row. A thread takes about 3 MiB at least and uses 32 at most.
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) memory: u32,

    /// Print the sum, the number of rows and the time as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BlocksArgs {
    /// A node's data folder, or a file of one block.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,

    /// The network: main, test, testnet4, signet or regtest.
    ///
    /// By default that of the first block of a folder, and main for files.
    #[arg(long, value_name = "NAME")]
    pub(crate) network: Option<Network>,

    /// Only the blocks of a folder from height A to height B, both included; either may be left out.
    ///
    /// N..N is the height of a block in a file that names none.
    #[arg(long, value_name = "A..B", default_value = "..", value_parser = heights)]
    pub(crate) heights: HeightRange,

    /// Write a row for each input, with its verdict: Parquet, CSV or JSON lines by its ending.
    ///
    /// Every input that spends something has a row: height, block, txid, input, verdict, reason. `-` is standard output,
    /// as JSON lines. The file appears as that of --out does.
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Option<PathBuf>,

    /// Write an index of silent payments (BIP-352), which `phalanx scan` reads: Parquet, CSV or JSON lines by its ending.
    ///
    /// A row for each transaction that has a taproot output and a tweak point: txid, height, tweak_key, outputs.
    #[arg(long, value_name = "FILE")]
    pub(crate) silent_index: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DeriveArgs {
    /// An extended public key, alone or in a descriptor, or a file with one a line; `-` is standard input.
    #[arg(required = true, value_name = "KEY")]
    pub(crate) keys: Vec<String>,

    /// The children from index A to index B, both included, of each key; below 2147483648.
    #[arg(long, value_name = "A..B", value_parser = indexes)]
    pub(crate) range: IndexRange,

    /// The path from each key to the parent of the children, as in m/0; not for keys with a path of their own.
    #[arg(long, value_name = "PATH", default_value = "m")]
    pub(crate) path: DerivationPath,

    /// The kind of address.
    #[arg(long, value_name = "KIND", value_parser = script_kind())]
    pub(crate) address: Option<ScriptKind>,

    /// The network of the addresses; by default main for xpub, and test for tpub.
    #[arg(long, value_name = "NAME", value_parser = chain())]
    pub(crate) network: Option<Chain>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct KeygenArgs {
    /// Write the secret key to a new file that only its owner can read, and print the public key alone.
    ///
    /// The file appears only when the key is in it. A file that is already there is never replaced.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SecretArgs {
    /// Read the secret key from this file instead of standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PubkeyArgs {
    #[command(flatten)]
    pub(crate) secret: SecretArgs,
    /// The form to print.
    #[arg(long, value_name = "FORM", default_value = "compressed")]
    pub(crate) form: KeyForm,
}

#[derive(Debug, Args)]
pub(crate) struct SignArgs {
    #[command(flatten)]
    pub(crate) secret: SecretArgs,
    /// The signature scheme.
    #[arg(long, value_name = "SCHEME", default_value = "ecdsa")]
    pub(crate) scheme: Scheme,
    #[command(flatten)]
    pub(crate) what: SignWhat,
    /// How an ECDSA signature is written.
    #[arg(long, value_name = "ENCODING", default_value = "compact")]
    pub(crate) encoding: Encoding,
    /// Append the recovery id, 0 to 3, to a compact ECDSA signature: 65 bytes.
    #[arg(long)]
    pub(crate) recoverable: bool,
    /// Auxiliary randomness of a Schnorr signature, 32 bytes; by default fresh from the operating system.
    #[arg(long, value_name = "HEX")]
    pub(crate) aux: Option<String>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SignWhat {
    /// The 32 bytes to sign.
    #[arg(long, value_name = "HEX")]
    pub(crate) digest: Option<String>,
    /// The text to sign.
    #[arg(long, value_name = "TEXT")]
    pub(crate) message: Option<String>,
    /// The bytes to sign.
    #[arg(long, value_name = "HEX")]
    pub(crate) message_hex: Option<String>,
    /// The file to sign.
    #[arg(long, value_name = "FILE")]
    pub(crate) message_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct EcdhArgs {
    #[command(flatten)]
    pub(crate) secret: SecretArgs,
    /// The other's public key, 33 or 65 bytes.
    #[arg(long, value_name = "HEX")]
    pub(crate) public_key: String,
    /// Print the x coordinate of the shared point instead of a hash.
    #[arg(long)]
    pub(crate) x_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// About how long to measure, from 0.1 to 3600 s. Each rate is measured once at least, so a run may take longer.
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) seconds: Duration,

    /// Measure this backend alone, one of those that `phalanx info` lists; by default all of them.
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

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
