//! The header of a page: sizes and counts that are believed only as far as they fit the file and each other.

use parquet::basic::{Encoding, Type};
use parquet::errors::{ParquetError, Result};

use super::chunk::Chunk;
use super::thrift::{Compact, Wire, damaged, expect};

/// What a page may take in memory, and what all pages that are held at once may take.
pub(super) const PAGES: u64 = 128 << 20;

/// What the values of a page may take whose encoding lets values share their beginnings.
pub(super) const EXPANDED: u64 = 64 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Data,
    Index,
    Dictionary,
    /// Levels stand before what is compressed.
    DataV2,
}

pub(super) struct Header {
    pub(super) kind: PageKind,
    pub(super) uncompressed: u32,
    pub(super) compressed: u32,
    pub(super) values: u32,
    pub(super) encoding: Encoding,
    pub(super) definition_levels: Encoding,
    pub(super) nulls: u32,
    pub(super) rows: u32,
    pub(super) definition_bytes: u32,
    pub(super) repetition_bytes: u32,
    pub(super) is_compressed: bool,
}

impl Header {
    /// Reads a header and refuses what cannot be true, or would take too much memory.
    pub(super) fn read<R: std::io::Read>(input: &mut Compact<R>, chunk: &Chunk) -> Result<Header> {
        let mut header = Header {
            kind: PageKind::Index,
            uncompressed: 0,
            compressed: 0,
            values: 0,
            encoding: Encoding::PLAIN,
            definition_levels: Encoding::RLE,
            nulls: 0,
            rows: 0,
            definition_bytes: 0,
            repetition_bytes: 0,
            is_compressed: true,
        };
        let mut found = None;
        // Kind and sizes, a bit each: without them a zero byte would be a header, and a small file have millions.
        let mut given = 0;
        let mut last = 0;
        while let Some(wire) = input.field(&mut last)? {
            match last {
                1..=3 => {
                    expect(wire, Wire::Integer)?;
                    given |= 1 << last;
                    let number = input.count()?;
                    match last {
                        1 => header.kind = kind(number)?,
                        2 => header.uncompressed = number,
                        _ => header.compressed = number,
                    }
                }
                5 | 7 | 8 => {
                    expect(wire, Wire::Struct)?;
                    if found.replace(last).is_some() {
                        return Err(damaged("a page's header is of two kinds"));
                    }
                    header.details(input, last)?;
                }
                _ => input.skip(wire)?,
            }
        }
        let wanted = match header.kind {
            PageKind::Data => Some(5),
            PageKind::Dictionary => Some(7),
            PageKind::DataV2 => Some(8),
            PageKind::Index => found,
        };
        if found != wanted || given != 0b1110 {
            return Err(damaged("a page's header is not of its kind"));
        }
        if u64::from(header.compressed) > input.left() {
            return Err(damaged("a page goes beyond its column"));
        }
        header.check(chunk)?;
        Ok(header)
    }

    /// The structure that a page of its kind has besides.
    fn details<R: std::io::Read>(&mut self, input: &mut Compact<R>, kind: i64) -> Result<()> {
        let mut last = 0;
        while let Some(wire) = input.field(&mut last)? {
            match (kind, last) {
                (5, 1..=4) | (7, 1..=2) | (8, 1..=6) => {
                    expect(wire, Wire::Integer)?;
                    let number = input.count()?;
                    match (kind, last) {
                        (_, 1) => self.values = number,
                        (5 | 7, 2) | (8, 4) => self.encoding = encoding(number)?,
                        (5, 3) => self.definition_levels = encoding(number)?,
                        (8, 2) => self.nulls = number,
                        (8, 3) => self.rows = number,
                        (8, 5) => self.definition_bytes = number,
                        (8, 6) => self.repetition_bytes = number,
                        _ => {}
                    }
                }
                (8, 7) => self.is_compressed = wire != Wire::False,
                _ => input.skip(wire)?,
            }
        }
        Ok(())
    }

    fn check(&self, chunk: &Chunk) -> Result<()> {
        let levels = u64::from(self.definition_bytes) + u64::from(self.repetition_bytes);
        if self.kind == PageKind::DataV2 && levels > u64::from(self.uncompressed.min(self.compressed)) {
            return Err(damaged("a page is shorter than its levels"));
        }
        // A dictionary's values stand there in full.
        let width = match chunk.physical {
            Type::BOOLEAN => 1,
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
            Type::FIXED_LEN_BYTE_ARRAY => u64::from(chunk.width),
        };
        if self.kind == PageKind::Dictionary
            && u64::from(self.values).saturating_mul(width) > u64::from(self.uncompressed)
        {
            return Err(damaged("a dictionary has more values than bytes"));
        }
        if self.memory() > PAGES {
            return Err(ParquetError::General(format!(
                "a page of column `{}` would take {} bytes; {PAGES} can be held",
                chunk.name,
                self.memory()
            )));
        }
        Ok(())
    }

    /// What the page takes once it is read: its bytes, and what is made of a dictionary or of a list of lengths.
    pub(super) fn memory(&self) -> u64 {
        let each = match (self.kind, self.encoding) {
            (PageKind::Dictionary, _) => 16,
            (_, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) => 8,
            _ => 0,
        };
        u64::from(self.uncompressed.max(self.compressed)) + each * u64::from(self.values)
    }

    /// Bytes of levels before the compressed part.
    pub(super) fn levels(&self) -> usize {
        (self.definition_bytes + self.repetition_bytes) as usize
    }
}

fn kind(number: u32) -> Result<PageKind> {
    Ok(match number {
        0 => PageKind::Data,
        1 => PageKind::Index,
        2 => PageKind::Dictionary,
        3 => PageKind::DataV2,
        _ => return Err(damaged("a page of an unknown kind")),
    })
}

/// Those that columns of one value per row can have. What the crate's readers allocate for them was looked at one by
/// one.
#[expect(deprecated, reason = "old files have levels in this encoding")]
fn encoding(number: u32) -> Result<Encoding> {
    Ok(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return Err(ParquetError::NYI(format!("encoding {number} is not read"))),
    })
}
