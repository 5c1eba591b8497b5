//! Overwriting of the stack below work on secrets: a value that moves leaves its bytes behind.

/// More than this crate uses on secrets below the frame of a call, hashes of the library included, which do not clear the
/// stack. The library's other work on secrets overwrites what it uses.
const BYTES: usize = 4 << 10;

/// Does work on secrets, and then overwrites the stack that it used, on unwinding too. What it gives back goes to the
/// caller's frame.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    phalanx::bindings::Stack::<BYTES>::cleared(work)
}
