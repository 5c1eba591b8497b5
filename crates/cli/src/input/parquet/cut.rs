//! Tables cut into blocks of bounded size. Rows of a table may share values, so that a small table stands for much
//! text; and a table of few rows may hold on to large pages.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use phalanx_rows::{ColumnPlaces, LONGEST, Role};

use super::super::{BLOCK_BYTES, Block, ROW_BYTES};
use crate::exit::RunError;

/// A block that would hold on to more bytes of pages than this has its values copied out of them.
const PAGES: usize = 8 << 20;

/// Of a value that is too long for its role, as much is looked at: hex, and its prefix.
const LOOKED_AT: usize = 2 * LONGEST + 2;

/// What the messages and signatures of some row groups may take, row by row, beside the bytes of their pages: for each
/// row, and once. To hash 4 KiB takes less time than to verify a signature.
pub(super) const SHARED: (u64, u64) = (4 << 10, 64 << 20);

/// Cuts tables of the same columns.
pub(super) struct Cutter {
    pub(super) layout: Arc<ColumnPlaces>,
    /// Whether what is passed through is written.
    pub(super) keeps: bool,
    /// The bytes of messages and signatures that rows may still have; see [`SHARED`].
    pub(super) left: u64,
}

/// The bytes of a row's values.
#[derive(Clone, Copy, Default)]
struct RowSize {
    /// All of them.
    whole: usize,
    /// Those that are looked at or written.
    used: usize,
}

impl Cutter {
    /// Whether a column's values are looked at from their beginning to their end, whatever their length.
    pub(super) fn is_looked_through(layout: &ColumnPlaces, column: usize) -> bool {
        [Role::Message, Role::Signature].iter().any(|role| layout.roles[*role as usize] == Some(column))
    }

    /// Hands on the blocks of a table, each with its rows, until `emit` says `false`; then it is `false` itself.
    ///
    /// Fails where rows share so many messages and signatures that reading them has no proportion to the file.
    pub(super) fn blocks(
        &mut self,
        table: RecordBatch,
        emit: &mut dyn FnMut(Block, u64) -> bool,
    ) -> Result<bool, RunError> {
        let sizes = self.sizes(&table)?;
        let pages = pages(&table);
        let mut start = 0;
        while start < sizes.len() {
            let overlong = sizes[start].whole > ROW_BYTES;
            let (mut end, mut used, mut whole) = (start, 0, 0_usize);
            while end < sizes.len() && (sizes[end].whole > ROW_BYTES) == overlong {
                if !overlong && end > start && used + sizes[end].used > BLOCK_BYTES {
                    break;
                }
                used += sizes[end].used;
                whole = whole.saturating_add(sizes[end].whole);
                end += 1;
            }
            let rows = end - start;
            let block = if overlong {
                Block::Overlong(rows)
            } else {
                let part = table.slice(start, rows);
                // Values that many rows share are not copied for each: the block holds on to their pages.
                let (part, weight) = match pages > PAGES {
                    true if whole <= pages => (copied(&part)?, used),
                    true => (part, used.max(pages)),
                    false => (part, used),
                };
                Block::Table(part, Arc::clone(&self.layout), weight)
            };
            if !emit(block, rows as u64) {
                return Ok(false);
            }
            start = end;
        }
        Ok(true)
    }

    /// The bytes of each row's values.
    fn sizes(&mut self, table: &RecordBatch) -> Result<Vec<RowSize>, RunError> {
        let mut sizes = vec![RowSize::default(); table.num_rows()];
        for (place, column) in table.columns().iter().enumerate() {
            let looked_through = Cutter::is_looked_through(&self.layout, place);
            let written = self.keeps && self.layout.kept.contains(&Some(place));
            let most = if looked_through || written { usize::MAX } else { LOOKED_AT };
            let mut sum = 0;
            let mut add = |size: &mut RowSize, bytes: usize| {
                sum += bytes as u64;
                size.whole = size.whole.saturating_add(bytes);
                size.used = size.used.saturating_add(bytes.min(most));
            };
            if let Some(views) = views(column) {
                // A view begins with the value's length.
                sizes.iter_mut().zip(views).for_each(|(size, view)| add(size, *view as u32 as usize));
            } else if let DataType::FixedSizeBinary(width) = column.data_type() {
                let width = usize::try_from(*width).unwrap_or(0);
                sizes.iter_mut().for_each(|size| add(size, width));
            } else if let Some(lists) = column.as_list_opt::<i32>() {
                let lengths = lists.offsets().lengths().map(|values| values * size_of::<i64>());
                sizes.iter_mut().zip(lengths).for_each(|(size, bytes)| add(size, bytes));
            }
            if looked_through {
                self.left = self.left.checked_sub(sum).ok_or_else(|| {
                    RunError::new(format!(
                        "rows share values of column `{}` that are too long to be read for each row; \
                         write the file without dictionaries",
                        table.schema_ref().field(place).name()
                    ))
                })?;
            }
        }
        Ok(sizes)
    }
}

