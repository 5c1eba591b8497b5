//! Which library this is.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_char};

/// The first number of the version of the header.
pub const PHALANX_VERSION_MAJOR: u32 = 0;
/// The second number.
pub const PHALANX_VERSION_MINOR: u32 = 1;
/// The third number.
pub const PHALANX_VERSION_PATCH: u32 = 0;

/// The version of the library that runs, "major.minor.patch": a constant, never NULL. Compare it with the header's
/// numbers before anything else where the library is shared.
#[unsafe(no_mangle)]
pub extern "C" fn phalanx_version() -> *const c_char {
    const TEXT: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a version without zeros"),
    };
    TEXT.as_ptr()
}
