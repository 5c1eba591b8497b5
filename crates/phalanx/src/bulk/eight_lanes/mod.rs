//! What operations in eight lanes have in common, on any [`Machine`].
//!
//! A row that a check has refused keeps its verdict. From then on its lane computes with harmless values, and does not
//! disturb the other lanes. A row that meets an exceptional addition stays in its lane: see [`crate::lanes`].

mod generator;
mod keys;
mod keys_by_x;
mod multiples;
mod tweaks;

pub(super) use {
    generator::{generator_points, point},
    keys::KeyPoints,
    keys_by_x::{KeysByX, RowSums, WantedX},
    multiples::KeyMultiples,
    tweaks::TweakedKeys,
};

#[cfg(doc)]
use crate::lanes::Machine;
use phalanx_engine::word::LANES;

/// The group and the lane of a row.
pub(super) fn place(row: usize) -> (usize, usize) {
    (row / LANES, row % LANES)
}