fn views(column: &ArrayRef) -> Option<&[u128]> {
    match column.data_type() {
        DataType::Utf8View => Some(column.as_string_view().views()),
        DataType::BinaryView => Some(column.as_binary_view().views()),
        _ => None,
    }
}

/// The bytes of all pages that a table's values stand in.
fn pages(table: &RecordBatch) -> usize {
    let buffers = table.columns().iter().flat_map(|column| match column.data_type() {
        DataType::Utf8View => column.as_string_view().data_buffers().iter(),
        DataType::BinaryView => column.as_binary_view().data_buffers().iter(),
        _ => [].iter(),
    });
    let mut seen: Vec<(*const u8, usize)> = buffers.map(|buffer| (buffer.as_ptr(), buffer.capacity())).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.into_iter().map(|(_, bytes)| bytes).sum()
}

/// The table with its values in buffers of their own.
fn copied(table: &RecordBatch) -> Result<RecordBatch, RunError> {
    let columns = table.columns().iter().map(|column| match column.data_type() {
        DataType::Utf8View => Arc::new(column.as_string_view().gc()) as ArrayRef,
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()) as ArrayRef,
        _ => Arc::clone(column),
    });
    RecordBatch::try_new(table.schema(), columns.collect()).map_err(RunError::of)
}

#[cfg(test)]
mod tests {
    use arrow_array::BinaryViewArray;

    use super::*;

    /// The blocks of a table of one column, in which every row has the same value of `bytes` bytes: rows and weight of
    /// each, and the bytes that it keeps from being freed.
    fn blocks(
        role: Option<Role>,
        bytes: usize,
        rows: usize,
        left: u64,
        keeps: bool,
    ) -> Result<Vec<(u64, usize, usize)>, RunError> {
        let value = vec![7; bytes];
        let one = BinaryViewArray::from_iter_values([&value]);
        let mut buffers = one.data_buffers().to_vec();
        buffers[0] = value.into();
        let values = BinaryViewArray::new(vec![one.views()[0]; rows].into(), buffers, None);
        let table = RecordBatch::try_from_iter([("value", Arc::new(values) as ArrayRef)]).unwrap();
        let mut layout = ColumnPlaces { roles: [None; Role::COUNT], kept: vec![None] };
        match role {
            Some(role) => layout.roles[role as usize] = Some(0),
            None => layout.kept[0] = Some(0),
        }
        let mut found = Vec::new();
        Cutter { layout: Arc::new(layout), keeps, left }.blocks(table, &mut |block, rows| {
            let held = if let Block::Table(table, ..) = &block { pages(table) } else { 0 };
            found.push((rows, block.weight(), held));
            true
        })?;
        Ok(found)
    }

    #[test]
    fn a_value_that_rows_share_is_one_value() {
        let (rows, large) = (4096, 4 << 20);
        let one_light_block = [(rows as u64, rows * LOOKED_AT, large)];
        assert_eq!(blocks(Some(Role::PublicKey), large, rows, 0, true).unwrap(), one_light_block);
        // Pages that are too large to be held on to lightly are not copied row by row either.
        let one_block = [(rows as u64, 3 * large, 3 * large)];
        assert_eq!(blocks(Some(Role::PublicKey), 3 * large, rows, 0, true).unwrap(), one_block);
        assert_eq!(blocks(Some(Role::PublicKey), 20 << 20, rows, 0, true).unwrap(), [(rows as u64, 0, 0)]);
        // What is passed through is written row by row, if it is written.
        assert_eq!(blocks(None, large, rows, 0, false).unwrap(), one_light_block);
        assert_eq!(blocks(None, large, 9, 0, true).unwrap(), [(1, large, large); 9]);
    }

    #[test]
    fn what_is_looked_through_row_by_row_is_bounded() {
        for role in [Role::Message, Role::Signature] {
            assert_eq!(blocks(Some(role), 1 << 20, 9, 9 << 20, true).unwrap().len(), 3);
            let refused = blocks(Some(role), 1 << 20, 9, (9 << 20) - 1, true).unwrap_err();
            assert!(refused.to_string().contains("column `value`"), "{refused}");
        }
    }
}
