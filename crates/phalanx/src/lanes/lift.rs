//! Points from their x coordinates.

use super::memory::{AffineLines, Fe8, Machine, Numbers};
use crate::{field::root_candidate, group::Secp256k1};
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
}

/// Computes the points of a group but in the lanes to `keep`, and tells which lanes have one; others get the generator.
pub(crate) fn lift<M: Machine>(machine: M, lift: &Lift, keep: Mask8, point: &mut AffineLines) -> Mask8 {
    machine.run(Root { lift, keep, point })
}

struct Root<'a> {
    lift: &'a Lift,
    keep: Mask8,
    point: &'a mut AffineLines,
}

impl Op for Root<'_> {
    type Output = Mask8;

    #[inline(always)]
    fn call<W: Word>(self) -> Mask8 {
        let x: Fe8<W> = FeX8::from_words(self.lift.x.load());
        let square = Affine::curve_side::<Secp256k1>(x);
        let y = root_candidate(square);
        let found = y.square().equals(square);
        // No point of the group has y = 0, so a root and its negative differ in parity.
        let y = y.normalize();
        let y = Fe8::select(y.is_odd().xor(self.lift.odd), y.negate(1).normalize(), y);
        let lifted = Affine::select(found, Affine { x, y }, Affine::generator::<Secp256k1>());
        self.point.store(Affine::select(self.keep, self.point.load(), lifted));
        found
    }
}
