//! What options may be.

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use phalanx::LowS;
use phalanx_bip32::{Chain, HARDENED, ScriptKind};
use phalanx_ethereum::Fork;
use phalanx_rows::{BatchMode, DerRules, RecoveryIds};

/// Words of which an option is one, each with what help says of it and what it stands for.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    choices: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let words = PossibleValuesParser::new(choices.map(|(word, help, _)| PossibleValue::new(word).help(help)));
    words.try_map(move |found| {
        let chosen = choices.iter().find(|(word, ..)| *word == found);
        chosen.map(|(_, _, meaning)| *meaning).ok_or("not one of the words")
    })
}

/// What is done with a high s.
pub(super) fn low_s() -> impl TypedValueParser<Value = LowS> {
    let require = "Refuse them with the verdict high_s, as Bitcoin's relay rules and Ethereum's blocks do";
    choice([("require", require, LowS::Require), ("allow", "Accept them, as the mathematics does", LowS::Allow)])
}

/// The fork whose rules hold; none where the block decides.
pub(super) fn fork() -> impl TypedValueParser<Value = ForkChoice> {
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

/// The fork whose rules hold; none where the block decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForkChoice(pub(crate) Option<Fork>);

/// Types of transactions that have no signature.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnsignedTypes {
    /// A bit for each number.
    bits: [u128; 2],
}

impl UnsignedTypes {
    pub(crate) fn has(self, kind: u8) -> bool {
        self.bits[usize::from(kind / 128)] >> (kind % 128) & 1 == 1
    }
}

/// Numbers of types from 5 to 255, decimal or hex after 0x, with commas between them.
pub(super) fn unsigned_types(text: &str) -> Result<UnsignedTypes, String> {
    let mut types = UnsignedTypes::default();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let number = match word.strip_prefix("0x") {
            Some(digits) => u8::from_str_radix(digits, 16),
            None => word.parse(),
        };
        match number {
            Ok(kind @ 5..) => types.bits[usize::from(kind / 128)] |= 1 << (kind % 128),
            Ok(kind) => return Err(format!("type {kind} has a signature")),
            Err(_) => return Err(format!("{word:?} is not a number from 5 to 255, as in 0x7b or 123")),
        }
    }
    Ok(types)
}

/// How DER is read.
pub(super) fn der() -> impl TypedValueParser<Value = DerRules> {
    let lax = "As OpenSSL once did and old blocks need it: padding, odd lengths and trailing bytes are forgiven";
    choice([
        ("strict", "As BIP-66 and X.690 say: one encoding for each signature", DerRules::Strict),
        ("lax", lax, DerRules::Lax),
    ])
}

/// Where recovery ids stand.
pub(super) fn recovery_ids() -> impl TypedValueParser<Value = RecoveryIds> {
    choice([
        ("last", "The last of 65 bytes, 0 to 3 or 27 to 30", RecoveryIds::Last),
        ("eip155", "The last of 65 bytes, also 35 and above (EIP-155)", RecoveryIds::Eip155),
        ("header", "The first of 65 bytes, 27 to 42, as Bitcoin's messages have it (BIP-137)", RecoveryIds::Header),
        ("eip2098", "The highest bit of s in 64 bytes (EIP-2098), or the last of 65 bytes", RecoveryIds::Eip2098),
    ])
}

/// Which rows are verified together.
pub(super) fn batch() -> impl TypedValueParser<Value = BatchMode> {
    let auto =
        "Where it promises to be faster: many rows, few under the same key, and no bad ones in the batches before";
    choice([
        ("auto", auto, BatchMode::Auto),
        ("always", "Schnorr rows, and ECDSA rows with a recovery id", BatchMode::Always),
        ("never", "No rows", BatchMode::Never),
    ])
}

