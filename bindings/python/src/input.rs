//! What Python's objects hold, as Arrow's arrays: single columns.
//!
//! An object with Arrow's interface is not copied. What Python can change is: arrays of NumPy, and whatever else has
//! the buffer protocol. A list of values is copied because they lie apart.

use crate::{error, ffi, keys};
use arrow_array::builder::{LargeBinaryBuilder, LargeStringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowArray;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::types::{BinaryViewType, ByteViewType, StringViewType};
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Decimal128Array, FixedSizeBinaryArray, Int64Array, PrimitiveArray};
use arrow_buffer::Buffer;
use arrow_schema::DataType;
use phalanx_rows::{Cells, Role, RowFault};
use pyo3::buffer::Element;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString, PyTuple};
use std::ops::Range;
use std::sync::Arc;

/// The arrays of an object with Arrow's interface.
fn arrow(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    let mut arrays = Vec::new();
    if let Some(mut stream) = ffi::stream(object)? {
        while let Some(array) = next_array(object.py(), &mut stream)? {
            arrays.push(ffi::import(array, &stream.schema).map_err(error::value)?);
        }
        return Ok(Some(arrays));
    }
    let Some((schema, array)) = ffi::array(object)? else { return Ok(None) };
    arrays.push(ffi::import(array, &schema).map_err(error::value)?);
    Ok(Some(arrays))
}

/// The next array of a stream. Before it is looked at, Python looks at signals.
pub(crate) fn next_array(py: Python<'_>, stream: &mut ffi::Stream) -> PyResult<Option<FFI_ArrowArray>> {
    // Whoever makes the arrays may need the interpreter for it, on another thread.
    let next = py.detach(|| stream.next_array());
    py.check_signals()?;
    next.map_err(|failed| failed_stream(&failed))
}

/// The error of a stream, which is text. One that is made in Python may have been interrupted there, and says so.
fn failed_stream(text: &str) -> PyErr {
    if text.contains("KeyboardInterrupt") { PyKeyboardInterrupt::new_err(()) } else { error::value(text) }
}

/// Refuses lists that are no bytes, of which no row could be read.
pub(crate) fn no_lists(data_type: &DataType) -> Result<(), String> {
    use DataType::{Dictionary, FixedSizeList, LargeList, LargeListView, List, ListView};
    let values = if let Dictionary(_, values) = data_type { values } else { data_type };
    match values {
        List(_) | LargeList(_) | FixedSizeList(..) | ListView(_) | LargeListView(_)
            if !phalanx_rows::arrow::are_bytes(values) =>
        {
            Err(format!("bytes are needed, and {values} is none: of lists, List(UInt8) and its like are read as bytes"))
        }
        _ => Ok(()),
    }
}

/// Refuses an array of which an offset, a view or a key leads outside its values: rows would be read that are not there.
pub(crate) fn check(array: &ArrayRef) -> PyResult<()> {
    let checked = match array.data_type() {
        // Nothing of it is read, and its only offset may be any number.
        _ if array.is_empty() => Ok(()),
        DataType::BinaryView => views::<BinaryViewType>(array),
        DataType::Utf8View => views::<StringViewType>(array),
        _ => array.to_data().validate_full().map_err(|wrong| wrong.to_string()),
    };
    checked.map_err(|wrong| error::value(format!("an Arrow array that breaks Arrow's format: {wrong}")))
}

/// The same for views, of which those of null rows may be anything.
fn views<T: ByteViewType>(array: &ArrayRef) -> Result<(), String> {
    let array = array.as_byte_view::<T>();
    for (row, view) in array.views().iter().enumerate().filter(|(row, _)| array.is_valid(*row)) {
        let [length, _, buffer, offset] = [0, 32, 64, 96].map(|shift| (view >> shift) as u32 as usize);
        let held = || array.data_buffers().get(buffer).is_some_and(|bytes| offset + length <= bytes.len());
        if length > 12 && !held() {
            return Err(format!("the view of row {row} leads outside its buffer"));
        }
    }
    Ok(())
}

