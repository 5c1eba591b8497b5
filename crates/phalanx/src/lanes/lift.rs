//! Points from their x coordinates.

use super::memory::{AffineLanes, FeX8, FeX8Mem, Machine, U256x8};
use crate::{field::root_candidate, group::Secp256k1, tuning::LIFTS_SIDE_BY_SIDE};
use phalanx_engine::{
    curve::Affine,
    field::{Field, FieldPair},
    word::{Mask, Mask8, Op, Word},
};

/// The x coordinates, below p, of a group of points, and which of them have an odd y.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lift {
    pub(crate) x: U256x8,
    pub(crate) odd: Mask8,
    /// The lanes whose point is there already and is to stay.
    pub(crate) keep: Mask8,
}

/// Computes the points of groups, and for each the lanes that were not to stay and have none; these get the generator.
pub(crate) fn lift<M: Machine>(machine: M, lifts: &[Lift], points: &mut [AffineLanes], missing: &mut [Mask8]) {
    machine.run(Root { lifts, points, missing });
}

struct Root<'a> {
    lifts: &'a [Lift],
    points: &'a mut [AffineLanes],
    missing: &'a mut [Mask8],
}

impl Op for Root<'_> {
    type Output = ();

    #[inline(always)]
    fn call<W: Word>(self) {
        let groups = self.lifts.chunks(LIFTS_SIDE_BY_SIDE).zip(self.points.chunks_mut(LIFTS_SIDE_BY_SIDE));
        for ((lifts, points), missing) in groups.zip(self.missing.chunks_mut(LIFTS_SIDE_BY_SIDE)) {
            if lifts.iter().all(|lift| lift.keep == Mask8::ALL) {
                missing.fill(Mask8::NONE);
                continue;
            }
            let mut roots = [FeX8Mem::ZERO; LIFTS_SIDE_BY_SIDE];
            if const { W::SEVERAL_REGISTERS } {
                for (lift, root) in lifts.iter().zip(&mut roots) {
                    root.store(root_candidate(lift.square::<W>()));
                }
            } else {
                side_by_side::<W>(lifts, &mut roots);
            }
            for (((lift, root), point), missing) in lifts.iter().zip(&roots).zip(points).zip(missing) {
                *missing = lift.finish::<W>(root.load(), point);
            }
        }
    }
}

/// The candidates of one or two groups, in two chains.
#[inline(always)]
fn side_by_side<W: Word>(lifts: &[Lift], [a, b]: &mut [FeX8Mem; LIFTS_SIDE_BY_SIDE]) {
    let last = &lifts[lifts.len() - 1];
    let FieldPair(first, second) = root_candidate(FieldPair(lifts[0].square::<W>(), last.square::<W>()));
    a.store(first);
    b.store(second);
}

impl Lift {
    #[inline(always)]
    fn square<W: Word>(&self) -> FeX8<W> {
        Affine::curve_side::<Secp256k1>(FeX8::from_words(self.x.load()))
    }

    #[inline(always)]
    fn finish<W: Word>(&self, root: FeX8<W>, point: &mut AffineLanes) -> Mask8 {
        let found = root.square().equals(self.square());
        // No point of the group has y = 0, so a root and its negative differ in parity.
        let y = root.normalize();
        let y = FeX8::select(y.is_odd().xor(self.odd), y.negate(1).normalize(), y);
        let x = FeX8::from_words(self.x.load());
        let lifted = Affine::select(found, Affine { x, y }, Affine::generator::<Secp256k1>());
        point.store(Affine::select(self.keep, point.load(), lifted));
        found.or(self.keep).not()
    }
}
