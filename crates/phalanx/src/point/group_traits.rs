//! The traits of the crate `group`: points as other people's generic code wants a group.

use super::{AffinePoint, Point, text::decode};
use crate::{FieldElement, Scalar, group::to_affine_batch, wipe::Secrets};
use group::{
    Curve, CurveAffine, Group, GroupEncoding,
    prime::{PrimeCurve, PrimeGroup},
};
use rand_core::TryRng;
use subtle::{Choice, CtOption};

/// Constant time, as the methods of [`Point`] are.
impl Group for Point {
    type Scalar = Scalar;

    /// A point other than infinity whose discrete logarithm nobody knows: x and the parity of y are drawn until there
    /// is such a point. Variable time in what is thrown away.
    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        loop {
            let (mut x, mut parity) = ([0; 32], [0]);
            rng.try_fill_bytes(&mut x)?;
            rng.try_fill_bytes(&mut parity)?;
            let Ok(x) = FieldElement::from_bytes(&x) else { continue };
            if let Some(point) = Point::from_x(&x, Choice::from(parity[0] & 1)).into_option() {
                return Ok(point);
            }
        }
    }

    fn identity() -> Self {
        Point::IDENTITY
    }

    fn generator() -> Self {
        Point::GENERATOR
    }

    fn is_identity(&self) -> Choice {
        Point::is_identity(self)
    }

    fn double(&self) -> Self {
        Point::double(self)
    }

    fn mul_by_generator(scalar: &Scalar) -> Self {
        Point::mul_generator(scalar)
    }
}

impl PrimeGroup for Point {}

/// Constant time.
impl Curve for Point {
    type Affine = AffinePoint;

    /// One inversion and about three multiplications per point for each 128 points.
    ///
    /// # Panics
    /// If the two differ in length.
    fn batch_normalize(points: &[Self], affine: &mut [AffinePoint]) {
        assert_eq!(points.len(), affine.len(), "one affine point for each point");
        let inner = Secrets::collect(points.iter().map(|point| point.0));
        let mut inverses = Secrets::filled(FieldElement::ZERO, points.len());
        for (affine, point) in affine.iter_mut().zip(to_affine_batch(&inner, &mut inverses)) {
            *affine = AffinePoint::from_inner(point);
        }
    }

    fn to_affine(&self) -> AffinePoint {
        AffinePoint::from(self)
    }
}

impl PrimeCurve for Point {}

/// Constant time.
impl CurveAffine for AffinePoint {
    type Curve = Point;
    type Scalar = Scalar;

    fn identity() -> Self {
        AffinePoint::IDENTITY
    }

    fn generator() -> Self {
        AffinePoint::GENERATOR
    }

    fn is_identity(&self) -> Choice {
        AffinePoint::is_identity(self)
    }

    fn to_curve(&self) -> Point {
        Point::from(self)
    }
}

/// The 33 bytes of [`Point::to_bytes`], which for infinity are zero.
///
/// ```
/// use group::GroupEncoding;
/// use phalanx::{Point, PointBytes};
/// let bytes: PointBytes = GroupEncoding::to_bytes(&Point::GENERATOR);
/// assert_eq!(bytes.0, Point::GENERATOR.to_bytes());
/// assert_eq!(<Point as GroupEncoding>::from_bytes(&PointBytes::default()).unwrap(), Point::IDENTITY);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointBytes(pub [u8; 33]);

impl Default for PointBytes {
    /// The encoding of infinity.
    fn default() -> Self {
        PointBytes([0; 33])
    }
}

impl AsRef<[u8]> for PointBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl AsMut<[u8]> for PointBytes {
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// The point of bytes that come from outside, and so are public. Variable time.
fn read(bytes: &PointBytes) -> CtOption<AffinePoint> {
    let point = decode(&bytes.0).map(|point| point.map_or(AffinePoint::IDENTITY, AffinePoint::from_inner));
    CtOption::new(point.unwrap_or_default(), Choice::from(u8::from(point.is_ok())))
}

/// Reading is variable time, as [`Point::from_bytes`] is.
impl GroupEncoding for Point {
    type Repr = PointBytes;

    fn from_bytes(bytes: &PointBytes) -> CtOption<Self> {
        read(bytes).map(Point::from)
    }

    /// As `from_bytes`, with every check: a square root is taken anyway.
    fn from_bytes_unchecked(bytes: &PointBytes) -> CtOption<Self> {
        <Point as GroupEncoding>::from_bytes(bytes)
    }

    fn to_bytes(&self) -> PointBytes {
        PointBytes(Point::to_bytes(self))
    }
}

/// As of a [`Point`], without the inversion.
impl GroupEncoding for AffinePoint {
    type Repr = PointBytes;

    fn from_bytes(bytes: &PointBytes) -> CtOption<Self> {
        read(bytes)
    }

    /// As `from_bytes`, with every check.
    fn from_bytes_unchecked(bytes: &PointBytes) -> CtOption<Self> {
        read(bytes)
    }

    fn to_bytes(&self) -> PointBytes {
        PointBytes(self.encoded())
    }
}
