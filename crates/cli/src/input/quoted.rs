//! CSV records that are taken apart, quotes and all, because only that tells where one ends.

use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use csv::{ByteRecord, Reader, ReaderBuilder};

use super::records::{Fields, Parsed};
use super::{BLOCK_BYTES, ROW_BYTES};
use crate::exit::RunError;

/// The bytes of a header at most. Each of its columns takes some words of memory.
pub(super) const HEADER_BYTES: usize = 1 << 20;

/// The delimiters, at most, of a record that is taken apart. Each may end a field, which takes some words of memory.
const DELIMITERS: usize = 1 << 22;

/// Takes records apart, quotes and all.
pub(super) struct Parser {
    reader: Reader<Bounded>,
    pub(super) record: ByteRecord,
    search: Arc<Search>,
}

/// The search for the end of a record.
struct Search {
    /// Bytes and delimiters that were read since the last end.
    bytes: AtomicUsize,
    delimiters: AtomicUsize,
    /// How many bytes are read before it is given up.
    limit: AtomicUsize,
}

impl Parser {
    pub(super) fn new(text: impl Read + Send + 'static, delimiter: u8, limit: usize) -> Parser {
        let [bytes, delimiters, limit] = [0, 0, limit].map(AtomicUsize::new);
        let search = Search { bytes, delimiters, limit };
        let search = Arc::new(search);
        let bounded = Bounded { text: Box::new(text), delimiter, search: Arc::clone(&search) };
        let mut builder = ReaderBuilder::new();
        let reader = builder
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .buffer_capacity(256 << 10)
            .from_reader(bounded);
        Parser { reader, record: ByteRecord::new(), search }
    }

    /// Goes on behind lines that were read before.
    pub(super) fn behind(lines: Vec<u8>, text: Box<dyn BufRead + Send>, delimiter: u8) -> Parser {
        // The empty line keeps the reader from taking the first bytes for a byte order mark.
        Parser::new(Cursor::new(b"\n").chain(Cursor::new(lines)).chain(text), delimiter, ROW_BYTES)
    }

    /// From the header on, a record may be as long as a row.
    pub(super) fn end_header(&self) {
        self.search.limit.store(ROW_BYTES, Ordering::Relaxed);
    }

    /// Reads a record; `false` at the end of the text.
    pub(super) fn next(&mut self) -> Result<bool, RunError> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => RunError::new(error.to_string()),
            kind => RunError::new(format!("CSV: {kind:?}")),
        })?;
        self.search.bytes.store(0, Ordering::Relaxed);
        self.search.delimiters.store(0, Ordering::Relaxed);
        Ok(more)
    }

    pub(super) fn block(&mut self, rows: usize, fields: &Fields) -> Result<Parsed, RunError> {
        let mut block = Parsed::with_capacity(rows.min(8192), fields);
        // By its place in the text, so that empty lines count.
        let end = self.reader.position().byte() + BLOCK_BYTES as u64;
        while block.rows < rows && self.reader.position().byte() < end && self.next()? {
            for (column, field) in block.columns.iter_mut().zip(&fields.needed) {
                if let Some(value) = self.record.get(*field) {
                    column.push(value);
                }
            }
            block.end_row(self.record.len() == fields.count);
        }
        Ok(block)
    }
}

/// Refuses to read on for ever in search of a record's end.
struct Bounded {
    text: Box<dyn Read + Send>,
    delimiter: u8,
    search: Arc<Search>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = self.search.limit.load(Ordering::Relaxed);
        let delimiters = self.search.delimiters.load(Ordering::Relaxed);
        if self.search.bytes.load(Ordering::Relaxed) > limit || delimiters > DELIMITERS {
            return Err(io::Error::other(if limit == HEADER_BYTES { overlong_header() } else { too_long() }));
        }
        let count = self.text.read(buffer)?;
        self.search.bytes.fetch_add(count, Ordering::Relaxed);
        let delimiters = memchr::memchr_iter(self.delimiter, &buffer[..count]).count();
        self.search.delimiters.fetch_add(delimiters, Ordering::Relaxed);
        Ok(count)
    }
}

pub(super) fn too_long() -> String {
    format!(
        "a CSV record with quotes, and the empty lines before it, is longer than {} MiB or {DELIMITERS} fields; \
        is a quote left open?",
        ROW_BYTES >> 20
    )
}

pub(super) fn overlong_header() -> String {
    format!("the CSV header is longer than {} MiB", HEADER_BYTES >> 20)
}
