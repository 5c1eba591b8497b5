//! Overwriting of the stack below work on secrets: a value that moves leaves its bytes behind.

/// For a scan: a chunk of it takes 33 KiB, most of which the library overwrites itself.
pub(crate) const SCAN: usize = 48 << 10;
/// For the rest: tweaks and hash states, and a product of a point.
pub(crate) const SINGLE: usize = 24 << 10;

/// Does work on secrets, and then overwrites so many bytes of the stack that it used, on unwinding too. What it gives
/// back goes to the caller's frame.
#[inline(always)]
pub(crate) fn cleared<const BYTES: usize, T>(work: impl FnOnce() -> T) -> T {
    phalanx::bindings::Stack::<BYTES>::cleared(work)
}
