//! a P + b G for public inputs.
//!
//! a is split by the endomorphism into halves for P and lambda P, b into its low and high 128 bits for G and 2^128 G; the four
//! non-adjacent forms share one chain of doublings (Straus, with interleaved digits). The generator's multiples are
//! committed, P's are made affine on a model of the curve ([`super::model`]).

use super::{Unit, model::Model};
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use crate::lanes::combination;
use crate::{
    Scalar,
    glv::Half,
    group::{Affine, Fe, Group, Jacobian, Secp256k1},
};
use phalanx_engine::{
    field::Field,
    recode::{WNAF_DIGITS, wnaf_vartime},
};

/// The digits of one term, and whether its point is to be negated.
struct Digits {
    digits: [i16; WNAF_DIGITS],
    used: usize,
    negate: bool,
}

impl Digits {
    fn of(half: Half, width: u32) -> Self {
        let mut digits = [0; WNAF_DIGITS];
        let used = wnaf_vartime(half.magnitude, width, &mut digits);
        Digits { digits, used, negate: half.neg != 0 }
    }

    /// The index into the odd multiples at a position, and whether to negate.
    #[inline(always)]
    fn at(&self, position: usize) -> Option<(usize, bool)> {
        let digit = self.digits[position];
        (digit != 0).then(|| (usize::from(digit.unsigned_abs() / 2), (digit < 0) != self.negate))
    }
}

/// A group, and how a P + b G is computed in it.
pub(crate) trait Combine: Group {
    /// a P + b G, of a finite point P. Variable time.
    fn double_mul_vartime(_: Unit, a: &Self::Scalar, point: &Affine, b: &Self::Scalar) -> Jacobian {
        one_lane::<Self>(a, point, b)
    }
}

impl Combine for Secp256k1 {
    fn double_mul_vartime(unit: Unit, a: &Scalar, point: &Affine, b: &Scalar) -> Jacobian {
        match unit {
            Unit::Portable => one_lane::<Self>(a, point, b),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            Unit::Vector(machine) => {
                let sum = combination(machine, a, point, b);
                // Infinity, or an exceptional addition that only chosen scalars and points bring about.
                if sum.z.is_zero_vartime() { one_lane::<Self>(a, point, b) } else { sum }
            }
        }
    }
}

#[cfg(test)]
impl<const ORDER: u64> Combine for crate::group::tiny::Tiny<ORDER> {}

fn one_lane<G: Group>(a: &G::Scalar, point: &Affine, b: &G::Scalar) -> Jacobian {
    let [p, lambda_p] = G::halves(a).map(|half| Digits::of(half, G::POINT_WIDTH));
    let [low, high] = G::low_high(b).map(|magnitude| Digits::of(Half { neg: 0, magnitude }, G::GENERATOR_WIDTH));

    // Digits of width 5 are odd and at most 15; those of width 2 are 1 and -1, and the point itself serves.
    let Model { points, scale, .. } = match G::POINT_WIDTH {
        5 => Model::odd_multiples(point),
        _ => Model { points: [*point; 8], scale: Fe::one(), growth: Fe::one() },
    };
    let mut images = [points[0]; 8];
    for (image, point) in images.iter_mut().zip(&points) {
        *image = point.endomorphism::<G>();
    }

    let mut sum = Jacobian::infinity();
    for position in (0..p.used.max(lambda_p.used).max(low.used).max(high.used)).rev() {
        sum = sum.double();
        for (digits, table) in [(&p, &points), (&lambda_p, &images)] {
            if let Some((index, negate)) = digits.at(position) {
                sum = add_vartime(sum, negate_if(table[index], negate));
            }
        }
        for (digits, table) in [(&low, 0), (&high, 1)] {
            if let Some((index, negate)) = digits.at(position) {
                sum = add_scaled_vartime(sum, negate_if(G::generator_odd_multiple(table, index), negate), scale);
            }
        }
    }
    sum.z = sum.z.mul(scale);
    sum
}

#[inline(always)]
fn negate_if(point: Affine, negate: bool) -> Affine {
    // Left at magnitude 2, which the additions bear in one lane.
    if negate { Affine { x: point.x, y: point.y.negate(1) } } else { point }
}

/// The sum in all cases. Variable time.
#[inline(always)]
fn add_vartime(sum: Jacobian, point: Affine) -> Jacobian {
    let (next, _) = sum.add_mixed(point);
    if next.z.is_zero_vartime() { exceptional(sum, point) } else { next }
}

/// The sum on the model of the curve with this scale, of a point that is not on the model yet. Variable time.
#[inline(always)]
fn add_scaled_vartime(sum: Jacobian, point: Affine, scale: Fe) -> Jacobian {
    let (next, _) = sum.add_mixed_over(point, sum.z.mul(scale));
    if next.z.is_zero_vartime() {
        let square = scale.square();
        exceptional(sum, Affine { x: point.x.mul(square), y: point.y.mul(square.mul(scale)) })
    } else {
        next
    }
}

/// Equal and opposite points, and infinity.
#[cold]
#[inline(never)]
fn exceptional(sum: Jacobian, point: Affine) -> Jacobian {
    sum.add_mixed_complete(Affine { x: point.x, y: point.y.weaken() })
}
