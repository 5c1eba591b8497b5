//! What options may be.

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use phalanx::LowS;
use phalanx_rows::{BatchMode, DerRules};

/// What is done with a high s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LowSPolicy {
    /// Refuse them with the verdict high_s, as Bitcoin's relay rules and Ethereum's blocks do.
    Require,
    /// Accept them, as the mathematics does.
    Allow,
}

impl From<LowSPolicy> for LowS {
    fn from(policy: LowSPolicy) -> LowS {
        match policy {
            LowSPolicy::Require => LowS::Require,
            LowSPolicy::Allow => LowS::Allow,
        }
    }
}

/// How DER is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Der {
    /// As BIP-66 and X.690 say: one encoding for each signature.
    Strict,
    /// As OpenSSL once did and old blocks need it: padding, odd lengths and trailing bytes are forgiven.
    Lax,
}

impl From<Der> for DerRules {
    fn from(rules: Der) -> DerRules {
        match rules {
            Der::Strict => DerRules::Strict,
            Der::Lax => DerRules::Lax,
        }
    }
}

/// Which rows are verified together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Together {
    /// Where it promises to be faster: many rows, few under the same key, and no bad ones in the batches before.
    Auto,
    /// Schnorr rows, and ECDSA rows with a recovery id.
    Always,
    /// No rows.
    Never,
}

impl From<Together> for BatchMode {
    fn from(mode: Together) -> BatchMode {
        match mode {
            Together::Auto => BatchMode::Auto,
            Together::Always => BatchMode::Always,
            Together::Never => BatchMode::Never,
        }
    }
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
