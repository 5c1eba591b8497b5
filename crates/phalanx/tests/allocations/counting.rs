//! The system's allocator, which counts what a thread asks it for.
// A global allocator cannot be written without `unsafe`; this one adds counting to the system's and nothing else.
#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

struct Counting;

thread_local! {
    /// Allocations and bytes asked for by this thread, so that the test harness's other threads do not count.
    static ASKED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

// SAFETY: every call is passed on to `System` unchanged, so its guarantees are this allocator's. Counting touches a
// thread-local without destructor and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (count, bytes) = ASKED.get();
        ASKED.set((count + 1, bytes + layout.size()));
        // SAFETY: the caller's promises about `layout` are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System.alloc` with this layout, as the caller promises of `alloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What the call answers, and the allocations and bytes that it asked for.
pub(crate) fn counted<T>(call: impl FnOnce() -> T) -> (T, (usize, usize)) {
    ASKED.set((0, 0));
    let answer = call();
    (answer, ASKED.get())
}
