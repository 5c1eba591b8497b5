//! The options of `phalanx scan`.

use std::path::PathBuf;

use clap::Args;

use super::choices::{delimiter, format};
use super::output::OutputArgs;
use crate::input::{Format, TABLES};

#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// An index in Parquet, CSV or JSON lines; text also as .gz or .zst; `-` is standard input.
    #[arg(required = true, value_name = "INDEX")]
    pub(crate) files: Vec<String>,

    /// Read the scan secret from this file; `-` is standard input.
    ///
    /// 64 hex digits, on the first line.
    #[arg(long, value_name = "FILE")]
    pub(crate) scan_key: PathBuf,

    /// The spend key, 33 or 65 bytes.
    #[arg(long, value_name = "HEX")]
    pub(crate) spend_key: String,

    /// How many labels there are, numbered from 1. Change, which is label 0, is always looked for.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u32).range(0..100_000))]
    pub(crate) labels: u32,

    /// What the files are, whatever their names and contents say.
    #[arg(long, value_name = "FORMAT", value_parser = format(&TABLES))]
    pub(crate) format: Option<&'static Format>,

    /// What stands between the columns of CSV: one character, or the word tab.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub(crate) delimiter: Option<u8>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
