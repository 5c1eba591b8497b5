//! The memory in which a chunk of rows is computed. A thread keeps it from call to call, or a caller lends it.

use crate::{
    backend::Lanes,
    tuning::{LINES_OF_EIGHT_LANES, LINES_OF_ONE_LANE},
    wipe::overwrite,
};
#[cfg(not(feature = "std"))]
use alloc::vec;
#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::cell::Cell;
use phalanx_engine::{arena::Arena, word::CacheLine};

/// The memory of a chunk.
pub(super) type Lines = [CacheLine];

const ZERO: CacheLine = CacheLine([0; 8]);

impl Lanes {
    /// The cache lines in which any operation computes any number of rows. They are as few as are enough for a chunk,
    /// as the test `workspaces_are_enough_and_no_larger` finds.
    pub(crate) const fn lines_of_rows(self) -> usize {
        match self {
            Lanes::One => LINES_OF_ONE_LANE,
            Lanes::Eight(_) => LINES_OF_EIGHT_LANES,
        }
    }
}

#[cfg(feature = "std")]
std::thread_local! {
    static LINES: Cell<Vec<CacheLine>> = const { Cell::new(Vec::new()) };
}

/// Calls `work` with a given number of cache lines: the thread's own, where there are threads. They do not move while
/// `work` uses them, and secrets are wiped by the work itself, so that nothing is left in memory that a growing vector
/// gives back.
#[cfg(feature = "std")]
pub(super) fn own<T>(lines: usize, work: impl FnOnce(&mut [CacheLine]) -> T) -> T {
    let mut memory = taken(lines);
    let result = work(&mut memory[..lines]);
    LINES.set(memory);
    result
}

/// The thread's cache lines, with as many more as are missing.
#[cfg(feature = "std")]
fn taken(lines: usize) -> Vec<CacheLine> {
    let mut memory = LINES.take();
    if memory.len() < lines {
        memory.reserve_exact(lines - memory.len());
        memory.resize(lines, ZERO);
    }
    memory
}

/// Calls `work` with a given number of cache lines.
#[cfg(not(feature = "std"))]
pub(super) fn own<T>(lines: usize, work: impl FnOnce(&mut [CacheLine]) -> T) -> T {
    work(&mut vec![ZERO; lines])
}

/// Calls `work` with memory in these lines, whose lists are wiped afterwards.
pub(super) fn with_arena<'env, T>(memory: &mut [CacheLine], work: impl for<'a> FnOnce(&mut Arena<'a, 'env>) -> T) -> T {
    Arena::over(memory, |lines| overwrite(lines, ZERO), work)
}
