//! An index of silent payments: a table with a transaction in each row.

use crate::error;
use crate::input::InputTable;
use crate::reading::Piece;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, GenericListArray, Int64Array, OffsetSizeTrait, new_empty_array};
use arrow_schema::{DataType, Field};
use library::silent::{Outputs, Row};
use phalanx_rows::{Cells, Role, RowFault, arrow};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Why nothing is found in a row.
pub(crate) type Malformed = &'static str;

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
        take: impl FnOnce(Vec<Result<Row<'_>, Malformed>>) -> T,
    ) -> PyResult<T> {
        let column = |place| table.batches[piece.batch].column(place).slice(piece.first, piece.rows);
        let points = arrow::plain(&column(self.tweak_key)).map_err(error::value)?;
        let points = Cells::new(Role::Point, arrow::column(&points));
        let outputs = column(self.outputs);
        let outputs = OutputLists::of(&outputs)?;
        let row = |row: usize| {
            let tweak_point = points.get(row).map_err(|fault| match fault {
                RowFault::Null | RowFault::Absent => "tweak_key is missing",
                _ => "tweak_key is not hex",
            })?;
            Ok(Row { tweak_point, outputs: outputs.get(row)? })
        };
        Ok(take((0..piece.rows).map(row).collect()))
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

/// The outputs of the rows of a piece.
struct OutputLists {
    /// The values of each row's list; none where it is null.
    ranges: Vec<Option<Range<usize>>>,
    values: Listed,
}

/// What lists hold.
enum Listed {
    Prefixes(Int64Array),
    /// Keys, and which of them are some: the others are zeros.
    Keys(Vec<[u8; 32]>, Vec<bool>),
}

impl OutputLists {
    fn of(lists: &ArrayRef) -> PyResult<OutputLists> {
        let (ranges, values) = match lists.data_type() {
            DataType::List(_) => offset_lists(lists.as_list::<i32>()),
            DataType::LargeList(_) => offset_lists(lists.as_list::<i64>()),
            DataType::FixedSizeList(..) => {
                let lists = lists.as_fixed_size_list();
                let width = lists.value_length() as usize;
                let range = |row| lists.is_valid(row).then_some(row * width..(row + 1) * width);
                ((0..lists.len()).map(range).collect(), Arc::clone(lists.values()))
            }
            _ => (vec![None; lists.len()], new_empty_array(&DataType::Int64)),
        };
        if let Some(prefixes) = values.as_primitive_opt::<Int64Type>() {
            return Ok(OutputLists { ranges, values: Listed::Prefixes(prefixes.clone()) });
        }
        let values = arrow::plain(&values).map_err(error::value)?;
        let cells = Cells::new(Role::Digest, arrow::column(&values));
        let key = |at| cells.get(at).ok().and_then(|key| <[u8; 32]>::try_from(key).ok());
        let read: Vec<_> = (0..values.len()).map(key).collect();
        let are_some = read.iter().map(Option::is_some).collect();
        let keys = read.into_iter().map(|key| key.unwrap_or([0; 32])).collect();
        Ok(OutputLists { ranges, values: Listed::Keys(keys, are_some) })
    }

    fn get(&self, row: usize) -> Result<Outputs<'_>, Malformed> {
        let range = self.ranges[row].clone().ok_or("outputs is missing")?;
        match &self.values {
            Listed::Prefixes(prefixes) if range.clone().any(|at| prefixes.is_null(at)) => Err("outputs holds a null"),
            Listed::Prefixes(prefixes) => Ok(Outputs::Prefixes(&prefixes.values()[range])),
            Listed::Keys(keys, are_some) if are_some[range.clone()].iter().all(|some| *some) => {
                Ok(Outputs::Keys(&keys[range]))
            }
            Listed::Keys(..) => Err("outputs holds what is no key of 32 bytes"),
        }
    }
}

/// The range of each row's values, and the values of these rows.
fn offset_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> (Vec<Option<Range<usize>>>, ArrayRef) {
    let ends = lists.value_offsets();
    let (first, last) = (ends[0].as_usize(), ends[lists.len()].as_usize());
    let range = |row: usize| ends[row].as_usize() - first..ends[row + 1].as_usize() - first;
    let ranges = (0..lists.len()).map(|row| lists.is_valid(row).then(|| range(row)));
    (ranges.collect(), lists.values().slice(first, last - first))
}
