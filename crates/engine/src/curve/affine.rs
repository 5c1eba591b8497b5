//! Affine points.

use super::{
    Curve, GlvCurve,
    coefficient::{Coefficient, Of, Zero, addend},
};
use crate::field::{Field, FieldPair, Formula};

/// A finite point (x, y) in each lane. Coordinates are carried and of magnitude 1.
#[derive(Clone, Copy, Debug)]
pub struct Affine<F> {
    /// The abscissa.
    pub x: F,
    /// The ordinate.
    pub y: F,
}

impl<F: Field> Affine<F> {
    /// The generator of a curve, in every lane.
    #[inline(always)]
    pub fn generator<C: Curve>() -> Self {
        let [x, y] = C::GENERATOR;
        Self { x: F::constant(x), y: F::constant(y) }
    }

    /// Whether y^2 = x^3 + A x + B. 1M + 2S.
    #[inline(always)]
    pub fn is_on_curve<C: Curve>(self) -> F::Mask {
        Self::curve_side::<C>(self.x).equals(self.y.square())
    }

    /// x^3 + A x + B, of magnitude 1. 1M + 1S.
    #[inline(always)]
    pub fn curve_side<C: Curve>(x: F) -> F {
        let square = if const { Of::<C>::KIND.is_zero() } { x.square() } else { x.square_add(addend::<Of<C>, F>()) };
        square.mul_add(x, F::constant(C::B))
    }

    /// The point (x, -y).
    #[inline(always)]
    #[must_use]
    pub fn negate(self) -> Self {
        Self { x: self.x, y: self.y.negate(1).weaken() }
    }

    /// The point (BETA x, y), which is lambda times this one in the curve's group. 1M.
    #[inline(always)]
    #[must_use]
    pub fn endomorphism<C: GlvCurve>(self) -> Self {
        Self { x: Self::endomorphism_of_x::<C>(self.x), y: self.y }
    }

    /// The x of [`Self::endomorphism`] of a point with this x. 1M.
    #[inline(always)]
    #[must_use]
    pub fn endomorphism_of_x<C: GlvCurve>(x: F) -> F {
        x.mul(F::constant(C::BETA))
    }

    /// `if_set` in the lanes of the mask, `if_clear` elsewhere.
    #[inline(always)]
    #[must_use]
    pub fn select(mask: F::Mask, if_set: Self, if_clear: Self) -> Self {
        Self { x: F::select(mask, if_set.x, if_clear.x), y: F::select(mask, if_set.y, if_clear.y) }
    }

    /// x2 - x1, by which [`Self::add_with`] divides. Zero where the two are equal or negatives of each other. Ready to
    /// be a factor.
    #[inline(always)]
    pub fn chord_denominator(&self, other: &Self) -> F {
        other.x.difference(self.x, 1) // 3
    }

    /// The sum, given 1 / (x2 - x1). Both y may be negations that are not carried, of magnitude 2. In eight lanes, x and
    /// `other`'s y may be as [`from_row_to_subtract`](crate::field::FieldX8::from_row_to_subtract) gives them. 2M + 1S.
    #[inline(always)]
    #[must_use]
    pub fn add_with(self, other: Self, inverse: F) -> Self {
        let [x, y] = F::formula::<ChordSum, 5, 2>([self.x, self.y, other.x, other.y, inverse]);
        Self { x, y }
    }

    /// The slope of the line through both points.
    #[inline(always)]
    fn chord_slope(&self, other: &Self, inverse: F) -> F {
        other.y.difference(self.y, 2).mul(inverse) // of 5
    }

    /// The x of the sum, given 1 / (x2 - x1), under the same conditions. 1M + 1S.
    #[inline(always)]
    #[must_use]
    pub fn add_x_with(self, other: Self, inverse: F) -> F {
        self.third_x(other.x, self.chord_slope(&other, inverse))
    }

    /// The sum with a point on the same model of the curve, this point, and H = x2 - x1: both points are over a
    /// denominator that is H times the one before, so they are again on one model. Where H is zero neither is valid.
    /// 4M + 2S.
    ///
    /// Source: Meloni, "New point addition formulae for ECC applications", WAIFI 2007. With R = y2 - y1, U = x1 H^2 and
    /// V = x2 H^2: X' = R^2 - U - V, Y' = R (U - X') - y1 (V - U), and this point is (U, y1 (V - U)).
    #[inline(always)]
    #[must_use]
    pub fn add_co_z(self, other: Self) -> (Self, Self, F) {
        let h = self.chord_denominator(&other); // 3
        let r = other.y.sub(self.y, 1).carry(); // 3
        let hh = h.square();
        let (u, v) = (self.x.mul(hh), other.x.mul(hh));
        let moved = Self { x: u, y: self.y.mul(v.difference(u, 1)) }; // 1, of 3
        let x = r.square_less::<1>(u.add(v), 2); // 1
        let y = r.mul_less(u.difference(x, 1), moved.y, 1); // 1, of 3
        (Self { x, y }, moved, h)
    }

