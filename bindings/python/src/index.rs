//! An index of silent payments: a table with a transaction in each row.

use crate::error;
use crate::reading::Piece;
use crate::table::InputTable;
use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field};
use library::bindings::payments::Row;
use phalanx_rows::{BadIndexRow, Index, arrow};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Where the columns of an index stand among the columns of a table.
pub(crate) struct IndexPlaces {
    tweak_key: usize,
    outputs: usize,
    /// What is handed on: the transaction and its height, as far as they are there.
    kept: Vec<(&'static str, usize)>,
}

impl IndexPlaces {
    /// Finds the columns, whose names are those of the command, in capitals or not.
    pub(crate) fn of(header: &[&str]) -> PyResult<IndexPlaces> {
        let place = |name: &str| {
            let places = header.iter().enumerate().filter(|(_, other)| other.eq_ignore_ascii_case(name));
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
        Ok(IndexPlaces { tweak_key, outputs, kept })
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<usize> {
        self.kept.iter().map(|(_, place)| *place).chain([self.tweak_key, self.outputs]).collect()
    }
}

/// The places of the columns that a scan reads or hands on, of a table with these names of columns.
#[pyfunction]
pub(crate) fn index_wanted(header: Vec<String>) -> PyResult<Vec<usize>> {
    Ok(IndexPlaces::of(&header.iter().map(String::as_str).collect::<Vec<_>>())?.all())
}

/// The columns of an index in a table that has been read.
pub(crate) struct IndexColumns(IndexPlaces);

impl IndexColumns {
    /// Refuses a table that lacks a column of an index, or of which one cannot hold what it should, or breaks Arrow's
    /// format.
    pub(crate) fn of(py: Python<'_>, table: &InputTable) -> PyResult<IndexColumns> {
        let header: Vec<&str> = table.schema.fields().iter().map(|field| field.name().as_str()).collect();
        let places = IndexPlaces::of(&header)?;
        table.require(py, places.all())?;
        let IndexPlaces { tweak_key, outputs, .. } = places;
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
        py.detach(|| table.check_format(&places.all()))?;
        Ok(IndexColumns(places))
    }

    /// The fields of the columns that are handed on, under the command's names.
    pub(crate) fn kept_fields(&self, table: &InputTable) -> Vec<Field> {
        let fields = self.0.kept.iter().map(|(name, place)| table.schema.field(*place).clone().with_name(*name));
        fields.collect()
    }

    /// The columns of a batch that are handed on.
    pub(crate) fn kept<'t>(&self, table: &'t InputTable, batch: usize) -> impl Iterator<Item = &'t ArrayRef> {
        self.0.kept.iter().map(move |(_, place)| table.batches[batch].column(*place))
    }

    /// Gives `take` the rows of a piece, or why there is none.
    pub(crate) fn rows<T>(
        &self,
        table: &InputTable,
        piece: &Piece,
        take: impl FnOnce(Vec<Result<Row<'_>, BadIndexRow>>) -> T,
    ) -> PyResult<T> {
        let column = |place| table.batches[piece.batch].column(place).slice(piece.first, piece.rows);
        let index = Index::new(&column(self.0.tweak_key), &column(self.0.outputs)).map_err(error::value)?;
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
