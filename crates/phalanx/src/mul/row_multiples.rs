//! The odd multiples P, 3 P, ..., 31 P of one point, affine on one model of the curve, a few in each lane.
//!
//! Lane l computes (2 l + 1) P as P plus those of 2 P, 4 P and 8 P whose bits are set in l, and then (2 l + 17) P. No
//! addition is exceptional, because all multiples are below 64 and the order of P is a large prime. The common
//! denominator is the product of all sixteen (`isomorphic_curve` says why that serves). A lane gets the product of the
//! other lanes' denominators by three exchanges between lanes.

use super::fold::{choose, everywhere, partners, permute};
use crate::{
    group,
    lanes::memory::{AffineX8, FeX8, FeX8Mem, Machine},
};
use phalanx_engine::{
    curve::{Affine, Jacobian},
    field::Field,
    word::{Op, Word},
};

/// Sixteen multiples, and the scale of the model on which they are affine.
pub(crate) struct RowMultiples {
    /// P, 3 P, ..., 15 P, and 17 P, 19 P, ..., 31 P.
    points: [AffineX8; 2],
    /// In every lane.
    scale: FeX8Mem,
}

impl RowMultiples {
    pub(crate) fn of<M: Machine>(machine: M, point: &group::Affine) -> Self {
        machine.run(Odd(&point.normalize()))
    }

    #[inline(always)]
    pub(crate) fn load<W: Word>(&self) -> Table<W> {
        let [lower, upper] = &self.points;
        Table { lower: lower.load(), upper: upper.load(), scale: self.scale.load() }
    }
}

struct Odd<'a>(&'a group::Affine);

impl Op for Odd<'_> {
    type Output = RowMultiples;

    #[inline(always)]
    fn call<W: Word>(self) -> RowMultiples {
        let mut power: Jacobian<FeX8<W>> = everywhere(self.0).to_jacobian();
        let (mut lower, mut upper) = (power, power);
        // The sums of the last round are those from 17 P on, and are kept apart.
        for lanes in [0xaa, 0xcc, 0xf0, 0] {
            power = power.double();
            upper = lower.add(power).0;
            lower = choose(lanes, upper, lower);
        }

        let mut product = lower.z.mul(upper.z);
        let mut others = FeX8::one();
        for flip in [1, 2, 4] {
            let other = permute(product, partners(flip));
            (others, product) = (others.mul(other), product.mul(other));
        }
        let mut multiples = RowMultiples { points: [AffineX8::ZERO; 2], scale: FeX8Mem::ZERO };
        for (lines, (point, factor)) in
            multiples.points.iter_mut().zip([(lower, others.mul(upper.z)), (upper, others.mul(lower.z))])
        {
            let square = factor.square();
            lines.store(Affine { x: point.x.mul(square), y: point.y.mul(square.mul(factor)) });
        }
        multiples.scale.store(product);
        multiples
    }
}

/// The multiples in registers.
#[derive(Clone, Copy)]
pub(crate) struct Table<W: Word> {
    lower: Affine<FeX8<W>>,
    upper: Affine<FeX8<W>>,
    pub(crate) scale: FeX8<W>,
}

impl<W: Word> Table<W> {
    /// The multiple for each lane's code, with the code's sign.
    #[inline(always)]
    pub(crate) fn read(&self, codes: W) -> Affine<FeX8<W>> {
        let index = codes.and(W::splat(7));
        let upper = codes.and(W::splat(8)).equal(W::splat(8));
        let x = FeX8::select(upper, permute(self.upper.x, index), permute(self.lower.x, index));
        let y = FeX8::select(upper, permute(self.upper.y, index), permute(self.lower.y, index));
        Affine { x, y: y.negate_where(codes.less(W::splat(16)), 1).weaken() }
    }
}
