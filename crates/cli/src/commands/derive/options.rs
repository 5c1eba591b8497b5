//! The options of `phalanx derive`.

use clap::Args;
use clap::builder::TypedValueParser;
use phalanx_bip32::{Chain, DerivationPath, HARDENED, ScriptKind};

use super::super::choice::choice;
use super::super::joined;
use super::super::out::OutputArgs;

/// Derive ranges of children of extended keys (BIP-32): their addresses, scripts and keys.
///
/// Children are those that are not hardened. Secret keys serve for paths with hardened steps; what comes out is
/// public. Without --out, a line for each child has its index, a tab, and its address, or its public key without
/// --address; where KEYs are several or files, the number of the key comes first. The summary then goes to standard
/// error, and --quiet without --json leaves it out.
#[derive(Debug, Args)]
#[command(after_help = STATUSES,
    after_long_help = joined(&[KEYS, COLUMNS, STATUSES, EXAMPLES]))]
pub(crate) struct DeriveArgs {
    /// An extended public key, alone or in a descriptor, or a file with one a line; `-` is standard input.
    #[arg(required = true, value_name = "KEY")]
    pub(super) keys: Vec<String>,

    /// The children from index A to index B, both included, of each key; below 2147483648.
    #[arg(long, value_name = "A..B", value_parser = indexes)]
    pub(super) range: IndexRange,

    /// The path from each key to the parent of the children, as in m/0; not for keys with a path of their own.
    #[arg(long, value_name = "PATH", default_value = "m")]
    pub(super) path: DerivationPath,

    /// The kind of address.
    #[arg(long, value_name = "KIND", value_parser = script_kind())]
    pub(super) address: Option<ScriptKind>,

    /// The network of the addresses; by default main for xpub, and test for tpub.
    #[arg(long, value_name = "NAME", value_parser = chain())]
    pub(super) network: Option<Chain>,

    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Indexes of children, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexRange {
    pub(super) first: u32,
    pub(super) last: u32,
}

/// From one index to another.
fn indexes(text: &str) -> Result<IndexRange, String> {
    let range = text
        .split_once("..")
        .and_then(|(first, last)| Some(IndexRange { first: first.parse().ok()?, last: last.parse().ok()? }));
    range
        .filter(|range| range.first <= range.last && range.last < HARDENED)
        .ok_or_else(|| "not two indexes below 2147483648 in order, as in 0..999".into())
}

/// The kind of an address.
fn script_kind() -> impl TypedValueParser<Value = ScriptKind> {
    choice([
        (ScriptKind::P2pkh.name(), "The hash of a key: BIP-44", ScriptKind::P2pkh),
        (
            ScriptKind::P2shP2wpkh.name(),
            "The hash of a key in SegWit, within the hash of a script: BIP-49",
            ScriptKind::P2shP2wpkh,
        ),
        (ScriptKind::P2wpkh.name(), "The hash of a key in SegWit: BIP-84", ScriptKind::P2wpkh),
        (ScriptKind::P2tr.name(), "A taproot key without a tree of scripts: BIP-86", ScriptKind::P2tr),
    ])
}

/// The network of addresses.
fn chain() -> impl TypedValueParser<Value = Chain> {
    choice([
        ("main", "The one with bitcoins of value", Chain::Main),
        ("test", "The test networks, and Signet", Chain::Test),
        ("regtest", "A network of one's own", Chain::Regtest),
    ])
}

const KEYS: &str = "\
Keys: on the command line an extended public key. In a file a line has an extended key, public or secret; empty lines \
and lines that begin with # are passed over. Keys are numbered from 0 in the order of the input, malformed ones \
included. A secret key is never taken from the command line, where the machine's other users and the shell's history \
would see it; what is typed at a terminal is not shown.

Forms of a key, with prv for pub in secret keys:
  xpub..., tpub...     the key; --path leads to the parent of the children
  zpub..., ypub...     the same, and only for --address p2wpkh; p2sh-p2wpkh
                       [vpub..., upub...]
  [d34db33f/84h]xpub   the same key; its origin has no effect
  xpub.../0/*          the children of xpub.../0, without --path
  wpkh(xpub.../0/*)    the same, and only for --address p2wpkh; also pkh(),
                       sh(wpkh()) and tr(), with or without #checksum";

const COLUMNS: &str = "\
Columns of --out, a row for each child:
  key         the number of the key
  index       the index of the child
  public_key  33 bytes
  script      of the output that pays to the address, with --address
  address     with --address

An index without a child, where BIP-32 says to take the next one, has a row without values. None is known.";

const STATUSES: &str = "\
Exit status:
  0    every child is derived
  1    at least one index has no child
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one key cannot be read or lacks the path: each is named, and all
       other children are derived
  130  interrupted; no output is left behind";

const EXAMPLES: &str = "\
Examples:
  phalanx derive xpub6CatW... --path m/0 --range 0..999 --address p2wpkh
  phalanx derive accounts.txt --range 0..999 --address p2tr --out keys.parquet
  phalanx derive 'wpkh(xpub6CatW.../0/*)' --range 0..9 --address p2wpkh
  phalanx derive - --path m/86h/0h/0h/0 --range 0..19 --address p2tr < xprv.txt";