/// One column that is no table's, in one array or several. It is read some rows at a time: no more text than theirs is
/// decoded then.
pub struct InputColumn {
    arrays: Vec<ArrayRef>,
}

impl InputColumn {
    /// Reads an object that holds a column.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<InputColumn> {
        let arrays = arrays(object)?;
        arrays.iter().try_for_each(|array| no_lists(array.data_type())).map_err(PyTypeError::new_err)?;
        object.py().detach(|| arrays.iter().try_for_each(check))?;
        Ok(InputColumn { arrays })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.arrays.iter().map(|array| array.len()).sum()
    }

    /// Gives `take` the value of each of some rows, or why it has none.
    pub fn read<T>(
        &self,
        role: Role,
        rows: Range<usize>,
        take: impl FnOnce(&[Result<&[u8], RowFault>]) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut parts = Vec::new();
        let mut before = 0;
        for array in &self.arrays {
            let (start, end) = (rows.start.max(before), rows.end.min(before + array.len()));
            if start < end {
                parts
                    .push(phalanx_rows::arrow::plain(&array.slice(start - before, end - start)).map_err(error::value)?);
            }
            before += array.len();
        }
        let cells_of = |part| Cells::new(role, phalanx_rows::arrow::column(part));
        let cells: Vec<Cells<'_>> = parts.iter().map(cells_of).collect();
        let values = parts.iter().zip(&cells).flat_map(|(part, cells)| (0..part.len()).map(|row| cells.get(row)));
        take(&values.collect::<Vec<_>>())
    }
}

/// The arrays of one column.
pub(crate) fn arrays(object: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if let Some(arrays) = arrow(object)? {
        return Ok(arrays);
    }
    if let Ok(values) = object.cast::<PyList>() {
        return Ok(vec![of_values(&values.iter().collect::<Vec<_>>())?]);
    }
    if let Ok(values) = object.cast::<PyTuple>() {
        return Ok(vec![of_values(&values.iter().collect::<Vec<_>>())?]);
    }
    if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
        return Err(PyTypeError::new_err(
            "bytes are one value: a column is a list of them, or an array of n x width bytes",
        ));
    }
    let Some(held) = held_by_pandas(object)? else { return of_buffer(object).map(|array| vec![array]) };
    match arrow(&held)? {
        Some(arrays) => Ok(arrays),
        None => of_buffer(&held).map(|array| vec![array]),
    }
}

/// What a column of pandas before version 3 keeps its values in: an array of pyarrow where its type is Arrow's, else one
/// of NumPy.
fn held_by_pandas<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let array = object.getattr_opt("array")?.unwrap_or_else(|| object.clone());
    for method in ["__arrow_array__", "to_numpy"] {
        if let Some(method) = array.getattr_opt(method)? {
            return method.call0().map(Some);
        }
    }
    Ok(None)
}

/// Values in a list: bytes, text or whole numbers, all of one kind; None is null.
fn of_values(values: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let Some(first) = values.iter().find(|value| !value.is_none()) else {
        return Ok(arrow_array::new_null_array(&DataType::Null, values.len()));
    };
    let wrong = |row: usize, kind: &str| among(values, row, kind);
    let all = values.iter().enumerate();
    if first.is_instance_of::<PyString>() {
        let mut builder = LargeStringBuilder::new();
        for (row, value) in all {
            match value.extract::<Option<String>>() {
                Ok(text) => builder.append_option(text),
                Err(_) if value.is_instance_of::<PyString>() => {
                    return Err(error::value(format!("row {row}: text that UTF-8 cannot hold: it has a surrogate")));
                }
                Err(_) => return Err(wrong(row, "text")),
            }
        }
        return Ok(Arc::new(builder.finish()));
    }
    if is_bytes(first) {
        let mut builder = LargeBinaryBuilder::new();
        for (row, value) in all {
            if value.is_none() {
                builder.append_null();
            } else if let Ok(bytes) = value.cast::<PyBytes>() {
                builder.append_value(bytes.as_bytes());
            } else if let Ok(bytes) = value.cast::<PyByteArray>() {
                builder.append_value(bytes.to_vec());
            } else {
                builder.append_value(keys::encoded(value).ok_or_else(|| wrong(row, "bytes"))?);
            }
        }
        return Ok(Arc::new(builder.finish()));
    }
    of_numbers(values)
}

