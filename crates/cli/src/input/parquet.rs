//! Parquet: only the columns that matter, row group after row group, values borrowed from the decompressed pages.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use super::stream::Source;
use super::{BLOCK_BYTES, Block, Emit, KeptColumn};
use crate::batch::{Batch, Numbers, Origin};
use crate::cells::Cells;
use crate::columns::{Job, Layout, Names, Role};
use crate::failure::Failure;

/// A Parquet file whose footer has been read.
pub(super) struct ParquetInput {
    file: std::fs::File,
    metadata: ArrowReaderMetadata,
    needed: Vec<usize>,
    layout: Layout,
    kept: Vec<Option<KeptColumn>>,
    size: u64,
}

impl ParquetInput {
    pub(super) fn open(
        source: Source,
        names: &Names,
        job: Job,
        columns: &mut [String; Role::COUNT],
    ) -> Result<ParquetInput, Failure> {
        let file = source.seekable()?;
        let size = file.metadata().map_err(Failure::of)?.len();
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(Failure::of)?;
        let schema = metadata.schema();
        let header: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let selection = names.select(&header, job)?;
        selection.name(&header, columns);
        let kept = selection
            .kept
            .iter()
            .map(|index| {
                let field = schema.field((*index)?);
                Some(KeptColumn { name: field.name().clone(), data_type: field.data_type().clone() })
            })
            .collect();
        let (needed, layout) = selection.project(job);
        let fields = schema.fields().iter().enumerate().map(|(index, field)| {
            let kept = selection.kept.contains(&Some(index));
            let data_type = if kept { field.data_type().clone() } else { viewed(field.data_type()) };
            Field::clone(field).with_data_type(data_type)
        });
        let viewed = Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone());
        let options = ArrowReaderOptions::new().with_schema(Arc::new(viewed));
        let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options).map_err(Failure::of)?;
        Ok(ParquetInput { file, metadata, needed, layout, kept, size })
    }

    pub(super) fn kept(&self) -> Vec<Option<KeptColumn>> {
        self.kept.clone()
    }

    pub(super) fn read(self, rows: usize, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let footer = Arc::clone(self.metadata.metadata());
        let total = u64::try_from(footer.file_metadata().num_rows()).unwrap_or(0);
        let columns = self.metadata.parquet_schema();
        let wide = footer.row_groups().iter().flat_map(|group| group.columns().iter().enumerate());
        let bytes: i64 = wide
            .filter(|(leaf, _)| self.needed.binary_search(&columns.get_column_root_idx(*leaf)).is_ok())
            .map(|(_, chunk)| chunk.uncompressed_size())
            .sum();
        let row_bytes = usize::try_from(bytes).unwrap_or(0) / usize::try_from(total).unwrap_or(1).max(1);
        let rows = rows.min(BLOCK_BYTES / row_bytes.max(1)).max(1);

        let layout = Arc::new(self.layout);
        let mask = ProjectionMask::roots(columns, self.needed);
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(self.file, self.metadata)
            .with_projection(mask)
            .with_batch_size(rows)
            .build()
            .map_err(Failure::of)?;
        let (mut read, mut reported) = (0, 0);
        for table in reader {
            let table = table.map_err(Failure::of)?;
            let rows = table.num_rows() as u64;
            read += rows;
            let reached = (u128::from(self.size) * u128::from(read) / u128::from(total.max(1))) as u64;
            let bytes = reached.saturating_sub(std::mem::replace(&mut reported, reached));
            if !emit(Block::Table(table, Arc::clone(&layout)), rows, bytes) {
                return Ok(());
            }
        }
        if read == total {
            Ok(())
        } else {
            Err(Failure::new(format!("the footer promises {total} rows, {read} are there")))
        }
    }
}

/// The layout in which values are slices of the pages they came in, where Parquet's type allows it.
fn viewed(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Dictionary(_, values) => viewed(values),
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        other => other.clone(),
    }
}

/// Turns a table into rows.
pub(super) fn decode(table: &RecordBatch, layout: &Layout, origin: Arc<Origin>, first_row: u64) -> Batch {
    Batch {
        origin,
        rows: table.num_rows(),
        numbers: Numbers::From(first_row),
        cells: Role::ALL.map(|role| match layout.roles[role as usize] {
            Some(column) => Cells::new(role, table.column(column)),
            None => Cells::Absent,
        }),
        kept: layout.kept.iter().map(|column| Some(Arc::clone(table.column((*column)?)))).collect(),
        settled: Vec::new(),
        stale: Vec::new(),
    }
}
