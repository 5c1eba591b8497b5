//! Memory that crosses the interface: Arrow's C interface in capsules, and Python's buffers. All `unsafe` of this crate.
//!
//! What cannot be checked is what the interfaces promise: that a capsule holds what its name says, that an Arrow array
//! has the buffers that its type asks for, that these are as long as its length and its last offset say, and that nobody
//! changes them. All else that could lead outside them is checked before rows are read, by [`crate::input`].
#![allow(unsafe_code)]

use crate::error;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Decimal128Type;
use arrow_array::{Array, ArrayRef, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// Arrays that an object gives one after the other, all of one schema.
pub(crate) struct Stream {
    stream: FFI_ArrowArrayStream,
    pub(crate) schema: FFI_ArrowSchema,
}

/// The stream that an object gives by `__arrow_c_stream__`, if it does.
pub(crate) fn stream(object: &Bound<'_, PyAny>) -> PyResult<Option<Stream>> {
    let Some(method) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
    let capsule = method.call0()?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream (the Arrow PyCapsule interface). It is moved out, and a released
    // one left, which is how the interface says that it has been consumed.
    let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let Some(get_schema) = stream.get_schema().filter(|_| stream.release().is_some()) else {
        return Err(error::value("the Arrow stream has been released: it can be read once"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the function of this stream, and a place for a schema.
    let status = unsafe { get_schema(&raw mut stream, &raw mut schema) };
    if status != 0 {
        return Err(error::value(last_error(&mut stream, status)));
    }
    if schema.release().is_none() {
        return Err(error::value("an Arrow stream without a schema"));
    }
    Ok(Some(Stream { stream, schema }))
}

impl Stream {
    /// The next array, or none at the end. The error is text.
    pub(crate) fn next_array(&mut self) -> Result<Option<FFI_ArrowArray>, String> {
        let Some(get_next) = self.stream.get_next() else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the function of this stream, and a place for an array.
        match unsafe { get_next(&raw mut self.stream, &raw mut array) } {
            0 => Ok(Some(array).filter(|array| !array.is_released())),
            status => Err(last_error(&mut self.stream, status)),
        }
    }
}

fn last_error(stream: &mut FFI_ArrowArrayStream, status: c_int) -> String {
    // SAFETY: the function of this stream. Its text, if any, is there until the stream is used again.
    let text = stream.get_last_error().map(|get| unsafe { get(stream) }).filter(|text| !text.is_null());
    match text {
        // SAFETY: the same; the interface ends it with a zero.
        Some(text) => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
        None => format!("the Arrow stream failed with status {status}"),
    }
}

/// The array that an object gives by `__arrow_c_array__`, if it does, and its schema.
pub(crate) fn array(object: &Bound<'_, PyAny>) -> PyResult<Option<(FFI_ArrowSchema, FFI_ArrowArray)>> {
    let Some(method) = object.getattr_opt("__arrow_c_array__")? else { return Ok(None) };
    let pair = method.call0()?.cast_into::<PyTuple>()?;
    let capsule = |place| -> PyResult<Bound<'_, PyCapsule>> { Ok(pair.get_item(place)?.cast_into::<PyCapsule>()?) };
    let (schema, array) = (capsule(0)?, capsule(1)?);
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold a schema and an array of that schema (the Arrow PyCapsule interface), which
    // are moved out, and released ones left.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if schema.release().is_none() || array.is_released() {
        return Err(error::value("an Arrow array that has been consumed"));
    }
    Ok(Some((schema, array)))
}

/// The formats that polars gives integers of 128 bits, which Arrow does not have: with a sign and without.
const WIDE: [&str; 2] = ["_pli128", "_plu128"];
/// The digits of a decimal of 128 bits.
pub(crate) const DIGITS: u8 = 38;

/// Whether a number has no more digits than a decimal of 128 bits.
pub(crate) fn fits(number: i128) -> bool {
    number.unsigned_abs() < 10u128.pow(DIGITS.into())
}

/// The name and type that a schema says. Integers of 128 bits are decimals, which Arrow stores alike.
pub(crate) fn field(schema: &FFI_ArrowSchema) -> Result<Field, String> {
    checked(|| {
        if WIDE.contains(&schema.format()) {
            let name = schema.name().unwrap_or_default();
            let field = Field::new(name, DataType::Decimal128(DIGITS, 0), schema.nullable());
            return Ok(field.with_metadata(schema.metadata()?));
        }
        Field::try_from(schema)
    })
}

/// The columns of a table that has this schema, by name. `None` if it is not the schema of a table.
pub(crate) fn column_names(schema: &FFI_ArrowSchema) -> Result<Option<Vec<String>>, String> {
    checked(|| {
        let names = || schema.children().map(|column| column.name().unwrap_or_default().to_owned()).collect();
        Ok((schema.format() == "+s").then(names))
    })
}

/// An array of this schema.
pub(crate) fn import(mut array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, String> {
    let data_type = field(schema)?.data_type().clone();
    let array = checked(|| {
        // SAFETY: the array has this schema.
        unsafe { drop_buffers_of_nulls(&raw mut array, schema) };
        // SAFETY: the array has this type, and its buffers are what the interface promises.
        unsafe { from_ffi_and_data_type(array, data_type) }.map(make_array)
    })?;
    if WIDE.contains(&schema.format()) {
        let decimals = array.as_primitive::<Decimal128Type>();
        // Those without a sign and above half the range are negative here.
        let is_signed = schema.format() == WIDE[0];
        if !decimals.iter().flatten().all(|number| fits(number) && (is_signed || number >= 0)) {
            return Err(format!("an integer of more than {DIGITS} digits"));
        }
    }
    Ok(array)
}

/// The head of an array as the C interface lays it out.
#[repr(C)]
struct Head {
    _rows: [i64; 3],
    buffers: i64,
    children: i64,
    _buffers_at: *mut *const c_void,
    children_at: *mut *mut FFI_ArrowArray,
    dictionary: *mut FFI_ArrowArray,
}

/// Forgets the buffers of arrays of the type of nulls, also of those within. polars gives them one, and Arrow none.
///
/// # Safety
/// The array has this schema.
unsafe fn drop_buffers_of_nulls(array: *mut FFI_ArrowArray, schema: &FFI_ArrowSchema) {
    // SAFETY: the interface has this layout, and as many children as it says. Only a count changes, by which no array
    // of this type frees anything.
    unsafe {
        let head = array.cast::<Head>();
        if schema.format() == "n" {
            (*head).buffers = 0;
        }
        for (place, child) in (0..(*head).children as usize).zip(schema.children()) {
            drop_buffers_of_nulls(*(*head).children_at.add(place), child);
        }
        if let (Some(values), false) = (schema.dictionary(), (*head).dictionary.is_null()) {
            drop_buffers_of_nulls((*head).dictionary, values);
        }
    }
}

/// The number of rows in a batch of a table with this schema, and the columns at these places, which differ. All others
/// are released unread.
pub(crate) fn columns(
    batch: FFI_ArrowArray,
    schema: &FFI_ArrowSchema,
    places: &[usize],
) -> Result<(usize, Vec<Result<ArrayRef, String>>), String> {
    let (first, rows) = (batch.offset(), batch.len());
    let count = schema.children().count();
    if batch.num_children() != count {
        return Err(format!("an Arrow batch of {} columns in a table of {count}", batch.num_children()));
    }
    if has_nulls(&batch) {
        return Err("rows of the table itself are null: only its columns may hold nulls".into());
    }
    let column = |place: &usize| {
        assert!(*place < count, "a place among the columns");
        // SAFETY: the interface has this layout, and as many children as it says. It lets a consumer move children out
        // one by one if it releases the parent then, which knows by their empty places that they have gone.
        let column = unsafe {
            let head = ptr::from_ref(&batch).cast::<Head>();
            FFI_ArrowArray::from_raw(*(*head).children_at.add(*place))
        };
        let column = import(column, schema.child(*place))?;
        match first.checked_add(rows) {
            Some(end) if end <= column.len() => Ok(column.slice(first, rows)),
            _ => Err(format!("{} values in a batch of {rows} rows", column.len())),
        }
    };
    Ok((rows, places.iter().map(column).collect()))
}

/// Whether one of the rows is null.
fn has_nulls(batch: &FFI_ArrowArray) -> bool {
    if let Some(count) = batch.null_count_opt() {
        return count > 0;
    }
    let valid = if batch.num_buffers() > 0 { batch.buffer(0) } else { ptr::null() };
    let (first, rows) = (batch.offset(), batch.len());
    !valid.is_null()
        && (first..first + rows).any(|row| {
            // SAFETY: the first buffer of a batch, if there is one, has a bit for each row.
            unsafe { *valid.add(row / 8) >> (row % 8) & 1 == 0 }
        })
}

/// What Arrow's crate reads from the interface. It may refuse by a panic what breaks the rules.
fn checked<T>(read: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, String> {
    let read =
        catch_unwind(AssertUnwindSafe(read)).map_err(|_| "an Arrow array that is not one of its type".to_owned())?;
    read.map_err(|wrong| wrong.to_string())
}

/// The memory of an object with the buffer protocol, if it holds such elements. An array of NumPy with a mask is refused:
/// its memory does not say which values are masked.
pub(crate) fn buffer<T: Element>(object: &Bound<'_, PyAny>) -> PyResult<Option<PyBuffer<T>>> {
    let Ok(buffer) = PyBuffer::get(object) else { return Ok(None) };
    if object.getattr_opt("mask")?.is_some() {
        return Err(PyTypeError::new_err(
            "an array with a mask, which is not looked at: give a list with None instead",
        ));
    }
    Ok(Some(buffer))
}

/// A capsule with the batches of a reader.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    // What is left in the capsule at its end is released when it is dropped.
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// A capsule with the fields of a table.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(schema).map_err(error::value)?, SCHEMA)
}

/// Capsules with an array and its type.
pub(crate) fn array_capsules<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyTuple>> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(error::value)?;
    PyTuple::new(py, [PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?])
}

/// Whether the calling thread runs in the interpreter that Python began with, and not in one that it made inside.
#[pyfunction]
pub fn is_main_interpreter(_py: Python<'_>) -> bool {
    // SAFETY: the thread is attached to an interpreter, as the token says.
    unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) == 0 }
}

/// Zeroes the vector registers that compiled code moves values by. Without x86-64 it does nothing.
pub(crate) fn clear_registers() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has these registers, and the compiler is told that all of them change.
    unsafe {
        std::arch::asm!(
            "pxor xmm0, xmm0", "pxor xmm1, xmm1", "pxor xmm2, xmm2", "pxor xmm3, xmm3",
            "pxor xmm4, xmm4", "pxor xmm5, xmm5", "pxor xmm6, xmm6", "pxor xmm7, xmm7",
            "pxor xmm8, xmm8", "pxor xmm9, xmm9", "pxor xmm10, xmm10", "pxor xmm11, xmm11",
            "pxor xmm12, xmm12", "pxor xmm13, xmm13", "pxor xmm14, xmm14", "pxor xmm15, xmm15",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

/// The shape of rows of bytes in memory that Python may look at: rows, and bytes per row; and their strides.
pub(crate) struct Layout {
    shape: [isize; 2],
    strides: [isize; 2],
}

impl Layout {
    /// Rows of `width` bytes, one after the other.
    pub(crate) fn new(rows: usize, width: usize) -> Self {
        Layout { shape: [rows as isize, width as isize], strides: [width as isize, 1] }
    }
}

/// Lets Python look at bytes as a table of this layout. They may not be written to.
///
/// # Safety
/// `view` is what Python gave to `__getbuffer__`. Bytes and layout belong to `owner`, and neither moves nor changes.
pub(crate) unsafe fn fill_view(
    view: *mut ffi::Py_buffer,
    flags: c_int,
    bytes: &[u8],
    layout: &Layout,
    owner: Bound<'_, PyAny>,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("no view"));
    }
    let asked = |flag: c_int| flags & flag == flag;
    let rows = layout.shape[0].checked_mul(layout.shape[1]);
    // SAFETY: `view` is Python's to fill. The caller promises that what it points to stays.
    unsafe {
        (*view).obj = ptr::null_mut();
        if asked(ffi::PyBUF_WRITABLE) {
            return Err(PyBufferError::new_err("not writable"));
        }
        if rows != Some(bytes.len() as isize) {
            return Err(PyBufferError::new_err("bytes of another layout"));
        }
        (*view).buf = bytes.as_ptr().cast_mut().cast();
        (*view).len = bytes.len() as isize;
        (*view).itemsize = 1;
        (*view).readonly = 1;
        (*view).ndim = if asked(ffi::PyBUF_ND) { 2 } else { 1 };
        (*view).format = if asked(ffi::PyBUF_FORMAT) { c"B".as_ptr().cast_mut() } else { ptr::null_mut() };
        (*view).shape = if asked(ffi::PyBUF_ND) { layout.shape.as_ptr().cast_mut() } else { ptr::null_mut() };
        (*view).strides = if asked(ffi::PyBUF_STRIDES) { layout.strides.as_ptr().cast_mut() } else { ptr::null_mut() };
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
        (*view).obj = owner.into_ptr();
    }
    Ok(())
}
