//! CSV with a header. Where no quote is in sight a record is a line, and the reading thread only looks for its end;
//! from the first block with a quote on, it takes records apart itself, because only that tells where one ends.

use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_schema::DataType;
use csv::{ByteRecord, Reader, ReaderBuilder};
use phalanx_rows::{ColumnNames, ColumnPlaces, Job, Names, Packed, RowFault};

use super::records::{Fields, Parsed, Records};
use super::stream::{BytesRead, Source, TextStream};
use super::{BLOCK_BYTES, Block, Emit, KeptColumn, ROW_BYTES};
use crate::exit::RunError;

/// The bytes of a header at most. Each of its columns takes some words of memory.
const HEADER_BYTES: usize = 1 << 20;

/// The commas, at most, of a record that is taken apart. Each may end a field, which takes some words of memory.
const COMMAS: usize = 1 << 22;

/// A CSV text whose header has been read.
pub(super) struct CsvInput {
    rest: Rest,
    progress: BytesRead,
    fields: Fields,
    layout: ColumnPlaces,
    kept: Vec<Option<KeptColumn>>,
}

/// What has not been read yet.
enum Rest {
    /// Lines as long as there is no quote.
    Lines(Box<dyn BufRead + Send>),
    /// Records for good.
    Records(Parser),
}

impl CsvInput {
    pub(super) fn open(
        source: Source,
        names: &Names,
        job: Job,
        columns: &mut ColumnNames,
    ) -> Result<CsvInput, RunError> {
        let TextStream { mut reader, progress, .. } = TextStream::new(source)?;
        let mut line = Vec::new();
        while read_line(&mut reader, HEADER_BYTES, &mut line)? && is_empty(&line) {
            line.clear();
        }
        if is_overlong(&line, HEADER_BYTES) && is_plain(&line) {
            return Err(RunError::new(overlong_header()));
        }
        let (rest, header) = if is_plain(&line) {
            let header = without_end(&line).split(|byte| *byte == b',').map(<[u8]>::to_vec).collect();
            (Rest::Lines(reader), if line.is_empty() { Vec::new() } else { header })
        } else {
            let mut parser = Parser::new(Cursor::new(line).chain(reader), HEADER_BYTES);
            let header = if parser.next()? { parser.record.iter().map(<[u8]>::to_vec).collect() } else { Vec::new() };
            parser.search.limit.store(ROW_BYTES, Ordering::Relaxed);
            (Rest::Records(parser), header)
        };
        if header.is_empty() {
            return Err(RunError::new("empty: CSV begins with a header line"));
        }
        let header: Vec<&str> = header
            .iter()
            .map(|name| std::str::from_utf8(name).map(str::trim))
            .collect::<Result<_, _>>()
            .map_err(|_| RunError::new("the header line is not UTF-8 text"))?;
        let selection = names.select(&header, job)?;
        selection.name(&header, columns);
        let kept = selection
            .kept
            .iter()
            .map(|index| Some(KeptColumn { name: header[(*index)?].to_owned(), data_type: DataType::Utf8 }))
            .collect();
        let (needed, layout) = selection.project(job);
        Ok(CsvInput { rest, progress, fields: Fields { count: header.len(), needed }, layout, kept })
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        self.kept.clone()
    }

    pub(super) fn read(self, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let CsvInput { mut rest, mut progress, fields, layout, .. } = self;
        let (fields, layout) = (Arc::new(fields), Arc::new(layout));
        let mut size = 0;
        loop {
            let (count, overlong, records) = match rest {
                Rest::Lines(ref mut reader) => {
                    let mut block = Vec::with_capacity(size + size / 4);
                    let (count, overlong) = read_lines(reader, rows, &mut block)?;
                    if !is_plain(&block) {
                        rest = Rest::Records(Parser::within(block, rest));
                        continue;
                    }
                    if count == 0 && !overlong && !block.is_empty() {
                        continue;
                    }
                    if !block.ends_with(b"\n") {
                        block.push(b'\n');
                    }
                    size = block.len();
                    (count, overlong, Records::Lines(block))
                }
                Rest::Records(ref mut parser) => {
                    let parsed = parser.block(rows, &fields)?;
                    (parsed.rows, false, Records::Parsed(parsed))
                }
            };
            let block = Block::Records(records, Arc::clone(&fields), Arc::clone(&layout));
            let more = count == 0 || emit(block, count as u64, progress.since_last());
            let more = more && (!overlong || emit(Block::Overlong(layout.kept.len()), 1, progress.since_last()));
            if !more || (count == 0 && !overlong) {
                return Ok(());
            }
        }
    }
}

/// Appends lines until there are enough that are not empty; returns the number of these, and whether the line behind
/// them was too long for a row. That one is left out.
fn read_lines(reader: &mut dyn BufRead, rows: usize, block: &mut Vec<u8>) -> Result<(usize, bool), RunError> {
    let mut count = 0;
    while count < rows && block.len() < BLOCK_BYTES {
        let start = block.len();
        if !read_line(reader, ROW_BYTES, block)? {
            break;
        }
        // Quotes and carriage returns may end records elsewhere than at line ends: then the parser decides.
        if is_overlong(&block[start..], ROW_BYTES) && is_plain(block) {
            block.truncate(start);
            skip_line(reader)?;
            return Ok((count, true));
        }
        count += usize::from(!is_empty(&block[start..]));
    }
    Ok((count, false))
}

