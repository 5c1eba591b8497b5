//! Files of blocks in RLP, one after another.

use std::fmt::Display;
use std::io::{BufRead, Read};

use phalanx_ethereum::block_transactions;

use super::super::format::{Format, Reader, Shown};
use super::super::stream::{BYTE_ORDER_MARK, TextStream};
use super::super::{Emit, ROW_BYTES};
use super::raw::TransactionSink;
use crate::exit::RunError;

/// Blocks in RLP. A block is a list, and that is no text.
pub(in crate::input) const FORMAT: Format = Format {
    word: "rlp",
    help: "Blocks in RLP, one after another",
    name: "blocks in RLP",
    endings: &["rlp"],
    begins: |head| {
        Shown::surely(head.first().is_some_and(|first| *first >= 0xc0) && !head.starts_with(BYTE_ORDER_MARK))
    },
    copied: false,
    open: |source, _, _, _| Ok((Box::new(RlpInput(TextStream::new(source)?)), Vec::new())),
};

/// A stream of blocks.
struct RlpInput(TextStream);

impl Reader for RlpInput {
    /// Fails where a block is none: where the next one begins is then unknown.
    fn read(self: Box<Self>, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let TextStream { mut reader, progress, .. } = self.0;
        let mut sink = TransactionSink::new(rows, emit, progress);
        let mut at = 0;
        let mut block = Vec::new();
        while next(&mut reader, &mut block).map_err(|wrong| RunError::new(format!("at byte {at}: {wrong}")))? {
            let wrong = |wrong: &dyn Display| RunError::new(format!("the block at byte {at}: {wrong}"));
            let (header, transactions, _) = block_transactions(&block).map_err(|error| wrong(&error))?;
            if !sink.take(header, transactions).map_err(|error| wrong(&error))? {
                return Ok(());
            }
            at += block.len() as u64;
        }
        sink.finish();
        Ok(())
    }
}

/// Reads the next list, with its header; `false` is the end. What the header claims takes no memory before it is there.
fn next(reader: &mut dyn BufRead, list: &mut Vec<u8>) -> Result<bool, String> {
    list.clear();
    let mut more = |list: &mut Vec<u8>, count: u64| -> Result<bool, String> {
        let read = reader.take(count).read_to_end(list).map_err(|error| error.to_string())?;
        Ok(read as u64 == count)
    };
    if !more(list, 1)? {
        return Ok(false);
    }
    let cut = || "a block is cut off".to_owned();
    let length = match list[0] {
        first @ 0xc0..=0xf7 => u64::from(first - 0xc0),
        first @ 0xf8.. => match more(list, u64::from(first - 0xf7))? {
            true => list[1..].iter().fold(0, |length, byte| length << 8 | u64::from(*byte)),
            false => return Err(cut()),
        },
        _ => return Err("no list of RLP begins here".to_owned()),
    };
    if length > ROW_BYTES as u64 {
        return Err(format!("a block of {length} bytes; at most {ROW_BYTES} are read"));
    }
    if more(list, length)? { Ok(true) } else { Err(cut()) }
}
