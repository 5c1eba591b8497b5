//! Archives of blocks before the merge (era1): records of e2store, whose headers and bodies are in Snappy's frames.

use std::io::{self, BufRead, Read};

use phalanx_ethereum::{BlockHeader, body_transactions};
use snap::read::FrameDecoder;

use super::super::format::{Format, Reader, Shown};
use super::super::stream::TextStream;
use super::super::{Emit, ROW_BYTES};
use super::raw::TransactionSink;
use crate::exit::RunError;

/// Types of records.
const HEADER: [u8; 2] = [3, 0];
const BODY: [u8; 2] = [4, 0];
/// Where each block begins, and as its last eight bytes how many there are: the last record.
const INDEX: [u8; 2] = [0x66, 0x32];
/// Blocks and states of the consensus layer.
const CONSENSUS: [[u8; 2]; 2] = [[1, 0], [2, 0]];

/// Archives of blocks. The first record of e2store is its version.
pub(in crate::input) const FORMAT: Format = Format {
    word: "era1",
    help: "An archive of blocks before the merge",
    name: "era1",
    endings: &["era1"],
    begins: |head| Shown::surely(head.starts_with(&[0x65, 0x32, 0, 0, 0, 0, 0, 0])),
    copied: false,
    open: |source, _, _, _| Ok((Box::new(Era1Input(TextStream::new(source)?)), Vec::new())),
};

/// A stream of records.
struct Era1Input(TextStream);

impl Reader for Era1Input {
    /// Fails where a record is none, where a header or a body is none, where one stands without the other, and where the
    /// last record is not the index of as many blocks.
    fn read(self: Box<Self>, rows: usize, emit: &mut Emit<'_>) -> Result<(), RunError> {
        let TextStream { mut reader, progress, .. } = self.0;
        let mut sink = TransactionSink::new(rows, emit, progress);
        let mut at = 0;
        // A header whose body is to come; the bodies so far, and how many the record before this one says there are.
        let (mut waiting, mut blocks, mut indexed) = (None, 0u64, None);
        loop {
            let failed = |wrong: &dyn std::fmt::Display| RunError::new(format!("the record at byte {at}: {wrong}"));
            let Some((kind, length)) = next(&mut reader).map_err(|wrong| failed(&wrong))? else { break };
            let mut record = reader.by_ref().take(length);
            indexed = None;
            match kind {
                INDEX => {
                    io::copy(&mut record.by_ref().take(length.saturating_sub(8)), &mut io::sink())
                        .map_err(|error| failed(&error))?;
                    let mut count = [0; 8];
                    record.read_exact(&mut count).map_err(|_| failed(&"cut off"))?;
                    indexed = Some(u64::from_le_bytes(count));
                }
                HEADER => {
                    let header = unpacked(&mut record).map_err(|wrong| failed(&wrong))?;
                    let header = BlockHeader::decode(&header).map_err(|wrong| failed(&wrong))?;
                    if waiting.replace(header).is_some() {
                        return Err(failed(&"a header follows a header"));
                    }
                }
                BODY => {
                    let header = waiting.take().ok_or_else(|| failed(&"a body without a header"))?;
                    blocks += 1;
                    let body = unpacked(&mut record).map_err(|wrong| failed(&wrong))?;
                    let transactions = body_transactions(&body).map_err(|wrong| failed(&wrong))?;
                    if !sink.take(header, transactions).map_err(|wrong| failed(&wrong))? {
                        return Ok(());
                    }
                }
                kind if CONSENSUS.contains(&kind) => return Err(failed(&"an archive of the consensus layer")),
                _ => {}
            }
            io::copy(&mut record, &mut io::sink()).map_err(|error| failed(&error))?;
            if record.limit() > 0 {
                return Err(failed(&"cut off"));
            }
            at += 8 + length;
        }
        if waiting.is_some() {
            return Err(RunError::new("the last header has no body"));
        }
        if at > 0 && indexed != Some(blocks) {
            return Err(RunError::new("the file does not end with the index of its blocks: it is cut off"));
        }
        sink.finish();
        Ok(())
    }
}

/// The type and the length of the next record; none at the end.
fn next(reader: &mut dyn BufRead) -> Result<Option<([u8; 2], u64)>, String> {
    let mut header = Vec::with_capacity(8);
    reader.take(8).read_to_end(&mut header).map_err(|error| error.to_string())?;
    match header[..] {
        [] => Ok(None),
        [first, second, a, b, c, d, 0, 0] => Ok(Some(([first, second], u32::from_le_bytes([a, b, c, d]).into()))),
        _ => Err("no record begins here".to_owned()),
    }
}

/// What a record holds, without its compression: no more than was weighed is kept.
fn unpacked(record: &mut dyn Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = ROW_BYTES as u64;
    let read = FrameDecoder::new(record).take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("Snappy: {error}"))?;
    if bytes.len() as u64 > most { Err(format!("more than {most} bytes")) } else { Ok(bytes) }
}
