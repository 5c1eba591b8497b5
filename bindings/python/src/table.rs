//! Tables that Python's objects hold, as Arrow's batches. Only columns that a call asks for are read.

use crate::input::{arrays, check, next_array, no_lists};
use crate::{error, ffi};
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{ArrayRef, NullArray, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::{PyBaseException, PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Finds the places of the columns that a call asks for among those with these names.
pub(crate) type Wanted<'w> = &'w dyn Fn(&[&str]) -> PyResult<Vec<usize>>;

/// A table: batches of one schema, which names all columns. Those that are not asked for, or cannot be read, have nulls
/// in place of their values.
pub(crate) struct InputTable {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
    /// Why columns that are asked for cannot be read, by place.
    unreadable: BTreeMap<usize, PyErr>,
}

impl InputTable {
    /// Reads an object that holds a table, or a mapping from names to columns.
    pub(crate) fn of(object: &Bound<'_, PyAny>, wanted: Wanted<'_>) -> PyResult<InputTable> {
        if let Ok(columns) = object.cast::<PyMapping>() {
            return of_mapping(columns, wanted);
        }
        let py = object.py();
        if let Some(mut stream) = ffi::stream(object)? {
            let mut read = Columns::of_schema(py, &stream.schema, wanted)?;
            while let Some(batch) = next_array(py, &mut stream)? {
                read.take(py, batch, &stream.schema)?;
            }
            return read.table();
        }
        if let Some((schema, batch)) = ffi::array(object)? {
            let mut read = Columns::of_schema(py, &schema, wanted)?;
            read.take(py, batch, &schema)?;
            return read.table();
        }
        let kind = object.get_type();
        Err(PyTypeError::new_err(format!(
            "a table is needed, not {kind}: give a table with Arrow's interface (pyarrow, polars, pandas, DuckDB), the \
             path of a Parquet file, or a dict of columns"
        )))
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The columns that were asked for and cannot be read, and why.
    pub(crate) fn unreadable(&self) -> &BTreeMap<usize, PyErr> {
        &self.unreadable
    }

    /// Refuses a table of which one of these columns cannot be read.
    pub(crate) fn require(&self, py: Python<'_>, places: impl IntoIterator<Item = usize>) -> PyResult<()> {
        let wrong = places.into_iter().find_map(|place| self.unreadable.get(&place));
        wrong.map_or(Ok(()), |wrong| Err(wrong.clone_ref(py)))
    }

    /// Refuses a table if one of these columns holds lists of anything but bytes, or breaks Arrow's format.
    pub(crate) fn check(&self, places: &[usize]) -> PyResult<()> {
        for place in places {
            let field = self.schema.field(*place);
            let wrong = |wrong| PyTypeError::new_err(format!("column `{}`: {wrong}", field.name()));
            no_lists(field.data_type()).map_err(wrong)?;
        }
        self.check_format(places)
    }

    /// Refuses a table of which one of these columns breaks Arrow's format.
    pub(crate) fn check_format(&self, places: &[usize]) -> PyResult<()> {
        let columns = self.batches.iter().flat_map(|batch| places.iter().map(|place| batch.column(*place)));
        columns.into_iter().try_for_each(check)
    }
}

/// A table as far as it has been read.
struct Columns {
    names: Vec<String>,
    metadata: HashMap<String, String>,
    fields: BTreeMap<usize, Field>,
    unreadable: BTreeMap<usize, PyErr>,
    /// The number of rows in each batch, and its columns by place.
    batches: Vec<(usize, BTreeMap<usize, ArrayRef>)>,
}

impl Columns {
    fn of_schema(py: Python<'_>, schema: &FFI_ArrowSchema, wanted: Wanted<'_>) -> PyResult<Columns> {
        let no_schema = |wrong: String| {
            error::value(format!("the Arrow schema cannot be read, whose names and metadata must be UTF-8 ({wrong})"))
        };
        let Some(names) = ffi::column_names(schema).map_err(no_schema)? else {
            let held = ffi::field(schema).map_or_else(|wrong| wrong, |field| field.data_type().to_string());
            return Err(PyTypeError::new_err(format!("a table is needed, not a column of type {held}")));
        };
        let metadata = schema.metadata().map_err(|wrong| no_schema(wrong.to_string()))?;
        let places = wanted(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
        let (fields, unreadable, batches) = Default::default();
        let mut read = Columns { names, metadata, fields, unreadable, batches };
        for place in places {
            match ffi::field(schema.child(place)) {
                Ok(field) => drop(read.fields.insert(place, field)),
                Err(wrong) => read.forget(py, place, &error::value(wrong)),
            }
        }
        Ok(read)
    }

    /// Reads the next batch.
    fn take(&mut self, py: Python<'_>, batch: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<()> {
        let places: Vec<usize> = self.fields.keys().copied().collect();
        let (rows, columns) = ffi::columns(batch, schema, &places).map_err(error::value)?;
        let mut read = BTreeMap::new();
        for (place, column) in places.into_iter().zip(columns) {
            match column {
                Ok(column) => drop(read.insert(place, column)),
                Err(wrong) => self.forget(py, place, &error::value(wrong)),
            }
        }
        self.batches.push((rows, read));
        Ok(())
    }

    /// Notes that a column cannot be read.
    fn forget(&mut self, py: Python<'_>, place: usize, wrong: &PyErr) {
        self.fields.remove(&place);
        let text = format!("column `{}`: {}", self.names[place], wrong.value(py));
        let is_type = wrong.is_instance_of::<PyTypeError>(py);
        self.unreadable.insert(place, if is_type { PyTypeError::new_err(text) } else { error::value(text) });
    }

    fn table(self) -> PyResult<InputTable> {
        let Columns { names, metadata, mut fields, unreadable, batches } = self;
        let there: BTreeSet<usize> = fields.keys().copied().collect();
        let columns = names.iter().enumerate();
        let field = |(place, name): (usize, &String)| {
            fields.remove(&place).unwrap_or_else(|| Field::new(name, DataType::Null, true))
        };
        let schema = Arc::new(Schema::new(columns.map(field).collect::<Vec<_>>()).with_metadata(metadata));
        let batch = |(rows, mut read): (usize, BTreeMap<usize, ArrayRef>)| {
            let column = |place| match read.remove(&place).filter(|_| there.contains(&place)) {
                Some(column) => column,
                None => Arc::new(NullArray::new(rows)),
            };
            let columns = (0..names.len()).map(column).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            RecordBatch::try_new_with_options(Arc::clone(&schema), columns, &options).map_err(error::value)
        };
        let batches = batches.into_iter().map(batch).collect::<PyResult<_>>()?;
        Ok(InputTable { schema, batches, unreadable })
    }
}

/// A table of columns that Python holds apart. Those in several arrays are cut at each other's ends.
fn of_mapping(columns: &Bound<'_, PyMapping>, wanted: Wanted<'_>) -> PyResult<InputTable> {
    let py = columns.py();
    let (mut names, mut all): (Vec<String>, Vec<Bound<'_, PyAny>>) = Default::default();
    for item in columns.items()?.iter() {
        let (name, values) = item.extract()?;
        names.push(name);
        all.push(values);
    }
    let places = wanted(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
    let (metadata, fields, unreadable, batches) = Default::default();
    let mut read = Columns { names, metadata, fields, unreadable, batches };
    let mut apart = BTreeMap::new();
    for place in places {
        // An error stands for a column that could not be made.
        let arrays = match all[place].cast::<PyBaseException>() {
            Ok(error) => Err(PyErr::from_value(error.clone().into_any())),
            Err(_) => arrays(&all[place]),
        };
        match arrays {
            Ok(arrays) => {
                let data_type = arrays.first().map_or(DataType::Null, |array| array.data_type().clone());
                read.fields.insert(place, Field::new(&read.names[place], data_type, true));
                apart.insert(place, arrays);
            }
            Err(wrong) if wrong.is_instance_of::<PyException>(py) => read.forget(py, place, &wrong),
            Err(interrupted) => return Err(interrupted),
        }
    }
    let length = |arrays: &[ArrayRef]| arrays.iter().map(|array| array.len()).sum::<usize>();
    let mut lengths = apart.iter().map(|(place, arrays)| (&read.names[*place], length(arrays)));
    if let Some((first, rows)) = lengths.next()
        && let Some((name, other)) = lengths.find(|(_, other)| *other != rows)
    {
        return Err(error::value(format!("column `{first}` has {rows} rows, and column `{name}` has {other}")));
    }
    let mut ends = BTreeSet::new();
    for arrays in apart.values() {
        let mut end = 0;
        ends.extend(arrays.iter().map(|array| {
            end += array.len();
            end
        }));
    }
    let mut start = 0;
    for end in ends.into_iter().filter(|end| *end > 0) {
        let columns = apart.iter().map(|(place, arrays)| (*place, part(arrays, start, end)));
        read.batches.push((end - start, columns.collect()));
        start = end;
    }
    read.table()
}

/// The rows from `start` to `end`, which lie in one of the arrays.
fn part(arrays: &[ArrayRef], start: usize, end: usize) -> ArrayRef {
    let mut before = 0;
    for array in arrays {
        if start < before + array.len() {
            return array.slice(start - before, end - start);
        }
        before += array.len();
    }
    unreachable!("columns of one length are cut at all of their ends")
}
