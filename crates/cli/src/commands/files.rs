//! The files that a command reads.

use std::sync::Arc;

use clap::Args;
use clap::builder::TypedValueParser;
use phalanx_rows::{Job, Names};

use super::choice::choice;
use crate::exit::RunError;
use crate::input::{Content, Format, Input, InputSettings, Rows, TABLES};
use crate::output::ReadPlace;
use crate::process::standard;

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Parquet, CSV or JSON lines; text also as .gz or .zst; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// What the files are, whatever their names and contents say.
    #[arg(long, value_name = "FORMAT", value_parser = format(&TABLES))]
    format: Option<&'static Format>,

    /// What stands between the columns of CSV: one character, or the word tab.
    ///
    /// Without it, a comma; or a semicolon, a tab or a vertical bar, if the header has more known columns by it.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,

    /// Which columns play which roles, where their names do not say so.
    #[arg(long, value_name = "ROLE=NAME", value_delimiter = ',')]
    columns: Vec<String>,
}

/// Files that are opened, one after the other.
pub(super) struct Files<'a> {
    pub(super) names: &'a [String],
    content: Arc<dyn Content>,
}

impl<'a> Files<'a> {
    /// The files of a command line.
    pub(super) fn new(names: &'a [String], content: impl Content + 'static) -> Result<Files<'a>, RunError> {
        if names.iter().filter(|file| *file == "-").count() > 1 {
            return Err(RunError::new("standard input can be read only once"));
        }
        Ok(Files { names, content: Arc::new(content) })
    }

    /// Files of rows. Their columns of the names `keep` are there, and are passed through if `keeps`.
    pub(super) fn of_rows(args: &'a InputArgs, job: Job, keep: &[String], keeps: bool) -> Result<Files<'a>, RunError> {
        let names = Names::new(&args.columns, keep)?;
        let settings = InputSettings { names, format: args.format, delimiter: args.delimiter, keeps };
        Files::new(&args.files, Rows { job, settings })
    }

    /// What is read.
    pub(super) fn places(&self) -> Vec<ReadPlace> {
        self.names.iter().map(ReadPlace::of_name).collect()
    }

    /// Opens each. Those that cannot be opened are told, and come second.
    pub(super) fn open_all(&self) -> (Vec<Input>, Vec<RunError>) {
        opened(self.open())
    }

    /// Opens each.
    pub(super) fn open(&self) -> impl Iterator<Item = Result<Input, RunError>> {
        self.names.iter().map(|name| Input::open(name, &self.content))
    }
}

/// What could be opened. What could not is told, and comes second.
pub(super) fn opened<T>(places: impl Iterator<Item = Result<T, RunError>>) -> (Vec<T>, Vec<RunError>) {
    let (mut sources, mut failed) = (Vec::new(), Vec::new());
    for place in places {
        match place {
            Ok(source) => sources.push(source),
            Err(failure) => {
                standard::remark(format_args!("phalanx: {failure}"));
                failed.push(failure);
            }
        }
    }
    (sources, failed)
}

/// What the files are.
pub(super) fn format(formats: &'static [Format]) -> impl TypedValueParser<Value = &'static Format> {
    choice(formats.iter().map(|format| (format.word, format.help, format)))
}

/// What stands between two columns: one character, or the word `tab`.
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if (byte.is_ascii_punctuation() && *byte != b'"') || matches!(byte, b' ' | b'\t') => Ok(*byte),
        _ => Err("not one punctuation mark other than a quote, nor a space, nor the word tab".into()),
    }
}
