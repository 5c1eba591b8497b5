//! k P for a secret k and any P.
//!
//! k is split by the endomorphism into k1 + k2 lambda with halves below 2^128, each half written in signed windows of
//! five bits, and both run along one chain of doublings on a model of the curve where 1 P to 16 P are affine.
//!
//! # No exceptional addition can occur
//!
//! The incomplete mixed addition is wrong only for equal points, for a point and its negative, and for infinity.
//! Infinity is handled by a mask. Every sum on the way is (a + b lambda) P for integers a, b; it is zero modulo n
//! exactly when (a, b) lies in the lattice of `docs/inside/glv.md`, whose non-zero vectors have a coordinate of at
//! least 2^125 in absolute value.
//!
//! Before the addition of d P, with 0 < |d| <= 16, a is a multiple of 32, so a - d and a + d are not zero; before the
//! addition of d lambda P the same holds of b. So the difference and the sum of the two points belong to a vector that
//! is not zero, and they are infinity only if that vector is a lattice vector other than zero. In all windows but the
//! last, |a| and |b| are at most 2^128 / 32 + 32 < 2^124, and it is none. After the last window (a, b) = (k1, k2), and
//! just before and between its two additions the vector in question differs from (k1, k2) by at most 32 in each
//! coordinate. The split leaves (k1, k2) = x (A, -B) + y (A + B, A) with |x|, |y| < 0.51; a lattice vector has whole x
//! and y, so one other than zero differs from (k1, k2) by more than 0.49 in x or y, which is far more than 32 in a
//! coordinate.

use super::one_row_ct::mul_point_row_ct;
use crate::mul::{Unit, isomorphic_curve::IsomorphicTable};
use crate::{
    Scalar,
    glv::{Half, split},
    group::{Affine, Fe, Jacobian, Secp256k1},
};
use phalanx_engine::{
    field::Field,
    mask::{entry, from_sign},
    recode::signed_windows,
    word::{Mask, Mask1},
};
use zeroize::Zeroize;

const WIDTH: u32 = 5;
const ENTRIES: usize = 1 << (WIDTH - 1);
/// Windows of a half of 128 bits, with room for the last carry.
const DIGITS: usize = 26;

/// k P of a finite point. Constant time.
pub(crate) fn mul_point_ct(unit: Unit, point: &Affine, k: &Scalar) -> Jacobian {
    match unit {
        Unit::OneLane => one_lane(point, k),
        Unit::Ifma(machine) => {
            let [even, odd] = mul_point_row_ct(machine, point, k);
            even.add_any::<Secp256k1>(odd)
        }
    }
}

fn one_lane(point: &Affine, k: &Scalar) -> Jacobian {
    let IsomorphicTable { points, scale, .. } = multiples(point);
    let (k1, k2) = split(k);
    let mut terms = [Term::of(k1), Term::of(k2)];

    let mut sum = Jacobian::infinity();
    let mut started = Mask1::NONE;
    for window in (0..DIGITS).rev() {
        if window != DIGITS - 1 {
            for _ in 0..WIDTH {
                sum = sum.double();
            }
        }
        for (image, term) in [false, true].into_iter().zip(&terms) {
            let (multiple, present) = term.read(&points, window);
            let multiple = if image { multiple.endomorphism::<Secp256k1>() } else { multiple };
            let (next, _) = sum.add_mixed(multiple);
            let next = Jacobian::select(started, next, multiple.to_jacobian());
            sum = Jacobian::select(present, next, sum);
            started = started.or(present);
        }
    }
    sum.z = sum.z.mul(scale);
    terms.iter_mut().for_each(|term| term.digits.zeroize());
    sum
}

/// 1 P to 16 P on one model of the curve.
fn multiples(point: &Affine) -> IsomorphicTable<ENTRIES> {
    // The first two multiples and the step are affine alike.
    let (twice, step, scale) = point.double_co_z_on::<Secp256k1>();
    let rest: IsomorphicTable<{ ENTRIES - 1 }> = IsomorphicTable::arithmetic_progression(twice, step, scale);
    // P has to follow the other multiples from the denominator of 2 P to theirs.
    let (growth, square) = (rest.growth, rest.growth.square());
    let first = Affine { x: step.x.mul(square), y: step.y.mul(square.mul(growth)) };
    let mut points = [first; ENTRIES];
    points[1..].copy_from_slice(&rest.points);
    IsomorphicTable { points, scale: rest.scale, growth }
}

/// One half's digits and sign.
struct Term {
    digits: [i16; 52],
    negate: Mask1,
}

impl Term {
    fn of(half: Half) -> Self {
        let mut digits = [0; 52];
        let words = [half.magnitude as u64, (half.magnitude >> 64) as u64, 0, 0];
        signed_windows(&words, WIDTH, &mut digits);
        Term { digits, negate: Mask1::from_bit(half.neg & 1) }
    }

    /// The multiple that the digit of a window stands for, and whether it is not zero. Reads the whole table.
    #[inline(always)]
    fn read(&self, points: &[Affine; ENTRIES], window: usize) -> (Affine, Mask1) {
        let digit = i64::from(self.digits[window]);
        let sign = from_sign(digit);
        let magnitude = ((digit ^ sign) - sign) as u64;
        let [x0, x1, x2, x3, y0, y1, y2, y3] = entry(
            points.iter().map(|point| {
                let ([x0, x1, x2, x3, _], [y0, y1, y2, y3, _]) = (point.x.digits(), point.y.digits());
                [x0, x1, x2, x3, y0, y1, y2, y3]
            }),
            magnitude,
        );
        let y = Fe::from_words([y0, y1, y2, y3]);
        let negative = Mask1::from_bit(sign as u64 & 1).xor(self.negate);
        let y = Fe::select(negative, y.negate(1), y).weaken();
        (Affine { x: Fe::from_words([x0, x1, x2, x3]), y }, Mask1::is_zero(magnitude).not())
    }
}
