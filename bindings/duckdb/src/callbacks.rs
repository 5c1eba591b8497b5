//! What DuckDB calls: for a query once, for each chunk of rows, and when it copies and frees what a query keeps.
#![allow(unsafe_code)]

use crate::answer::Answer;
use crate::binding::Binding;
use crate::columns::Columns;
use crate::lists;
use crate::table::{BindInfo, DataChunk, FunctionInfo, Functions, Vector, functions};
use crate::wallet::{Arguments, Wallet};
use phalanx::bindings::Stack;
use std::ffi::{CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Bytes of stack below the reading of a key, which are overwritten. A scanner overwrites what it uses itself.
const STACK: usize = 16 << 10;

/// What a query keeps, and its copies share.
type Kept = Arc<Wallet>;

// DuckDB's threads use it at the same time, through a pointer that does not say so to the compiler.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Kept>();
};

/// Reads the constant arguments and keeps the receiver.
///
/// # Safety
/// DuckDB calls it to bind.
pub(crate) unsafe extern "C-unwind" fn bind(info: *mut BindInfo) {
    let Some(functions) = functions() else { return };
    // SAFETY: DuckDB binds.
    let binding = unsafe { Binding::of(functions, info) }.ok_or_else(|| INTERNAL.to_owned());
    match binding.and_then(|binding| receiver(&binding)) {
        Ok(wallet) => {
            let kept = Box::into_raw(Box::<Kept>::new(Arc::new(wallet)));
            // SAFETY: DuckDB binds. It copies and frees the box by the functions for it.
            unsafe {
                (functions.scalar_function_set_bind_data)(info, kept.cast(), free);
                (functions.scalar_function_set_bind_data_copy)(info, copied);
            }
        }
        Err(why) => {
            let why = sentence(&why);
            // SAFETY: DuckDB binds, and copies the text.
            unsafe { (functions.scalar_function_bind_set_error)(info, why.as_ptr()) };
        }
    }
}

/// Reads the constant arguments and the scan secret through DuckDB, and then computes the receiver.
fn receiver(binding: &Binding) -> Result<Wallet, String> {
    let arguments = Arguments::of(binding)?;
    Stack::<STACK>::cleared(|| {
        let scan_secret = arguments.scan_secret(binding)?;
        caught(|| Wallet::new(&scan_secret, &arguments))
    })
}

/// # Safety
/// DuckDB calls it with what [`bind`] has given it, once.
unsafe extern "C-unwind" fn free(kept: *mut c_void) {
    // SAFETY: a box that was given away and is not used any more.
    drop(unsafe { Box::from_raw(kept.cast::<Kept>()) });
}

/// # Safety
/// DuckDB calls it with what [`bind`] has given it.
unsafe extern "C-unwind" fn copied(kept: *mut c_void) -> *mut c_void {
    if kept.is_null() {
        return kept;
    }
    // SAFETY: the box is there, and is only read.
    let kept = unsafe { &*kept.cast::<Kept>() };
    Box::into_raw(Box::new(Arc::clone(kept))).cast()
}

/// Scans a chunk whose outputs are prefixes.
///
/// # Safety
/// DuckDB calls it with a chunk of the columns that were registered for it.
pub(crate) unsafe extern "C-unwind" fn scan_prefixes(
    info: *mut FunctionInfo,
    chunk: *mut DataChunk,
    vector: *mut Vector,
) {
    // SAFETY: as promised.
    unsafe { scan(info, chunk, vector, false) };
}

/// Scans a chunk whose outputs are keys.
///
/// # Safety
/// As for [`scan_prefixes`].
pub(crate) unsafe extern "C-unwind" fn scan_keys(info: *mut FunctionInfo, chunk: *mut DataChunk, vector: *mut Vector) {
    // SAFETY: as promised.
    unsafe { scan(info, chunk, vector, true) };
}

/// # Safety
/// DuckDB has called with these, and the chunk's outputs are keys or prefixes.
unsafe fn scan(info: *mut FunctionInfo, chunk: *mut DataChunk, vector: *mut Vector, keys: bool) {
    let Some(functions) = functions() else { return };
    // SAFETY: as the caller promises.
    if let Err(why) = unsafe { scanned(functions, info, chunk, vector, keys) } {
        let why = sentence(&why);
        // SAFETY: DuckDB has called, and copies the text.
        unsafe { (functions.scalar_function_set_error)(info, why.as_ptr()) };
    }
}

/// # Safety
/// As for [`scan`].
unsafe fn scanned(
    functions: &Functions,
    info: *mut FunctionInfo,
    chunk: *mut DataChunk,
    vector: *mut Vector,
    keys: bool,
) -> Result<(), String> {
    // SAFETY: what `bind` has given is there for as long as the query. It is only read.
    let wallet = unsafe { (functions.scalar_function_get_bind_data)(info).cast::<Kept>().as_ref() };
    let wallet = wallet.ok_or(INTERNAL)?;
    let broken = |why: &str| format!("phalanx_scan: {why}");
    // SAFETY: the chunk is there until we return.
    let columns = unsafe { Columns::of(functions, chunk, keys) }.map_err(broken)?;
    let answer = caught(|| Ok(Answer::of(wallet, &columns.rows().map_err(broken)?)))?;
    // SAFETY: the vector is that of the answer, which has a list for each row.
    unsafe { lists::write(functions, vector, &answer) }.map_err(broken)
}

/// What is said where only an error of ours or of DuckDB can be the reason.
const INTERNAL: &str = "phalanx_scan: internal error";

/// Does work in which DuckDB is not called. A panic, which would be an error of ours, is told as such.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    // Work leaves nothing behind when it unwinds.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        // To drop what a panic carries may panic again.
        std::mem::forget(payload);
        Err(INTERNAL.to_owned())
    })
}

/// As a text of C, which ends before its first NUL.
fn sentence(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}
