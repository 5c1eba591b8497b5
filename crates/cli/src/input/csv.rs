//! CSV with a header, and with any delimiter. Where no quote is in sight a record is a line, and the reading thread
//! only looks for its end; from the first block with a quote on, it takes records apart itself (`quoted`).

use std::io::{BufRead, Cursor, Read};
use std::sync::Arc;

use arrow_schema::DataType;
use phalanx_rows::ColumnNames;

use super::format::{Format, OpenFile, Reader, Shown, unknown};
use super::header::{column_name, has_values, known_columns, shown_delimiter};
use super::lines::{blank_lines, skip_line};
use super::quoted::{HEADER_BYTES, Parser, Record, overlong_header, too_long};
use super::records::{Fields, Records};
use super::stream::{BytesRead, Source, TextStream};
use super::{BLOCK_BYTES, Block, Content, Emit, KeptColumn, ROW_BYTES, TABLES};
use crate::exit::RunError;

/// Tables of CSV. Text that is nothing else may be CSV; its header tells.
pub(super) const FORMAT: Format = Format {
    word: "csv",
    help: "Text with a header and a delimiter",
    name: "CSV",
    endings: &["csv"],
    begins: |head| if head.contains(&0) { Shown::No } else { Shown::Maybe },
    copied: false,
    open: CsvInput::open,
};

/// A CSV text whose header has been read.
struct CsvInput {
    rest: Rest,
    progress: BytesRead,
    fields: Fields,
}

/// What has not been read yet.
enum Rest {
    /// Lines as long as there is no quote.
    Lines(Lines),
    /// Records for good.
    Records(Box<Parser>),
}

/// Lines that are records, and how many of them have been read, empty ones included.
struct Lines {
    reader: Box<dyn BufRead + Send>,
    count: u64,
}

impl Rest {
    /// Goes on with records where lines have come to a block whose last line has a quote.
    fn behind(self, block: Vec<u8>, delimiter: u8) -> Rest {
        match self {
            Rest::Lines(lines) => {
                // The block lacks empty lines, so its first lines may get too high a number: no error names them.
                let before = memchr::memchr_iter(b'\n', block.strip_suffix(b"\n").unwrap_or(&block)).count() as u64;
                let text = Box::new(Cursor::new(block).chain(lines.reader));
                Rest::Records(Box::new(Parser::new(text, delimiter, ROW_BYTES, lines.count - before)))
            }
            records => records,
        }
    }
}

impl CsvInput {
    /// Fails where the header lacks a column that is needed. What may be CSV is, if its header names a column that means
    /// something.
    fn open(
        source: Source,
        content: &dyn Content,
        columns: &mut ColumnNames,
        shown: Shown,
    ) -> Result<OpenFile, RunError> {
        let settings = content.settings();
        let TextStream { reader, progress, .. } = TextStream::new(source)?;
        let mut lines = Lines { reader, count: 0 };
        let line = lines.first()?;
        let delimiter = settings.delimiter.unwrap_or_else(|| shown_delimiter(&line, &settings.names));
        let is_read = settings.delimiter.is_some() || known_columns(&line, delimiter, &settings.names) > 0;
        if shown == Shown::Maybe && !is_read {
            return Err(if has_values(&line) { RunError::new(NO_HEADER) } else { unknown(&TABLES) });
        }
        let has_values = has_values(&line);
        let (rest, header) = if is_plain(&line) {
            let header = without_end(&line).split(|byte| *byte == delimiter).map(column_name).collect();
            (Rest::Lines(lines), if line.is_empty() { Vec::new() } else { header })
        } else {
            let text = Box::new(Cursor::new(line).chain(lines.reader));
            let mut parser = Parser::new(text, delimiter, HEADER_BYTES, lines.count);
            let mut header = Vec::new();
            while let Record::Empty(_) = parser.next(|_, name| header.push(column_name(name)))? {}
            parser.end_header();
            (Rest::Records(Box::new(parser)), header)
        };
        if header.is_empty() {
            return Err(RunError::new("empty: CSV begins with a header line"));
        }
        let header = header.into_iter().collect::<Result<Vec<String>, _>>()?;
        let header: Vec<&str> = header.iter().map(|name| name.trim()).collect();
        let (needed, places) = content.select(&header, columns).map_err(|failure| match header.len() {
            // The list of columns would show values, which may be secret.
            _ if has_values => RunError::new(TAKEN_FOR_HEADER),
            1 if settings.delimiter.is_none() => failure.with(ONE_COLUMN),
            1 => failure.with(OTHER_DELIMITER),
            _ => failure,
        })?;
        let kept = places
            .kept
            .iter()
            .map(|place| Some(KeptColumn { name: header[needed[(*place)?]].to_owned(), data_type: DataType::Utf8 }));
        let kept = kept.collect();
        let fields = Fields::new(header.len(), delimiter, &needed, places);
        Ok((Box::new(CsvInput { rest, progress, fields }), kept))
    }
}

