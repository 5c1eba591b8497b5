//! From pointers to slices and back, checked; no panic crosses.
//!
//! What cannot be checked is the caller's promise, in the header: that memory is there for as many bytes as it says,
//! and that no other thread writes to it during the call.
#![allow(unsafe_code)]

use crate::{
    status::{
        PHALANX_BAD_COLUMN, PHALANX_INTERNAL_ERROR, PHALANX_MISALIGNED, PHALANX_NULL_POINTER, PHALANX_OK,
        PHALANX_OVERLAP,
    },
    types::{PHALANX_UNDECIDED, phalanx_column, phalanx_output},
};
use core::slice;
use library::{Column, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The status of work. A panic, which would be an error of the library, is a status too.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), i32>) -> i32 {
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

/// The value that a pointer points to.
///
/// # Safety
/// The pointer is NULL or misaligned, or points to a value that nobody writes to for as long as `'a`.
pub(crate) unsafe fn value<'a, T>(pointer: *const T) -> Result<&'a T, i32> {
    check_pointer(pointer)?;
    // SAFETY: neither NULL nor misaligned, and else as the caller promises.
    Ok(unsafe { &*pointer })
}

/// Fails for a pointer that is NULL or misaligned.
pub(crate) fn check_pointer<T>(pointer: *const T) -> Result<(), i32> {
    if pointer.is_null() {
        Err(PHALANX_NULL_POINTER)
    } else if !pointer.is_aligned() {
        Err(PHALANX_MISALIGNED)
    } else {
        Ok(())
    }
}

/// The memory that a call reads and writes, from the first to the last byte of each column.
pub(crate) struct Spans {
    /// Address, bytes, and whether it is written.
    spans: [(usize, usize, bool); 10],
    count: usize,
}

impl Spans {
    pub(crate) fn new() -> Self {
        Spans { spans: [(0, 0, false); 10], count: 0 }
    }

    pub(crate) fn add<T>(&mut self, pointer: *const T, bytes: usize, written: bool) {
        self.spans[self.count] = (pointer.addr(), bytes, written);
        self.count += 1;
    }

    /// Fails if something is written that is also read, or written twice.
    pub(crate) fn check(&self) -> Result<(), i32> {
        let spans = &self.spans[..self.count];
        for (i, (a, length, written)) in spans.iter().enumerate() {
            for (b, other_length, other_written) in &spans[i + 1..] {
                let apart = *length == 0 || *other_length == 0 || a + length <= *b || b + other_length <= *a;
                if !apart && (*written || *other_written) {
                    return Err(PHALANX_OVERLAP);
                }
            }
        }
        Ok(())
    }
}

/// The bytes from the first value to the end of the last one, if memory can hold them.
fn extent(data: *const u8, stride: usize, width: usize, rows: usize) -> Result<usize, i32> {
    let Some(last) = rows.checked_sub(1) else { return Ok(0) };
    let bytes = last.checked_mul(stride).and_then(|last| last.checked_add(width)).ok_or(PHALANX_BAD_COLUMN)?;
    if bytes > isize::MAX as usize || data.addr().checked_add(bytes).is_none() {
        return Err(PHALANX_BAD_COLUMN);
    }
    if bytes > 0 && data.is_null() { Err(PHALANX_NULL_POINTER) } else { Ok(bytes) }
}

/// The column, whose width must be one of `widths` if there are any.
///
/// # Safety
/// The column's values are there, and nobody writes to them, for as long as `'a`.
pub(crate) unsafe fn input<'a>(
    column: *const phalanx_column,
    rows: usize,
    widths: &[usize],
    spans: &mut Spans,
) -> Result<Column<'a>, i32> {
    // SAFETY: the caller's structure; this function's own promise.
    let phalanx_column { data, stride, width } = *unsafe { value(column) }?;
    if !widths.is_empty() && !widths.contains(&width) {
        return Err(PHALANX_BAD_COLUMN);
    }
    let bytes = extent(data, stride, width, rows)?;
    spans.add(data, bytes, false);
    // SAFETY: so many bytes are there, as the caller promises, and `extent` has refused NULL and what does not fit.
    let bytes = if bytes == 0 { &[] } else { unsafe { slice::from_raw_parts(data, bytes) } };
    Column::new(bytes, stride, width, rows).map_err(|_| PHALANX_BAD_COLUMN)
}

