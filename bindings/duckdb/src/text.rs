//! Texts of C, and what DuckDB says of errors.
#![allow(unsafe_code)]

use crate::owned::Owned;
use crate::table::{ErrorData, Functions};
use std::ffi::{CStr, c_char};

/// A copy of a text of C. Nothing for NULL.
///
/// # Safety
/// The pointer is NULL, or that of bytes that end with a NUL.
pub(crate) unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// What DuckDB says of an error, which is destroyed. None for NULL.
///
/// # Safety
/// The pointer is NULL, or that of an error that DuckDB has left to us.
pub(crate) unsafe fn message(functions: &Functions, error: *mut ErrorData) -> Option<String> {
    // SAFETY: as the caller promises. The text lives as long as the error.
    unsafe {
        let error = Owned::new(error, functions.destroy_error_data)?;
        Some(text((functions.error_data_message)(error.pointer())))
    }
}
