//! What an image brings along, because nothing is linked to it.
#![allow(unsafe_code)]

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
