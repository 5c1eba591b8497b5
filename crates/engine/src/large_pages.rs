//! Memory in large pages, which Linux calls huge pages, for tables whose rows are read in no order.
//!
//! A CPU keeps the addresses of some 2,000 pages at hand. With pages of 4 KiB these are 8 MiB, and a table of 100 MiB waits
//! for the address of nearly every row that it reads, on top of the row itself. With pages of 2 MiB all of it is at hand.
//! Linux gives large pages to memory for which they are asked, where it has some (`madvise`); other systems are not asked.
#![allow(unsafe_code)]

use crate::word::CacheLine;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// An empty list with room for `count` rows, in large pages where the system gives them.
pub fn room_for_rows(count: usize) -> Vec<CacheLine> {
    let mut rows = Vec::with_capacity(count);
    ask_for_large_pages(rows.spare_capacity_mut());
    rows
}

/// The size of a large page on x86-64. It is a whole number of pages on every system.
#[cfg(all(feature = "large-pages", target_os = "linux"))]
const LARGE_PAGE: usize = 2 << 20;

/// Asks for large pages for all of the memory that they can cover. The system may say no: then pages stay small.
#[cfg(all(feature = "large-pages", target_os = "linux", not(miri)))]
fn ask_for_large_pages(memory: &mut [MaybeUninit<CacheLine>]) {
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(LARGE_PAGE);
    let length = size_of_val(memory).saturating_sub(skipped) / LARGE_PAGE * LARGE_PAGE;
    if length > 0 {
        // SAFETY: the pages lie within the slice, since `skipped + length` is at most its size. The advice changes how the
        // system keeps them and not what is in them.
        unsafe { libc::madvise(start.add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "large-pages", target_os = "linux", not(miri))))]
fn ask_for_large_pages(_: &mut [MaybeUninit<CacheLine>]) {}
