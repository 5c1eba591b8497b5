//! Tables cut into blocks of bounded size. Rows of a table may share values, so that a small table stands for much
//! text; and a table of few rows may hold on to large pages.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use phalanx_rows::ColumnPlaces;

use super::super::{BLOCK_BYTES, Block, ROW_BYTES};
use crate::exit::RunError;

/// A block that would hold on to more bytes of pages than this has its values copied out of them.
const PAGES: usize = 8 << 20;

/// Hands on the blocks of a table, each with its rows, until `emit` says `false`; then it is `false` itself.
pub(super) fn blocks(
    table: RecordBatch,
    layout: &Arc<ColumnPlaces>,
    emit: &mut dyn FnMut(Block, u64) -> bool,
) -> Result<bool, RunError> {
    let sizes = sizes(&table);
    let sum = sizes.iter().fold(0_usize, |sum, bytes| sum.saturating_add(*bytes));
    let crowded = pages(&table) > PAGES;
    if sum <= BLOCK_BYTES {
        let rows = table.num_rows() as u64;
        return Ok(emit(block(table, sum, crowded, layout)?, rows));
    }
    let mut start = 0;
    while start < sizes.len() {
        let (mut end, mut bytes) = (start + 1, sizes[start]);
        while end < sizes.len() && bytes + sizes[end] <= BLOCK_BYTES {
            bytes += sizes[end];
            end += 1;
        }
        let block = if bytes > ROW_BYTES {
            Block::Overlong(layout.kept.len())
        } else {
            block(table.slice(start, end - start), bytes, crowded, layout)?
        };
        if !emit(block, (end - start) as u64) {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}

fn block(table: RecordBatch, bytes: usize, crowded: bool, layout: &Arc<ColumnPlaces>) -> Result<Block, RunError> {
    let table = if crowded { copied(&table)? } else { table };
    Ok(Block::Table(table, Arc::clone(layout), bytes))
}

/// The bytes of each row's values.
fn sizes(table: &RecordBatch) -> Vec<usize> {
    let mut sizes = vec![0_usize; table.num_rows()];
    for column in table.columns() {
        if let Some(views) = views(column) {
            // A view begins with the value's length.
            sizes.iter_mut().zip(views).for_each(|(size, view)| *size += *view as u32 as usize);
        } else if let DataType::FixedSizeBinary(width) = column.data_type() {
            sizes.iter_mut().for_each(|size| *size += usize::try_from(*width).unwrap_or(0));
        }
    }
    sizes
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