/// The kind of an address.
pub(super) fn script_kind() -> impl TypedValueParser<Value = ScriptKind> {
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
pub(super) fn chain() -> impl TypedValueParser<Value = Chain> {
    choice([
        ("main", "The one with bitcoins of value", Chain::Main),
        ("test", "The test networks, and Signet", Chain::Test),
        ("regtest", "A network of one's own", Chain::Regtest),
    ])
}

/// Indexes of children, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IndexRange {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// From one index to another.
pub(super) fn indexes(text: &str) -> Result<IndexRange, String> {
    let range = text
        .split_once("..")
        .and_then(|(first, last)| Some(IndexRange { first: first.parse().ok()?, last: last.parse().ok()? }));
    range
        .filter(|range| range.first <= range.last && range.last < HARDENED)
        .ok_or_else(|| "not two indexes below 2147483648 in order, as in 0..999".into())
}

/// How a public key is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyForm {
    /// 33 bytes.
    Compressed,
    /// 65 bytes.
    Uncompressed,
    /// 32 bytes, as BIP-340 has it.
    XOnly,
    /// The Ethereum address.
    Address,
}

/// A signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scheme {
    /// ECDSA with the nonce of RFC 6979.
    Ecdsa,
    /// Schnorr signatures of BIP-340.
    Schnorr,
}

/// How an ECDSA signature is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// r and s, 64 bytes.
    Compact,
    /// A DER sequence, as in Bitcoin scripts and X.509.
    Der,
}

/// What a file of rows is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileFormat {
    /// Apache Parquet; in an output, binary values are bytes.
    Parquet,
    /// Text with a header and a delimiter; in an output, a comma, and binary values are hex.
    Csv,
    /// One JSON object a line; in an output, binary values are hex.
    Jsonl,
}

/// What a file of Ethereum transactions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChainFormat {
    /// Blocks in RLP, one after another.
    Rlp,
    /// An archive of blocks before the merge.
    Era1,
    /// One block a line, as `eth_getBlockByNumber` answers with whole transactions; or one transaction a line.
    Jsonl,
    /// One raw transaction a line, in hex.
    Hex,
    /// A table of transactions: raw, or in fields as cryo writes them.
    Parquet,
    /// The same as text with a header.
    Csv,
}

impl ChainFormat {
    /// The format that a file's name ends in.
    pub(crate) fn of(path: &Path) -> Option<ChainFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "rlp" => Some(ChainFormat::Rlp),
            "era1" => Some(ChainFormat::Era1),
            "jsonl" | "ndjson" | "json" => Some(ChainFormat::Jsonl),
            "parquet" => Some(ChainFormat::Parquet),
            "csv" => Some(ChainFormat::Csv),
            _ => None,
        }
    }
}

impl FileFormat {
    /// The format that a file's name ends in.
    pub(crate) fn of(path: &Path) -> Option<FileFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "parquet" => Some(FileFormat::Parquet),
            "csv" => Some(FileFormat::Csv),
            "jsonl" | "ndjson" => Some(FileFormat::Jsonl),
            _ => None,
        }
    }
}

/// What stands between two columns: one character, or the word `tab`.
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if (byte.is_ascii_punctuation() && *byte != b'"') || matches!(byte, b' ' | b'\t') => Ok(*byte),
        _ => Err("not one punctuation mark other than a quote, nor a space, nor the word tab".into()),
    }
}

/// How long to measure.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "not a number from 0.1 to 3600".into())
}

/// Heights of blocks, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeightRange {
    /// None if it is not named.
    pub(crate) first: Option<u32>,
    /// None if it is not named.
    pub(crate) last: Option<u32>,
}

/// From one height to another, either of which may be left out.
pub(super) fn heights(text: &str) -> Result<HeightRange, String> {
    let ends = text.split_once("..").and_then(|(first, last)| {
        let end = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
        Some(HeightRange { first: end(first)?, last: end(last)? })
    });
    ends.filter(|range| range.last.is_none_or(|last| range.first.unwrap_or(0) <= last))
        .ok_or_else(|| "not two heights in order, as in 100..200".into())
}
