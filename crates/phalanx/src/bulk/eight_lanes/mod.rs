//! What operations in eight lanes have in common, on any [`Machine`].
//!
//! A row that a check has refused keeps its verdict. From then on its lane computes with harmless values, and does not
//! disturb the other lanes. A row that meets an exceptional addition stays in its lane: see [`crate::lanes`].

mod generator;
mod keys;
mod multiples;

pub(super) use {
    generator::{generator_points, point, size_of_generator_points},
    keys::KeyPoints,
    multiples::KeyMultiples,
};

use super::memory::{Lines, with_room};
#[cfg(doc)]
use crate::lanes::Machine;
use crate::lanes::{Scratch, ScratchSize};
use phalanx_engine::{arena::Lists, word::LANES};

/// The memory that a chunk takes: cache lines of lists, and what schedules work in.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) lists: usize,
    pub(super) scratch: ScratchSize,
}

impl Size {
    pub(super) fn lines(self) -> usize {
        self.lists + self.scratch.lines()
    }
}

/// Calls `work` with lists and scratch memory of this size, out of `memory`.
pub(super) fn in_room<'env, T>(
    memory: &mut Lines,
    size: Size,
    work: impl for<'a> FnOnce(&mut Lists<'a, 'env>, &mut Scratch<'a>) -> T,
) -> T {
    with_room(memory, size.lists, |lists, numbers| work(lists, &mut Scratch::new(size.scratch, numbers)))
}

/// The group and the lane of a row.
pub(super) fn place(row: usize) -> (usize, usize) {
    (row / LANES, row % LANES)
}