impl Reader for CsvInput {
    fn read(self: Box<Self>, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let CsvInput { mut rest, mut progress, fields } = *self;
        let fields = Arc::new(fields);
        let mut size = 0;
        loop {
            let (count, end, records) = match rest {
                Rest::Lines(ref mut lines) => {
                    let mut block = Vec::with_capacity(size + size / 4);
                    let (count, end) = lines.read(rows, &mut block)?;
                    if end == BlockEnd::Quoted {
                        rest = rest.behind(block, fields.delimiter);
                        continue;
                    }
                    if !block.ends_with(b"\n") {
                        block.push(b'\n');
                    }
                    size = block.len();
                    (count, end, Records::Lines(block))
                }
                Rest::Records(ref mut parser) => {
                    let (parsed, more) = parser.block(rows, &fields)?;
                    let end = if more { BlockEnd::Full } else { BlockEnd::Text };
                    (parsed.rows, end, Records::Parsed(parsed))
                }
            };
            let more = match (count, end) {
                // It says how far the reader is.
                (0, BlockEnd::Full) => emit(Block::Overlong(0), 0, progress.since_last()),
                (0, _) => true,
                _ => {
                    let block = Block::Records(records, Arc::clone(&fields));
                    emit(block, count as u64, progress.since_last())
                }
            };
            if !more || end == BlockEnd::Text {
                return Ok(());
            }
            if end == BlockEnd::Overlong
                && let Rest::Lines(ref mut lines) = rest
            {
                if !emit(Block::Overlong(1), 1, progress.since_last()) {
                    return Ok(());
                }
                while !lines.skip()? {
                    if !emit(Block::Overlong(0), 0, progress.since_last()) {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// What is said of a header that holds values.
const TAKEN_FOR_HEADER: &str = "line 1 was taken for the header, but seems to hold values: put a line with the names of the \
                                columns in front, such as id,msg_hash,pubkey,sig";

/// What a file is that seems to be CSV without a header.
const NO_HEADER: &str = "line 1 seems to hold values, but CSV begins with a header: put a line with the names of the \
                         columns in front";

/// What a header lacks that seems to be one column.
const ONE_COLUMN: &str = "--delimiter CHARACTER says what stands between columns";
const OTHER_DELIMITER: &str = "what --delimiter says is not in the header: without it the header shows what is";

/// Why a block of lines ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockEnd {
    /// It has enough rows or bytes.
    Full,
    /// A line that is too long for a row follows. It has not been stepped over.
    Overlong,
    /// Its last line has a quote or a lone carriage return: records may end elsewhere than at line ends.
    Quoted,
    /// Nothing follows.
    Text,
}

impl Lines {
    /// The first line that is not empty, or more of it than a header may have.
    fn first(&mut self) -> Result<Vec<u8>, RunError> {
        let mut blank = 0;
        while let (bytes @ 1.., lines) = blank_lines(self.reader.fill_buf().map_err(RunError::of)?) {
            self.reader.consume(bytes);
            (blank, self.count) = (blank + bytes, self.count + lines);
            if blank > HEADER_BYTES {
                return Err(RunError::new(overlong_header()));
            }
        }
        let mut line = Vec::new();
        // At the end of a buffer, half of an empty line may be left.
        while self.append(HEADER_BYTES, &mut line)? && is_empty(&line) {
            line.clear();
        }
        if is_overlong(&line, HEADER_BYTES) && is_plain(&line) {
            return Err(RunError::new(overlong_header()));
        }
        Ok(line)
    }

    /// Appends lines until there are enough, and leaves out empty ones; returns the number of lines.
    fn read(&mut self, rows: usize, block: &mut Vec<u8>) -> Result<(usize, BlockEnd), RunError> {
        let (mut count, mut bytes) = (0, 0);
        while count < rows && bytes < BLOCK_BYTES {
            let (blank, lines) = blank_lines(self.reader.fill_buf().map_err(RunError::of)?);
            if blank > 0 {
                self.reader.consume(blank);
                bytes += blank;
                self.count += lines;
                continue;
            }
            let start = block.len();
            if !self.append(ROW_BYTES, block)? {
                return Ok((count, BlockEnd::Text));
            }
            if !is_plain(&block[start..]) {
                return Ok((count, BlockEnd::Quoted));
            }
            if is_overlong(&block[start..], ROW_BYTES) {
                block.truncate(start);
                return Ok((count, BlockEnd::Overlong));
            }
            bytes += block.len() - start;
            count += usize::from(!is_empty(&block[start..]));
        }
        Ok((count, BlockEnd::Full))
    }

    /// Appends one line, its end included, or as much of it as shows that it is too long; `false` at the end of the
    /// text.
    fn append(&mut self, most: usize, block: &mut Vec<u8>) -> Result<bool, RunError> {
        let reader = &mut *self.reader;
        let bytes = reader.take(most as u64 + 1).read_until(b'\n', block).map_err(RunError::of)?;
        self.count += u64::from(bytes > 0);
        Ok(bytes > 0)
    }

    /// Steps over what is left of a line without quotes, or over a part of it; `false` is a part.
    fn skip(&mut self) -> Result<bool, RunError> {
        let (line, mut returned) = (self.count, false);
        let ended = skip_line(&mut self.reader, |text| match memchr::memchr3(b'\n', b'\r', b'"', text) {
            // The record may go on behind the line's end.
            Some(end) if text[end] == b'"' => Err(RunError::new(too_long(line))),
            end => {
                returned = end.is_some_and(|end| text[end] == b'\r');
                Ok(end)
            }
        })?;
        if returned && self.reader.fill_buf().map_err(RunError::of)?.first() == Some(&b'\n') {
            self.reader.consume(1);
        }
        Ok(ended)
    }
}

fn is_overlong(line: &[u8], most: usize) -> bool {
    line.len() > most && !line.ends_with(b"\n")
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_empty(line: &[u8]) -> bool {
    without_end(line).is_empty()
}

/// Whether records are lines: no quote, and no carriage return but before a line feed.
fn is_plain(text: &[u8]) -> bool {
    let ends_line = |at: usize| text.get(at + 1) == Some(&b'\n');
    memchr::memchr2_iter(b'"', b'\r', text).all(|at| text[at] == b'\r' && ends_line(at))
}

#[cfg(test)]
mod tests;
