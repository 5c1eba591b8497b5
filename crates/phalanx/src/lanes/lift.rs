//! Points from their x coordinates.

use super::memory::{AffineLines, Fe8, Machine, Numbers};
use crate::{field::root_candidates, group::Secp256k1};
use phalanx_engine::{
    curve::Affine,
    field::{FeX8, Field},
    word::{Mask, Mask8, Op, Word},
};

/// The x coordinates, below p, of a group of points, and which of them have an odd y.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lift {
    pub(crate) x: Numbers,
    pub(crate) odd: Mask8,
    /// The lanes whose point is there already and is to stay.
    pub(crate) keep: Mask8,
}

/// Computes the points of two groups and tells which lanes that were not to stay have none; these get the generator.
pub(crate) fn lift<M: Machine>(machine: M, lifts: [&Lift; 2], points: [&mut AffineLines; 2]) -> [Mask8; 2] {
    machine.run(Root { lifts, points })
}

struct Root<'a> {
    lifts: [&'a Lift; 2],
    points: [&'a mut AffineLines; 2],
}

impl Op for Root<'_> {
    type Output = [Mask8; 2];

    #[inline(always)]
    fn call<W: Word>(self) -> [Mask8; 2] {
        let [first, second] = self.lifts;
        let [first_point, second_point] = self.points;
        let (first_square, second_square) = (first.square::<W>(), second.square::<W>());
        let (y, other) = root_candidates(first_square, second_square);
        [first.finish(first_square, y, first_point), second.finish(second_square, other, second_point)]
    }
}

impl Lift {
    #[inline(always)]
    fn square<W: Word>(&self) -> Fe8<W> {
        Affine::curve_side::<Secp256k1>(FeX8::from_words(self.x.load()))
    }

    #[inline(always)]
    fn finish<W: Word>(&self, square: Fe8<W>, root: Fe8<W>, point: &mut AffineLines) -> Mask8 {
        let found = root.square().equals(square);
        // No point of the group has y = 0, so a root and its negative differ in parity.
        let y = root.normalize();
        let y = Fe8::select(y.is_odd().xor(self.odd), y.negate(1).normalize(), y);
        let x = FeX8::from_words(self.x.load());
        let lifted = Affine::select(found, Affine { x, y }, Affine::generator::<Secp256k1>());
        point.store(Affine::select(self.keep, point.load(), lifted));
        found.or(self.keep).not()
    }
}
