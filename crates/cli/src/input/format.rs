//! What a format of files is, and how a file's is told.

use std::path::Path;

use phalanx_rows::ColumnNames;

use super::stream::{Source, ending};
use super::{Content, Emit, KeptColumn};
use crate::exit::RunError;

/// A format of files.
#[derive(Debug)]
pub(crate) struct Format {
    /// The word for it after `--format`.
    pub(crate) word: &'static str,
    /// What help says of it.
    pub(crate) help: &'static str,
    /// What messages call it.
    pub(super) name: &'static str,
    /// What the names of such files end in, in lower case and without what tells a compression.
    pub(super) endings: &'static [&'static str],
    /// Whether first bytes, decompressed, are those of such a file. No two formats of a content say `Yes` to the same.
    pub(super) begins: fn(&[u8]) -> Shown,
    /// Whether a stream is copied whole before it is read. One that is compressed is refused then: a small stream could
    /// fill the disk.
    pub(super) copied: bool,
    /// Opens a file. It writes down what the file calls the columns of the roles. The format is not certain if the last
    /// value is `Maybe`.
    pub(super) open: fn(Source, &dyn Content, &mut ColumnNames, Shown) -> Result<OpenFile, RunError>,
}

/// A file of some format that has been looked at.
pub(crate) trait Reader: Send {
    /// Reads to the end and hands on one block of at most `rows` rows after the other, until `emit` says `false`.
    fn read(self: Box<Self>, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError>;
}

/// A file that has been opened, and its columns that are passed through.
pub(super) type OpenFile = (Box<dyn Reader>, Vec<Option<KeptColumn>>);

/// How surely a file shows its format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    No,
    /// What comes next tells.
    Maybe,
    Yes,
}

impl Shown {
    pub(super) fn surely(yes: bool) -> Shown {
        if yes { Shown::Yes } else { Shown::No }
    }
}

/// Tells the format of a file and opens it.
pub(super) fn open(content: &dyn Content, source: Source, names: &mut ColumnNames) -> Result<OpenFile, RunError> {
    let formats = content.formats();
    let of_name = |path: &Path| {
        let ending = ending(path)?;
        formats.iter().find(|format| format.endings.contains(&&*ending)).map(|format| (format, Shown::Yes))
    };
    let of_content = |head: &[u8], compressed| {
        let that_is = |shown| Some((formats.iter().find(|format| (format.begins)(head) == shown)?, shown));
        match that_is(Shown::Yes).or_else(|| that_is(Shown::Maybe)) {
            Some((Format { name, copied: true, .. }, _)) if compressed => {
                Err(RunError::new(format!("{name} within gzip or zstd is not read; decompress it first")))
            }
            found => found.ok_or_else(|| unknown(formats)),
        }
    };
    let asked = content.settings().format.map(|format| (format, Shown::Yes));
    let ((format, shown), source) = source.recognised(asked, of_name, of_content)?;
    (format.open)(source, content, names, shown)
}

/// What is said of a file that shows no format.
pub(super) fn unknown(formats: &[Format]) -> RunError {
    let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
    let (last, others) = names.split_last().expect("a content has a format");
    let others = others.join(", ");
    RunError::new(format!(
        "neither the name nor the first bytes show a format: expected {others} or {last}; --format FORMAT names it"
    ))
}
