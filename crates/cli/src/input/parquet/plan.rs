//! How many rows may be read at once: from the headers of the pages that hold them, before any page is read.
//!
//! A block of rows holds, of each column, the pages that its rows stand in. Over pages of at most `densest` bytes per
//! row, a block of n rows therefore holds at most n * `densest` bytes and two pages more, where it begins and where it
//! ends.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Encoding, Type};
use parquet::errors::{ParquetError, Result};

use super::chunk::Chunk;
use super::header::{EXPANDED, Header, PAGES, PageKind};
use super::pages::Pages;
use super::thrift::damaged;

/// What the rows that are read at once may take, beside the pages at their ends.
const READ: u64 = 16 << 20;

/// What an array holds of each row beside its value.
const CELL: u64 = 16;

/// The most values that the lists of a row group may have: each takes eight bytes and its levels, and a page of a few
/// bytes may stand for many of them.
const LISTED: u64 = 8 << 20;

/// The longest value of fixed length that may stand in a dictionary: each row has a copy of it.
const COPIED: u32 = 4 << 10;

/// What is known of one column of some row groups.
#[derive(Clone, Copy, Default)]
struct Weight {
    /// The largest dictionary and the largest other page, and the largest as it stands in the file.
    dictionary: u64,
    page: u64,
    packed: u64,
    /// The most bytes that a row takes, on the average of a page.
    densest: u64,
    /// The bytes of all pages, decompressed.
    bytes: u64,
}

/// How some row groups are read.
pub(super) struct ReadPlan {
    /// How many rows at once.
    pub(super) rows: usize,
    /// The bytes of each column's pages, decompressed.
    pub(super) bytes: Vec<u64>,
}

impl Weight {
    fn add(&mut self, header: &Header, chunk: &Chunk, dictionary: &mut u64, fresh: &mut bool) {
        self.packed = self.packed.max(header.compressed.into());
        self.bytes += u64::from(header.uncompressed);
        if header.kind == PageKind::Dictionary {
            *dictionary = header.memory();
            self.dictionary = self.dictionary.max(*dictionary);
            return;
        }
        self.page = self.page.max(header.memory());
        let rows = u64::from(header.values);
        if rows == 0 || header.kind == PageKind::Index {
            return;
        }
        let mut bytes = CELL + header.memory().div_ceil(rows);
        if std::mem::take(fresh) {
            bytes += dictionary.div_ceil(rows);
        }
        if header.encoding == Encoding::DELTA_BYTE_ARRAY {
            bytes += u64::from(header.uncompressed).min(EXPANDED.div_ceil(rows));
        }
        bytes += match chunk.physical {
            Type::FIXED_LEN_BYTE_ARRAY => chunk.width.into(),
            // Every row may have a copy of the longest value of the dictionary.
            Type::BYTE_ARRAY if !chunk.viewed => *dictionary,
            _ => 0,
        };
        self.densest = self.densest.max(bytes);
    }
}

/// The number of rows, at most `rows`, to read at once from chunks that are given column by column.
///
/// Fails where a chunk has not a value or a null for each row of its row group, or long values of fixed length in a
/// dictionary.
pub(super) fn plan(file: &Arc<File>, columns: &[Vec<Chunk>], rows: usize) -> Result<ReadPlan> {
    let mut sum = Weight::default();
    let mut bytes = Vec::with_capacity(columns.len());
    for chunks in columns {
        let mut weight = Weight::default();
        for chunk in chunks {
            let mut pages = Pages::new(Arc::clone(file), chunk.clone());
            let (mut dictionary, mut fresh) = (0, true);
            let mut values = 0;
            while let Some((header, start)) = pages.header()? {
                if header.kind == PageKind::Dictionary && chunk.width > COPIED {
                    return Err(ParquetError::General(format!(
                        "column `{}` has values of {} bytes in a dictionary; {COPIED} can be read so",
                        chunk.name, chunk.width
                    )));
                }
                if matches!(header.kind, PageKind::Data | PageKind::DataV2) {
                    values += u64::from(header.values);
                }
                weight.add(&header, chunk, &mut dictionary, &mut fresh);
                pages.advance(&header, start);
            }
            if chunk.repeated && values > LISTED {
                return Err(ParquetError::General(format!(
                    "the lists of column `{}` have {values} values in a row group; {LISTED} can be read",
                    chunk.name
                )));
            }
            // Row groups are read as one stream: what one lacked, the next would fill with rows of its own. Those with
            // lists are read one by one.
            if !chunk.repeated && values != chunk.rows {
                return Err(damaged("a column has another number of values than its row group has rows"));
            }
        }
        sum.dictionary += weight.dictionary;
        sum.page += weight.page;
        sum.packed = sum.packed.max(weight.packed);
        sum.densest += weight.densest;
        bytes.push(weight.bytes);
    }
    let pages = sum.dictionary + sum.page + sum.packed;
    if pages > PAGES {
        return Err(ParquetError::General(format!(
            "the largest pages of the columns to read take {} MiB together; {} MiB can be held",
            pages >> 20,
            PAGES >> 20
        )));
    }
    let most = usize::try_from(READ / sum.densest.max(1)).unwrap_or(usize::MAX);
    Ok(ReadPlan { rows: rows.min(most).max(1), bytes })
}
