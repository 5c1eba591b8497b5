//! The stack below a call, overwritten after work on secrets: moves and spills leave copies there that have no name.

use zeroize::optimization_barrier;

/// Bytes that are overwritten: more than twice the 12 KiB that a multiplication of the library overwrites below itself.
/// The test `residue` of `phalanx-testkit` fails when more is used.
const BYTES: usize = 32 << 10;

/// Overwrites the stack when it is dropped, on unwinding too.
struct Overwrite;

impl Drop for Overwrite {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite();
    }
}

/// Does work on secrets in a frame of its own, and then overwrites the stack that it used. What it gives back is
/// written to the caller's frame.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    let _after = Overwrite;
    apart(work)
}

#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite() {
    let area = [0u8; BYTES];
    optimization_barrier(&area);
}
