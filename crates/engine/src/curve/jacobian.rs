//! Jacobian points: (X, Y, Z) stands for (X / Z^2, Y / Z^3), and for infinity when Z = 0.
//!
//! Coordinates in and out of every formula are carried and of magnitude 1. The comment at the end of a line gives the
//! magnitude of what it computes; `tests/engine/intervals.rs` runs each formula on intervals and
//! `tests/engine/counts.rs` pins its cost.

use super::{
    Affine, Curve,
    coefficient::{Coefficient, Of, Zero, add_a_z4, by_coefficient},
};
use crate::field::{Field, Formula, LOOSE};
use crate::word::{Kernel, Mask};
use core::marker::PhantomData;

/// A point, or infinity, in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Jacobian<F> {
    /// X, with x = X / Z^2.
    pub x: F,
    /// Y, with y = Y / Z^3.
    pub y: F,
    /// Z, zero for infinity.
    pub z: F,
}

impl<F: Field> Affine<F> {
    /// The same point with Z = 1.
    #[inline(always)]
    pub fn to_jacobian(self) -> Jacobian<F> {
        Jacobian { x: self.x, y: self.y, z: F::one() }
    }
}

impl<F: Field> Jacobian<F> {
    /// The neutral element.
    #[inline(always)]
    pub fn infinity() -> Self {
        Self { x: F::one(), y: F::one(), z: F::zero() }
    }

    /// The lanes that are infinity.
    #[inline(always)]
    pub fn is_infinity(self) -> F::Mask {
        self.z.is_zero()
    }

    /// The negated point.
    #[inline(always)]
    #[must_use]
    pub fn negate(self) -> Self {
        Self { y: self.y.negate(1).weaken(), ..self }
    }

    /// `if_set` in the lanes of the mask, `if_clear` elsewhere.
    #[inline(always)]
    #[must_use]
    pub fn select(mask: F::Mask, if_set: Self, if_clear: Self) -> Self {
        Self {
            x: F::select(mask, if_set.x, if_clear.x),
            y: F::select(mask, if_set.y, if_clear.y),
            z: F::select(mask, if_set.z, if_clear.z),
        }
    }

    /// The affine point, given 1 / Z. Meaningless in lanes at infinity. 3M + 1S.
    #[inline(always)]
    pub fn to_affine_with(self, z_inverse: F) -> Affine<F> {
        let zz = z_inverse.square();
        Affine { x: self.x.mul(zz), y: self.y.mul(zz.mul(z_inverse)) }
    }

    /// Twice the point of a curve with A = 0; infinity stays infinity. 3M + 4S.
    #[inline(always)]
    #[must_use]
    pub fn double(self) -> Self {
        self.double_with_coefficient::<Zero>()
    }

    /// Twice the point of the curve `C`; infinity stays infinity. 3M + 4S for A = 0, 4M + 5S for a small A, else one
    /// product more.
    #[inline(always)]
    #[must_use]
    pub fn double_on<C: Curve>(self) -> Self {
        by_coefficient!(self.double_with_coefficient::<C>())
    }

    /// With M = 3 X^2 + A Z^4, W = 2 Y^2, S = 2 X W: X' = M^2 - 2 S, Y' = M (S - X') - 2 W^2, Z' = 2 Y Z. A point of
    /// order two, whose Y is zero, gives Z' = 0.
    #[inline(always)]
    pub(super) fn double_with_coefficient<A: Coefficient>(self) -> Self {
        let [x, y, z] = F::formula::<Doubling<A>, 3, 3>([self.x, self.y, self.z]);
        Self { x, y, z }
    }

    /// The sum with an affine point, unless the two have the same x or this one is infinity. 8M + 3S.
    ///
    /// The second value is the difference of the abscissas over a common denominator. Where it is zero, or this point
    /// is infinity, the sum is not valid and its Z is zero; elsewhere the sum is right and its Z is not zero.
    #[inline(always)]
    #[must_use]
    pub fn add_mixed(self, other: Affine<F>) -> (Self, F) {
        self.add_mixed_over(other, self.z)
    }

    /// As [`Self::add_mixed`] for a point that is affine on another model of the curve: this point's coordinates are
    /// over a common denominator s besides its own, and `z` is Z s. 8M + 3S.
    #[inline(always)]
    #[must_use]
    pub fn add_mixed_over(self, other: Affine<F>, z: F) -> (Self, F) {
        let [x, y, z, h] = F::formula::<MixedAddition, 6, 4>([self.x, self.y, self.z, other.x, other.y, z]);
        (Self { x, y, z }, h)
    }

