//! Lines of text, cut into blocks without looking inside them.

use std::borrow::Cow;
use std::io::{BufRead, Cursor, Read};
use std::sync::Arc;

use phalanx_rows::ColumnNames;
use serde::de::IgnoredAny;

use super::format::{Format, OpenFile, Reader, Shown};
use super::keys::Keys;
use super::non_finite::finite;
use super::readable::readable;
use super::stream::{BYTE_ORDER_MARK, BytesRead, Source, TextStream};
use super::{BLOCK_BYTES, Block, Content, Emit, ROW_BYTES, relay};
use crate::exit::RunError;

/// Tables of JSON lines.
pub(super) const FORMAT: Format = Format {
    word: "jsonl",
    help: "One JSON object a line",
    name: "JSON lines",
    endings: &["jsonl", "ndjson", "json"],
    begins: |head| Shown::surely(!head.contains(&0) && may_be_values(head)),
    copied: false,
    open: LinesInput::open,
};

/// Whether a text begins as an object does, or an array. A bracket alone may begin a link, or the name of a section.
fn may_be_values(head: &[u8]) -> bool {
    let is_value = |byte: &u8| byte.is_ascii_digit() || b"\"{[]-".contains(byte);
    match head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start() {
        [] | [b'{', ..] => true,
        [b'[', rest @ ..] => rest.trim_ascii_start().first().is_none_or(is_value),
        _ => false,
    }
}

/// A text of one JSON object a line.
struct LinesInput {
    reader: Box<dyn BufRead + Send>,
    progress: BytesRead,
    /// What was read to learn which names the objects use: one line, and blank ones before it.
    first: LineBlock,
    keys: Keys,
}

impl LinesInput {
    /// Fails when the text is one JSON array, or JSON whose values take several lines.
    fn open(source: Source, content: &dyn Content, columns: &mut ColumnNames, _: Shown) -> Result<OpenFile, RunError> {
        let TextStream { mut reader, progress, .. } = TextStream::new(source)?;
        let mut first = LineBlock::default();
        first.fill(&mut reader, 1)?;
        if !first.overlong && first_value(&first.text) == FirstValue::Unfinished {
            let mut second = LineBlock::default();
            second.fill(&mut reader, 1)?;
            let begins = [&first.text[..], &second.text].concat();
            if relay::is_array_of_values(&begins) {
                return Err(RunError::new(ARRAY));
            }
            // If the second line is a whole value, the first is a cut-off line, not the start of a value of many lines.
            let is_alone = first_value(&second.text) == FirstValue::Whole;
            if !second.overlong && second.filled > 0 && !is_alone && first_value(&begins) != FirstValue::Broken {
                return Err(RunError::new(MANY_LINES));
            }
            reader = Box::new(Cursor::new(second.text).chain(reader));
        }
        if relay::is_array_of_values(&first.text) {
            return Err(RunError::new(ARRAY));
        }
        let keys = Keys::new(&content.settings().names, content.job(), &first.text, columns);
        let kept = keys.kept();
        Ok((Box::new(LinesInput { reader, progress, first, keys }), kept))
    }
}

impl Reader for LinesInput {
    fn read(mut self: Box<Self>, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let keys = Arc::new(self.keys);
        let mut block = self.first;
        loop {
            block.fill(&mut self.reader, rows)?;
            if block.text.is_empty() {
                return Ok(());
            }
            let (lines, overlong) = (block.lines, block.overlong);
            let next = Vec::with_capacity(block.text.len() + block.text.len() / 4);
            let full = std::mem::replace(&mut block, LineBlock { text: next, ..LineBlock::default() });
            let full = Block::Lines(full.text, full.filled, Arc::clone(&keys));
            let mut more = emit(full, lines, self.progress.since_last());
            let line_end = |text: &[u8]| Ok(memchr::memchr(b'\n', text));
            while more && overlong && !skip_line(&mut self.reader, line_end)? {
                // It says how far the reader is.
                more = emit(Block::Overlong(0), 0, self.progress.since_last());
            }
            if !more {
                return Ok(());
            }
        }
    }
}

const ARRAY: &str = "this is a JSON array, not JSON lines; use `jq -c '.[]'` to write a line for each value";

const MANY_LINES: &str =
    "this is JSON whose values take several lines, not JSON lines; use `jq -c .` to write a line for each value";

/// How a text begins as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstValue {
    /// An object or an array, with nothing behind it.
    Whole,
    /// An object or an array that goes on behind the text.
    Unfinished,
    /// Anything else.
    Broken,
}

fn first_value(text: &[u8]) -> FirstValue {
    if !text.trim_ascii_start().starts_with(b"{") && !relay::is_array(text) {
        return FirstValue::Broken;
    }
    let text = readable(text, "\\\\x").unwrap_or_default();
    let text = finite(&text).map_or(text, Cow::Owned);
    match serde_json::from_str::<IgnoredAny>(&text) {
        Ok(_) => FirstValue::Whole,
        Err(error) if error.is_eof() && !text.is_empty() => FirstValue::Unfinished,
        Err(_) => FirstValue::Broken,
    }
}

/// Some lines.
#[derive(Default)]
struct LineBlock {
    text: Vec<u8>,
    lines: u64,
    /// Lines that are not blank.
    filled: usize,
    /// Whether the last line is longer than any row may be. Of it only that much and one byte more is here, by which it
    /// is known; the rest is still to be stepped over.
    overlong: bool,
}

