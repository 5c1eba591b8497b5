//! Memory that crosses the interface: Arrow's C interface in capsules, and Python's buffers. All `unsafe` of this crate.
//!
//! What cannot be checked is what the interfaces promise: that a capsule holds what its name says, that an Arrow array
//! has the buffers that its type asks for, that these are as long as its length and its last offset say, and that nobody
//! changes them. All else that could lead outside them is checked before rows are read, by [`crate::input`].
#![allow(unsafe_code)]

use crate::error;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatchReader, make_array};
use arrow_schema::{ArrowError, Field, Schema};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// The arrays that an object gives by `__arrow_c_stream__`, if it does.
pub(crate) fn stream(object: &Bound<'_, PyAny>) -> PyResult<Option<ArrayStreamReader>> {
    let Some(method) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
    let capsule = method.call0()?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream (the Arrow PyCapsule interface). It is moved out, and a released
    // one left, which is how the interface says that it has been consumed.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    ArrayStreamReader::try_new(stream).map(Some).map_err(no_schema)
}

/// Arrow's schema is not readable: among else its names and metadata must be UTF-8.
fn no_schema(wrong: ArrowError) -> PyErr {
    error::value(format!("the Arrow schema cannot be read, whose names and metadata must be UTF-8 ({wrong})"))
}

/// The array that an object gives by `__arrow_c_array__`, if it does, and its field.
pub(crate) fn array(object: &Bound<'_, PyAny>) -> PyResult<Option<(Field, ArrayRef)>> {
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
    let field = Field::try_from(&schema).map_err(no_schema)?;
    // An array that breaks the rules of its type may be refused by a panic.
    let array = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the array has this schema, and its buffers are what the interface promises.
        unsafe { from_ffi(array, &schema) }.map(make_array)
    }));
    let array = array.map_err(|_| error::value("an Arrow array that is not one of its type"))?;
    Ok(Some((field, array.map_err(error::value)?)))
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