/// Appends one line, its end included, or as much of it as shows that it is too long; `false` at the end of the text.
fn read_line(reader: &mut dyn BufRead, most: usize, block: &mut Vec<u8>) -> Result<bool, RunError> {
    Ok(reader.take(most as u64 + 1).read_until(b'\n', block).map_err(RunError::of)? > 0)
}

fn is_overlong(line: &[u8], most: usize) -> bool {
    line.len() > most && !line.ends_with(b"\n")
}

/// Steps over what is left of a line without quotes. Fails at a quote: the record may go on behind the line's end.
fn skip_line(reader: &mut dyn BufRead) -> Result<(), RunError> {
    loop {
        let buffer = reader.fill_buf().map_err(RunError::of)?;
        let end = memchr::memchr3(b'\n', b'\r', b'"', buffer);
        let ended = buffer.is_empty() || end.is_some();
        if end.is_some_and(|end| buffer[end] == b'"') {
            return Err(RunError::new(too_long()));
        }
        let count = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(count);
        if ended {
            return Ok(());
        }
    }
}

fn too_long() -> String {
    format!("a CSV record with quotes is longer than {} MiB or {COMMAS} fields; is a quote left open?", ROW_BYTES >> 20)
}

fn overlong_header() -> String {
    format!("the CSV header is longer than {} MiB", HEADER_BYTES >> 20)
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
    memchr::memchr(b'"', text).is_none() && memchr::memchr_iter(b'\r', text).all(ends_line)
}

/// Takes records apart, quotes and all.
struct Parser {
    reader: Reader<Bounded>,
    record: ByteRecord,
    search: Arc<Search>,
}

/// The search for the end of a record.
struct Search {
    /// Bytes and commas that were read since the last end.
    bytes: AtomicUsize,
    commas: AtomicUsize,
    /// How many bytes are read before it is given up.
    limit: AtomicUsize,
}

impl Parser {
    fn new(text: impl Read + Send + 'static, limit: usize) -> Parser {
        let search = Search { bytes: AtomicUsize::new(0), commas: AtomicUsize::new(0), limit: AtomicUsize::new(limit) };
        let search = Arc::new(search);
        let bounded = Bounded { text: Box::new(text), search: Arc::clone(&search) };
        let mut builder = ReaderBuilder::new();
        let reader = builder.flexible(true).has_headers(false).buffer_capacity(256 << 10).from_reader(bounded);
        Parser { reader, record: ByteRecord::new(), search }
    }

    /// Goes on where lines have come to a block with a quote in it.
    fn within(block: Vec<u8>, rest: Rest) -> Parser {
        match rest {
            // The empty line keeps the reader from taking the first bytes for a byte order mark.
            Rest::Lines(reader) => Parser::new(Cursor::new(b"\n").chain(Cursor::new(block)).chain(reader), ROW_BYTES),
            Rest::Records(parser) => parser,
        }
    }

    /// Reads a record; `false` at the end of the text.
    fn next(&mut self) -> Result<bool, RunError> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|error| match error.into_kind() {
            csv::ErrorKind::Io(error) => RunError::new(error.to_string()),
            kind => RunError::new(format!("CSV: {kind:?}")),
        })?;
        self.search.bytes.store(0, Ordering::Relaxed);
        self.search.commas.store(0, Ordering::Relaxed);
        Ok(more)
    }

    fn block(&mut self, rows: usize, fields: &Fields) -> Result<Parsed, RunError> {
        let columns = fields.needed.iter().map(|_| Packed::with_capacity(rows.min(8192))).collect();
        let mut block = Parsed { rows: 0, columns, uneven: Vec::new() };
        let mut bytes = 0;
        while block.rows < rows && bytes < BLOCK_BYTES && self.next()? {
            bytes += self.record.as_slice().len();
            if self.record.len() != fields.count {
                block.uneven.push(block.rows);
            }
            for (column, field) in block.columns.iter_mut().zip(&fields.needed) {
                match self.record.get(*field) {
                    Some(value) => column.push(value),
                    None => column.push_fault(RowFault::Absent),
                }
            }
            block.rows += 1;
        }
        Ok(block)
    }
}

