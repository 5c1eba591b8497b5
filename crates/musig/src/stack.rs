//! Overwriting of the stack below a call that works on secrets.

use zeroize::optimization_barrier;

/// More than this crate uses on secrets below the frame of a call. What `phalanx` uses it overwrites itself.
const BYTES: usize = 4 << 10;

/// Does work on secrets in a frame of its own, and overwrites the stack where that frame was.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    let done = in_own_frame(work);
    overwrite();
    done
}

#[inline(never)]
fn in_own_frame<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[inline(never)]
fn overwrite() {
    let zeros = [0u8; BYTES];
    optimization_barrier(&zeros);
}
