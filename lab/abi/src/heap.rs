//! What a library takes from the heap: its allocations and their bytes, counted inside its shared object.
//!
//! Rust is counted by [`Counting`], the global allocator that [`crate::export_peer`] gives every library. A library that
//! runs C too is built with the feature `wrapped`, and its build script calls [`wrap`]: then the linker puts the functions
//! below in the place of the C library's, for C and for Rust alike. Counting is on only during
//! [`count`], which nobody times; at other times an allocation costs one load more.
//!
//! An allocation is a call that gives memory; growing a block is one more, of the new size. Nothing is subtracted for
//! memory that is given back, as in Go's statistics.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::alloc::{GlobalAlloc, Layout, System};

static ON: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// What was taken from the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap {
    /// How often.
    pub allocations: u64,
    /// How many bytes in all.
    pub bytes: u64,
}

/// What `work` takes from the heap, on all its threads. One count at a time.
pub fn count(work: impl FnOnce()) -> Heap {
    ALLOCATIONS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    ON.store(true, Relaxed);
    work();
    ON.store(false, Relaxed);
    Heap { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed) }
}

#[inline(always)]
fn note(bytes: usize) {
    if ON.load(Relaxed) {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
    }
}

/// The system's allocator, counted.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every method hands its arguments on to `System` and its result back; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's contract is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The functions of C that give memory.
const WRAPPED: [&str; 5] = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"];

/// For the build script of a library that runs C: has the linker wrap the functions that give memory.
pub fn wrap() {
    for name in WRAPPED {
        println!("cargo:rustc-link-arg-cdylib=-Wl,--wrap={name}");
    }
}

/// What the linker puts in the place of each of [`WRAPPED`], which it renames `__real_NAME`.
#[cfg(feature = "wrapped")]
mod wrapped {
    use super::note;
    use core::ffi::{c_int, c_void};

    /// A function, and the bytes that a call of it gives.
    macro_rules! wrapped {
        ($real:ident $wrap:ident($($argument:ident: $type:ty),*) -> $result:ty, $bytes:expr) => {
            unsafe extern "C" {
                fn $real($($argument: $type),*) -> $result;
            }

            // SAFETY: it is called in the place of the function of C that it hands its arguments to, under that
            // function's contract; the linker makes these names, and nothing else has them.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $wrap($($argument: $type),*) -> $result {
                note($bytes);
                // SAFETY: see above.
                unsafe { $real($($argument),*) }
            }
        };
    }

    wrapped!(__real_malloc __wrap_malloc(size: usize) -> *mut c_void, size);
    wrapped!(__real_calloc __wrap_calloc(count: usize, size: usize) -> *mut c_void, count.saturating_mul(size));
    wrapped!(__real_realloc __wrap_realloc(block: *mut c_void, size: usize) -> *mut c_void, size);
    wrapped!(__real_aligned_alloc __wrap_aligned_alloc(alignment: usize, size: usize) -> *mut c_void, size);
    wrapped!(
        __real_posix_memalign __wrap_posix_memalign(to: *mut *mut c_void, alignment: usize, size: usize) -> c_int, size
    );
}

/// Makes the shared object count Rust's allocations; a wrapped one counts those of C, among them Rust's.
#[cfg(not(feature = "wrapped"))]
#[doc(hidden)]
#[macro_export]
macro_rules! count_heap {
    () => {
        #[global_allocator]
        static HEAP: $crate::heap::Counting = $crate::heap::Counting;
    };
}

/// Nothing is to be done in a wrapped one.
#[cfg(feature = "wrapped")]
#[doc(hidden)]
#[macro_export]
macro_rules! count_heap {
    () => {};
}
