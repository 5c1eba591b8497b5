//! What options may be.

use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use phalanx::LowS;
use phalanx_bip32::{Chain, HARDENED, ScriptKind};
use phalanx_ethereum::Fork;
use phalanx_rows::{BatchMode, DerRules, RecoveryIds};

use crate::input::Format;

/// Words of which an option is one, each with what help says of it and what it stands for.
fn choice<T: Copy + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<_> = choices.into_iter().collect();
    let words = PossibleValuesParser::new(choices.iter().map(|(word, help, _)| PossibleValue::new(word).help(help)));
    words.try_map(move |found| {
        let chosen = choices.iter().find(|(word, ..)| *word == found);
        chosen.map(|(_, _, meaning)| *meaning).ok_or("not one of the words")
    })
}

/// What the files are.
pub(super) fn format(formats: &'static [Format]) -> impl TypedValueParser<Value = &'static Format> {
    choice(formats.iter().map(|format| (format.word, format.help, format)))
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
