//! An index of silent payments: a table with a transaction in each row.

use crate::error;
use crate::input::InputTable;
use crate::reading::Piece;
use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field};
use library::silent::Row;
use phalanx_rows::{BadIndexRow, Index, arrow};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Where the columns of an index stand in a table.
pub(crate) struct IndexColumns {
    tweak_key: usize,
    outputs: usize,
    /// What is handed on: the transaction and its height, as far as they are there.
    kept: Vec<(&'static str, usize)>,
}

impl IndexColumns {
    /// Finds the columns, whose names are those of the command, in capitals or not. Refuses a table that lacks one, or
    /// of which one cannot hold what it should, or breaks Arrow's format.
    pub(crate) fn of(table: &InputTable) -> PyResult<IndexColumns> {
        let place = |name: &str| {
            let alike = |field: &Arc<Field>| field.name().eq_ignore_ascii_case(name);
            let places = table.schema.fields().iter().enumerate().filter(|(_, field)| alike(field));
            match places.map(|(place, _)| place).collect::<Vec<_>>()[..] {
                [] => Ok(None),
                [place] => Ok(Some(place)),
                _ => Err(error::value(format!("two columns are called `{name}`"))),
            }
        };
        let needed = |name: &str| place(name)?.ok_or_else(|| error::value(format!("no column `{name}`")));
        let (tweak_key, outputs) = (needed("tweak_key")?, needed("outputs")?);
        let mut kept = Vec::new();
        for name in ["txid", "height"] {
            kept.extend(place(name)?.map(|place| (name, place)));
        }
        let kind = |place: usize| table.schema.field(place).data_type();
        if !holds_bytes(kind(tweak_key)) {
            let wrong = format!("column `tweak_key`: bytes or hex are needed, and {} is neither", kind(tweak_key));
            return Err(PyTypeError::new_err(wrong));
        }
        if !holds_outputs(kind(outputs)) {
            let wrong = format!(
                "column `outputs`: lists of 64-bit numbers with a sign, or of keys, are needed, and {} is neither",
                kind(outputs)
            );
            return Err(PyTypeError::new_err(wrong));
        }
        let read: Vec<_> = kept.iter().map(|(_, place)| *place).chain([tweak_key, outputs]).collect();
        table.check_format(&read)?;
        Ok(IndexColumns { tweak_key, outputs, kept })
    }

    /// The fields of the columns that are handed on, under the command's names.
    pub(crate) fn kept_fields(&self, table: &InputTable) -> Vec<Field> {
        let fields = self.kept.iter().map(|(name, place)| table.schema.field(*place).clone().with_name(*name));
        fields.collect()
    }

    /// The columns of a batch that are handed on.
    pub(crate) fn kept<'t>(&self, table: &'t InputTable, batch: usize) -> impl Iterator<Item = &'t ArrayRef> {
        self.kept.iter().map(move |(_, place)| table.batches[batch].column(*place))
    }

    /// Gives `take` the rows of a piece, or why there is none.
    pub(crate) fn rows<T>(
        &self,
        table: &InputTable,
        piece: &Piece,
        take: impl FnOnce(Vec<Result<Row<'_>, BadIndexRow>>) -> T,
    ) -> PyResult<T> {
        let column = |place| table.batches[piece.batch].column(place).slice(piece.first, piece.rows);
        let index = Index::new(&column(self.tweak_key), &column(self.outputs)).map_err(error::value)?;
        let rows = index.rows();
        Ok(take((0..piece.rows).map(|row| rows.get(row)).collect()))
    }
}

/// Whether a column of this type has bytes, or text that may be hex, or nothing.
fn holds_bytes(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, values) => holds_bytes(values),
        DataType::Null
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View => true,
        lists => arrow::are_bytes(lists),
    }
}

fn holds_outputs(kind: &DataType) -> bool {
    match kind {
        DataType::Null => true,
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => match item.data_type() {
            DataType::Int64 => true,
            DataType::Dictionary(..) => false,
            kind => holds_bytes(kind),
        },
        _ => false,
    }
}
