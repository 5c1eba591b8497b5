//! Sums of two points in each lane. Constant time.

use super::memory::{AffineLanes, FeX8, JacobianX8, Machine, U256x8};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    word::{Mask8, Op, Word},
};

/// Points of groups, other points by their coordinates, and the lanes whose other point is infinity. Points may be
/// equal or opposite.
pub(crate) struct PointPairs<'a> {
    pub(crate) points: &'a [AffineLanes],
    pub(crate) others: &'a [[U256x8; 2]],
    pub(crate) no_other: &'a [Mask8],
}

/// Writes the sums of pairs, and the lanes whose sum is infinity; there the point itself stands for it.
pub(crate) fn add_points<M: Machine>(
    machine: M,
    pairs: PointPairs<'_>,
    sums: &mut [JacobianX8],
    infinite: &mut [Mask8],
) {
    machine.run(PointAdditions { pairs, sums, infinite });
}

struct PointAdditions<'a> {
    pairs: PointPairs<'a>,
    sums: &'a mut [JacobianX8],
    infinite: &'a mut [Mask8],
}

impl Op for PointAdditions<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let PointPairs { points, others, no_other } = self.pairs;
        let pairs = points.iter().zip(others).zip(no_other);
        for (((point, [x, y]), no_other), (sum, infinite)) in pairs.zip(self.sums.iter_mut().zip(self.infinite)) {
            let point: Affine<FeX8<W>> = point.load();
            let other = Affine { x: FeX8::from_words(x.load()), y: FeX8::from_words(y.load()) };
            let point = point.to_jacobian();
            let both = Jacobian::select(*no_other, point, point.add_mixed_complete(other));
            *infinite = both.is_infinity();
            sum.store(Jacobian::select(*infinite, point, both));
        }
    }
}
