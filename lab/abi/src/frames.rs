//! The same three steps over a pipe, for a library in another language, measured in a process of its own.
//!
//! The lab writes requests to the child's standard input and reads one answer for each from its standard output; the
//! child's standard error goes to the lab's. A message in either direction is a tag byte, the length of its body as
//! eight little-endian bytes, and the body.
//!
//! | request | body | answer's body |
//! |---|---|---|
//! | `D` describe | empty | `version=...\nflags=...\n` |
//! | `P` prepare | length of the request text (8 bytes), the text, the input rows | `backend=...\n` |
//! | `R` run | first row, rows, times (8 bytes each) | nanoseconds that the run took by the request's clock, measured there (8 bytes) |
//! | `O` output | empty | the results |
//! | `C` count | first row, rows (8 bytes each) | allocations and bytes that one run of them took from the heap (8 bytes each) |
//!
//! An answer's tag is `K`, or `E` when its body is the reason why not. A prepared job replaces the one before; at the
//! end of its input the child exits.

use std::io::{self, Read, Write};

/// Request: what the library is.
pub const DESCRIBE: u8 = b'D';
/// Request: prepare a job.
pub const PREPARE: u8 = b'P';
/// Request: run rows of the job.
pub const RUN: u8 = b'R';
/// Request: the results.
pub const OUTPUT: u8 = b'O';
/// Request: what a run takes from the heap.
pub const COUNT: u8 = b'C';
/// Answer: done.
pub const DONE: u8 = b'K';
/// Answer: refused, with the reason.
pub const REFUSED: u8 = b'E';

/// Writes one message whose body is these pieces, and flushes.
pub fn write(to: &mut impl Write, tag: u8, body: &[&[u8]]) -> io::Result<()> {
    let length: usize = body.iter().map(|piece| piece.len()).sum();
    to.write_all(&[tag])?;
    to.write_all(&(length as u64).to_le_bytes())?;
    for piece in body {
        to.write_all(piece)?;
    }
    to.flush()
}

/// Reads one message: its tag and body.
pub fn read(from: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 9];
    from.read_exact(&mut head)?;
    let length = u64::from_le_bytes(*head.last_chunk().expect("nine bytes hold eight"));
    let mut body = Vec::new();
    if from.take(length).read_to_end(&mut body)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((head[0], body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back_and_a_cut_one_is_an_error() {
        let mut wire = Vec::new();
        write(&mut wire, PREPARE, &[b"ab", b"", b"c"]).unwrap();
        assert_eq!(read(&mut wire.as_slice()).unwrap(), (PREPARE, b"abc".to_vec()));
        wire.pop();
        assert!(read(&mut wire.as_slice()).is_err());
    }
}
