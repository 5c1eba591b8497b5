//! The memory of sums: what a thread keeps from sum to sum.

use crate::group::Secp256k1;
#[cfg(feature = "std")]
use crate::tuning::KEPT_WORKSPACE_BYTES;
#[cfg(not(feature = "std"))]
use alloc::vec;
#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::cell::Cell;
use phalanx_engine::{affine_add::AffineAdder, word::CacheLine};

/// An adder of secp256k1's points that threads share.
pub(crate) trait Adder: AffineAdder<Curve = Secp256k1, Kept: 'static> + Sync {}

impl<A: AffineAdder<Curve = Secp256k1, Kept: 'static> + Sync> Adder for A {}

pub(super) const ZERO: CacheLine = CacheLine([0; 8]);

#[cfg(feature = "std")]
std::thread_local! {
    static LINES: Cell<Vec<CacheLine>> = const { Cell::new(Vec::new()) };
}

/// Calls `work` with a given number of lines: those that the thread keeps from sum to sum, unless they are very many.
/// If `work` itself asks for lines, it gets new ones.
#[cfg(feature = "std")]
pub(super) fn lend<T>(lines: usize, work: impl FnOnce(&mut [CacheLine]) -> T) -> T {
    let mut memory = LINES.take();
    if memory.len() < lines {
        // A vector would grow to twice its size, which is too much for memory as large as this; and what it holds is of
        // no use.
        memory = Vec::new();
        memory.reserve_exact(lines);
        memory.resize(lines, ZERO);
    }
    let result = work(&mut memory[..lines]);
    if size_of_val(&memory[..]) <= KEPT_WORKSPACE_BYTES {
        LINES.set(memory);
    }
    result
}

/// Calls `work` with a given number of lines.
#[cfg(not(feature = "std"))]
pub(super) fn lend<T>(lines: usize, work: impl FnOnce(&mut [CacheLine]) -> T) -> T {
    work(&mut vec![ZERO; lines])
}
