//! Batched affine additions of points in rows of memory. The pairs of a round are independent of each other and share
//! one inversion.
//!
//! | file | holds |
//! |---|---|
//! | `round` | the additions of a round, generic over lanes |
//! | `packed` | points read from rows and written to rows, in one lane and in eight |
//! | `one_lane` | rounds on any CPU |
//! | `eight_lanes` | rounds on the words of a [`Machine`] |
//!
//! All is variable time, for public points.

mod eight_lanes;
mod one_lane;
mod packed;
mod round;

pub use eight_lanes::EightLanes;
pub use one_lane::OneLane;
pub use round::{ArenaProducts, RoundMemory};

use crate::{
    arena::Arena,
    curve::{Curve, GlvCurve},
    word::{CacheLine, Machine, PointPair},
};

/// Memory that the additions of one thread work in.
pub trait Work {
    /// Prepares the memory for a new table of finite points. From then on infinity can only come of an addition.
    fn begin(&mut self);
    /// Whether some sum since then is infinity.
    fn met_infinity(&self) -> bool;
}

/// Memory for products of denominators, one for each group of pairs.
pub trait Products<S>: Work {
    /// Room for a given number of products, and whether some sum so far was infinity. Memory that grows is filled with
    /// `filler`.
    fn products(&mut self, groups: usize, filler: S) -> (&mut [S], &mut bool);
}

/// Adds points of a curve in rows of memory. A row of zeroes is infinity.
pub trait AffineAdder {
    /// The curve.
    type Curve: Curve;
    /// The machine for the caller's other vector work.
    type Machine: Machine;
    /// A product of denominators, in memory.
    type Kept: Copy;
    /// Memory that the additions of one thread work in, and that grows.
    type Work: Products<Self::Kept> + Default;

    /// The number of pairs that are added side by side.
    const LANES: usize;

    /// The machine.
    fn machine(&self) -> Self::Machine;

    /// Writes the sum of `pairs[i]` to `sums[i]`. Pairs refer to `rows`. Any points are allowed, and there are as many
    /// sums as pairs. `doublings` says that some pair is the same point twice: such a pair is added correctly in any
    /// case, but a round in which it was not announced is computed twice.
    fn add(
        &self,
        rows: &[CacheLine],
        pairs: &[PointPair],
        sums: &mut [CacheLine],
        doublings: bool,
        work: &mut impl Products<Self::Kept>,
    );

    /// Replaces the row of each pair's first point by the pair's sum. Any points are allowed. The first point of a pair
    /// is in no other pair.
    fn add_in_place(&self, rows: &mut [CacheLine], pairs: &[PointPair], work: &mut impl Products<Self::Kept>);

    /// Adds rows of a table to sums: the first point of a pair is `sums[i]`, which the pair's sum replaces, and the
    /// second one is a row of `table`. Any points are allowed. The first point of a pair is in no other pair.
    fn add_onto(
        &self,
        sums: &mut [CacheLine],
        table: &[CacheLine],
        pairs: &[PointPair],
        work: &mut impl Products<Self::Kept>,
    );

    /// Memory for rounds of a given number of pairs.
    fn arena_products<'m, 'env: 'm>(pairs: usize, arena: &mut Arena<'m, 'env>) -> ArenaProducts<'m, Self::Kept>
    where
        Self::Kept: 'env;

    /// Writes lambda times `points[i]` to `images[i]`. All points are finite.
    fn images(&self, points: &[CacheLine], images: &mut [CacheLine])
    where
        Self::Curve: GlvCurve;
}
