//! Overwriting of the stack below work on secrets: a value that moves leaves its bytes behind.

use zeroize::optimization_barrier;

/// More than the functions of this crate use on secrets below their own frames: some tweaks and hash states. What the
/// library below uses it overwrites itself.
const BYTES: usize = 8 << 10;

/// Does work on secrets, and then overwrites the stack that it used, on unwinding too. What it gives back goes to the
/// caller's frame.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    let _after = Overwritten;
    apart(work)
}

struct Overwritten;

impl Drop for Overwritten {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite_stack();
    }
}

/// A frame of its own, which begins where that of [`overwrite_stack`] begins.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite_stack() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}
