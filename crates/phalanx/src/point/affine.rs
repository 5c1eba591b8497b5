//! Points in affine coordinates, infinity among them: what the traits of `group` want beside [`Point`].

use super::Point;
use crate::{
    FieldElement, Scalar,
    arithmetic::operators,
    declassify::declassify,
    encoding::compressed,
    group::{Affine, Jacobian, Secp256k1, to_affine},
};
use core::{
    fmt,
    ops::{Add, Mul, Neg, Sub},
};
use phalanx_engine::curve::Curve;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

/// A point of secp256k1's group in affine coordinates, or infinity: what generic code keeps and sends, where it
/// computes with [`Point`].
///
/// Constant time as [`Point`] is. Sums with a [`Point`] cost less than sums of two; products are points. A point that
/// stands for a key belongs in a [`PublicKey`](crate::PublicKey), which is never infinity.
///
/// ```
/// use group::{Curve, CurveAffine};
/// use phalanx::{AffinePoint, Point};
///
/// fn midway<C: Curve>(a: &C, b: &C::Affine) -> C::Affine {
///     (*a + b).to_affine()
/// }
/// assert_eq!(midway(&Point::GENERATOR, &AffinePoint::GENERATOR).to_curve(), Point::GENERATOR.double());
/// ```
#[derive(Clone, Copy)]
pub struct AffinePoint {
    /// Both coordinates are zero for infinity: no point of the group has y = 0, since its order is odd.
    x: FieldElement,
    y: FieldElement,
}

impl AffinePoint {
    /// The point at infinity.
    pub const IDENTITY: AffinePoint = AffinePoint { x: FieldElement::ZERO, y: FieldElement::ZERO };
    /// The generator G (SEC 2, section 2.4.1).
    pub const GENERATOR: AffinePoint = {
        let [x, y] = Secp256k1::GENERATOR;
        AffinePoint { x: FieldElement::from_canonical(x), y: FieldElement::from_canonical(y) }
    };

    /// Takes over normalised coordinates, (0, 0) for infinity.
    pub(super) fn from_inner(point: Affine) -> AffinePoint {
        AffinePoint { x: FieldElement::from_fe(point.x), y: FieldElement::from_fe(point.y) }
    }

    /// The coordinates, (0, 0) for infinity.
    fn inner(&self) -> Affine {
        Affine { x: self.x.to_fe(), y: self.y.to_fe() }
    }

    /// Whether the point is infinity.
    pub fn is_identity(&self) -> Choice {
        self.y.is_zero()
    }

    /// The coordinates (x, y), `None` for infinity, which alone the time may tell.
    ///
    /// ```
    /// use phalanx::{AffinePoint, Point};
    /// assert_eq!(AffinePoint::GENERATOR.coordinates(), Point::GENERATOR.to_affine());
    /// assert_eq!(AffinePoint::IDENTITY.coordinates(), None);
    /// ```
    pub fn coordinates(&self) -> Option<(FieldElement, FieldElement)> {
        // Whether a point has coordinates is what the caller asked.
        (!bool::from(declassify(self.is_identity()))).then_some((self.x, self.y))
    }

    /// The encoding of [`Point::to_bytes`].
    pub(super) fn encoded(&self) -> [u8; 33] {
        self.coordinates().map_or([0; 33], |(x, y)| compressed(&x.to_bytes(), y.is_odd().into()))
    }
}

impl From<&AffinePoint> for Point {
    fn from(point: &AffinePoint) -> Point {
        Point::conditional_select(&Point(point.inner().to_jacobian()), &Point::IDENTITY, point.is_identity())
    }
}

impl From<AffinePoint> for Point {
    fn from(point: AffinePoint) -> Point {
        Point::from(&point)
    }
}

impl From<&Point> for AffinePoint {
    /// Costs an inversion.
    fn from(point: &Point) -> AffinePoint {
        AffinePoint::from_inner(to_affine(&point.0))
    }
}

impl From<Point> for AffinePoint {
    fn from(point: Point) -> AffinePoint {
        AffinePoint::from(&point)
    }
}

impl Add<&AffinePoint> for &Point {
    type Output = Point;

    fn add(self, other: &AffinePoint) -> Point {
        let sum: Jacobian = self.0.add_mixed_any::<Secp256k1>(other.inner());
        Point::conditional_select(&Point(sum), self, other.is_identity())
    }
}

impl Sub<&AffinePoint> for &Point {
    type Output = Point;

    fn sub(self, other: &AffinePoint) -> Point {
        self + -*other
    }
}

impl Mul<&Scalar> for &AffinePoint {
    type Output = Point;

    /// As of a [`Point`].
    fn mul(self, k: &Scalar) -> Point {
        Point::from(self) * k
    }
}

impl Neg for AffinePoint {
    type Output = AffinePoint;

    fn neg(self) -> AffinePoint {
        AffinePoint { x: self.x, y: -self.y }
    }
}

operators!(@forward Point, Add, add, AffinePoint, Point);
operators!(@assign Point, add, AddAssign, add_assign, AffinePoint);
operators!(@forward Point, Sub, sub, AffinePoint, Point);
operators!(@assign Point, sub, SubAssign, sub_assign, AffinePoint);
operators!(@forward AffinePoint, Mul, mul, Scalar, Point);

impl Default for AffinePoint {
    fn default() -> AffinePoint {
        AffinePoint::IDENTITY
    }
}

impl ConstantTimeEq for AffinePoint {
    fn ct_eq(&self, other: &AffinePoint) -> Choice {
        self.x.ct_eq(&other.x) & self.y.ct_eq(&other.y)
    }
}

impl PartialEq for AffinePoint {
    fn eq(&self, other: &AffinePoint) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for AffinePoint {}

impl ConditionallySelectable for AffinePoint {
    fn conditional_select(a: &AffinePoint, b: &AffinePoint, choice: Choice) -> AffinePoint {
        let select = FieldElement::conditional_select;
        AffinePoint { x: select(&a.x, &b.x, choice), y: select(&a.y, &b.y, choice) }
    }
}

impl Zeroize for AffinePoint {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
    }
}

impl fmt::Debug for AffinePoint {
    /// The encoding in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AffinePoint({})", crate::encoding::Hex(&self.encoded()))
    }
}
