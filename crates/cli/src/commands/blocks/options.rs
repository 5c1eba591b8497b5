//! The options of `phalanx blocks`.

use std::path::PathBuf;

use clap::Args;
use phalanx_bitcoin::Network;

use super::super::joined;
use super::super::out::OutputArgs;

/// Verify every input of Bitcoin blocks: those of a node's data folder, or blocks in files.
///
/// Consensus' own verdict on the scripts of each input, by the rules of the block's height. A folder is that of
/// Bitcoin Core: the data folder, or `blocks` in it. The chain with the most work among its blocks is verified,
/// and nothing is written there. Amounts, lock times of transactions and the headers' rules are not judged.
#[derive(Debug, Args)]
#[command(after_help = STATUSES,
    after_long_help = joined(&[FILES, COLUMNS, STATUSES, EXAMPLES]))]
pub(crate) struct BlocksArgs {
    /// A node's data folder, or a file of one block.
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<String>,

    /// The network: main, test, testnet4, signet or regtest.
    ///
    /// By default that of the first block of a folder, and main for files.
    #[arg(long, value_name = "NAME")]
    pub(super) network: Option<Network>,

    /// Only the blocks of a folder from height A to height B, both included; either may be left out.
    ///
    /// N..N is the height of a block in a file that names none.
    #[arg(long, value_name = "A..B", default_value = "..", value_parser = heights)]
    pub(super) heights: HeightRange,

    /// Write a row for each input, with its verdict: Parquet, CSV or JSON lines by its ending.
    ///
    /// Every input that spends something has a row: height, block, txid, input, verdict, reason. `-` is standard output,
    /// as JSON lines. The file appears as that of --out does.
    #[arg(long, value_name = "FILE")]
    pub(super) inputs: Option<PathBuf>,

    /// Write an index of silent payments (BIP-352), which `phalanx scan` reads: Parquet, CSV or JSON lines by its ending.
    ///
    /// A row for each transaction that has a taproot output and a tweak point: txid, height, tweak_key, outputs.
    #[arg(long, value_name = "FILE")]
    pub(super) silent_index: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Heights of blocks, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeightRange {
    /// None if it is not named.
    pub(super) first: Option<u32>,
    /// None if it is not named.
    pub(super) last: Option<u32>,
}

/// From one height to another, either of which may be left out.
fn heights(text: &str) -> Result<HeightRange, String> {
    let ends = text.split_once("..").and_then(|(first, last)| {
        let end = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
        Some(HeightRange { first: end(first)?, last: end(last)? })
    });
    ends.filter(|range| range.last.is_none_or(|last| range.first.unwrap_or(0) <= last))
        .ok_or_else(|| "not two heights in order, as in 100..200".into())
}

const FILES: &str = "\
A file has one block: NAME.raw as bytes, or as bitcoin-cli getblock HASH 0 prints it, in hex. What the block spends is \
in a file beside it, unless the block has only a coinbase:
  NAME.undo.raw            for each output its value (8 bytes, little-endian),
                           the length of its script (compact size), the script
  NAME.spent-outputs.json  an array of objects with value in satoshis and
                           script_pubkey, or with both of them in txout; or what
                           REST gives: GET /rest/spenttxouts/HASH.json
NAME.json, as getblock HASH 3 prints it, has the block and what it spends.

Each may be packed as .zst. Rules go by the height that the block names (BIP-34), by that in its JSON, or by \
--heights N..N if neither is there.";

const COLUMNS: &str = "\
Columns of --out, a row for each signature under each key that was tried:
  height    of the block
  block     the block's hash, as text shows it
  txid      the transaction's id, as text shows it
  input     the number of the input
  scheme    ecdsa or schnorr
  msg_hash  what is signed
  pubkey    33 or 65 bytes for ecdsa, 32 for schnorr
  sig       64 bytes, without the sighash type
  valid     whether the signature holds; a valid input may have some that do
            not, where CHECKMULTISIG passes over a key
Columns of --inputs, a row for each input that spends something:
  height, block, txid, input  as above
  verdict   valid, invalid, or block_invalid if the block breaks a rule as a
            whole: then no script ran
  reason    why it is not valid: Bitcoin Core's name, such as EVAL_FALSE, or the
            rule that the block breaks
Blocks that could not be read, or that are damaged, have no rows.";

const STATUSES: &str = "\
Exit status:
  0    every input is valid
  1    at least one input is invalid, or a block as a whole
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one block could not be verified, or a file is damaged or
       missing, or a named height is not there: each is named, and all else is
       verified
  130  interrupted; no output is left behind, and a line says from which height
       to go on";

const EXAMPLES: &str = "\
Examples:
  phalanx blocks ~/.bitcoin
  phalanx blocks --heights 840000..840999 --out checks.parquet ~/.bitcoin
  phalanx blocks --network signet --json ~/.bitcoin/signet
  phalanx blocks block-866342.raw.zst";
