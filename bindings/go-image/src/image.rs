//! What an image brings along, because nothing is linked to it.
#![allow(unsafe_code)]

use crate::memory;
use core::{
    alloc::{GlobalAlloc, Layout},
    arch::asm,
    panic::PanicInfo,
};

/// An illegal instruction. It writes nothing and reads nothing: nothing of a panic is left in the image but this.
#[panic_handler]
fn end(_: &PanicInfo<'_>) -> ! {
    // SAFETY: the instruction ends the program.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("ud2", options(noreturn, nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("brk #1", options(noreturn, nomem, nostack));
    }
}

/// No allocator. The library has calls that allocate, and so the compiler asks for one. Where an operation of the image
/// came to call it, the link step would find a symbol that is nowhere, and refuse.
struct Absent;

unsafe extern "C" {
    safe fn an_image_has_no_allocator() -> !;
}

// SAFETY: neither function returns.
unsafe impl GlobalAlloc for Absent {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        an_image_has_no_allocator()
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {
        an_image_has_no_allocator()
    }
}

#[global_allocator]
static ALLOCATOR: Absent = Absent;

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { memory::copy(to, from, count) }
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { memory::copy_overlapping(to, from, count) }
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, value: i32, count: usize) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { memory::fill(to, value, count) }
}

/// # Safety
/// As in C.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { memory::compare(a, b, count) }
}

/// Whether memory differs, which compilers ask where order does not matter.
///
/// # Safety
/// As `memcmp`.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { memory::compare(a, b, count) }
}
