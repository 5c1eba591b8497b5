//! Overwriting of the stack that work on secrets has used: moving a secret leaves copies that have no name.

use zeroize::optimization_barrier;

/// Does the work, and then overwrites so many bytes of the stack that it used.
pub(crate) fn cleared<const BYTES: usize, T>(work: impl FnOnce() -> T) -> T {
    let done = apart(work);
    overwrite::<BYTES>();
    done
}

/// In a frame of its own, which begins where that of the overwriting function begins.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}
