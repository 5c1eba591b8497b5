//! An input from its name to its blocks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::format::{self, Reader};
use super::stream::Source;
use super::{Block, Content, KeptColumn, Origin, RawBlock};
use crate::exit::RunError;
use crate::process::guard::guard;

/// An input that has been looked at and can be read once.
pub(crate) struct Input {
    /// As the user wrote it.
    name: String,
    content: Arc<dyn Content>,
    /// Bytes to read, compressed as they are, if that is known.
    pub(crate) size: Option<u64>,
    /// In the places of [`phalanx_rows::Selection::kept`].
    pub(crate) kept: Vec<Option<KeptColumn>>,
    /// What cannot be opened twice. A regular file is closed until its turn comes, so that a thousand inputs are not a
    /// thousand open files.
    held: Option<Opened>,
}

struct Opened {
    origin: Arc<Origin>,
    size: Option<u64>,
    kept: Vec<Option<KeptColumn>>,
    reader: Box<dyn Reader>,
}

impl Input {
    /// Opens a file, or standard input for `-`, finds out what it is and which of its columns matter.
    ///
    /// Fails when it cannot be read, is of no known format, or lacks a column that is needed.
    pub(crate) fn open(name: &str, content: &Arc<dyn Content>) -> Result<Input, RunError> {
        Ok(Input::of(Opened::new(name, content, || Source::new(name))?, name, content))
    }

    /// Opens a stream, as if it were standard input.
    #[cfg(feature = "fuzzing")]
    pub(crate) fn of_stream(
        stream: Box<dyn std::io::Read + Send>,
        content: &Arc<dyn Content>,
    ) -> Result<Input, RunError> {
        Ok(Input::of(Opened::new("-", content, || Ok(Source::Once(stream)))?, "-", content))
    }

    fn of(opened: Opened, name: &str, content: &Arc<dyn Content>) -> Input {
        let (content, size, kept) = (Arc::clone(content), opened.size, opened.kept.clone());
        let held = size.is_none().then_some(opened);
        Input { name: name.to_owned(), content, size, kept, held }
    }

    /// Reads to the end and hands on one block of at most `rows` rows after the other, until `emit` says `false`.
    pub(crate) fn read(self, rows: usize, emit: &mut dyn FnMut(RawBlock) -> bool) -> Result<(), RunError> {
        let Input { name, content, kept, held, .. } = self;
        let Opened { origin, reader, .. } = match held {
            Some(opened) => opened,
            None => Opened::new(&name, &content, || Source::new(&name))?,
        };
        let (mut first_row, kept) = (1, kept.len());
        let mut hand_on = |block: Block, rows: u64, bytes: u64| {
            let (content, weight) = (Arc::clone(&content), block.weight());
            let raw = RawBlock { origin: Arc::clone(&origin), content, first_row, bytes, weight, kept, block };
            first_row += rows;
            emit(raw) && !origin.is_given_up()
        };
        let read = || reader.read(rows, &mut hand_on);
        guard("damaged", read).map_err(|failure| failure.about(display_name(&name)))
    }
}

impl Opened {
    fn new(
        name: &str,
        content: &Arc<dyn Content>,
        source: impl FnOnce() -> Result<Source, RunError>,
    ) -> Result<Opened, RunError> {
        let name = display_name(name);
        let open = || {
            let source = source()?;
            let size = source.size();
            let mut columns = content.names();
            let (reader, own) = format::open(&**content, source, &mut columns)?;
            let origin = Origin { name: name.to_owned(), columns, given_up: AtomicBool::new(false) };
            Ok(Opened { origin: Arc::new(origin), size, kept: content.kept().unwrap_or(own), reader })
        };
        guard("damaged", open).map_err(|failure| failure.about(name))
    }
}

/// What to call an input in messages.
fn display_name(name: &str) -> &str {
    if name == "-" { "standard input" } else { name }
}
