//! What Python gets: tables and columns with Arrow's interface, which need no other package.

use crate::batches::{Batches, Capsule, Requested};
use crate::{error, ffi};
use arrow_array::cast::AsArray;
use arrow_array::{Array, FixedSizeBinaryArray};
use arrow_buffer::{Buffer, NullBuffer};
use library::{Class, Verdict};
use phalanx_rows::Tally;
use pyo3::exceptions::{PyBufferError, PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyTuple};
use std::collections::BTreeMap;
use std::ffi::c_int;
use zeroize::Zeroizing;

/// Rows without a valid signature that are described, as the command does.
pub(crate) const NOTES: usize = 10;

/// A table with a verdict for each row. It has Arrow's interface: give it to pyarrow.table, whose to_pandas() makes a
/// frame of pandas, to polars.DataFrame, to pandas.DataFrame.from_arrow of pandas 3, or to a query of DuckDB.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Table {
    pub(crate) rows: Batches,
    pub(crate) tally: Tally,
    /// Rows that are not valid, and why.
    pub(crate) notes: Vec<(usize, String)>,
    /// What to say of the table as a whole.
    pub(crate) hint: Option<String>,
}

#[pymethods]
impl Table {
    /// Arrow's interface. The schema that is asked for is not looked at, which the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Requested<'py>) -> Capsule<'py> {
        self.rows.stream(py, requested_schema)
    }

    /// The names and types of the columns, by Arrow's interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Capsule<'py> {
        ffi::schema_capsule(py, &self.rows.schema)
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    fn __repr__(&self) -> String {
        let valid = self.tally.class(Class::Valid);
        format!("<phalanx.Table of {} rows, {valid} of them valid: {}>", self.__len__(), self.column_names().join(", "))
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.rows.names()
    }

    /// Whether each row is valid.
    fn valid(&self) -> PyResult<Vec<bool>> {
        self.answers("valid", |column, to| to.extend(column.as_boolean().values()))
    }

    /// The verdict of each row by its name.
    fn reasons(&self) -> PyResult<Vec<&str>> {
        self.answers("reason", |column, to| to.extend(column.as_string::<i32>().iter().flatten()))
    }

    /// How many rows have each verdict, by its name.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for verdict in Verdict::ALL {
            counts.set_item(verdict.reason(), self.tally.verdict(*verdict))?;
        }
        Ok(counts)
    }

    /// Why the first rows that are not valid are not, by their numbers: ten at most, as the command describes them.
    #[getter]
    fn notes(&self) -> BTreeMap<usize, &str> {
        self.notes.iter().map(|(row, note)| (*row, note.as_str())).collect()
    }

    /// What is to be said of the table as a whole, if anything: recovery ids that seem to stand elsewhere.
    #[getter]
    fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// How many rows have an ECDSA signature with s above half the group order, whatever their verdict.
    #[getter]
    fn high_s_rows(&self) -> u64 {
        self.tally.high_s()
    }

    /// The exit status of the command: 0 where all rows are valid, 1 where some are invalid, 3 where some are
    /// malformed.
    #[getter]
    fn exit_status(&self) -> u8 {
        self.tally.status()
    }
}

impl Table {
    /// The values of a column that this package has written.
    fn answers<'a, T>(&'a self, name: &str, take: impl Fn(&'a dyn Array, &mut Vec<T>)) -> PyResult<Vec<T>> {
        let mut values = Vec::with_capacity(self.__len__());
        for batch in &self.rows.batches {
            let column = batch.column_by_name(name).ok_or_else(|| error::internal("a table without verdicts"))?;
            take(column.as_ref(), &mut values);
        }
        if values.len() == self.__len__() { Ok(values) } else { Err(error::internal("a row without a verdict")) }
    }
}

