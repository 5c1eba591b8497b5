//! A point by its x alone: multiples of it, and the y that an equation between points requires. No square root.
//!
//! # The way
//!
//! For any x let d = x^3 + B, the square of y if there is a point P = (x, y). The point P' = (d x, d^2) is on the curve
//! E': Y^2 = X^3 + B d^3, whatever x is. If y exists, then (X, Y) -> (X / d, Y / (d y)) takes E' to the curve and P' to
//! P. Formulas for A = 0 do not contain B, and the map is linear in x. So a schedule that gives a P from P gives the
//! image of a P from P', digit for digit, endomorphism included.
//!
//! Let (X, Y, Z) be what it gives, and let u = X / (d Z^2) and m = Y / (d Z^3), so that a P = (u, m / y). Let (g, h) be
//! another point with g other than u. Then x of a P + (g, h) is r if and only if
//!
//! ```text
//! (h - m / y)^2 = (u + g + r) (g - u)^2
//! ```
//!
//! With y^2 = d this is linear in 1 / y:
//!
//! ```text
//! 2 h m / y = W   where   W = h^2 + m^2 / d - (u + g + r) (g - u)^2
//! ```
//!
//! # What proves what
//!
//! [`SumEquation::y`] is y = 2 h m / W. **The caller gives a point (g, h) of the curve**, and takes out lanes in which
//! (X, Y, Z) is void: for other numbers anybody can make an equation hold. Suppose that the denominator is not zero,
//! which means that Z, g - u and W are not, and that y^2 = d. Then there is a point P = (x, y), and a P + (g, h) has the
//! x r:
//!
//! - y^2 = d says that P is on the curve. **Off the curve d is no square, so nothing passes**, whatever (X, Y, Z) is.
//! - On the curve (X, Y, Z) is the image of a P if the schedule is right for P, since P' has the order of P.
//! - The equation then holds for this y, hence for this P, and g - u is not zero. So the sum is that of a chord.
//!
//! **With g = u the linear equation says nothing**: it then holds for every r. Such a row is never proved here. Neither is
//! one in which Z is zero: then X^3 = Y^2, so W is zero too. On a curve of odd order every true equation with finite
//! terms and g other than u is proved, because h and m are not zero, and W is 2 h m / y. d is never zero there: the point
//! would have y = 0.
//!
//! A point whose y is known is the case d = 1: P' is P, and the y that must come out is 1.

use super::{Affine, Curve, Jacobian};
use crate::{
    field::{Field, Formula},
    word::Mask,
};

/// The point (d x, d^2), and d.
#[derive(Clone, Copy, Debug)]
pub struct ImageByX<F> {
    /// The image, a point of another curve.
    pub point: Affine<F>,
    /// x^3 + B.
    pub d: F,
}

impl<F: Field> ImageByX<F> {
    /// The image of the points of the curve `C`, with A = 0, that have this x. 2M + 2S.
    #[inline(always)]
    pub fn new<C: Curve>(x: F) -> Self {
        let d = Affine::curve_side::<C>(x);
        Self { point: Affine { x: x.mul(d), y: d.square() }, d }
    }
}

/// The equation x(a P + (g, h)) = r, from which the y of P follows.
#[derive(Clone, Copy, Debug)]
pub struct SumEquation<F> {
    /// (g - u) b, where b is d^2 Z^3.
    pub width: F,
    /// h b.
    pub height: F,
    /// W b^2.
    pub divisor: F,
}

impl<F: Field> SumEquation<F> {
    /// From the image of a P, d, (g, h) and r. 9M + 3S.
    #[inline(always)]
    pub fn new(product: Jacobian<F>, d: F, other: Affine<F>, r: F) -> Self {
        let Jacobian { x, y, z } = product;
        let [width, height, divisor] = F::formula::<LinearEquation, 7, 3>([x, y, z, d, other.x, other.y, r]);
        Self { width, height, divisor }
    }

    /// The number to invert for the other methods. Where it is zero, nothing is proved. 1M.
    #[inline(always)]
    pub fn denominator(&self) -> F {
        self.divisor.mul(self.width)
    }

    /// The y of P for which the equation holds, from the Y of the image of a P, d and the inverse of the denominator.
    /// 4M.
    #[inline(always)]
    pub fn y(&self, product_y: F, d: F, inverse: F) -> F {
        let quotient = inverse.mul(self.width).mul(d);
        self.height.mul_scaled::<2>(product_y).mul(quotient)
    }

    /// The y of the sum, from the Y of the image of a P, the y of P, (g, h), r and the inverse of the denominator. 4M.
    #[inline(always)]
    pub fn sum_y(&self, product_y: F, y: F, other: Affine<F>, r: F, inverse: F) -> F {
        // The chord's slope, negated: (m / y - h) / (g - u).
        let slope = product_y.mul_less(y, self.height, 1).mul(inverse.mul(self.divisor)); // 1
        slope.mul_less(r.difference(other.x, 1), other.y, 1) // 1, of 3
    }
}

/// What is asked of the y that an equation yields.
#[derive(Clone, Copy, Debug)]
pub struct AskedOfY<F: Field> {
    /// The Y of the image of a P.
    pub product_y: F,
    /// d.
    pub d: F,
    /// Whether y of P is odd.
    pub odd: F::Mask,
    /// (g, h).
    pub other: Affine<F>,
    /// r.
    pub r: F,
    /// Whether y of the sum has to be even.
    pub even: bool,
}

impl<F: Field> SumEquation<F> {
    /// Whether there is a point P with this x and this parity, and the equation holds for it, and the sum's y is even
    /// where that is asked: given the inverse of the denominator, which is not zero. 4M + 1S, or 8M + 1S.
    #[inline(always)]
    pub fn holds(&self, asked: &AskedOfY<F>, inverse: F) -> F::Mask {
        let AskedOfY { product_y, d, odd, other, r, even } = *asked;
        let y = self.y(product_y, d, inverse).normalize();
        let exists = y.square().equals(d);
        let holds = exists.and(y.is_odd().xor(odd).not());
        if !even {
            return holds;
        }
        let sum_y = self.sum_y(product_y, y, other, r, inverse).normalize();
        holds.and(sum_y.is_odd().not())
    }
}

/// [`SumEquation::new`]: X, Y, Z, d, g, h and r.
struct LinearEquation;

impl Formula<7, 3> for LinearEquation {
    #[inline(always)]
    fn run<F: Field>([x, y, z, d, g, h, r]: [F; 7]) -> [F; 3] {
        let dz = d.mul(z);
        let a = dz.mul(z); // the denominator of u
        let chord = g.mul_less(a, x, 1); // (g - u) a
        let sum = g.add(r).carry().mul_add(a, x); // (u + g + r) a
        let height = h.mul(dz.mul(a));
        // b^2 is d a^3, and Y^2 is m^2 a^3 / d.
        let rest = sum.mul_plus(chord.square(), y.minus_square::<1>(1));
        let divisor = height.square_plus(d.minus_product(rest, 1));
        let width = chord.mul(dz);
        [width, height, divisor]
    }
}
