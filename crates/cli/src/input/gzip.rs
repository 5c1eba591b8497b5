//! gzip: members one after another, and the zeros with which tapes and block devices fill up what is behind them.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// The first byte of a member.
const MAGIC: u8 = 0x1f;

/// Decompresses all members of a stream. Zeros up to its end are passed over, as `gzip` does.
pub(super) struct Members<R> {
    /// None at the end of the stream.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(packed: R) -> Members<R> {
        Members { member: Some(GzDecoder::new(packed)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut member) = self.member.take() {
            let count = member.read(buffer);
            if !matches!(count, Ok(0)) || buffer.is_empty() {
                self.member = Some(member);
                return count;
            }
            self.member = behind(member.into_inner())?;
        }
        Ok(0)
    }
}

/// The next member, if there is one.
///
/// Fails where anything else follows, or anything but zeros follows zeros.
fn behind<R: BufRead>(mut packed: R) -> io::Result<Option<GzDecoder<R>>> {
    let mut padded = false;
    loop {
        let bytes = packed.fill_buf()?;
        match bytes.iter().position(|byte| *byte != 0) {
            _ if bytes.is_empty() => return Ok(None),
            None => {
                padded = true;
                let zeros = bytes.len();
                packed.consume(zeros);
            }
            Some(0) if !padded && bytes[0] == MAGIC => return Ok(Some(GzDecoder::new(packed))),
            Some(_) => return Err(io::Error::new(io::ErrorKind::InvalidData, "other bytes stand behind gzip data")),
        }
    }
}