/// Refuses to read on for ever in search of a record's end.
struct Bounded {
    text: Box<dyn Read + Send>,
    search: Arc<Search>,
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let limit = self.search.limit.load(Ordering::Relaxed);
        let commas = self.search.commas.load(Ordering::Relaxed);
        if self.search.bytes.load(Ordering::Relaxed) > limit || commas > COMMAS {
            return Err(io::Error::other(if limit == HEADER_BYTES { overlong_header() } else { too_long() }));
        }
        let count = self.text.read(buffer)?;
        self.search.bytes.fetch_add(count, Ordering::Relaxed);
        self.search.commas.fetch_add(memchr::memchr_iter(b',', &buffer[..count]).count(), Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use phalanx_rows::Role;

    use super::*;

    type Row = (Vec<Option<Vec<u8>>>, bool);

    /// The rows of a text by the reader that the parser wraps, alone.
    fn expected(text: &[u8]) -> Vec<Row> {
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(text);
        let rows = reader.byte_records().map(|record| {
            let record = record.unwrap();
            ((0..3).map(|field| record.get(field).map(<[u8]>::to_vec)).collect(), record.len() == 3)
        });
        rows.collect()
    }

    /// The rows of `text`, which is read in blocks of at most `rows` rows, and the number of blocks that were lines.
    fn found(text: &[u8], rows: usize) -> (Vec<Row>, usize) {
        let mut columns = Role::ALL.map(|role| role.name().to_owned());
        let source = Source::Once(Box::new(Cursor::new(text.to_vec())));
        let input = CsvInput::open(source, &Names::default(), Job::VERIFY, &mut columns).unwrap();
        let (mut found, mut lines) = (Vec::new(), 0);
        let mut take = |block: Block, count: u64, _: u64| {
            let Block::Records(records, fields, _) = block else { panic!("CSV gives records") };
            let listed = records.listed(&fields);
            assert!(listed.len() as u64 == count && count <= rows as u64);
            found.extend(listed);
            lines += usize::from(matches!(records, Records::Lines(_)));
            true
        };
        input.read(rows, &mut take).unwrap();
        (found, lines)
    }

    #[test]
    fn lines_and_parsed_records_are_the_same_rows() {
        // Xorshift: the same texts in every run.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut below = |bound: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound) as usize
        };
        let (mut blocks, mut switched) = (0, 0);
        for header in ["msg_hash,pubkey,sig\n", "\r\n\nmsg_hash, pubkey ,sig\r\n", "msg_hash,\"pubkey\",sig\r"] {
            for _ in 0..2000 {
                let mut text = header.as_bytes().to_vec();
                let plain = below(8);
                for part in 0..below(60) {
                    let parts: [&[u8]; 10] =
                        [b"ab", b",", b",", b"\n", b"\n", b"x", b"\r\n", b"\xef\xbb\xbf", b"\r", b"\""];
                    // Quotes and lone carriage returns come late in some texts, in others never.
                    let choice = if plain < 2 || part < 8 * plain { 8 } else { 10 };
                    text.extend_from_slice(parts[below(choice)]);
                }
                let expected = expected(&text);
                for rows in [1, 3, 100] {
                    let (found, lines) = found(&text, rows);
                    assert_eq!(found, expected, "{:?} in blocks of {rows}", String::from_utf8_lossy(&text));
                    blocks += lines;
                    switched += usize::from(lines > 0 && !is_plain(&text));
                }
            }
        }
        assert!(blocks > 1000 && switched > 100, "{blocks} blocks of lines, {switched} texts that are lines at first");
    }

    #[test]
    fn a_long_line_is_a_row_unless_a_quote_is_in_sight() {
        let long = "a".repeat(ROW_BYTES + 1);
        let read = |text: String| {
            let mut columns = Role::ALL.map(|role| role.name().to_owned());
            let source = Source::Once(Box::new(Cursor::new(text.into_bytes())));
            let input = CsvInput::open(source, &Names::default(), Job::VERIFY, &mut columns).unwrap();
            let mut blocks = Vec::new();
            let mut take = |block: Block, rows: u64, _: u64| {
                blocks.push((matches!(block, Block::Overlong(_)), rows));
                true
            };
            input.read(9, &mut take).map(|()| blocks).map_err(|failure| failure.to_string())
        };
        let (header, row) = ("msg_hash,pubkey,sig\n", "1,2,3\n");
        let (plain, overlong) = ((false, 1), (true, 1));
        assert_eq!(read(format!("{header}{row}{long}")), Ok(vec![plain, overlong]));
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("{header}{row}{long}{long}{end}{long}{end}{row}");
            assert_eq!(read(text), Ok(vec![plain, overlong, overlong, plain]), "{end:?}");
        }
        assert_eq!(read(format!("{header}{row}{long},\"{row}")), Err(too_long()));
        assert_eq!(read(format!("{header}{row}\"{row}{long}{long}")), Err(too_long()));
        assert_eq!(read(format!("{header}\"1\",2,3\n{long}{long}")), Err(too_long()));
    }

    #[test]
    fn a_long_text_of_carriage_returns_is_many_rows() {
        let text = format!("msg_hash,pubkey,sig\r{}", "1,2,3\r".repeat(ROW_BYTES / 5));
        assert_eq!(found(text.as_bytes(), 1 << 20).0.len(), ROW_BYTES / 5);
    }

    #[test]
    fn a_block_of_empty_lines_is_not_the_end() {
        let text = format!("msg_hash,pubkey,sig\n{}1,2,3", "\n".repeat(2 * BLOCK_BYTES));
        assert_eq!(found(text.as_bytes(), 9), (expected(b"msg_hash,pubkey,sig\n1,2,3"), 1));
    }
}
