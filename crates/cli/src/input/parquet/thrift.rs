//! Thrift's compact protocol, as far as Parquet's directories need it: a reader that trusts no length.
//!
//! Source: `thrift-compact-protocol.md` of Apache Thrift. What Parquet never writes (maps, sets, lists of booleans) is
//! an error, so that nothing takes more time than its bytes are worth.

use std::io::Read;

use parquet::errors::{ParquetError, Result};

/// How deep structures may stand in each other: four levels of Parquet's own, and some that are yet to come.
const DEPTH: u32 = 16;

/// The type of a value as it stands on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wire {
    True,
    False,
    Byte,
    /// 16, 32 or 64 bits.
    Integer,
    Double,
    Binary,
    List,
    Struct,
}

pub(super) fn damaged(what: &str) -> ParquetError {
    ParquetError::General(format!("damaged: {what}"))
}

/// Reads values one after the other, and never more bytes than it was given.
pub(super) struct Compact<R> {
    input: R,
    /// Bytes that may still be read.
    left: u64,
    /// Elements of all lists that were walked through.
    pub(super) elements: u64,
}

impl<R: Read> Compact<R> {
    pub(super) fn new(input: R, left: u64) -> Compact<R> {
        Compact { input, left, elements: 0 }
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.left = self.left.checked_sub(1).ok_or_else(|| damaged("a structure goes beyond its end"))?;
        self.input.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    pub(super) fn unsigned(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(damaged("a number is too long"))
    }

    pub(super) fn integer(&mut self) -> Result<i64> {
        let value = self.unsigned()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number that counts something.
    pub(super) fn count(&mut self) -> Result<u32> {
        let count = self.integer()?;
        u32::try_from(count)
            .ok()
            .filter(|count| *count <= i32::MAX as u32)
            .ok_or_else(|| damaged("a count is negative"))
    }

    /// Steps over bytes.
    fn pass(&mut self, count: u64) -> Result<()> {
        self.left = self.left.checked_sub(count).ok_or_else(|| damaged("a value goes beyond its end"))?;
        match std::io::copy(&mut self.input.by_ref().take(count), &mut std::io::sink())? {
            passed if passed == count => Ok(()),
            _ => Err(damaged("the file ends too early")),
        }
    }

    /// Steps over bytes that are counted; returns how many there were.
    pub(super) fn binary(&mut self) -> Result<u64> {
        let length = self.unsigned()?;
        self.pass(length)?;
        Ok(length)
    }

    /// The next field of a structure, if it has one; `last` is the field before it. Fields come in ascending order.
    pub(super) fn field(&mut self, last: &mut i64) -> Result<Option<Wire>> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let id = match head >> 4 {
            0 => self.integer()?,
            delta => *last + i64::from(delta),
        };
        if id <= *last || id > i64::from(i16::MAX) {
            return Err(damaged("fields are out of order"));
        }
        *last = id;
        wire(head & 15).map(Some)
    }

    /// A list's element type and length. Each element takes a byte at least.
    fn list(&mut self) -> Result<(Wire, u64)> {
        let head = self.byte()?;
        let length = match head >> 4 {
            15 => self.unsigned()?,
            short => u64::from(short),
        };
        let element = wire(head & 15)?;
        if length > self.left || matches!(element, Wire::True | Wire::False) {
            return Err(damaged("a list is longer than its bytes"));
        }
        self.elements += length;
        Ok((element, length))
    }

    /// The length of a list that must be one of structures.
    pub(super) fn structures(&mut self, found: Wire) -> Result<u64> {
        expect(found, Wire::List)?;
        let (element, length) = self.list()?;
        expect(element, Wire::Struct)?;
        Ok(length)
    }

    /// Steps over a value that must be of this type.
    pub(super) fn skip_expected(&mut self, found: Wire, expected: Wire) -> Result<()> {
        expect(found, expected)?;
        self.skip(found)
    }

    pub(super) fn skip(&mut self, wire: Wire) -> Result<()> {
        self.skip_within(wire, DEPTH)
    }

    fn skip_within(&mut self, wire: Wire, depth: u32) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or_else(|| damaged("structures are nested too deep"))?;
        match wire {
            Wire::True | Wire::False => Ok(()),
            Wire::Byte => self.byte().map(drop),
            Wire::Integer => self.unsigned().map(drop),
            Wire::Double => self.pass(8),
            Wire::Binary => self.binary().map(drop),
            Wire::List => {
                let (element, length) = self.list()?;
                (0..length).try_for_each(|_| self.skip_within(element, depth))
            }
            Wire::Struct => {
                let mut last = 0;
                while let Some(wire) = self.field(&mut last)? {
                    self.skip_within(wire, depth)?;
                }
                Ok(())
            }
        }
    }
}

fn wire(code: u8) -> Result<Wire> {
    Ok(match code {
        1 => Wire::True,
        2 => Wire::False,
        3 => Wire::Byte,
        4..=6 => Wire::Integer,
        7 => Wire::Double,
        8 => Wire::Binary,
        9 => Wire::List,
        12 => Wire::Struct,
        _ => return Err(damaged("a type that Parquet does not use")),
    })
}

/// The error for a field of a type that it cannot have; the crate that reads it in earnest would misread it.
pub(super) fn expect(found: Wire, expected: Wire) -> Result<()> {
    if found == expected { Ok(()) } else { Err(damaged("a field has the wrong type")) }
}
