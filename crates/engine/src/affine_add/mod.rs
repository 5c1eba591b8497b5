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
pub(crate) use round::Special;
pub use round::{AnyRows, Apart, ArenaProducts, InPlace, Onto};

use crate::{
    arena::Arena,
    curve::{Curve, GlvCurve},
    word::{CacheLine, Machine, PointPair},
};
use alloc::vec;

/// Rounds of additions by an adder, in its memory.
pub(crate) trait Rounds {
    /// See [`ArenaProducts::begin`].
    fn begin(&mut self);
    /// See [`ArenaProducts::met_infinity`].
    fn met_infinity(&self) -> bool;
    /// See [`AffineAdder::round`].
    fn round(&mut self, rows: AnyRows<'_>, pairs: &[PointPair], doublings: bool);
}

/// The rounds of this adder, in this memory.
pub(crate) struct RoundsOf<'a, 'm, A: AffineAdder> {
    pub(crate) adder: &'a A,
    pub(crate) work: &'a mut ArenaProducts<'m, A::Kept>,
}

impl<A: AffineAdder> Rounds for RoundsOf<'_, '_, A> {
    fn begin(&mut self) {
        self.work.begin();
    }
    fn met_infinity(&self) -> bool {
        self.work.met_infinity()
    }
    fn round(&mut self, rows: AnyRows<'_>, pairs: &[PointPair], doublings: bool) {
        self.adder.round(rows, pairs, doublings, self.work);
    }
}

/// Adds points of a curve in rows of memory. A row of zeroes is infinity.
pub trait AffineAdder {
    /// The curve.
    type Curve: Curve;
    /// The machine for the caller's other vector work.
    type Machine: Machine;
    /// A product of denominators, in memory.
    type Kept: Copy;

    /// The number of pairs that are added side by side.
    const LANES: usize;

    /// The machine.
    fn machine(&self) -> Self::Machine;

    /// Adds pairs of points, which refer to `rows`, and writes the sums where `rows` says. In [`InPlace`] and [`Onto`]
    /// the first point of a pair is in no other pair. In [`Apart`] there are as many sums as pairs. Any points are
    /// allowed. `doublings` says that some pair is the same point twice: such a pair is added correctly in any case, but a round in which it was not
    /// announced is computed twice.
    fn round(&self, rows: AnyRows<'_>, pairs: &[PointPair], doublings: bool, work: &mut ArenaProducts<'_, Self::Kept>);

    /// Memory for rounds of a given number of pairs.
    fn arena_products<'m, 'env: 'm>(pairs: usize, arena: &mut Arena<'m, 'env>) -> ArenaProducts<'m, Self::Kept>
    where
        Self::Kept: 'env;

    /// Writes lambda times `points[i]` to `images[i]`. All points are finite.
    fn images(&self, points: &[CacheLine], images: &mut [CacheLine])
    where
        Self::Curve: GlvCurve;

    /// A round whose sums are apart from the points: writes the sum of `pairs[i]` to `sums[i]`. There are as many sums
    /// as pairs.
    fn add(
        &self,
        points: &[CacheLine],
        pairs: &[PointPair],
        sums: &mut [CacheLine],
        doublings: bool,
        work: &mut ArenaProducts<'_, Self::Kept>,
    ) {
        self.round(AnyRows::Apart(Apart { points, sums }), pairs, doublings, work);
    }

    /// Replaces the row of each pair's first point by the pair's sum. The first point of a pair is in no other pair.
    fn add_in_place(&self, rows: &mut [CacheLine], pairs: &[PointPair], work: &mut ArenaProducts<'_, Self::Kept>) {
        self.round(AnyRows::InPlace(InPlace(rows)), pairs, false, work);
    }

    /// Calls `work` with memory for rounds of a given number of pairs, which it allocates.
    fn with_products<T>(pairs: usize, work: impl FnOnce(&mut ArenaProducts<'_, Self::Kept>) -> T) -> T {
        let lines = Arena::count(|arena| {
            Self::arena_products(pairs, arena);
        });
        let mut memory = vec![CacheLine([0; 8]); lines];
        Arena::over(&mut memory, |_| {}, |arena| work(&mut Self::arena_products(pairs, arena)))
    }
}