/// Whole numbers in a list: of 64 bits, or decimals where one has more.
fn of_numbers(values: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let mut numbers = Vec::with_capacity(values.len());
    for (row, value) in values.iter().enumerate() {
        let larger = |error: PyErr| match error.is_instance_of::<PyOverflowError>(value.py()) {
            true => value
                .extract::<i128>()
                .ok()
                .filter(|number| ffi::fits(*number))
                .map(Some)
                .ok_or_else(|| error::value(format!("row {row}: an integer of more than {} digits", ffi::DIGITS))),
            false => Err(among(values, row, "values that can be neither bytes, text nor integers")),
        };
        numbers.push(value.extract::<Option<i64>>().map(|number| number.map(i128::from)).or_else(larger)?);
    }
    let short = |number: &Option<i128>| number.map(i64::try_from).transpose();
    if let Ok(short) = numbers.iter().map(short).collect::<Result<Int64Array, _>>() {
        return Ok(Arc::new(short));
    }
    let decimals = numbers.into_iter().collect::<Decimal128Array>();
    Ok(Arc::new(decimals.with_precision_and_scale(ffi::DIGITS, 0).map_err(error::internal)?))
}

/// The error of a value that is of another kind than the others.
fn among(values: &[Bound<'_, PyAny>], row: usize, kind: &str) -> PyErr {
    PyTypeError::new_err(format!("row {row}: {} among {kind}", values[row].get_type()))
}

/// Whether a value is bytes, or a public key or signature, which stand for their bytes.
fn is_bytes(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() || keys::encoded(value).is_some()
}

/// The copy of an array of NumPy, or of another object with the buffer protocol: bytes in two dimensions, rows first,
/// or integers in one.
fn of_buffer(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Some(buffer) = ffi::buffer::<u8>(object)?
        && let [rows, width] = *buffer.shape()
    {
        let bytes = buffer.to_vec(object.py())?;
        let width = i32::try_from(width).map_err(error::value)?;
        if width == 0 {
            return Err(error::value(format!("an array of {rows} x 0 bytes has no values")));
        }
        let array = FixedSizeBinaryArray::try_new(width, Buffer::from_vec(bytes), None);
        return Ok(Arc::new(array.map_err(error::value)?));
    }
    let tried = [
        integers::<UInt8Type>,
        integers::<Int8Type>,
        integers::<UInt16Type>,
        integers::<Int16Type>,
        integers::<UInt32Type>,
        integers::<Int32Type>,
        integers::<UInt64Type>,
        integers::<Int64Type>,
    ];
    tried.iter().find_map(|read| read(object)).unwrap_or_else(|| {
        let kind = object.get_type();
        Err(PyTypeError::new_err(format!(
            "a column is needed, and {kind} of this type and shape is none: give what has Arrow's interface, a list of \
             bytes, text or integers (as list(values) where they are objects), or an array of n x width unsigned bytes \
             or of n integers"
        )))
    })
}

/// The integers of an object, if it holds such integers in one dimension.
fn integers<T: ArrowPrimitiveType>(object: &Bound<'_, PyAny>) -> Option<PyResult<ArrayRef>>
where
    T::Native: Element,
{
    match ffi::buffer::<T::Native>(object) {
        Ok(None) => None,
        Ok(Some(buffer)) if buffer.dimensions() != 1 => None,
        Ok(Some(buffer)) => {
            let values = buffer.to_vec(object.py());
            Some(values.map(|values| Arc::new(PrimitiveArray::<T>::from_iter_values(values)) as ArrayRef))
        }
        Err(masked) => Some(Err(masked)),
    }
}