/// The 32 bytes that a pointer points to.
///
/// # Safety
/// As [`value`].
pub(crate) unsafe fn bytes_32<'a>(data: *const u8, spans: &mut Spans) -> Result<&'a [u8; 32], i32> {
    spans.add(data, 32, false);
    // SAFETY: the caller's promise.
    unsafe { value(data.cast::<[u8; 32]>()) }
}

/// Room for an answer of each row, which threads write to row by row.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    data: *mut u8,
    stride: usize,
    width: usize,
    rows: usize,
}

// SAFETY: the memory is the caller's, lent for the call, and threads write to different rows of it.
unsafe impl Send for Output {}
// SAFETY: as above.
unsafe impl Sync for Output {}

impl Output {
    /// # Safety
    /// The places are there for the time of the call, and nobody else uses them.
    pub(crate) unsafe fn new(
        output: *const phalanx_output,
        rows: usize,
        widths: &[usize],
        spans: &mut Spans,
    ) -> Result<Self, i32> {
        // SAFETY: the caller's structure.
        let phalanx_output { data, stride, width } = *unsafe { value(output) }?;
        if !widths.contains(&width) || (rows > 1 && stride < width) {
            return Err(PHALANX_BAD_COLUMN);
        }
        let bytes = extent(data, stride, width, rows)?;
        spans.add(data, bytes, true);
        Ok(Output { data, stride, width, rows })
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Writes zeros to all places.
    ///
    /// # Safety
    /// The memory that the output was made of has been checked to be no other memory of the call.
    pub(crate) unsafe fn clear(&self) {
        for row in 0..self.rows {
            // SAFETY: the row's place, as `new` promises; one thread.
            unsafe { self.data.add(row * self.stride).write_bytes(0, self.width) };
        }
    }

    /// Writes zeros to all places, unless what was found is that they overlap something; and hands on what was found.
    ///
    /// # Safety
    /// As [`Output::clear`], but that overlap may have been found.
    pub(crate) unsafe fn clear_unless_overlapping<T>(&self, found: Result<T, i32>) -> Result<T, i32> {
        if !matches!(found, Err(PHALANX_OVERLAP)) {
            // SAFETY: no overlap was found, and the caller promises the rest.
            unsafe { self.clear() };
        }
        found
    }

    /// Writes the value of a row.
    ///
    /// # Safety
    /// No other thread writes to the row.
    ///
    /// # Panics
    /// If there is no such row, or the value has another width.
    pub(crate) unsafe fn write(&self, row: usize, value: &[u8]) {
        assert!(row < self.rows && value.len() == self.width, "a value of the output's width");
        // SAFETY: the row's place, whose bytes are not those of `value`: memory of the library.
        unsafe { self.data.add(row * self.stride).copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    }
}

/// The verdicts of a call, each undecided.
///
/// # Safety
/// As [`Output::new`]: as many bytes as rows.
pub(crate) unsafe fn verdicts<'a>(data: *mut u8, rows: usize, spans: &mut Spans) -> Result<&'a mut [u8], i32> {
    let bytes = extent(data, 1, 1, rows)?;
    spans.add(data, bytes, true);
    if bytes == 0 {
        return Ok(&mut []);
    }
    // SAFETY: so many bytes are there, as the caller promises. They get values before there is a slice of them.
    unsafe {
        data.write_bytes(PHALANX_UNDECIDED, bytes);
        Ok(slice::from_raw_parts_mut(data, bytes))
    }
}

/// Verdicts as the library writes them, each that of an invalid signature at first.
pub(crate) fn as_verdicts(bytes: &mut [u8]) -> &mut [Verdict] {
    bytes.fill(Verdict::InvalidSignature as u8);
    // SAFETY: a verdict is a byte (`repr(u8)`), and each byte is one. The library writes verdicts, which are bytes.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}
