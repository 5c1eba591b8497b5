//! The one function by which something computed from a secret becomes public.
//!
//! Code on secrets does not branch, except on a value that has passed through here; each call says why the value gives
//! nothing away. Whoever checks the constant-time promise reads the callers of one function.
//!
//! Under `--cfg phalanx_valgrind` and `--cfg phalanx_msan`, which the constant-time runs of the testkit are built with,
//! it also tells valgrind's memory checker, or MemorySanitizer, that the value may be branched on.
#![cfg_attr(any(phalanx_valgrind, phalanx_msan), allow(unsafe_code))]

/// Gives the value back, to be branched on.
#[cfg(not(any(phalanx_valgrind, phalanx_msan)))]
#[inline(always)]
pub fn declassify<T: Copy>(value: T) -> T {
    value
}

/// Gives the value back, known to the checker as defined.
#[cfg(any(phalanx_valgrind, phalanx_msan))]
#[inline(never)]
pub fn declassify<T: Copy>(value: T) -> T {
    let mut value = value;
    make_defined(&mut value);
    core::hint::black_box(value)
}

/// Tells valgrind.
#[cfg(phalanx_valgrind)]
fn make_defined<T>(value: &mut T) {
    make_defined_for_valgrind((&raw mut *value).addr(), size_of::<T>());
}

/// Tells valgrind's memory checker that bytes are defined. Answers 0 where no memory checker runs. In builds for valgrind
/// only, and for the crates of this repository.
#[cfg(phalanx_valgrind)]
pub fn make_defined_for_valgrind(address: usize, length: usize) -> usize {
    /// `VG_USERREQ__MAKE_MEM_DEFINED` of `memcheck.h`: 'M', 'C', 2.
    const MAKE_DEFINED: usize = 0x4d43_0002;
    let arguments = [MAKE_DEFINED, address, length, 0, 0, 0];
    let mut answer = 0usize;
    // SAFETY: on a processor the sequence turns rdi by 128 bits and exchanges rbx with itself, so nothing changes but
    // the flags. Under valgrind it reads the six words that rax points to and writes rdx; the request changes what the
    // checker knows of memory, not memory itself.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

/// Tells MemorySanitizer.
#[cfg(all(phalanx_msan, not(phalanx_valgrind)))]
fn make_defined<T>(value: &mut T) {
    unsafe extern "C" {
        fn __msan_unpoison(address: *const core::ffi::c_void, size: usize);
    }
    // SAFETY: the runtime changes its own record of the bytes of `value`, not `value` itself.
    unsafe { __msan_unpoison((&raw mut *value).cast(), size_of::<T>()) };
}
