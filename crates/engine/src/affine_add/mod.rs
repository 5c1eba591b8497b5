//! Additions of affine points in rows of memory, a round of independent pairs for one inversion: batched-affine
//! addition.
//!
//! | file | holds |
//! |---|---|
//! | `round` | the additions of a round, generic over lanes |
//! | `packed` | points from and to rows, in one lane and in eight |
//! | `one_lane` | rounds on any CPU |
//! | `eight_lanes` | rounds on the words of a [`Machine`] |
//!
//! Variable time, for public points.

mod eight_lanes;
mod one_lane;
mod packed;
mod round;

pub use eight_lanes::EightLanes;
pub use one_lane::OneLane;
pub use round::RoundMemory;

use crate::{
    curve::{Curve, GlvCurve},
    word::{CacheLine, Machine, PointPair},
};

/// Memory that the additions of one thread work in.
pub trait Work: Default {
    /// Prepares the memory for a new table, of finite points: infinity comes about by additions only.
    fn begin(&mut self);
}

/// Adds points of a curve in rows of memory. A row of zeroes is infinity.
pub trait AffineAdder {
    /// The curve.
    type Curve: Curve;
    /// What vector work of other kinds runs on.
    type Machine: Machine;
    /// Memory that the additions of one thread work in.
    type Work: Work;

    /// The pairs that are added side by side.
    const LANES: usize;

    /// The machine.
    fn machine(&self) -> Self::Machine;

    /// The sum of each pair of points in `rows`, in order, whatever they are. The length of `sums` is the number of
    /// pairs. `doublings` says that some pairs are a point twice, which would otherwise have to be found out.
    fn add(
        &self,
        rows: &[CacheLine],
        pairs: &[PointPair],
        sums: &mut [CacheLine],
        doublings: bool,
        work: &mut Self::Work,
    );

    /// Adds to the first point of each pair the second one, whatever they are. No pair's first point is in another
    /// pair.
    fn add_in_place(&self, rows: &mut [CacheLine], pairs: &[PointPair], work: &mut Self::Work);

    /// lambda times each point, all finite.
    fn images(&self, points: &[CacheLine], images: &mut [CacheLine])
    where
        Self::Curve: GlvCurve;
}
