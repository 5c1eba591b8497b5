//! The formats of answers.

use std::path::Path;

use clap::ValueEnum;

use crate::exit::RunError;

/// What a file of answers is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Apache Parquet; binary values are bytes.
    Parquet,
    /// Text with a header and commas; binary values are hex.
    Csv,
    /// One JSON object a line; binary values are hex.
    Jsonl,
}

impl OutputFormat {
    /// The format of a file of this name, unless it is `asked` for. `-` is standard output.
    pub(crate) fn of(path: &Path, asked: Option<OutputFormat>) -> Result<OutputFormat, RunError> {
        if let Some(asked) = asked {
            return Ok(asked);
        }
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("parquet") => Ok(OutputFormat::Parquet),
            Some("csv") => Ok(OutputFormat::Csv),
            Some("jsonl" | "ndjson") => Ok(OutputFormat::Jsonl),
            _ if path == Path::new("-") => Ok(OutputFormat::Jsonl),
            _ => Err(RunError::new(format!(
                "{}: the ending says no format: end in .parquet, .csv or .jsonl, or name one with --out-format",
                path.display()
            ))),
        }
    }
}
