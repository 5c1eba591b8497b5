//! Panics as a status, and values that callers own.

use crate::status::{PHALANX_INTERNAL_ERROR, PHALANX_OK};
use std::{
    boxed::Box,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The status of work. A panic, which would be an error of the library, is a status too.
pub fn guard(work: impl FnOnce() -> Result<(), i32>) -> i32 {
    // What work leaves half-done when it unwinds are outputs, which the status says not to use.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => PHALANX_OK,
        Ok(Err(status)) => status,
        Err(payload) => {
            // To drop what a panic carries may panic again.
            core::mem::forget(payload);
            PHALANX_INTERNAL_ERROR
        }
    }
}

/// Frees a box that a caller was given, if the pointer is not NULL.
///
/// # Safety
/// The pointer is NULL or that of a box, which nobody uses any more.
pub unsafe fn release<T>(owned: *mut T) {
    guard(|| {
        if !owned.is_null() {
            // SAFETY: a box, as the caller promises.
            drop(unsafe { Box::from_raw(owned) });
        }
        Ok(())
    });
}
