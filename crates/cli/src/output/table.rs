//! Parquet.

use std::io;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray, UInt64Array, new_null_array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use phalanx_rows::{Answers, arrow};

use super::Shape;
use super::columns::OutputColumn;
use super::file::Target;
use super::value::{JsonForm, Values};
use crate::exit::RunError;
use crate::input::Decoded;

/// Rows are handed to the writer in groups of this many, whatever the size of the blocks they came in, because page
/// borders depend on it and the output's bytes must not depend on the blocks.
const GROUP: usize = 8192;

/// A group ends earlier behind the row with which its values have this many bytes.
const GROUP_BYTES: usize = 8 << 20;

/// Rows in a row group, which is held in memory until it is complete.
const ROW_GROUP: usize = 16 * GROUP;

/// A row group ends earlier behind the group with which it has this many bytes.
const ROW_GROUP_BYTES: usize = 64 << 20;

pub(super) fn schema(shape: &Shape) -> SchemaRef {
    let fields = shape.columns.iter().map(|column| {
        let (data_type, nullable) = match column {
            OutputColumn::Kept(_, kept) => (kept.data_type.clone(), true),
            OutputColumn::File | OutputColumn::Reason => (DataType::Utf8, false),
            OutputColumn::Row => (DataType::UInt64, false),
            OutputColumn::PublicKey => (DataType::FixedSizeBinary(33), true),
            OutputColumn::Address(_) => (DataType::FixedSizeBinary(20), true),
            OutputColumn::Valid => (DataType::Boolean, shape.may_lack_signatures()),
            OutputColumn::Blamed => (DataType::Utf8, true),
        };
        Field::new(column.name(), data_type, nullable)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// A block as a table.
pub(super) fn render(shape: &Shape, block: &Decoded<'_>, answers: &Answers) -> Result<RecordBatch, RunError> {
    let columns = shape.columns.iter().map(|column| values(column, block, answers)).collect::<Result<_, _>>()?;
    RecordBatch::try_new(schema(shape), columns).map_err(RunError::of)
}

/// The values of a column.
fn values(column: &OutputColumn, block: &Decoded<'_>, answers: &Answers) -> Result<ArrayRef, RunError> {
    let Answers { outcomes, keys, .. } = answers;
    let rows = 0..block.rows.rows();
    Ok(match column {
        OutputColumn::Kept(place, column) => kept(block, block.kept[*place].as_ref(), &column.data_type)?,
        OutputColumn::File => Arc::new(StringArray::from_iter_values(rows.map(|_| block.origin.name.as_str()))),
        OutputColumn::Row => Arc::new(UInt64Array::from_iter_values(rows.map(|row| block.numbers.get(row)))),
        OutputColumn::PublicKey => Arc::new(arrow::public_keys(keys)),
        OutputColumn::Address(_) => Arc::new(arrow::addresses(keys)),
        OutputColumn::Valid => Arc::new(arrow::valid(outcomes)),
        OutputColumn::Reason => Arc::new(arrow::reasons(outcomes)),
        OutputColumn::Blamed => Arc::new(arrow::blamed(outcomes, &block.origin.columns)),
    })
}

/// A kept column in the type that it has in the output.
fn kept(block: &Decoded<'_>, array: Option<&ArrayRef>, data_type: &DataType) -> Result<ArrayRef, RunError> {
    match array {
        None => Ok(new_null_array(data_type, block.rows.rows())),
        Some(array) if array.data_type() == data_type && !block.json => Ok(Arc::clone(array)),
        Some(array) if !block.json && is_view_of(array.data_type(), data_type) => Ok(match data_type {
            DataType::Binary => Arc::new(array.as_binary_view().iter().collect::<BinaryArray>()),
            _ => Arc::new(array.as_string_view().iter().collect::<StringArray>()),
        }),
        Some(_) => {
            let values = Values::new(array, block.json)?;
            let mut builder = StringBuilder::new();
            let mut text = Vec::new();
            for row in 0..block.rows.rows() {
                text.clear();
                let present = !matches!(values.write(row, false, &mut text), JsonForm::Null);
                builder.append_option(present.then(|| String::from_utf8_lossy(&text)));
            }
            Ok(Arc::new(builder.finish()))
        }
    }
}

/// Whether values of a type are the same as another's, but for their layout.
fn is_view_of(view: &DataType, data_type: &DataType) -> bool {
    let pair = (view, data_type);
    matches!(pair, (DataType::Utf8View, DataType::Utf8) | (DataType::BinaryView, DataType::Binary))
}

/// Writes tables of any length as a Parquet file that does not depend on their lengths.
pub(super) struct TableWriter {
    schema: SchemaRef,
    /// Parts of the group that is being gathered, and their rows and bytes.
    parts: Vec<RecordBatch>,
    rows: usize,
    bytes: usize,
    writer: ArrowWriter<Target>,
}

impl TableWriter {
    pub(super) fn new(schema: SchemaRef, target: Target, name: &str) -> Result<TableWriter, RunError> {
        // Identifiers seldom repeat: a dictionary would be built and thrown away.
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("phalanx ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_dictionary_enabled(false)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_column_encoding(ColumnPath::from("row"), Encoding::DELTA_BINARY_PACKED)
            .set_max_row_group_row_count(Some(ROW_GROUP));
        for column in ["file", "reason", "column"] {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), true);
        }
        let writer = ArrowWriter::try_new(target, Arc::clone(&schema), Some(properties.build()));
        let writer = writer.map_err(|error| failed(error, name))?;
        Ok(TableWriter { schema, parts: Vec::new(), rows: 0, bytes: 0, writer })
    }

    /// Takes the rows of a table into groups. Where a group ends depends on its rows alone.
    pub(super) fn put(&mut self, table: RecordBatch, name: &str) -> Result<(), RunError> {
        let sizes = sizes(&table);
        let mut start = 0;
        while start < table.num_rows() {
            let most = (GROUP - self.rows).min(table.num_rows() - start);
            let mut count = most;
            for (row, bytes) in sizes.iter().enumerate().skip(start).take(most) {
                self.bytes += bytes;
                if self.bytes >= GROUP_BYTES {
                    count = row + 1 - start;
                    break;
                }
            }
            self.parts.push(table.slice(start, count));
            self.rows += count;
            start += count;
            if self.rows == GROUP || self.bytes >= GROUP_BYTES {
                self.write_group(name)?;
            }
        }
        Ok(())
    }

    fn write_group(&mut self, name: &str) -> Result<(), RunError> {
        let group = concat_batches(&self.schema, &self.parts).map_err(RunError::of)?;
        self.parts.clear();
        (self.rows, self.bytes) = (0, 0);
        self.writer.write(&group).map_err(|error| failed(error, name))?;
        if self.writer.in_progress_size() >= ROW_GROUP_BYTES {
            self.writer.flush().map_err(|error| failed(error, name))?;
        }
        Ok(())
    }

    /// Writes the rest and the footer.
    pub(super) fn finish(mut self, name: &str) -> Result<Target, RunError> {
        if self.rows > 0 {
            self.write_group(name)?;
        }
        self.writer.finish().map_err(|error| failed(error, name))?;
        self.writer.sync().map_err(|error| RunError::io(name, &error))?;
        // The writer would take itself apart too, but tell of the target's errors in words of its own.
        Ok(std::mem::replace(self.writer.inner_mut(), Target::standard()))
    }
}

/// The bytes of each row's values of no fixed length; empty where there are none.
fn sizes(table: &RecordBatch) -> Vec<usize> {
    let mut sizes = Vec::new();
    for column in table.columns() {
        let offsets = match column.data_type() {
            DataType::Utf8 => column.as_string::<i32>().value_offsets(),
            DataType::Binary => column.as_binary::<i32>().value_offsets(),
            DataType::List(_) => column.as_list::<i32>().value_offsets(),
            _ => continue,
        };
        // The lists that are written are of numbers of 64 bits.
        let each = if matches!(column.data_type(), DataType::List(_)) { size_of::<i64>() } else { 1 };
        sizes.resize(table.num_rows(), 0);
        for (size, ends) in sizes.iter_mut().zip(offsets.windows(2)) {
            *size += (ends[1] - ends[0]) as usize * each;
        }
    }
    sizes
}

/// An error of the writer; most are errors of the target in disguise.
fn failed(error: ParquetError, name: &str) -> RunError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => RunError::io(name, &error),
            Err(other) => RunError::new(format!("{name}: {other}")),
        },
        other => RunError::new(format!("{name}: {other}")),
    }
}
