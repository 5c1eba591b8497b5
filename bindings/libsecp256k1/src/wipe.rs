//! Overwriting of secret bytes, and of the stack below a call that works on secrets.

use zeroize::optimization_barrier;

/// More than the functions of this crate use on secrets below their own frames: some scalars, hash states, and blocks in
/// compression functions. Hashes of the library do not clear the stack where their documentation says so. Its other
/// work on secrets overwrites what it uses.
const BYTES: usize = 4 << 10;
/// The same where secret points share an inversion, which the library leaves to the caller.
const INVERSION_BYTES: usize = 12 << 10;

/// Overwrites with zeros, and not byte by byte as `Zeroize` does.
pub(crate) fn wipe<const N: usize>(bytes: &mut [u8; N]) {
    *bytes = [0; N];
    optimization_barrier(bytes);
}

/// Does work on secrets, and then overwrites the stack that it used.
///
/// The work has a frame of its own, which begins where that of the overwriting function begins.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    let result = apart(work);
    overwrite_stack::<BYTES>();
    result
}

/// As [`cleared`], for work in which secret points share an inversion.
#[inline(always)]
pub(crate) fn cleared_inversion<T>(work: impl FnOnce() -> T) -> T {
    let result = apart(work);
    overwrite_stack::<INVERSION_BYTES>();
    result
}

#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite_stack<const BYTES: usize>() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}