    /// The sum, unless the two have the same x or either is infinity. 12M + 4S. The second value as in
    /// [`Self::add_mixed`].
    #[inline(always)]
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "an operator could not say where its result is not valid")]
    pub fn add(self, other: Self) -> (Self, F) {
        let (zz, other_zz) = (self.z.square(), other.z.square());
        let (u, other_zzz) = (self.x.mul(other_zz), other_zz.mul(other.z));
        let (zzz, s) = (zz.mul(self.z), self.y.mul(other_zzz));
        let h = other.x.mul_less(zz, u, 1); // 1
        let z = self.z.mul(other.z);
        let hh = h.square();
        let r = other.y.mul_less(zzz, s, 1); // 1
        (Self::finish_addition(u, s, z, h, hh, r), h)
    }

    /// The chord through (u, s) with H = u2 - u and R = s2 - s, over the denominator `z`: X' = R^2 - H^3 - 2 u H^2,
    /// Y' = R (u H^2 - X') - s H^3, Z' = Z H. 5M + 1S.
    #[inline(always)]
    fn finish_addition(u: F, s: F, z: F, h: F, hh: F, r: F) -> Self {
        let hhh = h.mul(hh);
        let v = u.mul_loose::<1>(hh);
        let x = r.square_less::<1>(hhh.add(v.scale(2)), 2 * LOOSE + 1); // 1
        let minus_s = s.minus_product(hhh, 1);
        let z = z.mul(h);
        let turn = v.difference(x, 1); // 3
        let y = r.mul_plus(turn, minus_s); // 1
        Self { x, y, z }
    }

    /// The sum with an affine point of a curve with A = 0, for all inputs, without a branch. 7M + 5S.
    #[inline(always)]
    #[must_use]
    pub fn add_mixed_complete(self, other: Affine<F>) -> Self {
        self.add_mixed_with_coefficient::<Zero>(other)
    }

    /// The sum with an affine point of the curve `C`, for all inputs, without a branch. 7M + 5S for A = 0, 8M + 6S for a
    /// small A, else one product more.
    #[inline(always)]
    #[must_use]
    pub fn add_mixed_complete_on<C: Curve>(self, other: Affine<F>) -> Self {
        by_coefficient!(self.add_mixed_with_coefficient::<C>(other))
    }

    #[inline(always)]
    pub(super) fn add_mixed_with_coefficient<A: Coefficient>(self, other: Affine<F>) -> Self {
        F::call(CompleteMixedAddition::<F, A>(self, other, PhantomData))
    }

    /// The sum of points of a curve with A = 0, for all inputs, without a branch. 11M + 6S.
    #[inline(always)]
    #[must_use]
    pub fn add_complete(self, other: Self) -> Self {
        self.add_with_coefficient::<Zero>(other)
    }

    /// The sum of points of the curve `C`, for all inputs, without a branch. 11M + 6S for A = 0, 12M + 7S for a small A,
    /// else one product more.
    #[inline(always)]
    #[must_use]
    pub fn add_complete_on<C: Curve>(self, other: Self) -> Self {
        by_coefficient!(self.add_with_coefficient::<C>(other))
    }

    #[inline(always)]
    pub(super) fn add_with_coefficient<A: Coefficient>(self, other: Self) -> Self {
        F::call(CompleteAddition::<F, A>(self, other, PhantomData))
    }

    /// The unified addition of two finite points over the common denominator `z`. 4M + 4S for A = 0.
    ///
    /// The slope through (x1, y1) and (x2, y2) is ((x1 + x2)^2 - x1 x2 + A) / (y1 + y2), also when the points are equal;
    /// where y1 + y2 = 0 with different abscissas it is (y1 - y2) / (x1 - x2) (Brier and Joye, PKC 2002; the second
    /// form is chosen by a selection). With T = u1 + u2, M the denominator and R the numerator, to which A Z^4 belongs:
    /// X' = 4 R^2 - 4 T M^2, Y' = R (4 T M^2 - 2 X') - 4 (s1 + s2) M^3, Z' = 2 M Z.
    #[inline(always)]
    fn unified<A: Coefficient>([u1, s1]: [F; 2], [u2, s2]: [F; 2], z: F) -> Self {
        let t = u1.add(u2).carry(); // 2
        let m = s1.add(s2).carry(); // 2
        let r = add_a_z4::<A, F>(t.square_plus(u1.minus_product(u2, 1)), z); // 1
        let degenerate = m.is_zero();
        let r = F::select(degenerate, s1.scale(2).carry(), r); // 2
        let slope_m = F::select(degenerate, u1.difference(u2, 1), m); // 3
        let mm = slope_m.square();
        let r2 = r.scale(2).carry(); // 4
        let z = slope_m.mul_scaled::<2>(z);
        // (s1 + s2) M^3 is M^4, and zero in the degenerate case.
        let last = F::select(degenerate, F::zero(), mm).scale(2).carry(); // 2
        let q = t.mul(mm.scale(4).carry()); // 1
        let x = r2.square_less::<1>(q, 1); // 1
        let minus_last = last.minus_square::<1>(2);
        let turn = q.difference(x.scale(2), 2); // 4
        let y = r.mul_plus(turn, minus_last); // 1
        Self { x, y, z }
    }

    /// Whether the two are the same point, infinity included. Constant time.
    #[inline(always)]
    pub fn equals(self, other: Self) -> F::Mask {
        let (zz, other_zz) = (self.z.square(), other.z.square());
        let same_x = self.x.mul(other_zz).equals(other.x.mul(zz));
        let same_y = self.y.mul(other_zz.mul(other.z)).equals(other.y.mul(zz.mul(self.z)));
        let (here, there) = (self.is_infinity(), other.is_infinity());
        let finite = here.or(there).not();
        here.and(there).or(finite.and(same_x).and(same_y))
    }
}

