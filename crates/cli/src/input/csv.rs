//! CSV with a header, and with any delimiter. Where no quote is in sight a record is a line, and the reading thread
//! only looks for its end; from the first block with a quote on, it takes records apart itself (`quoted`).

use std::io::{BufRead, Cursor, Read};
use std::sync::Arc;

use arrow_schema::DataType;
use phalanx_rows::{ColumnNames, ColumnPlaces};

use super::delimiter::{known_columns, shown_delimiter};
use super::lines::{blank_lines, skip_line};
use super::quoted::{HEADER_BYTES, Parser, overlong_header, too_long};
use super::records::{Fields, Records};
use super::stream::{BytesRead, Source, TextStream, UNKNOWN};
use super::{BLOCK_BYTES, Block, Emit, InputSettings, KeptColumn, ROW_BYTES};
use crate::exit::RunError;

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

impl Rest {
    /// Goes on with records where lines have come to a block with a quote in it.
    fn behind(self, block: Vec<u8>, delimiter: u8) -> Rest {
        match self {
            Rest::Lines(reader) => Rest::Records(Parser::behind(block, reader, delimiter)),
            records => records,
        }
    }
}

impl CsvInput {
    /// Fails where the header lacks a column that is needed. What is only `likely` CSV is, if its header names a column
    /// that means something.
    pub(super) fn open(
        source: Source,
        settings: &InputSettings,
        columns: &mut ColumnNames,
        likely: bool,
    ) -> Result<CsvInput, RunError> {
        let TextStream { mut reader, progress, .. } = TextStream::new(source)?;
        let mut blank = 0;
        while let (bytes @ 1.., _) = blank_lines(reader.fill_buf().map_err(RunError::of)?) {
            reader.consume(bytes);
            blank += bytes;
            if blank > HEADER_BYTES {
                return Err(RunError::new(overlong_header()));
            }
        }
        let mut line = Vec::new();
        // At the end of a buffer, half of an empty line may be left.
        while read_line(&mut reader, HEADER_BYTES, &mut line)? && is_empty(&line) {
            line.clear();
        }
        if is_overlong(&line, HEADER_BYTES) && is_plain(&line) {
            return Err(RunError::new(overlong_header()));
        }
        let delimiter = settings.delimiter.unwrap_or_else(|| shown_delimiter(&line, &settings.names));
        if likely && settings.delimiter.is_none() && known_columns(&line, delimiter, &settings.names) == 0 {
            return Err(RunError::new(UNKNOWN));
        }
        let (rest, header) = if is_plain(&line) {
            let header = without_end(&line).split(|byte| *byte == delimiter).map(<[u8]>::to_vec).collect();
            (Rest::Lines(reader), if line.is_empty() { Vec::new() } else { header })
        } else {
            let mut parser = Parser::new(Cursor::new(line).chain(reader), delimiter, HEADER_BYTES);
            let header = if parser.next()? { parser.record.iter().map(<[u8]>::to_vec).collect() } else { Vec::new() };
            parser.end_header();
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
        let selection = settings.select(&header, columns).map_err(|failure| match header.len() {
            1 if settings.delimiter.is_none() => failure.with(ONE_COLUMN),
            1 => failure.with(OTHER_DELIMITER),
            _ => failure,
        })?;
        let kept = selection
            .kept
            .iter()
            .map(|index| Some(KeptColumn { name: header[(*index)?].to_owned(), data_type: DataType::Utf8 }))
            .collect();
        let (needed, layout) = selection.project(settings.job);
        Ok(CsvInput { rest, progress, fields: Fields { count: header.len(), delimiter, needed }, layout, kept })
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        self.kept.clone()
    }

    pub(super) fn read(self, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let CsvInput { mut rest, mut progress, fields, layout, .. } = self;
        let (fields, layout) = (Arc::new(fields), Arc::new(layout));
        let overlong = |rows: usize| Block::Overlong { rows, kept: layout.kept.len() };
        let mut size = 0;
        loop {
            let (count, end, records) = match rest {
                Rest::Lines(ref mut reader) => {
                    let mut block = Vec::with_capacity(size + size / 4);
                    let (count, end) = read_lines(reader, rows, &mut block)?;
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
                    let parsed = parser.block(rows, &fields)?;
                    let end = if parsed.rows == 0 { BlockEnd::Text } else { BlockEnd::Full };
                    (parsed.rows, end, Records::Parsed(parsed))
                }
            };
            let more = match (count, end) {
                // It says how far the reader is.
                (0, BlockEnd::Full) => emit(overlong(0), 0, progress.since_last()),
                (0, _) => true,
                _ => {
                    let block = Block::Records(records, Arc::clone(&fields), Arc::clone(&layout));
                    emit(block, count as u64, progress.since_last())
                }
            };
            if !more || end == BlockEnd::Text {
                return Ok(());
            }
            if end == BlockEnd::Overlong
                && let Rest::Lines(ref mut reader) = rest
            {
                if !emit(overlong(1), 1, progress.since_last()) {
                    return Ok(());
                }
                while !skip_line(reader, line_end)? {
                    if !emit(overlong(0), 0, progress.since_last()) {
                        return Ok(());
                    }
                }
            }
        }
    }
}

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

/// Appends lines until there are enough, and leaves out empty ones; returns the number of lines.
fn read_lines(reader: &mut dyn BufRead, rows: usize, block: &mut Vec<u8>) -> Result<(usize, BlockEnd), RunError> {
    let (mut count, mut bytes) = (0, 0);
    while count < rows && bytes < BLOCK_BYTES {
        let (blank, _) = blank_lines(reader.fill_buf().map_err(RunError::of)?);
        if blank > 0 {
            reader.consume(blank);
            bytes += blank;
            continue;
        }
        let start = block.len();
        if !read_line(reader, ROW_BYTES, block)? {
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

/// Appends one line, its end included, or as much of it as shows that it is too long; `false` at the end of the text.
fn read_line(reader: &mut dyn BufRead, most: usize, block: &mut Vec<u8>) -> Result<bool, RunError> {
    Ok(reader.take(most as u64 + 1).read_until(b'\n', block).map_err(RunError::of)? > 0)
}

fn is_overlong(line: &[u8], most: usize) -> bool {
    line.len() > most && !line.ends_with(b"\n")
}

/// Where a line without quotes ends. Fails at a quote: the record may go on behind the line's end.
fn line_end(text: &[u8]) -> Result<Option<usize>, RunError> {
    match memchr::memchr3(b'\n', b'\r', b'"', text) {
        Some(end) if text[end] == b'"' => Err(RunError::new(too_long())),
        end => Ok(end),
    }
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
mod tests {
    use csv::ReaderBuilder;
    use phalanx_rows::{Job, Names, Packed, Role};

    use super::super::Content;
    use super::*;

    type Row = (Vec<Option<Vec<u8>>>, bool);

    /// The blocks of at most `most` rows of a text, each with its number of rows.
    fn blocks(text: &[u8], most: usize) -> Result<Vec<(Block, u64)>, RunError> {
        let (names, job) = (Names::default(), Job::VERIFY);
        let settings = InputSettings { names, job, format: None, delimiter: None, keeps: true, content: Content::Rows };
        let mut columns = Role::ALL.map(|role| role.name().to_owned());
        let source = Source::Once(Box::new(Cursor::new(text.to_vec())));
        let mut blocks = Vec::new();
        CsvInput::open(source, &settings, &mut columns, false)?.read(most, &mut |block, rows, _| {
            blocks.push((block, rows));
            true
        })?;
        Ok(blocks)
    }

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
        let (mut found, mut lines) = (Vec::new(), 0);
        for (block, count) in blocks(text, rows).unwrap().into_iter().filter(|(_, count)| *count > 0) {
            let Block::Records(records, fields, _) = block else { panic!("CSV gives records") };
            let parsed = records.parsed(&fields);
            assert!(parsed.rows as u64 == count && count <= rows as u64);
            let field = |column: &Packed, row| column.get(row).ok().map(<[u8]>::to_vec);
            let listed = |row| parsed.columns.iter().map(|column| field(column, row)).collect();
            found.extend((0..parsed.rows).map(|row| (listed(row), !parsed.uneven.contains(&row))));
            lines += usize::from(matches!(records, Records::Lines(_)));
        }
        (found, lines)
    }

    #[test]
    fn lines_and_parsed_records_are_the_same_rows() {
        // The same texts in every run.
        let mut draws = phalanx_tiers::Draws::of(7);
        let mut below = |bound: usize| draws.below(bound);
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
        let read = |text: String| -> Result<_, String> {
            let blocks = blocks(text.as_bytes(), 9).map_err(|failure| failure.to_string())?;
            let with_rows = blocks.into_iter().filter(|(_, rows)| *rows > 0);
            Ok(with_rows.map(|(block, rows)| (matches!(block, Block::Overlong { .. }), rows)).collect::<Vec<_>>())
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
    fn empty_lines_are_stepped_over_and_said_to_be() {
        for line in ["\n", "\r\n"] {
            let empty = line.repeat((16 << 20) / line.len());
            let blocks = blocks(format!("msg_hash,pubkey,sig\n1,2,3\n{empty}4,5,6\n").as_bytes(), 1).unwrap();
            // One for every full block of empty lines, and the two rows: no more, and no fewer.
            assert!((2 + 3..=2 + 5).contains(&blocks.len()), "{} blocks", blocks.len());
            assert_eq!(blocks.iter().map(|(_, rows)| rows).sum::<u64>(), 2);
            let weight: usize = blocks.iter().map(|(block, _)| block.weight()).sum();
            assert!(weight < 64, "{weight} bytes are decoded");
        }
    }

    #[test]
    fn a_block_of_empty_lines_is_not_the_end() {
        let text = format!("msg_hash,pubkey,sig\n{}1,2,3", "\n".repeat(2 * BLOCK_BYTES));
        assert_eq!(found(text.as_bytes(), 9), (expected(b"msg_hash,pubkey,sig\n1,2,3"), 1));
    }
}
