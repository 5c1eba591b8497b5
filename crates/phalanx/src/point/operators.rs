//! Operators of [`Point`]: complete formulas for sums, constant-time multiplication.

use super::Point;
use crate::{
    Scalar,
    arithmetic::operators,
    group::{Affine, Secp256k1},
    mul::{self, Unit},
    wipe::PointStack,
};
use core::{
    iter::Sum,
    ops::{Add, Mul, Neg, Sub},
};
use phalanx_engine::field::Field;

impl Add for &Point {
    type Output = Point;

    #[inline]
    fn add(self, other: &Point) -> Point {
        Point(self.0.add_any::<Secp256k1>(other.0))
    }
}

impl Sub for &Point {
    type Output = Point;

    #[inline]
    fn sub(self, other: &Point) -> Point {
        self + -other
    }
}

impl Neg for &Point {
    type Output = Point;

    #[inline]
    fn neg(self) -> Point {
        Point(self.0.negate())
    }
}

impl Mul<&Scalar> for &Point {
    type Output = Point;

    /// (X, Y, Z) is the affine point (X, Y) of the model of the curve with scale Z (see `mul::isomorphic_curve`), on
    /// which the multiplication runs unchanged. No inversion is needed, and at infinity, where Z is zero, whatever the
    /// formulas make of (X, Y) ends with the denominator zero: infinity.
    fn mul(self, k: &Scalar) -> Point {
        PointStack::cleared(|| {
            let mut product = mul::mul_point_ct(Unit::best(), &Affine { x: self.0.x, y: self.0.y }, k);
            product.z = product.z.mul(self.0.z);
            Point(product)
        })
    }
}

impl Mul<&Point> for &Scalar {
    type Output = Point;

    #[inline]
    fn mul(self, point: &Point) -> Point {
        point * self
    }
}

impl Neg for Point {
    type Output = Point;

    #[inline]
    fn neg(self) -> Point {
        -&self
    }
}

impl<T: core::borrow::Borrow<Point>> Sum<T> for Point {
    fn sum<I: Iterator<Item = T>>(iter: I) -> Point {
        iter.fold(Point::IDENTITY, |sum, term| sum + term.borrow())
    }
}

operators!(@binary Point, Add, add, AddAssign, add_assign);
operators!(@binary Point, Sub, sub, SubAssign, sub_assign);
operators!(@forward Point, Mul, mul, Scalar, Point);
operators!(@assign Point, mul, MulAssign, mul_assign, Scalar);
operators!(@forward Scalar, Mul, mul, Point, Point);
