//! The choice of backend and threads.
#![allow(unsafe_code)]

use crate::{
    ffi::{BulkHead, Checked, Given, guard, place, release, value},
    status::{self, PHALANX_BACKEND_UNAVAILABLE, PHALANX_BAD_ARGUMENT, PHALANX_THREADS_UNAVAILABLE},
    types::{
        PHALANX_OPERATION_BATCH_ECDSA, PHALANX_OPERATION_BATCH_SCHNORR, PHALANX_OPERATION_ROWS,
        PHALANX_OPERATION_SUM_OF_PRODUCTS, phalanx_options,
    },
};
use core::{
    ffi::{CStr, c_char},
    ptr,
};
use library::{Backend, Bulk, bindings::CacheLine};
use std::sync::OnceLock;

/// A backend, threads, and tables of keys that are kept from call to call. Threads may share one.
#[repr(C)]
pub struct phalanx_bulk {
    /// First, for other libraries.
    head: BulkHead,
    pub(crate) bulk: Bulk,
    pub(crate) tables: bool,
}

/// The threads of a handle at most: to try to start any number would take a machine's memory.
const MOST_THREADS: usize = 1 << 12;

/// Checks what a call without a handle is given, which runs on the backend that the environment names, or the best.
pub(crate) fn check_single(given: Given<'_>) -> Result<Checked<'_>, i32> {
    static AVAILABLE: OnceLock<Result<(), i32>> = OnceLock::new();
    let checked = given.check()?;
    let try_it = || Bulk::builder().threads(1).build().map(drop).map_err(status::of);
    (*AVAILABLE.get_or_init(try_it)).map(|()| checked)
}

/// Makes a handle by these options; NULL stands for options that are all zero.
///
/// Writes NULL to `bulk` first. PHALANX_BACKEND_UNAVAILABLE, PHALANX_THREADS_UNAVAILABLE.
///
/// # Safety
/// The pointers are NULL or good, and so is the backend's name, which ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_bulk_new(options: *const phalanx_options, bulk: *mut *mut phalanx_bulk) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let bulk = unsafe { place(bulk, ptr::null_mut()) }?;
        let none = phalanx_options { backend: ptr::null(), threads: 0, key_table_bytes: 0 };
        // SAFETY: the caller's promise.
        let options = if options.is_null() { none } else { *unsafe { value(options) }? };
        let mut builder = Bulk::builder();
        if !options.backend.is_null() {
            // SAFETY: text that ends with a zero, as the caller promises.
            let name = unsafe { CStr::from_ptr(options.backend) };
            let name = name.to_str().map_err(|_| PHALANX_BACKEND_UNAVAILABLE)?;
            builder = builder.backend(name.parse::<Backend>().map_err(status::of)?);
        }
        if options.threads > MOST_THREADS {
            return Err(PHALANX_THREADS_UNAVAILABLE);
        }
        if options.threads > 0 {
            builder = builder.threads(options.threads);
        }
        if options.key_table_bytes > 0 {
            builder = builder.key_table_memory(options.key_table_bytes);
        }
        let made = builder.build().map_err(status::of)?;
        let head = BulkHead::new(made.backend().name(), made.threads());
        let tables = options.key_table_bytes != 1;
        *bulk = Box::into_raw(Box::new(phalanx_bulk { head, bulk: made, tables }));
        Ok(())
    })
}

/// Frees a handle, which no call uses any more. NULL is allowed.
///
/// # Safety
/// The handle is NULL or one of phalanx_bulk_new that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_bulk_free(bulk: *mut phalanx_bulk) {
    // SAFETY: a box that `phalanx_bulk_new` gave away, as the caller promises.
    unsafe { release(bulk) };
}

/// The name of the handle's backend, a constant of the library; NULL for no handle.
///
/// # Safety
/// The handle is NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_bulk_backend(bulk: *const phalanx_bulk) -> *const c_char {
    // SAFETY: the caller's promise.
    let Ok(handle) = (unsafe { value(bulk) }) else { return ptr::null() };
    match handle.bulk.backend() {
        Backend::Portable => c"portable",
        Backend::Fma => c"fma",
        Backend::Fma512 => c"fma512",
        Backend::Ifma => c"ifma",
        Backend::Neon => c"neon",
        _ => c"another",
    }
    .as_ptr()
}

/// The number of threads of the handle; 0 for no handle.
///
/// # Safety
/// The handle is NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_bulk_threads(bulk: *const phalanx_bulk) -> usize {
    // SAFETY: the caller's promise.
    unsafe { value(bulk) }.map_or(0, |handle| handle.head.threads())
}

/// Writes the bytes of a workspace that is enough for an operation (PHALANX_OPERATION_...) on a given number of rows,
/// and on fewer. Operations on rows compute them in chunks, and take as many bytes for any number. Batches stop growing
/// too. A sum of products takes more for more rows; there SIZE_MAX rows take SIZE_MAX bytes. With somewhat fewer
/// bytes batches and sums may still be computed, and take longer.
///
/// Writes 0 first. PHALANX_BAD_ARGUMENT for an operation that is none.
///
/// # Safety
/// The pointers are NULL or good.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn phalanx_workspace_bytes(
    bulk: *const phalanx_bulk,
    operation: u32,
    rows: usize,
    bytes: *mut usize,
) -> i32 {
    guard(|| {
        // SAFETY: the caller's promise.
        let (bytes, handle) = unsafe { (place(bytes, 0)?, value(bulk)?) };
        let bulk = handle.bulk.one_thread();
        let lines = match operation {
            PHALANX_OPERATION_ROWS => bulk.workspace_lines(),
            PHALANX_OPERATION_BATCH_ECDSA => bulk.lines_of_batch_ecdsa(rows),
            PHALANX_OPERATION_BATCH_SCHNORR => bulk.lines_of_batch_schnorr(rows),
            PHALANX_OPERATION_SUM_OF_PRODUCTS => bulk.lines_of_sum_in_columns(rows),
            _ => return Err(PHALANX_BAD_ARGUMENT),
        };
        *bytes = lines.saturating_mul(size_of::<CacheLine>());
        Ok(())
    })
}