/// Tables that are parts of one, in their order, as this one. Nothing is copied.
#[pyfunction]
pub(crate) fn joined(tables: Vec<PyRef<'_, Table>>) -> PyResult<Table> {
    let mut rows = Batches::new(tables.first().ok_or_else(|| error::internal("a part"))?.rows.schema.clone());
    for part in &tables {
        rows.append(part.rows.clone())?;
    }
    let mut tally = Tally::default();
    let (mut notes, mut first) = (Vec::new(), 0);
    for part in &tables {
        tally.add(&part.tally);
        notes.extend(part.notes.iter().map(|(row, note)| (first + row, note.clone())));
        first += part.__len__();
    }
    notes.truncate(NOTES);
    let hint = tables.iter().find_map(|part| part.hint.clone());
    Ok(Table { rows, tally, notes, hint })
}

/// Values of one width, one for each row. It has Arrow's interface and the buffer protocol: numpy.asarray gives an
/// array of n x width bytes, without a copy. Its memory is wiped when nobody holds it any more.
#[pyclass(frozen, module = "phalanx")]
pub struct Column {
    values: FixedSizeBinaryArray,
    layout: ffi::Layout,
}

impl Column {
    /// Rows of `width` bytes, of which some may be null.
    pub fn new(bytes: Zeroizing<Vec<u8>>, width: usize, nulls: Option<NullBuffer>) -> PyResult<Column> {
        let rows = bytes.len() / width;
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        let values = FixedSizeBinaryArray::try_new(width as i32, wiped(bytes), nulls).map_err(error::internal)?;
        Ok(Column { values, layout: ffi::Layout::new(rows, width) })
    }
}

const SOME_ARE_NULL: &str = "some rows are null, which bytes cannot say: take it by Arrow's interface";

/// Memory that is wiped when nobody holds it any more.
pub(crate) fn wiped(bytes: Zeroizing<Vec<u8>>) -> Buffer {
    Buffer::from(bytes::Bytes::from_owner(Wiped(bytes)))
}

/// Bytes that are wiped at their end.
struct Wiped(Zeroizing<Vec<u8>>);

impl AsRef<[u8]> for Wiped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[pymethods]
impl Column {
    /// Arrow's interface. The type that is asked for is not looked at, which the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        ffi::array_capsules(py, &self.values)
    }

    #[allow(unsafe_code)]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut pyo3::ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let column = slf.get();
        if column.values.null_count() > 0 {
            return Err(PyBufferError::new_err(SOME_ARE_NULL));
        }
        // SAFETY: Python's view; values and layout stay where they are for as long as the object, which is frozen.
        unsafe { ffi::fill_view(view, flags, column.values.value_data(), &column.layout, slf.clone().into_any()) }
    }

    /// An array of NumPy, n x width bytes. NumPy asks for it where the buffer protocol has refused.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if slf.get().values.null_count() > 0 {
            return Err(PyValueError::new_err(SOME_ARE_NULL));
        }
        let options = PyDict::new(slf.py());
        options.set_item("dtype", dtype)?;
        options.set_item("copy", copy)?;
        slf.py().import("numpy")?.call_method("array", (PyMemoryView::from(slf)?,), Some(&options))
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// The value of a row; None where it is null.
    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let rows = self.values.len() as isize;
        let row = if row < 0 { row + rows } else { row };
        if !(0..rows).contains(&row) {
            return Err(PyIndexError::new_err("no such row"));
        }
        let row = row as usize;
        Ok(self.values.is_valid(row).then(|| PyBytes::new(py, self.values.value(row))))
    }

    /// How many rows are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.values.null_count()
    }

    /// The bytes of a value.
    #[getter]
    fn width(&self) -> i32 {
        self.values.value_length()
    }

    /// All values as bytes objects; None where a row is null.
    fn to_list<'py>(&self, py: Python<'py>) -> Vec<Option<Bound<'py, PyBytes>>> {
        self.values.iter().map(|value| value.map(|value| PyBytes::new(py, value))).collect()
    }

    fn __repr__(&self) -> String {
        format!("<phalanx.Column of {} values of {} bytes>", self.__len__(), self.width())
    }
}