/// [`Jacobian::double_with_coefficient`].
struct Doubling<A>(PhantomData<A>);

impl<A: Coefficient> Formula<3, 3> for Doubling<A> {
    #[inline(always)]
    fn run<F: Field>([x, y, z]: [F; 3]) -> [F; 3] {
        let m = if const { A::KIND.is_zero() } {
            x.square_scaled::<3>() // 3
        } else {
            add_a_z4::<A, F>(x.square().scale(3).carry(), z) // 1, addend 3
        };
        let w = y.square_scaled::<2>(); // 2
        let z = y.mul_scaled::<2>(z); // 1
        let s = x.mul_loose::<2>(w);
        let x = m.square_less::<2>(s, LOOSE); // 1
        let minus_2ww = w.minus_square::<2>(2);
        let turn = s.difference(x, 1); // 3
        let y = m.mul_plus(turn, minus_2ww); // 1
        [x, y, z]
    }
}

/// [`Jacobian::add_mixed_over`]: X, Y, Z, x, y and Z s.
struct MixedAddition;

impl Formula<6, 4> for MixedAddition {
    #[inline(always)]
    fn run<F: Field>([x, y, z, other_x, other_y, z_s]: [F; 6]) -> [F; 4] {
        let zz = z_s.square();
        let h = other_x.mul_less(zz, x, 1); // 1
        let zzz = zz.mul(z_s);
        let hh = h.square();
        let r = other_y.mul_less(zzz, y, 1); // 1
        let Jacobian { x, y, z } = Jacobian::finish_addition(x, y, z, h, hh, r);
        [x, y, z, h]
    }
}

/// The work of [`Jacobian::add_mixed_complete_on`].
struct CompleteMixedAddition<F, A>(Jacobian<F>, Affine<F>, PhantomData<A>);

impl<F: Field, A: Coefficient> Kernel for CompleteMixedAddition<F, A> {
    type Output = Jacobian<F>;

    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self(point, other, _) = self;
        let zz = point.z.square();
        let u2 = other.x.mul(zz);
        let s2 = other.y.mul(zz.mul(point.z));
        let sum = Jacobian::unified::<A>([point.x, point.y], [u2, s2], point.z);
        Jacobian::select(point.is_infinity(), other.to_jacobian(), sum)
    }
}

/// The work of [`Jacobian::add_complete_on`].
struct CompleteAddition<F, A>(Jacobian<F>, Jacobian<F>, PhantomData<A>);

impl<F: Field, A: Coefficient> Kernel for CompleteAddition<F, A> {
    type Output = Jacobian<F>;

    #[inline(always)]
    fn run(self) -> Jacobian<F> {
        let Self(point, other, _) = self;
        let (zz, other_zz) = (point.z.square(), other.z.square());
        let (u1, s1) = (point.x.mul(other_zz), point.y.mul(other_zz.mul(other.z)));
        let (u2, s2) = (other.x.mul(zz), other.y.mul(zz.mul(point.z)));
        let sum = Jacobian::unified::<A>([u1, s1], [u2, s2], point.z.mul(other.z));
        let sum = Jacobian::select(point.is_infinity(), other, sum);
        Jacobian::select(other.is_infinity(), point, sum)
    }
}
