//! Points for builders of protocols: the group of secp256k1 with operators.
//!
//! | file | holds |
//! |---|---|
//! | `affine` | points in affine coordinates, for the traits of the crate `group` |
//! | `group_traits` | the traits of the crate `group` |
//! | `operators` | `+ - *` and sums |
//! | `text` | bytes, hexadecimal text, serde |
//!
//! The room uses `arithmetic`, `encoding`, `field`, `scalar`, `glv`, `group` and `mul`. `keys` converts between points
//! and keys.

#[cfg(feature = "group")]
mod affine;
#[cfg(feature = "group")]
mod group_traits;
mod operators;
mod text;

#[cfg(feature = "group")]
pub use affine::AffinePoint;
#[cfg(feature = "group")]
pub use group_traits::PointBytes;

use crate::{
    FieldElement, Scalar,
    arithmetic::{choice, mask},
    declassify::declassify,
    glv,
    group::{self, Affine, Fe, Jacobian, Secp256k1},
    mul::{self, Combine, Unit},
    tables::Entry,
    wipe::{GeneratorStack, Secrets},
};
use alloc::{vec, vec::Vec};
use phalanx_engine::{curve::Curve, field::Field};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::Zeroize;

/// A point of the curve y^2 = x^3 + 7 over the integers modulo p, or the point at infinity: an element of secp256k1's
/// group, whose order n is prime.
///
/// Held in Jacobian coordinates, so that sums and products need no inversion; [`Point::to_affine`] pays for one.
/// Operators work on values and references. Everything here is constant time in the points and scalars, comparison
/// included and whether a point is infinity too, except what has `_vartime` in its name, what says so, and text.
/// `Debug` shows the point. A point that stands for a key belongs in a [`PublicKey`](crate::PublicKey), which is never
/// infinity; conversions lead both ways.
///
/// ```
/// use phalanx::{Point, Scalar, SecretKey};
///
/// let secret = SecretKey::random();
/// let public = Point::from(secret.public_key());
///
/// let x = Scalar::from(7u64) * Scalar::from(3u64) - Scalar::ONE;
/// let q = Point::GENERATOR * x + public;
/// assert_eq!(q, Point::mul_generator(&(x + Scalar::from(&secret))));
/// assert_eq!(q - q, Point::IDENTITY);
/// ```
#[derive(Clone, Copy)]
pub struct Point(Jacobian);

impl Point {
    /// The point at infinity, which changes nothing when added.
    pub const IDENTITY: Point = Point(Jacobian { x: ONE, y: ONE, z: FieldElement::ZERO.to_fe() });
    /// The generator G (SEC 2, section 2.4.1).
    pub const GENERATOR: Point = Point(Jacobian {
        x: Fe::from_words(Secp256k1::GENERATOR[0]),
        y: Fe::from_words(Secp256k1::GENERATOR[1]),
        z: ONE,
    });
    /// Integer that [`Point::endomorphism`] multiplies by: a cube root of 1 modulo n.
    pub const LAMBDA: Scalar = glv::LAMBDA;

    /// For rooms below.
    pub(crate) fn from_jacobian(point: Jacobian) -> Point {
        Point(point)
    }

    /// For rooms below.
    pub(crate) fn jacobian(&self) -> &Jacobian {
        &self.0
    }

    /// For rooms below.
    pub(crate) fn from_inner(point: Affine) -> Point {
        Point(point.to_jacobian())
    }

    /// The point (x, y), none if it is not on the curve.
    ///
    /// ```
    /// use phalanx::{FieldElement, Point};
    /// let (x, y) = Point::GENERATOR.to_affine().unwrap();
    /// assert_eq!(Point::from_coordinates(&x, &y).unwrap(), Point::GENERATOR);
    /// assert!(bool::from(Point::from_coordinates(&x, &FieldElement::ONE).is_none()));
    /// ```
    pub fn from_coordinates(x: &FieldElement, y: &FieldElement) -> CtOption<Point> {
        let point = Affine { x: x.to_fe(), y: y.to_fe() };
        CtOption::new(Point(point.to_jacobian()), choice(point.is_on_curve::<Secp256k1>().bits()))
    }

    /// The point with this x whose y has the parity asked for, none if no point has this x: about half of all x are on
    /// the curve. Costs a square root.
    ///
    /// ```
    /// use phalanx::{FieldElement, Point};
    /// let one = FieldElement::ONE;
    /// let (even, odd) = (Point::from_x(&one, 0.into()).unwrap(), Point::from_x(&one, 1.into()).unwrap());
    /// assert_eq!(even, -odd);
    /// // 5^3 + 7 is no square modulo p.
    /// assert!(bool::from(Point::from_x(&FieldElement::from(5u64), 0.into()).is_none()));
    /// ```
    pub fn from_x(x: &FieldElement, odd: Choice) -> CtOption<Point> {
        let y = FieldElement::from_fe(Affine::curve_side::<Secp256k1>(x.to_fe())).sqrt();
        y.map(|y| {
            let y = y.negate_if(y.is_odd() ^ odd);
            Point(Affine { x: x.to_fe(), y: y.to_fe() }.to_jacobian())
        })
    }

    /// The coordinates (x, y), `None` for infinity, which alone the time may tell. Costs an inversion.
    ///
    /// ```
    /// use phalanx::{FieldElement, Point, Scalar};
    /// let (x, y) = (Point::GENERATOR * Scalar::from(5u64)).to_affine().unwrap();
    /// assert_eq!(y.square(), x.square() * x + FieldElement::from(7u64));
    /// assert_eq!(Point::IDENTITY.to_affine(), None);
    /// ```
    pub fn to_affine(&self) -> Option<(FieldElement, FieldElement)> {
        coordinates(group::to_affine(&self.0), self.is_identity())
    }

