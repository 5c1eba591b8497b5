//! A table that is written row by row, in the columns of its schema.

use arrow_array::RecordBatch;
use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, Int64Builder, ListBuilder, StringBuilder,
    UInt32Builder, UInt64Builder,
};
use arrow_schema::{DataType, SchemaRef};

use crate::exit::RunError;

/// A value of a row. `None` is null.
pub(super) enum Value<'v> {
    Small(Option<u32>),
    Large(Option<u64>),
    Truth(bool),
    Text(Option<&'v str>),
    Bytes(&'v [u8]),
    /// Bytes of the column's width.
    Fixed(&'v [u8]),
    Numbers(&'v [i64]),
}

/// The values of a column so far.
enum Column {
    Small(UInt32Builder),
    Large(UInt64Builder),
    Truth(BooleanBuilder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Fixed(FixedSizeBinaryBuilder),
    Numbers(ListBuilder<Int64Builder>),
}

/// Rows, column by column.
pub(crate) struct RowTable {
    schema: SchemaRef,
    columns: Vec<Column>,
    /// A value had another type or length than its column.
    broken: bool,
}

impl RowTable {
    pub(crate) fn new(schema: SchemaRef) -> RowTable {
        let columns = schema.fields().iter().map(|field| match field.data_type() {
            DataType::UInt32 => Column::Small(UInt32Builder::new()),
            DataType::UInt64 => Column::Large(UInt64Builder::new()),
            DataType::Boolean => Column::Truth(BooleanBuilder::new()),
            DataType::Binary => Column::Bytes(BinaryBuilder::new()),
            DataType::FixedSizeBinary(width) => Column::Fixed(FixedSizeBinaryBuilder::new(*width)),
            DataType::List(_) => Column::Numbers(ListBuilder::new(Int64Builder::new())),
            _ => Column::Text(StringBuilder::new()),
        });
        RowTable { columns: columns.collect(), schema, broken: false }
    }

    /// Appends a row: a value for each column.
    pub(super) fn push(&mut self, row: &[Value<'_>]) {
        self.broken |= row.len() != self.columns.len();
        for pair in self.columns.iter_mut().zip(row) {
            match pair {
                (Column::Small(column), Value::Small(number)) => column.append_option(*number),
                (Column::Large(column), Value::Large(number)) => column.append_option(*number),
                (Column::Truth(column), Value::Truth(truth)) => column.append_value(*truth),
                (Column::Text(column), Value::Text(text)) => column.append_option(*text),
                (Column::Bytes(column), Value::Bytes(bytes)) => column.append_value(bytes),
                (Column::Fixed(column), Value::Fixed(bytes)) => self.broken |= column.append_value(bytes).is_err(),
                (Column::Numbers(column), Value::Numbers(numbers)) => {
                    column.values().append_slice(numbers);
                    column.append(true);
                }
                _ => self.broken = true,
            }
        }
    }

    /// The rows as a table.
    pub(crate) fn finish(mut self) -> Result<RecordBatch, RunError> {
        if self.broken {
            return Err(RunError::new("internal error: a value is not one of its column"));
        }
        let columns = self.columns.iter_mut().map(|column| Column::builder(column).finish()).collect();
        RecordBatch::try_new(self.schema, columns).map_err(RunError::of)
    }
}

impl Column {
    fn builder(&mut self) -> &mut dyn ArrayBuilder {
        match self {
            Column::Small(column) => column,
            Column::Large(column) => column,
            Column::Truth(column) => column,
            Column::Text(column) => column,
            Column::Bytes(column) => column,
            Column::Fixed(column) => column,
            Column::Numbers(column) => column,
        }
    }
}
