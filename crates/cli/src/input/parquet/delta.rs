//! Lengths that are stored as differences (`DELTA_BINARY_PACKED`), looked through before room is made for them: a few
//! bytes can stand for any number of lengths, and values that share their beginnings can add up to any size.
//!
//! Source: `Encodings.md` of the Parquet format.

use parquet::basic::Encoding;
use parquet::errors::{ParquetError, Result};

use super::header::{EXPANDED, Header};
use super::thrift::{Compact, damaged};

/// Refuses a page of values with such lengths that has more of them than its header says, or expands beyond bounds.
pub(super) fn check(header: &Header, values: &[u8]) -> Result<()> {
    match header.encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => DeltaBlock::new(values, header.values).map(drop),
        Encoding::DELTA_BYTE_ARRAY => {
            let (shared, end) = DeltaBlock::new(values, header.values)?.sum()?;
            let rest = values.get(end..).ok_or_else(short)?;
            let (own, _) = DeltaBlock::new(rest, header.values)?.sum()?;
            match shared.checked_add(own) {
                Some(bytes) if bytes <= EXPANDED => Ok(()),
                _ => Err(ParquetError::General(format!("the values of a page take more than {EXPANDED} bytes"))),
            }
        }
        _ => Ok(()),
    }
}

fn short() -> ParquetError {
    damaged("a page ends within its lengths")
}

/// Numbers, of which the first is read and the others are encoded in `bytes` from `at` on.
struct DeltaBlock<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The numbers of a part, which are stored with the same count of bits. A block has `parts` parts.
    part: usize,
    parts: usize,
    count: u64,
    first: i32,
}

impl<'a> DeltaBlock<'a> {
    fn new(bytes: &'a [u8], most: u32) -> Result<DeltaBlock<'a>> {
        let mut block = DeltaBlock { bytes, at: 0, part: 0, parts: 0, count: 0, first: 0 };
        let numbers = block.number(Compact::unsigned)?;
        let parts = block.number(Compact::unsigned)?;
        block.count = block.number(Compact::unsigned)?;
        block.first = block.number(Compact::integer)? as i32;
        if parts == 0 || parts > numbers || !numbers.is_multiple_of(parts) || !(numbers / parts).is_multiple_of(32) {
            return Err(damaged("lengths are in blocks of an impossible size"));
        }
        if block.count > u64::from(most) {
            return Err(damaged("a page has more lengths than values"));
        }
        block.parts = usize::try_from(parts).map_err(|_| short())?;
        block.part = usize::try_from(numbers / parts).map_err(|_| short())?;
        Ok(block)
    }

    /// Reads a number and goes behind it.
    fn number<T>(&mut self, read: fn(&mut Compact<&'a [u8]>) -> Result<T>) -> Result<T> {
        let rest = self.bytes.get(self.at..).ok_or_else(short)?;
        let mut input = Compact::new(rest, rest.len() as u64);
        let number = read(&mut input).map_err(|_| short())?;
        self.at = self.bytes.len() - input.left() as usize;
        Ok(number)
    }

    /// The sum of all numbers, and where the bytes behind them begin.
    fn sum(mut self) -> Result<(u64, usize)> {
        let negative = || damaged("a length is negative");
        if self.count == 0 {
            return Ok((0, self.at));
        }
        let mut number = self.first;
        let mut sum = u64::try_from(number).map_err(|_| negative())?;
        let mut left = self.count - 1;
        while left > 0 {
            let least = self.number(Compact::integer)? as i32;
            let widths = self.at..self.at.checked_add(self.parts).ok_or_else(short)?;
            self.at = widths.end;
            for part in widths {
                if left == 0 {
                    break;
                }
                let width = usize::from(*self.bytes.get(part).ok_or_else(short)?);
                let count = left.min(self.part as u64);
                let bits = self.bytes.get(self.at..).ok_or_else(short)?;
                if width > 32
                    || (count as usize).checked_mul(width).is_none_or(|needed| needed.div_ceil(8) > bits.len())
                {
                    return Err(short());
                }
                for place in 0..count as usize {
                    let difference = bits_at(bits, place * width, width);
                    number = number.wrapping_add(least).wrapping_add(difference as i32);
                    sum = sum.saturating_add(u64::try_from(number).map_err(|_| negative())?);
                }
                left -= count;
                let taken = (self.part / 8).checked_mul(width).ok_or_else(short)?;
                self.at = self.at.checked_add(taken).ok_or_else(short)?;
            }
        }
        Ok((sum, self.at))
    }
}

/// A number of at most 32 bits, the least significant first. Bits beyond the end are zero.
fn bits_at(bytes: &[u8], bit: usize, width: usize) -> u32 {
    let from = &bytes[(bit / 8).min(bytes.len())..];
    let mut word = [0; 8];
    let count = from.len().min(8);
    word[..count].copy_from_slice(&from[..count]);
    let mask = (1 << width) - 1;
    (u64::from_le_bytes(word) >> (bit % 8) & mask) as u32
}