    /// Twice the point of the curve `C`, this point, and 2 y: both points are over this denominator, so they are on one
    /// model of the curve. 3M + 3S for A = 0, else 4M + 2S.
    ///
    /// With M = 3 x^2 + A and W = 2 y^2: U = 2 x W and V = 2 W^2 are this point, X' = M^2 - 2 U, Y' = M (U - X') - V.
    #[inline(always)]
    #[must_use]
    pub fn double_co_z_on<C: Curve>(self) -> (Self, Self, F) {
        let m = self.tangent_numerator::<Of<C>>(); // 8
        let w = self.y.square_scaled::<2>(); // 2
        let twice_w = w.scale(2).carry(); // 4
        let moved = Self { x: self.x.mul(twice_w), y: w.mul(twice_w) }; // 1
        let x = m.square_less::<2>(moved.x, 1); // 1
        let y = m.mul_less(moved.x.difference(x, 1), moved.y, 1); // 1, of 3
        (Self { x, y }, moved, self.tangent_denominator())
    }

    /// 2 y, by which [`Self::double_with`] divides. Never zero in a group of odd order. Ready to be a factor.
    #[inline(always)]
    pub fn tangent_denominator(&self) -> F {
        self.y.scale(2).carry() // 2
    }

    /// Twice the point of a curve with A = 0, given 1 / (2 y). 2M + 2S.
    #[inline(always)]
    #[must_use]
    pub fn double_with(self, inverse: F) -> Self {
        self.double_with_coefficient::<Zero>(inverse)
    }

    /// Twice the point of the curve `C`, given 1 / (2 y). 2M + 2S for A = 0, else 3M + 1S.
    #[inline(always)]
    #[must_use]
    pub fn double_with_on<C: Curve>(self, inverse: F) -> Self {
        self.double_with_coefficient::<Of<C>>(inverse)
    }

    /// 3 x^2 + A, which is the tangent's slope times 2 y. Ready to be a factor.
    #[inline(always)]
    fn tangent_numerator<A: Coefficient>(&self) -> F {
        if const { A::KIND.is_zero() } {
            self.x.square().scale(3).carry() // 3
        } else {
            self.x.scale(3).carry().mul_add(self.x, addend::<A, F>()) // 1, addend 7
        }
    }

    #[inline(always)]
    fn double_with_coefficient<A: Coefficient>(self, inverse: F) -> Self {
        self.finish(self.x, self.tangent_numerator::<A>().mul(inverse))
    }

    /// The third point of a line, reflected: x' = slope^2 - x1 - x2, y' = slope (x1 - x') - y1. 1M + 1S.
    #[inline(always)]
    fn finish(self, other_x: F, slope: F) -> Self {
        let x = self.third_x(other_x, slope);
        let y = slope.mul_less(self.x.difference(x, 1), self.y, 2); // 1, of 3
        Self { x, y }
    }

    /// x' alone. 1S.
    #[inline(always)]
    fn third_x(&self, other_x: F, slope: F) -> F {
        slope.square_less::<1>(self.x.add(other_x), 2) // 1
    }

    /// Carried coordinates of magnitude 1, from magnitudes of at most 24.
    #[inline(always)]
    #[must_use]
    pub fn weaken(self) -> Self {
        Self { x: self.x.weaken(), y: self.y.weaken() }
    }

    /// Canonical coordinates.
    #[inline(always)]
    #[must_use]
    pub fn normalize(self) -> Self {
        Self { x: self.x.normalize(), y: self.y.normalize() }
    }
}

/// [`Affine::add_with`].
struct ChordSum;

impl Formula<5, 2> for ChordSum {
    #[inline(always)]
    fn run<F: Field>([x, y, other_x, other_y, inverse]: [F; 5]) -> [F; 2] {
        let (point, other) = (Affine { x, y }, Affine { x: other_x, y: other_y });
        let slope = point.chord_slope(&other, inverse);
        let sum = point.finish(other.x, slope);
        [sum.x, sum.y]
    }
}

impl<F: Field> Affine<F> {
    /// [`Self::add_with`] of the two points of each pair: two chains in flight. 4M + 2S.
    #[inline(always)]
    #[must_use]
    pub fn add_two_with([[a, b], [c, d]]: [&[Self; 2]; 2], inverses: [F; 2]) -> [Self; 2] {
        Affine::zip(*a, *c).add_with(Affine::zip(*b, *d), inverses.into()).unzip()
    }
}

impl<F: Field> Affine<FieldPair<F>> {
    /// Two points as one.
    #[inline(always)]
    pub fn zip(a: Affine<F>, b: Affine<F>) -> Self {
        Self { x: FieldPair(a.x, b.x), y: FieldPair(a.y, b.y) }
    }

    /// One point as two.
    #[inline(always)]
    pub fn unzip(self) -> [Affine<F>; 2] {
        [Affine { x: self.x.0, y: self.y.0 }, Affine { x: self.x.1, y: self.y.1 }]
    }
}
