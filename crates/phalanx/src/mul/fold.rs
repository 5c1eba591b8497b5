//! Digits dealt out to lanes, points moved from lane to lane, and the sum of the lanes.

use crate::{
    group,
    lanes::memory::{FeX8, JacobianLanes, JacobianX8, LaneWords, Machine},
};
pub(crate) use phalanx_engine::lanes::permute;
use phalanx_engine::{
    curve::{Affine, Jacobian},
    word::{LANES, Mask8, Op, Word},
};

/// The same normalised point in every lane.
#[inline(always)]
pub(crate) fn everywhere<W: Word>(point: &group::Affine) -> Affine<FeX8<W>> {
    Affine { x: splat(point.x.to_words()), y: splat(point.y.to_words()) }
}

/// The same number in every lane.
#[inline(always)]
fn splat<W: Word>([a, b, c, d]: [u64; 4]) -> FeX8<W> {
    FeX8::from_words([W::splat(a), W::splat(b), W::splat(c), W::splat(d)])
}

/// For each lane `i` its partner `i ^ flip`.
#[inline(always)]
pub(crate) fn partners<W: Word>(flip: u64) -> W {
    W::from_lanes([0, 1, 2, 3, 4, 5, 6, 7]).xor(W::splat(flip))
}

/// A selection of points by lanes that are known beforehand.
#[inline(always)]
pub(crate) fn choose<W: Word>(lanes: u8, there: Jacobian<FeX8<W>>, elsewhere: Jacobian<FeX8<W>>) -> Jacobian<FeX8<W>> {
    Jacobian::select(Mask8(lanes), there, elsewhere)
}

/// The bits from window `window` on of a number of which a word holds `a_word` windows of `WIDTH` bits.
#[inline(always)]
pub(crate) fn window<const WIDTH: usize>(words: &[u64], a_word: usize, window: usize) -> u64 {
    words[window / a_word] >> (WIDTH * (window % a_word))
}

/// One word per lane.
#[inline(always)]
pub(crate) fn deal(word: impl Fn(usize) -> u64) -> LaneWords {
    let mut line = LaneWords::ZERO;
    for lane in 0..LANES {
        line.0[lane] = word(lane);
    }
    line
}

/// Two points that add up to the sum of all lanes: that of the even lanes, and that of the odd lanes. The eight are
/// added in pairs (lanes `i` and `i + 4`), then two pairs (`i` and `i + 2`). Where a lane is infinity, or two addends
/// are equal or opposite, Z is zero.
pub(crate) fn fold<M: Machine>(machine: M, sums: &JacobianX8) -> [group::Jacobian; 2] {
    let sums = machine.run(Fold(sums));
    [sums.get(0), sums.get(1)]
}

struct Fold<'a>(&'a JacobianX8);

impl Op for Fold<'_> {
    type Output = JacobianLanes;

    #[inline(always)]
    fn call<W: Word>(self) -> JacobianLanes {
        let mut sum: Jacobian<FeX8<W>> = self.0.load();
        for flip in [4, 2] {
            let index = partners(flip);
            let other = Jacobian { x: permute(sum.x, index), y: permute(sum.y, index), z: permute(sum.z, index) };
            sum = sum.add(other).0;
        }
        let mut sums = JacobianLanes::ZERO;
        sums.store(sum);
        sums
    }
}
