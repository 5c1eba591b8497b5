//! What a call can say, as numbers and as text.
// For the outward name alone.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char};
use library::Error;
pub use phalanx_ffi::status::*;

/// What a status says, in English. The text is a constant of the library, never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_status_text(status: i32) -> *const c_char {
    text(status).as_ptr()
}

fn text(status: i32) -> &'static CStr {
    match status {
        PHALANX_OK => c"ok",
        PHALANX_NULL_POINTER => c"a pointer is NULL that must not be",
        PHALANX_MISALIGNED => c"a pointer is not aligned as what it points to",
        PHALANX_BAD_COLUMN => c"a column or an output has a width, a stride or a size that cannot be",
        PHALANX_OVERLAP => c"an output overlaps an input, another output or the workspace",
        PHALANX_WORKSPACE_TOO_SMALL => c"the workspace is too small",
        PHALANX_BACKEND_UNAVAILABLE => c"this build or this CPU does not have the backend",
        PHALANX_THREADS_UNAVAILABLE => c"the threads asked for could not be started",
        PHALANX_CANCELLED => c"the program cancelled the call",
        PHALANX_BAD_ARGUMENT => c"a flag, a number or a key is none that the call takes",
        PHALANX_BAD_SCALAR => c"a scalar is not below the order of the group, or is zero and cannot be",
        PHALANX_BAD_POINT => c"a point is not the encoding of one",
        PHALANX_BAD_TABLES => c"the tables are damaged, or of another basis or width",
        PHALANX_INTERNAL_ERROR => c"an error of the library itself",
        PHALANX_BAD_ROW => c"a row is not good, and so there is no answer; its verdict says what is wrong",
        PHALANX_USED_NONCE => c"a secret nonce has been used up, or its randomness is zero",
        PHALANX_CAPACITY_TOO_SMALL => c"there are more matches than the memory has room for",
        _ => c"no status of this library",
    }
}

/// The status of a call that the library refused.
pub(crate) fn of(error: Error) -> i32 {
    match error {
        Error::BadPublicKey => PHALANX_BAD_POINT,
        Error::BackendUnavailable { .. } => PHALANX_BACKEND_UNAVAILABLE,
        Error::ThreadsUnavailable => PHALANX_THREADS_UNAVAILABLE,
        Error::WorkspaceTooSmall { .. } => PHALANX_WORKSPACE_TOO_SMALL,
        Error::BadColumn | Error::LengthMismatch { .. } => PHALANX_BAD_COLUMN,
        _ => PHALANX_INTERNAL_ERROR,
    }
}
