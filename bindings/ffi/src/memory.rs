//! Single pointers, and slices behind them.

use crate::status::{PHALANX_MISALIGNED, PHALANX_NULL_POINTER};
use core::slice;
#[cfg(feature = "rows")]
use phalanx::Verdict;
use phalanx_engine::word::CacheLine;

/// Types of which every pattern of bits is a value.
///
/// # Safety
/// That must be true of the type.
pub unsafe trait Plain: Copy {}

// SAFETY: integers, and arrays of them.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for core::ffi::c_int {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for i64 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for usize {}
// SAFETY: an address, which is followed where it is checked.
unsafe impl<T> Plain for *const T {}
// SAFETY: as above.
unsafe impl<const N: usize> Plain for [u8; N] {}
// SAFETY: as above, without padding.
unsafe impl Plain for CacheLine {}

/// More bytes than there can be: a process on x86-64 has 47 bits of addresses, where it does not ask for more.
pub const TOO_MANY: usize = if usize::BITS == 64 { 1 << 47 } else { 1 << (usize::BITS - 1) };

/// The bytes from the first value to the end of the last one, if memory can hold them.
pub fn extent(stride: usize, width: usize, rows: usize) -> Option<usize> {
    let Some(last) = rows.checked_sub(1) else { return Some(0) };
    last.checked_mul(stride).and_then(|last| last.checked_add(width)).filter(|bytes| *bytes < TOO_MANY)
}

/// Refuses a pointer that is NULL or misaligned.
///
/// # Errors
/// PHALANX_NULL_POINTER, PHALANX_MISALIGNED; below too.
pub fn check_pointer<T>(pointer: *const T) -> Result<(), i32> {
    if pointer.is_null() {
        Err(PHALANX_NULL_POINTER)
    } else if !pointer.is_aligned() {
        Err(PHALANX_MISALIGNED)
    } else {
        Ok(())
    }
}

/// The value that a pointer points to.
///
/// # Safety
/// The pointer is NULL or misaligned, or points to a value that nobody writes to for as long as `'a`.
///
/// # Errors
/// As [`check_pointer`].
pub unsafe fn value<'a, T>(pointer: *const T) -> Result<&'a T, i32> {
    check_pointer(pointer)?;
    // SAFETY: neither NULL nor misaligned, and else as the caller promises.
    Ok(unsafe { &*pointer })
}

/// The place that a pointer points to, which first gets a value.
///
/// # Safety
/// The pointer is NULL or misaligned, or points to a place that nobody else uses for as long as `'a`.
///
/// # Errors
/// As [`check_pointer`].
pub unsafe fn place<'a, T>(pointer: *mut T, first: T) -> Result<&'a mut T, i32> {
    check_pointer(pointer)?;
    // SAFETY: neither NULL nor misaligned, and else as the caller promises.
    unsafe {
        pointer.write(first);
        Ok(&mut *pointer)
    }
}

/// The values that a pointer points to; none need no memory.
///
/// # Safety
/// The pointer is NULL or misaligned, or points to so many values, fewer than [`TOO_MANY`] bytes, that nobody writes to
/// for as long as `'a`.
///
/// # Errors
/// As [`check_pointer`].
pub unsafe fn slice<'a, T: Plain>(pointer: *const T, count: usize) -> Result<&'a [T], i32> {
    if count == 0 {
        return Ok(&[]);
    }
    check_pointer(pointer)?;
    // SAFETY: neither NULL nor misaligned, and else as the caller promises. Any bits are values.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// The same to write to.
///
/// # Safety
/// As [`slice()`], and nobody else uses the values.
///
/// # Errors
/// As [`check_pointer`].
pub unsafe fn slice_mut<'a, T: Plain>(pointer: *mut T, count: usize) -> Result<&'a mut [T], i32> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_pointer(pointer)?;
    // SAFETY: neither NULL nor misaligned, and else as the caller promises. Any bits are values.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, count) })
}

/// Verdicts as the library writes them, each that of an invalid signature at first.
#[cfg(feature = "rows")]
pub fn as_verdicts(bytes: &mut [u8]) -> &mut [Verdict] {
    bytes.fill(Verdict::InvalidSignature as u8);
    // SAFETY: a verdict is a byte (`repr(u8)`), and each byte is one. The library writes verdicts, which are bytes.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}
