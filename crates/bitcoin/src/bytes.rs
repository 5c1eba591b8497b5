//! Reading of the chain's formats: numbers, lengths and byte strings, each bounded by what is there.

use std::fmt;

/// Why bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The bytes end too early.
    Truncated,
    /// A length is not written in the shortest way.
    NotCanonical,
    /// A length is larger than any message may be, or a number is larger than its type.
    TooLarge,
    /// A transaction has a part for witnesses, and they are all empty.
    EmptyWitness,
    /// A transaction has a part that nobody knows.
    UnknownPart,
    /// There are bytes after the end.
    TrailingBytes,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecodeError::Truncated => "the bytes end too early",
            DecodeError::NotCanonical => "a length is not written in the shortest way",
            DecodeError::TooLarge => "a number is too large",
            DecodeError::EmptyWitness => "a transaction's witnesses are all empty",
            DecodeError::UnknownPart => "a transaction has a part that is not known",
            DecodeError::TrailingBytes => "there are bytes after the end",
        })
    }
}

impl std::error::Error for DecodeError {}

/// The largest length that nodes read from others.
const MAX_SIZE: u64 = 0x0200_0000;

/// Bytes that are read from the front.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// What is not yet read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, DecodeError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, DecodeError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A length: one byte, or a byte that says how many follow.
    pub(crate) fn compact_size(&mut self) -> Result<usize, DecodeError> {
        let (size, least) = match self.byte()? {
            0xfd => (u64::from(u16::from_le_bytes(self.array()?)), 0xfd),
            0xfe => (u64::from(self.u32()?), 0x1_0000),
            0xff => (self.u64()?, 0x1_0000_0000),
            small => (u64::from(small), 0),
        };
        if size < least {
            return Err(DecodeError::NotCanonical);
        }
        usize::try_from(size).ok().filter(|_| size <= MAX_SIZE).ok_or(DecodeError::TooLarge)
    }

    /// The number of items of which each takes `least` bytes or more. Fails if there is no room for them, so that the
    /// memory for them is in proportion to the bytes that are there.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize, DecodeError> {
        let count = self.compact_size()?;
        if count > self.rest.len() / least { Err(DecodeError::Truncated) } else { Ok(count) }
    }

    /// As many items as a count says, each of which takes `least` bytes or more.
    pub(crate) fn list<T>(
        &mut self,
        least: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count = self.count(least)?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Bytes behind their length.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.compact_size()?;
        self.take(length)
    }

    /// Fails unless everything is read.
    pub(crate) fn end(&self) -> Result<(), DecodeError> {
        if self.rest.is_empty() { Ok(()) } else { Err(DecodeError::TrailingBytes) }
    }
}

/// Appends a length, or a number of things that follow: one byte, or a byte that says how many follow. Blocks have less
/// than 2^32 of anything.
pub fn put_compact_size(size: usize, out: &mut Vec<u8>) {
    match size {
        0..0xfd => out.push(size as u8),
        0xfd..=0xffff => {
            out.push(0xfd);
            out.extend_from_slice(&(size as u16).to_le_bytes());
        }
        _ => {
            out.push(0xfe);
            out.extend_from_slice(&(size as u32).to_le_bytes());
        }
    }
}

/// Appends bytes behind their length.
pub(crate) fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_compact_size(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// How many bytes a length takes.
pub(crate) fn compact_size_length(size: usize) -> usize {
    match size {
        0..0xfd => 1,
        0xfd..=0xffff => 3,
        _ => 5,
    }
}

/// SHA-256 of SHA-256.
pub(crate) fn double_sha256(bytes: &[u8]) -> [u8; 32] {
    phalanx::hash::sha256(&phalanx::hash::sha256(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_they_are_written() {
        for size in [0, 1, 0xfc, 0xfd, 0xffff, 0x1_0000, MAX_SIZE as usize] {
            let mut bytes = Vec::new();
            put_compact_size(size, &mut bytes);
            assert_eq!(bytes.len(), compact_size_length(size));
            let mut reader = Reader::new(&bytes);
            assert_eq!((reader.compact_size(), reader.end()), (Ok(size), Ok(())));
            let mut cut = Reader::new(&bytes[..bytes.len() - 1]);
            assert_eq!(cut.compact_size(), Err(DecodeError::Truncated));
        }
        let read = |bytes: &[u8]| Reader::new(bytes).compact_size();
        for long in [&[0xfd, 0xfc, 0][..], &[0xfe, 0xff, 0xff, 0, 0], &[0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]] {
            assert_eq!(read(long), Err(DecodeError::NotCanonical));
        }
        assert_eq!(read(&[0xff; 9]), Err(DecodeError::TooLarge));
        assert_eq!(read(&[0xfe, 1, 0, 0, 2]), Err(DecodeError::TooLarge));
    }

    #[test]
    fn a_count_needs_bytes_for_its_items() {
        assert_eq!(Reader::new(&[2, 0, 0, 0, 0]).count(2), Ok(2));
        assert_eq!(Reader::new(&[2, 0, 0, 0]).count(2), Err(DecodeError::Truncated));
    }
}
