//! Overwriting of the stack below work on secrets: a value that moves leaves its bytes behind.

use zeroize::optimization_barrier;

/// For a scan: a chunk of it takes 33 KiB, most of which the library overwrites itself.
pub(crate) const SCAN: usize = 48 << 10;
/// For the rest: tweaks and hash states, and a product of a point.
pub(crate) const SINGLE: usize = 24 << 10;

/// Does work on secrets, and then overwrites so many bytes of the stack that it used, on unwinding too. What it gives
/// back goes to the caller's frame.
#[inline(always)]
pub(crate) fn cleared<const BYTES: usize, R>(secret_work: impl FnOnce() -> R) -> R {
    let _overwritten_at_the_end = AfterWork::<BYTES>;
    in_own_frame(secret_work)
}

struct AfterWork<const BYTES: usize>;

impl<const BYTES: usize> Drop for AfterWork<BYTES> {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite_stack::<BYTES>();
    }
}

/// A frame of its own, which begins where that of [`overwrite_stack`] begins.
#[inline(never)]
fn in_own_frame<R>(secret_work: impl FnOnce() -> R) -> R {
    secret_work()
}

#[inline(never)]
fn overwrite_stack<const BYTES: usize>() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}
