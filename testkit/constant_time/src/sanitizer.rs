//! Calls to the runtime of MemorySanitizer (`sanitizer/msan_interface.h` of LLVM), which is linked where the program is
//! built with it. The first error ends the process.
#![allow(unsafe_code)]

use crate::backend;
use phalanx::Backend;
use std::ffi::c_void;

unsafe extern "C" {
    /// The offset of the first byte of which some bit is unknown, or -1.
    fn __msan_test_shadow(address: *const c_void, size: usize) -> isize;
    fn __msan_poison(address: *const c_void, size: usize);
}

/// What to do if [`is_running`] says no.
pub(crate) const ADVICE: &str = "run on a CPU with vector units, one of which PHALANX_BACKEND may name";

/// Whether the bulk calls run on vector code; the single ones do where one computation is spread over lanes.
pub(crate) fn is_running() -> bool {
    backend() != Backend::Portable
}

/// None so far, or the process would have ended.
pub(crate) fn errors() -> usize {
    0
}

/// Makes the bytes unknown to the checker.
///
/// # Panics
/// If the checker did not take note, for then nothing would be tested.
pub(crate) fn poison(address: usize, length: usize) {
    let address = std::ptr::with_exposed_provenance::<c_void>(address);
    // SAFETY: the runtime writes its own record of the bytes, which the callers own, and no value.
    unsafe { __msan_poison(address, length) };
    // SAFETY: as above, and here it reads the record.
    assert!(length == 0 || unsafe { __msan_test_shadow(address, length) } == 0, "the secret was not poisoned");
}

/// Whether no byte of the value is known as a whole.
pub(crate) fn is_poisoned<T>(value: &T) -> bool {
    let bytes = std::ptr::from_ref(value).cast::<u8>();
    // SAFETY: each byte lies in the value; the runtime reads its own record of it.
    (0..size_of::<T>()).all(|at| unsafe { __msan_test_shadow(bytes.add(at).cast(), 1) } == 0)
}
