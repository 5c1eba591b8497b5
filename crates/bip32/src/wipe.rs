//! Overwriting of the stack below work on secrets: a value that moves leaves its bytes behind.

/// More than twice the 12 KiB that a multiplication of the library overwrites below itself. The test `residue` of
/// `phalanx-testkit` fails when more is used.
const BYTES: usize = 32 << 10;

/// Does work on secrets, and then overwrites the stack that it used, on unwinding too. What it gives back goes to the
/// caller's frame.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    phalanx::bindings::Stack::<BYTES>::cleared(work)
}
