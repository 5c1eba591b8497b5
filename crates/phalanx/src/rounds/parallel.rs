//! Points from and to entries, in as many lanes as a field has.

use crate::{
    group::{self, Fe},
    tables::Entry,
};
use phalanx_engine::{curve::Affine, field::Field, msm::PointPair};

/// The coordinates' field in one or more lanes.
pub(crate) trait Parallel: Field {
    /// The number of lanes.
    const LANES: usize;
    /// An element in memory.
    type Stored: Copy;
    /// Any element in memory.
    const FILLER: Self::Stored;

    fn stored(self) -> Self::Stored;
    fn load(stored: &Self::Stored) -> Self;

    /// The two points of a pair in each lane, y of magnitude 2. Lanes for which there is no pair repeat the last one.
    fn gather(memory: &[Entry], pairs: &[PointPair]) -> [Affine<Self>; 2];

    /// The x of the two points of a pair in each lane.
    #[inline(always)]
    fn gather_x(memory: &[Entry], pairs: &[PointPair]) -> [Self; 2] {
        let [a, b] = Self::gather(memory, pairs);
        [a.x, b.x]
    }

    /// Asks for the points of the first pairs, one a lane, which will be gathered soon.
    #[inline(always)]
    fn prefetch(_memory: &[Entry], _pairs: &[PointPair]) {}

    /// Writes the lanes' points, at most [`Self::LANES`].
    fn scatter(point: Affine<Self>, entries: &mut [Entry]);

    /// Writes the lanes' points over the first points of the first pairs, one a lane.
    fn scatter_to_firsts(point: Affine<Self>, memory: &mut [Entry], pairs: &[PointPair]);
}

impl Parallel for Fe {
    const LANES: usize = 1;
    type Stored = Fe;
    const FILLER: Fe = Fe::from_words([0; 4]);

    #[inline(always)]
    fn stored(self) -> Fe {
        self
    }
    #[inline(always)]
    fn load(stored: &Fe) -> Fe {
        *stored
    }
    #[inline(always)]
    fn gather(memory: &[Entry], pairs: &[PointPair]) -> [Affine<Fe>; 2] {
        pairs[0].map(|reference| {
            let point = group::affine(&memory[reference.index()]);
            if reference.is_negated() { Affine { x: point.x, y: point.y.negate(1) } } else { point }
        })
    }
    #[inline(always)]
    fn scatter(point: Affine<Fe>, entries: &mut [Entry]) {
        entries[0] = group::entry(&point.normalize());
    }
    #[inline(always)]
    fn scatter_to_firsts(point: Affine<Fe>, memory: &mut [Entry], pairs: &[PointPair]) {
        memory[pairs[0][0].index()] = group::entry(&point.normalize());
    }
}
