//! Overwriting of the stack below work on secrets: a value that moves leaves its bytes behind.

/// More than the functions of this crate use on secrets below their own frames: some scalars and hashes. What the
/// library below uses it overwrites itself.
const BYTES: usize = 8 << 10;

/// Does work on secrets, and then overwrites the stack that it used, on unwinding too. What it gives back goes to the
/// caller's frame.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    phalanx::bindings::Stack::<BYTES>::cleared(work)
}