impl LineBlock {
    /// Appends lines until `rows` of them are not blank, or the block has enough bytes, or the text ends.
    fn fill(&mut self, reader: &mut dyn BufRead, rows: usize) -> Result<(), RunError> {
        while self.filled < rows && self.text.len() < BLOCK_BYTES {
            let buffer = reader.fill_buf().map_err(RunError::of)?;
            let (bytes, lines) = blank_lines(buffer);
            if bytes > 0 {
                self.text.extend_from_slice(&buffer[..bytes]);
                self.lines += lines;
                reader.consume(bytes);
                continue;
            }
            let start = self.text.len();
            reader.take(ROW_BYTES as u64 + 1).read_until(b'\n', &mut self.text).map_err(RunError::of)?;
            let line = &self.text[start..];
            if line.is_empty() {
                return Ok(());
            }
            self.lines += 1;
            self.overlong = line.len() > ROW_BYTES && !line.ends_with(b"\n");
            self.filled += usize::from(self.overlong || !line.trim_ascii().is_empty());
        }
        Ok(())
    }
}

/// The bytes and the number of the empty lines with which a text begins.
pub(super) fn blank_lines(text: &[u8]) -> (usize, u64) {
    let (mut at, mut lines) = (0, 0);
    loop {
        at += match &text[at..] {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return (at, lines),
        };
        lines += 1;
    }
}

/// Steps over what is left of a line, or over a part of it; `false` is a part. `end` says where in a text the line ends,
/// if it does.
pub(super) fn skip_line(
    reader: &mut dyn BufRead,
    mut end: impl FnMut(&[u8]) -> Result<Option<usize>, RunError>,
) -> Result<bool, RunError> {
    let mut skipped = 0;
    while skipped < BLOCK_BYTES {
        let buffer = reader.fill_buf().map_err(RunError::of)?;
        let (count, ended) = match end(buffer)? {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(count);
        if ended {
            return Ok(true);
        }
        skipped += count;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use phalanx_rows::{Job, Role};

    use super::super::{InputSettings, Rows};
    use super::*;

    fn open(text: String) -> Result<OpenFile, RunError> {
        let rows = Rows { job: Job::VERIFY, settings: InputSettings::default() };
        let mut columns = Role::ALL.map(|role| role.name().to_owned());
        LinesInput::open(Source::Once(Box::new(Cursor::new(text.into_bytes()))), &rows, &mut columns, Shown::Yes)
    }

    /// The calls of a text that is read in blocks of one row: the rows that each has room for, and the lines.
    fn calls(text: String) -> Vec<(usize, u64)> {
        let mut calls = Vec::new();
        let mut take = |block: Block, lines: u64, _: u64| {
            let Block::Lines(_, filled, _) = block else { panic!("no line is too long") };
            calls.push((filled, lines));
            true
        };
        open(text).unwrap().0.read(1, &mut take).unwrap();
        calls
    }

    #[test]
    fn blank_lines_are_counted_and_make_no_room() {
        for line in ["\n", "\r\n", "   \n"] {
            let blank = (16 << 20) / line.len();
            let calls = calls(format!("{{}}\n{}{{}}\n{line}", line.repeat(blank)));
            // One for every full block of them, and the two rows: no more, and no fewer.
            assert!((2 + 3..=2 + 5).contains(&calls.len()), "{} blocks", calls.len());
            assert_eq!(calls.iter().map(|(filled, _)| filled).sum::<usize>(), 2);
            assert_eq!(calls.iter().map(|(_, lines)| lines).sum::<u64>(), blank as u64 + 3);
        }
    }

    #[test]
    fn values_over_many_lines_are_told_from_lines_that_are_cut_off() {
        let open = |text: &str| open(text.to_owned()).map(|_| ()).map_err(|failure| failure.to_string());
        for text in [
            "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
            "\n{\r\n\r\n\t\"a\": NaN,\r\n\"b\": 2}",
            "{\"a\": {\n\"b\": 1\n}}\n{\"a\": {\n",
            "{\"a\": [\n{\"b\": 1},\n{\"b\": 2}\n]}",
            "{\"a\"\n: 1}",
            "[\n  \"EVENT\",\n  {\n",
            "{ \"a\": \"caf\u{e9}\",\n \"b\": 1 }",
        ] {
            assert_eq!(open(text), Err(MANY_LINES.to_owned()), "{text}");
        }
        for text in ["[\n  {\n    \"a\": 1\n  }\n]", "[\n\n[1],\n", "[{\n\"a\":1}]", "[", "[]\n", "[1,2"] {
            assert_eq!(open(text), Err(ARRAY.to_owned()), "{text}");
        }
        for text in [
            "{}\n{",
            "{",
            "{\n\n",
            "{\"a\":1,\n{\"a\":1}\n",
            "{\"a\":[1,\n{\"a\":1}\n",
            "{\"a\":\"b\n{\"a\":1}\n",
            "{\"a\":1\n{\"a\":1}\n",
            "[\"EVENT\",{\n[\"EVENT\",{}]\n",
            "{]\n1}\n",
        ] {
            assert_eq!(open(text), Ok(()), "{text}");
        }
    }
}
