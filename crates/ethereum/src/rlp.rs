//! Strict RLP, read in place: a reader takes one item after the other and borrows its bytes.

use crate::error::{Fault, SenderError};
use alloc::vec::Vec;
use alloy_rlp::{Error, Header};

/// What is left of a list, or of some bytes that hold items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

/// The error of a field.
pub(crate) fn malformed(field: &'static str, fault: Fault) -> SenderError {
    SenderError::Malformed { field, fault }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    /// The items that have not been read.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    /// Whether the next item is a list. There may be no next item.
    pub(crate) fn at_list(self) -> bool {
        self.rest.first().is_some_and(|first| *first >= 0xc0)
    }

    fn payload(&mut self, field: &'static str, list: bool) -> Result<&'a [u8], SenderError> {
        Header::decode_bytes(&mut self.rest, list).map_err(|error| {
            malformed(
                field,
                match error {
                    Error::InputTooShort => Fault::TooShort,
                    Error::UnexpectedList => Fault::NotAString,
                    Error::UnexpectedString => Fault::NotAList,
                    Error::Overflow | Error::Custom(_) => Fault::TooLarge,
                    _ => Fault::NotCanonical,
                },
            )
        })
    }

    /// A string of any length.
    pub(crate) fn string(&mut self, field: &'static str) -> Result<&'a [u8], SenderError> {
        self.payload(field, false)
    }

    /// The items of a list.
    pub(crate) fn list(&mut self, field: &'static str) -> Result<Reader<'a>, SenderError> {
        self.payload(field, true).map(Reader::new)
    }

    /// A string of `N` bytes.
    pub(crate) fn fixed<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], SenderError> {
        self.string(field)?.try_into().map_err(|_| malformed(field, Fault::WrongLength))
    }

    /// A number of at most 256 bits.
    pub(crate) fn number(&mut self, field: &'static str) -> Result<[u8; 32], SenderError> {
        let bytes = self.string(field)?;
        if bytes.first() == Some(&0) {
            return Err(malformed(field, Fault::LeadingZero));
        }
        let mut number = [0; 32];
        let place = number.len().checked_sub(bytes.len()).ok_or(malformed(field, Fault::TooLarge))?;
        number[place..].copy_from_slice(bytes);
        Ok(number)
    }

    /// A number of at most 64 bits.
    pub(crate) fn number64(&mut self, field: &'static str) -> Result<u64, SenderError> {
        let number = self.number(field)?;
        let (high, low) = number.split_at(24);
        if high.iter().any(|byte| *byte != 0) {
            return Err(malformed(field, Fault::TooLarge));
        }
        Ok(low.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Fails if an item, or a part of one, has not been read.
    pub(crate) fn finish(self, field: &'static str) -> Result<(), SenderError> {
        if self.is_empty() { Ok(()) } else { Err(malformed(field, Fault::TrailingBytes)) }
    }
}

/// The header of a list whose items take `length` bytes.
pub(crate) fn list_header(length: usize) -> Vec<u8> {
    let mut header = Vec::with_capacity(9);
    Header { list: true, payload_length: length }.encode(&mut header);
    header
}

/// Appends a string.
pub(crate) fn put_string(bytes: &[u8], out: &mut Vec<u8>) {
    alloy_rlp::Encodable::encode(bytes, out);
}

/// Appends a number, most significant byte first, without its leading zeros.
pub(crate) fn put_number(number: &[u8], out: &mut Vec<u8>) {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    put_string(&number[zeros..], out);
}

/// Appends a list, whose items `write` appends.
pub(crate) fn put_list(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    write(out);
    let header = list_header(out.len() - start);
    out.splice(start..start, header);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bytes: &[u8]) -> Result<u64, Fault> {
        let mut reader = Reader::new(bytes);
        let number = reader.number64("n").and_then(|number| reader.finish("n").map(|()| number));
        number.map_err(|error| match error {
            SenderError::Malformed { fault, .. } => fault,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn numbers_have_one_form() {
        assert_eq!(number(&[0x80]), Ok(0));
        assert_eq!(number(&[0x7f]), Ok(127));
        assert_eq!(number(&[0x81, 0x80]), Ok(128));
        assert_eq!(number(&[0x88, 255, 255, 255, 255, 255, 255, 255, 255]), Ok(u64::MAX));
        for (bytes, fault) in [
            (&[][..], Fault::TooShort),
            (&[0x00], Fault::LeadingZero),
            (&[0x81, 0x00], Fault::NotCanonical),
            (&[0x81, 0x7f], Fault::NotCanonical),
            (&[0x82, 0x00, 0x80], Fault::LeadingZero),
            (&[0x82, 0x80], Fault::TooShort),
            (&[0xb8, 0x01, 0x80], Fault::NotCanonical),
            (&[0xb9, 0x00, 0x38], Fault::NotCanonical),
            (&[0xbf, 255, 255, 255, 255, 255, 255, 255, 255, 1], Fault::TooShort),
            (&[0xff, 255, 255, 255, 255, 255, 255, 255, 255, 1], Fault::TooShort),
            (&[0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0], Fault::TooLarge),
            (&[0xc0], Fault::NotAString),
            (&[0x01, 0x01], Fault::TrailingBytes),
        ] {
            assert_eq!(number(bytes), Err(fault), "{bytes:02x?}");
        }
    }
}
