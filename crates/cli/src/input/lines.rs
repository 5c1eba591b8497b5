//! Lines of text, cut into blocks without looking inside them.

use std::io::{BufRead, Read};
use std::sync::Arc;

use phalanx_rows::{ColumnNames, Names};

use super::keys::Keys;
use super::stream::{Source, TextStream};
use super::{BLOCK_BYTES, Block, Emit, KeptColumn, ROW_BYTES, relay};
use crate::exit::RunError;

/// A text of one JSON object a line.
pub(super) struct LinesInput {
    text: TextStream,
    /// What was read to learn which names the objects use: one line, and empty ones before it.
    first: Vec<u8>,
    lines: usize,
    keys: Keys,
}

impl LinesInput {
    /// Fails when the text is one JSON array.
    pub(super) fn open(source: Source, names: &Names, columns: &mut ColumnNames) -> Result<LinesInput, RunError> {
        let mut text = TextStream::new(source)?;
        let (mut first, mut lines) = (Vec::new(), 0);
        let mut start = 0;
        while first.len() < BLOCK_BYTES && first[start..].trim_ascii().is_empty() {
            start = first.len();
            if !read_line(&mut text.reader, &mut first)? {
                break;
            }
            lines += 1;
        }
        if relay::is_array_of_values(&first) {
            return Err(RunError::new(
                "this is a JSON array, not JSON lines; use `jq -c '.[]'` to write a line for each value",
            ));
        }
        let keys = Keys::new(names, &first, columns);
        Ok(LinesInput { text, first, lines, keys })
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        self.keys.kept()
    }

    pub(super) fn read(mut self, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let keys = Arc::new(self.keys);
        let (mut block, mut lines) = (self.first, self.lines);
        loop {
            while lines < rows && block.len() < BLOCK_BYTES && read_line(&mut self.text.reader, &mut block)? {
                lines += 1;
            }
            if block.is_empty() {
                return Ok(());
            }
            let bytes = self.text.progress.since_last();
            let next = Vec::with_capacity(block.len() + block.len() / 4);
            let block = std::mem::replace(&mut block, next);
            if !emit(Block::Lines(block, Arc::clone(&keys)), std::mem::take(&mut lines) as u64, bytes) {
                return Ok(());
            }
        }
    }
}

/// Appends one line, its end included; `false` at the end of the text.
///
/// Of a line that is longer than any row may be, only that much and one byte more is kept, by which it is known.
fn read_line(reader: &mut dyn BufRead, block: &mut Vec<u8>) -> Result<bool, RunError> {
    let start = block.len();
    reader.take(ROW_BYTES as u64 + 1).read_until(b'\n', block).map_err(RunError::of)?;
    if block.len() - start > ROW_BYTES && block.last() != Some(&b'\n') {
        skip_line(reader)?;
        block.push(b'\n');
    }
    Ok(block.len() > start)
}

fn skip_line(reader: &mut dyn BufRead) -> Result<(), RunError> {
    loop {
        let buffer = reader.fill_buf().map_err(RunError::of)?;
        let (count, ended) = match memchr::memchr(b'\n', buffer) {
            Some(end) => (end + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(count);
        if ended {
            return Ok(());
        }
    }
}
