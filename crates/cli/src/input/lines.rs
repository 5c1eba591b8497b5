//! Lines of text, cut into blocks without looking inside them.

use std::io::{BufRead, Read};
use std::sync::Arc;

use super::json::Keys;
use super::stream::{Source, Text};
use super::{BLOCK_BYTES, Block, Emit, KeptColumn, ROW_BYTES};
use crate::columns::{Names, Role};
use crate::failure::Failure;

/// A text of one JSON object a line.
pub(super) struct LinesInput {
    text: Text,
    /// The line that was read to learn which names the objects use.
    first: Vec<u8>,
    keys: Keys,
}

impl LinesInput {
    pub(super) fn open(
        source: Source,
        names: &Names,
        columns: &mut [String; Role::COUNT],
    ) -> Result<LinesInput, Failure> {
        let mut text = Text::new(source)?;
        let mut first = Vec::new();
        read_line(&mut text.reader, &mut first)?;
        let keys = Keys::new(names, &first, columns);
        Ok(LinesInput { text, first, keys })
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        self.keys.kept()
    }

    pub(super) fn read(mut self, rows: usize, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let keys = Arc::new(self.keys);
        let mut block = self.first;
        let mut lines = usize::from(!block.is_empty());
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
/// Of a line that is longer than any row may be, only that much is kept. What is cut off there is no JSON object.
fn read_line(reader: &mut dyn BufRead, block: &mut Vec<u8>) -> Result<bool, Failure> {
    let start = block.len();
    reader.take(ROW_BYTES as u64).read_until(b'\n', block).map_err(Failure::of)?;
    if block.len() - start == ROW_BYTES && block.last() != Some(&b'\n') {
        skip_line(reader)?;
        block.push(b'\n');
    }
    Ok(block.len() > start)
}

fn skip_line(reader: &mut dyn BufRead) -> Result<(), Failure> {
    loop {
        let buffer = reader.fill_buf().map_err(Failure::of)?;
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
