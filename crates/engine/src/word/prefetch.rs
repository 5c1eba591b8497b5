//! Asking for a row of memory before it is read. The same on every word, and on one lane: it belongs to the
//! architecture, not to a vector unit. Where it is not known how to ask, these do nothing.
#![allow(unsafe_code)]

use super::{CacheLine, PointRef};

/// Asks for a row that will be read soon: into the level-1 cache.
#[inline(always)]
pub fn prefetch_soon(rows: &[CacheLine], reference: PointRef) {
    prefetch::<true>(rows, reference);
}

/// Asks for a row that will be read before long: into the level-2 cache.
#[inline(always)]
pub fn prefetch_for_later(rows: &[CacheLine], reference: PointRef) {
    prefetch::<false>(rows, reference);
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
#[inline(always)]
fn prefetch<const SOON: bool>(rows: &[CacheLine], reference: PointRef) {
    use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
    let at = rows.as_ptr().wrapping_add(reference.index()).cast();
    // SAFETY: a prefetch reads nothing and takes any address; the target has SSE, which the instruction belongs to.
    unsafe { if SOON { _mm_prefetch::<_MM_HINT_T0>(at) } else { _mm_prefetch::<_MM_HINT_T1>(at) } };
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn prefetch<const SOON: bool>(rows: &[CacheLine], reference: PointRef) {
    let at = rows.as_ptr().wrapping_add(reference.index());
    // SAFETY: a prefetch reads nothing and takes any address, and every CPU of this architecture has it.
    unsafe {
        if SOON {
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
        } else {
            core::arch::asm!("prfm pldl2keep, [{}]", in(reg) at, options(nostack, preserves_flags, readonly));
        }
    }
}

#[cfg(not(any(all(target_arch = "x86_64", target_feature = "sse"), target_arch = "aarch64")))]
#[inline(always)]
fn prefetch<const SOON: bool>(_: &[CacheLine], _: PointRef) {}
