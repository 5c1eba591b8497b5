//! The command line of `phalanx senders`.

use clap::Args;

use super::AnswerArgs;
use super::choices::{ForkChoice, fork, format};
use crate::input::{Format, TRANSACTIONS, UnsignedTypes};

#[derive(Debug, Args)]
pub(crate) struct SendersArgs {
    /// Blocks in RLP, era1 archives, JSON lines, transactions in hex, CSV or Parquet; `-` is standard input.
    ///
    /// All but Parquet also as .gz or .zst.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// What the files are, whatever their names and contents say.
    #[arg(long, value_name = "FORMAT", value_parser = format(&TRANSACTIONS))]
    pub(crate) format: Option<&'static Format>,

    /// The fork whose rules hold.
    #[arg(long, value_name = "FORK", default_value = "mainnet", value_parser = fork())]
    pub(crate) fork: ForkChoice,

    /// The chain id that transactions must have, if they have one; by default 1 under the rules of mainnet, else any.
    #[arg(long, value_name = "N")]
    pub(crate) chain_id: Option<u64>,

    /// Further transaction types that have no signature, as in 0x7b,0x7c: they are counted, not judged.
    ///
    /// Known are 0x7e of the OP stack, and 0x64, 0x65, 0x66, 0x68, 0x69 and 0x6a of Arbitrum, unless the rules are those
    /// of mainnet.
    #[arg(long, value_name = "TYPES", default_value = "", hide_default_value = true)]
    pub(crate) unsigned_types: UnsignedTypes,

    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
}
