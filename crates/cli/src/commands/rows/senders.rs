//! `phalanx senders`.

use clap::Args;
use clap::builder::TypedValueParser;
use phalanx_ethereum::Fork;
use phalanx_rows::{BatchMode, Policy, RowJob};

use super::super::choice::choice;
use super::super::files::{Files, format};
use super::super::{STATUSES, joined};
use super::{AnswerArgs, Question, answer_files};
use crate::exit::RunError;
use crate::input::{ChainSettings, ChainTransactions, Format, InputSettings, TRANSACTIONS, UnsignedTypes};
use crate::output::Finding;

/// Find the senders of Ethereum transactions, in blocks or alone: their addresses, and a verdict per transaction.
///
/// What was signed is computed from the transaction, of any type from 0 to 4. v and s are judged by the rules of
/// the fork. Where the input says who sent a transaction, or names its hash, another is a failure. A sender is
/// given for valid transactions only.
#[derive(Debug, Args)]
#[command(
    after_help = STATUSES,
    after_long_help = joined(&[INPUT, VERDICTS, STATUSES, EXAMPLES])
)]
pub(crate) struct SendersArgs {
    /// Blocks in RLP, era1 archives, JSON lines, transactions in hex, CSV or Parquet; `-` is standard input.
    ///
    /// All but Parquet also as .gz or .zst.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// What the files are, whatever their names and contents say.
    #[arg(long, value_name = "FORMAT", value_parser = format(&TRANSACTIONS))]
    format: Option<&'static Format>,

    /// The fork whose rules hold.
    #[arg(long, value_name = "FORK", default_value = "mainnet", value_parser = fork())]
    fork: ForkChoice,

    /// The chain id that transactions must have, if they have one; by default 1 under the rules of mainnet, else any.
    #[arg(long, value_name = "N")]
    chain_id: Option<u64>,

    /// Further transaction types that have no signature, as in 0x7b,0x7c: they are counted, not judged.
    ///
    /// Known are 0x7e of the OP stack, and 0x64, 0x65, 0x66, 0x68, 0x69 and 0x6a of Arbitrum, unless the rules are those
    /// of mainnet.
    #[arg(long, value_name = "TYPES", default_value = "", hide_default_value = true)]
    unsigned_types: UnsignedTypes,

    #[command(flatten)]
    answers: AnswerArgs,
}

/// Finds senders in all files. What was signed is known once a block is decoded; from there on it is a recovery.
pub(in crate::commands) fn senders(args: SendersArgs) -> Result<u8, RunError> {
    let SendersArgs { format, fork: ForkChoice(fork), chain_id, unsigned_types: unsigned, .. } = args;
    let chain = ChainSettings { fork, chain_id, unsigned };
    let settings = InputSettings { format, ..InputSettings::default() };
    let files = Files::new(&args.files, ChainTransactions { chain, settings })?;
    // The rules of forks on high s are applied when a block is decoded.
    let policy = Policy::default();
    let (mode, finding) = (BatchMode::Never, Finding::Sender);
    let question = Question { job: RowJob::Recover, policy, ids_told: true, mode, finding };
    answer_files(&files, question, args.answers)
}

/// The fork whose rules hold; none where the block decides.
#[derive(Clone, Copy, Debug)]
struct ForkChoice(Option<Fork>);

/// The fork whose rules hold; none where the block decides.
fn fork() -> impl TypedValueParser<Value = ForkChoice> {
    choice([
        ("mainnet", "That of the block's number on Ethereum's main chain", ForkChoice(None)),
        ("frontier", "High s is allowed", ForkChoice(Some(Fork::Frontier))),
        ("homestead", "High s is refused (EIP-2)", ForkChoice(Some(Fork::Homestead))),
        ("spurious-dragon", "v may hold the chain id (EIP-155)", ForkChoice(Some(Fork::SpuriousDragon))),
        ("berlin", "Transactions of type 1, with access lists", ForkChoice(Some(Fork::Berlin))),
        ("london", "Type 2, the fee market", ForkChoice(Some(Fork::London))),
        ("cancun", "Type 3, blobs", ForkChoice(Some(Fork::Cancun))),
        ("prague", "Type 4, set code; for later forks too", ForkChoice(Some(Fork::Prague))),
    ])
}

const INPUT: &str = "\
Input, by the ending of the name, else by content:
  .rlp          blocks, one after another, as nodes export them
  .era1         archives of blocks before the merge
  .jsonl        a block a line, as eth_getBlockByNumber answers with whole
                transactions, or a transaction a line; alone or as the result
                of a response [.ndjson, .json]
  hex           a raw transaction a line, by content alone
  .parquet      tables with a column raw [rawTx, raw_transaction], or of cryo,
  .csv          with the columns r, s and v. cryo has no access lists: a
                transaction whose hash says that it had one is malformed. So
                are types 3 and 4

A file of RLP or era1 fails where the transactions of a block are not those of its header. A line of JSON with such a \
block is one malformed row.

The output has the columns block, index, hash, row, sender, valid, reason and column. index is the place in the block.";

const VERDICTS: &str = "\
Verdicts:
  malformed_row      no transaction, a field that is not canonical RLP, an
                     unknown type; with the field's name
  out_of_range       r or s zero or >= n; a v that the fork does not allow
  high_s             s > n/2, since Homestead
  invalid_signature  no key can have made it; another sender or hash than the
                     input says; another chain id; a type before its fork
  valid

Transactions of types without a signature have no verdict: valid is empty, the reason is unsigned, and the exit status \
does not depend on them.";

const EXAMPLES: &str = "\
Examples:
  phalanx senders --out senders.parquet mainnet-01895-3f81607c.era1
  phalanx senders --fork prague --chain-id 10 optimism.jsonl.gz
  curl ... | phalanx senders --format jsonl --out - -";