    /// As [`Point::to_affine`], in variable time: for public points only.
    pub fn to_affine_vartime(&self) -> Option<(FieldElement, FieldElement)> {
        group::to_affine_vartime(&self.0).and_then(|point| coordinates(point, Choice::from(0)))
    }

    /// The coordinates of many points, `None` for infinity, which alone the time may tell: one inversion and about
    /// three multiplications per point for each 128 points.
    ///
    /// ```
    /// use phalanx::Point;
    /// let points = [Point::GENERATOR.double(), Point::IDENTITY];
    /// assert_eq!(Point::batch_to_affine(&points), [points[0].to_affine(), None]);
    /// ```
    pub fn batch_to_affine(points: &[Point]) -> Vec<Option<(FieldElement, FieldElement)>> {
        let inner = Secrets::collect(points.iter().map(|point| point.0));
        let mut inverses = Secrets::filled(FieldElement::ZERO, points.len());
        let affine = group::to_affine_batch(&inner, &mut inverses);
        affine.zip(points).map(|(affine, point)| coordinates(affine, point.is_identity())).collect()
    }

    /// The entries of points, all zero for infinity. Variable time.
    pub(crate) fn batch_to_entries(points: &[Point]) -> Vec<Entry> {
        let inner: Vec<Jacobian> = points.iter().map(|point| point.0).collect();
        let mut inverses = vec![FieldElement::ZERO; points.len()];
        group::to_affine_batch(&inner, &mut inverses).map(|point| group::entry(&point)).collect()
    }

    /// Whether the point is infinity.
    #[inline]
    pub fn is_identity(&self) -> Choice {
        choice(self.0.is_infinity().bits())
    }

    /// The point added to itself.
    #[inline]
    #[must_use]
    pub fn double(&self) -> Point {
        Point(self.0.double())
    }

    /// k G, by a table of the generator's multiples: the fast way to what `Point::GENERATOR * k` computes as it would
    /// for any point.
    ///
    /// ```
    /// use phalanx::{Point, Scalar};
    /// let k = -Scalar::from(5u64);
    /// assert_eq!(Point::mul_generator(&k), Point::GENERATOR * k);
    /// ```
    pub fn mul_generator(k: &Scalar) -> Point {
        GeneratorStack::cleared(|| Point(mul::mul_generator_ct(Unit::best(), k)))
    }

    /// k times the point in variable time: for public points and numbers only.
    ///
    /// ```
    /// use phalanx::{Point, Scalar};
    /// let (p, k) = (Point::GENERATOR.double(), Scalar::from(21u64));
    /// assert_eq!(p.mul_vartime(&k), p * k);
    /// ```
    #[must_use]
    pub fn mul_vartime(&self, k: &Scalar) -> Point {
        Point::double_mul_vartime(k, self, &Scalar::ZERO)
    }

    /// a P + b G in variable time: for public points and numbers only. The equation of both signature schemes, in one
    /// chain of doublings.
    ///
    /// ```
    /// use phalanx::{Point, Scalar};
    /// let (a, b, p) = (Scalar::from(3u64), Scalar::from(4u64), Point::GENERATOR.double());
    /// assert_eq!(Point::double_mul_vartime(&a, &p, &b), Point::mul_generator(&Scalar::from(10u64)));
    /// ```
    #[must_use]
    pub fn double_mul_vartime(a: &Scalar, point: &Point, b: &Scalar) -> Point {
        // Zero times any finite point stands for a times infinity.
        let (a, point) = match group::to_affine_vartime(&point.0) {
            Some(point) => (a, point),
            None => (&Scalar::ZERO, Affine::generator::<Secp256k1>()),
        };
        Point(Secp256k1::double_mul_vartime(Unit::best(), a, &point, b))
    }

    /// lambda P = (beta x, y), for one multiplication in the field: [`Point::LAMBDA`] times the point, where beta is a
    /// cube root of 1 modulo p. Multiplications are built on it (Gallant, Lambert and Vanstone, 2001): see
    /// [the guide](crate::guide).
    ///
    /// ```
    /// use phalanx::Point;
    /// let p = Point::GENERATOR.double();
    /// assert_eq!(p.endomorphism(), p * Point::LAMBDA);
    /// assert_eq!(p + p.endomorphism() + p.endomorphism().endomorphism(), Point::IDENTITY);
    /// ```
    #[inline]
    #[must_use]
    pub fn endomorphism(&self) -> Point {
        Point(Jacobian { x: self.0.x.mul(Fe::from_words(glv::BETA)), ..self.0 })
    }
}

const ONE: Fe = FieldElement::ONE.to_fe();

/// The coordinates, unless the point they would belong to is infinity.
fn coordinates(point: Affine, infinite: Choice) -> Option<(FieldElement, FieldElement)> {
    // Whether a point has coordinates is what the caller asked.
    (!bool::from(declassify(infinite))).then(|| (FieldElement::from_fe(point.x), FieldElement::from_fe(point.y)))
}

impl Default for Point {
    fn default() -> Point {
        Point::IDENTITY
    }
}

/// Whether the two are the same point, in whatever coordinates.
impl ConstantTimeEq for Point {
    fn ct_eq(&self, other: &Point) -> Choice {
        choice(self.0.equals(other.0).bits())
    }
}

impl PartialEq for Point {
    fn eq(&self, other: &Point) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Point {}

impl ConditionallySelectable for Point {
    #[inline]
    fn conditional_select(a: &Point, b: &Point, choice: Choice) -> Point {
        Point(Jacobian::select(mask(choice), b.0, a.0))
    }
}

impl Zeroize for Point {
    fn zeroize(&mut self) {
        *self = Point::IDENTITY;
        zeroize::optimization_barrier(self);
    }
}

#[cfg(test)]
mod tests;
