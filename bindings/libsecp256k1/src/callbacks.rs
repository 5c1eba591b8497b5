//! Functions of the caller: their types, and the calls.
//!
//! An exception that leaves one may unwind through this crate (`C-unwind`) as far as the outward function, which is
//! `extern "C"`: there it ends the program.
#![allow(unsafe_code)]

use phalanx::bindings;
use phalanx_ffi::by_copy::In;
use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

/// Told about an illegal argument or an internal error: a text, and a pointer that the program chose.
pub(crate) type Report = unsafe extern "C-unwind" fn(text: *const c_char, data: *mut c_void);
/// A SHA-256 compression function: eight words, blocks of 64 bytes, their number.
pub(crate) type CompressionFunction = unsafe extern "C-unwind" fn(state: *mut u32, blocks: *const u8, count: usize);
/// A nonce for ECDSA: nonce, digest, key, 16 bytes that name the algorithm or null, data, attempt.
pub(crate) type NonceFunction =
    unsafe extern "C-unwind" fn(*mut u8, *const u8, *const u8, *const u8, *mut c_void, c_uint) -> c_int;
/// A nonce for BIP-340: nonce, message and its length, key, x of the public key, algorithm and its length, data.
pub(crate) type HardenedNonceFunction = unsafe extern "C-unwind" fn(
    *mut u8,
    *const u8,
    usize,
    *const u8,
    *const u8,
    *const u8,
    usize,
    *mut c_void,
) -> c_int;
/// What is made of a shared point: output, x, y, data.
pub(crate) type EcdhHashFunction = unsafe extern "C-unwind" fn(*mut u8, *const u8, *const u8, *mut c_void) -> c_int;
/// What is made of the x of a shared point and two encodings of keys: output, x, the encodings, data.
pub(crate) type XdhHashFunction =
    unsafe extern "C-unwind" fn(*mut u8, *const u8, *const u8, *const u8, *mut c_void) -> c_int;
/// The tweak of a label, or null where the label is unknown: 33 bytes of the label, data.
pub(crate) type LabelLookup = unsafe extern "C-unwind" fn(*const u8, *const c_void) -> In<[u8; 32]>;

/// A function that is told of misuse or failure, with what it gets beside the text.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Callback {
    report: Report,
    data: *const c_void,
}

impl Callback {
    /// Prints the text and ends the program.
    pub(crate) const ILLEGAL: Callback = Callback { report: report_illegal_argument, data: ptr::null() };
    /// Prints the text and ends the program.
    pub(crate) const ERROR: Callback = Callback { report: report_internal_error, data: ptr::null() };

    /// The program's function; without one, the function of `default`.
    pub(crate) fn new(report: Option<Report>, data: *const c_void, default: Callback) -> Callback {
        Callback { report: report.unwrap_or(default.report), data }
    }

    pub(crate) fn call(&self, text: &CStr) {
        // SAFETY: the program gave the function for this, with this data.
        unsafe { (self.report)(text.as_ptr(), self.data.cast_mut()) }
    }
}

unsafe extern "C-unwind" fn report_illegal_argument(text: *const c_char, _: *mut c_void) {
    // SAFETY: called with a text of this crate, or by a program with one of its own.
    end_program("illegal argument", unsafe { CStr::from_ptr(text) });
}

unsafe extern "C-unwind" fn report_internal_error(text: *const c_char, _: *mut c_void) {
    // SAFETY: as above.
    end_program("internal consistency check failed", unsafe { CStr::from_ptr(text) });
}

fn end_program(what: &str, text: &CStr) -> ! {
    use std::io::Write;
    // Where nothing can be written there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "[libsecp256k1] {what}: {}", text.to_string_lossy());
    std::process::abort()
}

/// The compression function of a context.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Compression(CompressionFunction);

impl Compression {
    /// That of the library, which uses the CPU's SHA instructions where it has them.
    pub(crate) const BUILT_IN: Compression = Compression(compress);

    pub(crate) fn new(function: CompressionFunction) -> Compression {
        Compression(function)
    }
}

impl bindings::Compression for Compression {
    fn compress(self, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
        // SAFETY: eight words that can be written, and as many blocks as stated.
        unsafe { (self.0)(state.as_mut_ptr(), blocks.as_ptr().cast(), blocks.len()) }
    }
}

unsafe extern "C-unwind" fn compress(state: *mut u32, blocks: *const u8, count: usize) {
    // SAFETY: called with eight words and as many blocks as stated, which do not overlap.
    let (state, blocks) = unsafe { (&mut *state.cast::<[u32; 8]>(), std::slice::from_raw_parts(blocks.cast(), count)) };
    bindings::Compression::compress(bindings::BuiltIn, state, blocks);
}

/// What a program has given in the place of a function of this library, if it is another one.
pub(crate) fn other_than<F: Copy>(own: F, given: Option<F>, same: fn(F, F) -> bool) -> Option<F> {
    given.filter(|given| !same(own, *given))
}
