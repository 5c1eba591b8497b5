//! The options of `phalanx verify` and `phalanx recover`.

use clap::Args;
use clap::builder::TypedValueParser;
use phalanx::LowS;
use phalanx_rows::{BatchMode, DerRules, RecoveryIds};

use super::super::choice::choice;
use super::super::files::InputArgs;
use super::super::out::OutputArgs;
use super::super::{STATUSES, joined};

/// Verify rows of signatures, or Nostr events: a verdict per row, and a summary.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, after_long_help = joined(&[COLUMNS, EVENTS, VERDICTS, STATUSES, VERIFY_EXAMPLES]))]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(super) run: RunArgs,
    /// Accept 65-byte public keys with the prefixes 06 and 07.
    #[arg(long)]
    pub(super) hybrid_keys: bool,
    /// Which rows are verified together, by one sum for a whole batch. Verdicts do not depend on it; time does.
    ///
    /// Together is faster, 1.5 times and more, if all rows hold. Rows are searched for those to blame where they do
    /// not. ECDSA rows need a recovery id for it, as a 65th byte of `sig` or in `v`; a wrong one costs time alone.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = batch())]
    pub(super) batch: BatchMode,
}

/// Recover public keys and Ethereum addresses from digests and recoverable signatures.
///
/// A row that carries `from_address` or `pubkey` is valid only when the recovered key agrees with it. Key and
/// address are given for valid rows only.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, after_long_help = joined(&[COLUMNS, VERDICTS, STATUSES, RECOVER_EXAMPLES]))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,

    /// Further columns to pass through to the output.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) keep: Vec<String>,

    /// What to do with ECDSA signatures whose s is above half the group order; the summary counts them either way.
    #[arg(long, value_name = "POLICY", default_value = "allow", value_parser = low_s())]
    pub(super) low_s: LowS,

    /// How DER signatures are read.
    #[arg(long, value_name = "RULES", default_value = "strict", value_parser = der())]
    pub(super) der: DerRules,

    /// Where the recovery id of a signature stands; by default last.
    #[arg(long, value_name = "WHERE", value_parser = recovery_ids())]
    pub(super) v: Option<RecoveryIds>,

    #[command(flatten)]
    pub(super) answers: AnswerArgs,
}

/// How rows are answered.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    pub(super) output: OutputArgs,

    /// How many rows are computed together. Answers do not depend on it; memory does.
    #[arg(long, value_name = "N", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(super) block_rows: u32,
}

/// What is done with a high s.
fn low_s() -> impl TypedValueParser<Value = LowS> {
    let require = "Refuse them with the verdict high_s, as Bitcoin's relay rules and Ethereum's blocks do";
    choice([("require", require, LowS::Require), ("allow", "Accept them, as the mathematics does", LowS::Allow)])
}

/// How DER is read.
fn der() -> impl TypedValueParser<Value = DerRules> {
    let lax = "As OpenSSL once did and old blocks need it: padding, odd lengths and trailing bytes are forgiven";
    choice([
        ("strict", "As BIP-66 and X.690 say: one encoding for each signature", DerRules::Strict),
        ("lax", lax, DerRules::Lax),
    ])
}

/// Where recovery ids stand.
fn recovery_ids() -> impl TypedValueParser<Value = RecoveryIds> {
    choice([
        ("last", "The last of 65 bytes, 0 to 3 or 27 to 30", RecoveryIds::Last),
        ("eip155", "The last of 65 bytes, also 35 and above (EIP-155)", RecoveryIds::Eip155),
        ("header", "The first of 65 bytes, 27 to 42, as Bitcoin's messages have it (BIP-137)", RecoveryIds::Header),
        ("eip2098", "The highest bit of s in 64 bytes (EIP-2098), or the last of 65 bytes", RecoveryIds::Eip2098),
    ])
}

/// Which rows are verified together.
fn batch() -> impl TypedValueParser<Value = BatchMode> {
    let auto =
        "Where it promises to be faster: many rows, few under the same key, and no bad ones in the batches before";
    choice([
        ("auto", auto, BatchMode::Auto),
        ("always", "Schnorr rows, and ECDSA rows with a recovery id", BatchMode::Always),
        ("never", "No rows", BatchMode::Never),
    ])
}

const COLUMNS: &str = "\
Columns, with other names in brackets; capitals, underscores, hyphens and spaces do not matter:
  id            any type, passed through
                [transaction_hash, tx_hash, txid, hash]
  scheme        ecdsa or schnorr; without it a 32-byte key means schnorr
  msg_hash      what was signed, 32 bytes [digest, sighash, message_hash]
  message       what was signed, of any length; for schnorr rows that have no
                msg_hash
  pubkey        33 or 65 bytes for ecdsa, 32 for schnorr [public_key]
  sig           64 bytes, 65 with a recovery id, any other length is DER
                [signature]
  r, s          instead of sig, at most 32 bytes each
  v             the recovery id, a whole number of any type: 0 to 3, 27 to 30,
                or by EIP-155 from 35 on; under --v header 27 to 42; also true
                or false. It is not read if sig has an id. verify does not
                check that it is the right one
                [recovery_id, recid, y_parity, recovery_param]
  from_address  the Ethereum address that recovery should find [from, sender]

Values are binary, or hex text with or without 0x. Other text is read if it can be nothing else: 0X, \\x, pairs of \
digits with colons, Base64, blobs as DuckDB and Python show them; for r and s also decimal numbers of 65 digits or \
more. Empty CSV fields are null, and spaces around values of CSV do not count. Two names of one value are an error unless \
--columns says which counts.

Signatures of 65 bytes whose recovery id seems to stand at the other end than --v says are out_of_range. A file of them \
is refused if recover could find wrong keys in it.";

const EVENTS: &str = "\
Nostr events (NIP-01): a JSON line with any of the keys created_at, kind, tags and content is an event, and so is the \
object in a relay's message [\"EVENT\", \"subscription\", {...}]. It is malformed unless id, pubkey, created_at, \
kind, tags, content and sig are there, each as NIP-01 says. No other key counts, whatever --columns says. The id is \
computed; where the event names another, the row is invalid (invalid_signature). Messages without an event are no \
rows.";

const VERDICTS: &str = "\
Verdicts, in the order of the checks:
  malformed_row           a value missing or null, text that cannot be read, a
                          column of the wrong type, a digest that is not 32
                          bytes, an unknown scheme; with the column's name;
                          also a row of more than 16 MiB
  bad_public_key          length, prefix, x >= p, not on the curve, not
                          liftable
  bad_signature_encoding  length, DER
  out_of_range            r or s zero or >= n; BIP-340: r >= p or s >= n; a
                          number that is no recovery id
  high_s                  s > n/2, only under --low-s require
  invalid_signature       the equation does not hold; recovery has no result
                          or not the expected key
  valid";

const VERIFY_EXAMPLES: &str = "\
Examples:
  phalanx verify block.parquet
  phalanx verify --json --low-s require rows.csv.gz
  phalanx verify --out verdicts.parquet --columns sig=witness 2024-*.parquet
  phalanx verify --format csv --delimiter tab rows.txt
  zcat events.jsonl.gz | phalanx verify --out - - | grep '\"valid\":false'";

const RECOVER_EXAMPLES: &str = "\
Examples:
  phalanx recover --out senders.parquet transactions.parquet
  phalanx recover --json --columns msg_hash=signing_hash transactions.csv
  phalanx recover --v header bitcoin-messages.csv";
