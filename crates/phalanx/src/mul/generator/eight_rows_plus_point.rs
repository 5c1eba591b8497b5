//! P + b G in affine coordinates, for public points and scalars.
//!
//! The two partial sums of b G ([`super::eight_rows`]) are added, and P is added to that. Both additions may meet equal
//! or opposite points. Then a denominator is zero, and the lane is exceptional: it has no result.

use super::{Normalize, eight_rows::partial_sums};
use crate::{
    lanes::{
        AffineLanes,
        inversion::divide,
        memory::{AffineX8, CacheLine, FeX8, FeX8Mem, Machine, Numbers, U256x8},
    },
    mul::{
        digits::Digits,
        pair_sums::{Adding, Places, TreeRound},
    },
    tuning::GROUPS_PER_INVERSION,
};
use phalanx_engine::{
    curve::Affine,
    word::{Mask8, Op, Word},
};

/// The points and the digits of b, in groups of eight rows.
pub(crate) struct PointsPlusMultiples<'a> {
    pub(crate) points: &'a [AffineLanes],
    pub(crate) digits: &'a [Digits],
    /// The canonical coordinates of the sums.
    pub(crate) coordinates: &'a mut [[U256x8; 2]],
    /// The lanes without a result.
    pub(crate) exceptional: &'a mut [Mask8],
}

/// Computes the sums. Variable time.
pub(crate) fn points_plus_multiples<M: Machine>(machine: M, work: PointsPlusMultiples<'_>, memory: &mut [CacheLine]) {
    let parts = work.points.chunks(GROUPS_PER_INVERSION).zip(work.digits.chunks(GROUPS_PER_INVERSION));
    let outputs =
        work.coordinates.chunks_mut(GROUPS_PER_INVERSION).zip(work.exceptional.chunks_mut(GROUPS_PER_INVERSION));
    for ((points, digits), (coordinates, exceptional)) in parts.zip(outputs) {
        let mut numbers = Numbers::new(&mut *memory);
        let groups = points.len();
        let (sums, Mask8(mut zero_denominator)) = partial_sums(machine, digits, &mut numbers);
        let spare: &mut [FeX8Mem] = numbers.take(groups);
        let mut add = |sums: &mut [AffineX8]| {
            let round = TreeRound { sums, spare: &mut *spare, places: Places::apart(groups), secret: false };
            zero_denominator |= divide(machine, &mut Adding(round)).0;
        };
        add(sums);
        machine.run(Put { points, places: &mut sums[groups..2 * groups] });
        add(sums);
        machine.run(Normalize { sums, coordinates });
        exceptional.fill(Mask8(zero_denominator));
    }
}

/// Puts points beside the sums.
struct Put<'a> {
    points: &'a [AffineLanes],
    places: &'a mut [AffineX8],
}

impl Op for Put<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        for (point, place) in self.points.iter().zip(self.places) {
            let point: Affine<FeX8<W>> = point.load();
            place.store(point);
        }
    }
}
