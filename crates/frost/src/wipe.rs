//! Overwriting of the stack below a call that computes with secret scalars.

use zeroize::optimization_barrier;

/// More than the functions of this crate use on secrets below their own frames: some scalars and hashes. What the
/// library below uses it overwrites itself.
const BYTES: usize = 8 << 10;

/// Does work on secrets, and then overwrites the stack that it used, on unwinding too.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    let _after = Overwrite;
    apart(work)
}

struct Overwrite;

impl Drop for Overwrite {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite_stack();
    }
}

/// The work has a frame of its own, which begins where that of the overwriting function begins.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite_stack() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}
