//! Overwriting of the stack below work on secrets.
//!
//! A value that moves leaves its bytes behind: on its way out of a function, into an object of Python, into a list. The
//! library overwrites what lies below its own calls; this is for what passes through this crate.

use crate::ffi;
use std::hint::black_box;
use zeroize::optimization_barrier;

/// More than the functions of this crate use below their own frames, about a hundred keys.
const BYTES: usize = 16 << 10;

/// Does work on secrets, and then overwrites the stack that it used, on unwinding too. What it gives back must not be
/// secret itself, but where it stands: an object of Python, a list.
#[inline(always)]
pub(crate) fn cleared<T>(work: impl FnOnce() -> T) -> T {
    let _after = Overwritten;
    apart(work)
}

struct Overwritten;

impl Drop for Overwritten {
    #[inline(always)]
    fn drop(&mut self) {
        overwrite();
    }
}

/// A frame of its own, which begins where that of [`overwrite`] begins.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Overwrites the stack, and the vector registers by which secrets were moved: the dynamic loader saves them all to the
/// stack when it binds a function late.
#[inline(never)]
fn overwrite() {
    let mut area = [0u8; BYTES];
    // Moves of lengths that the compiler does not know are made by `memcpy`, which has registers of its own.
    for length in [16, 32, 64, 128, 256] {
        area.copy_within(..black_box(length), black_box(256));
    }
    optimization_barrier(&area);
    ffi::clear_registers();
}
