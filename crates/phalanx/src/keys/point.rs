//! Keys as points, and points as keys where they are not infinity.

use super::{PublicKey, XOnlyPublicKey};
use crate::{Error, Point, group::Affine};

impl From<PublicKey> for Point {
    fn from(key: PublicKey) -> Point {
        Point::from_inner(key.affine())
    }
}

impl From<&PublicKey> for Point {
    fn from(key: &PublicKey) -> Point {
        Point::from(*key)
    }
}

impl From<XOnlyPublicKey> for Point {
    /// The point with even y.
    fn from(key: XOnlyPublicKey) -> Point {
        Point::from(key.public_key())
    }
}

impl TryFrom<Point> for PublicKey {
    type Error = Error;

    /// Constant time, except that it tells whether the point is infinity. Costs an inversion.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for infinity.
    fn try_from(point: Point) -> Result<PublicKey, Error> {
        PublicKey::try_from(&point)
    }
}

impl TryFrom<&Point> for PublicKey {
    type Error = Error;

    /// As for a point by value.
    fn try_from(point: &Point) -> Result<PublicKey, Error> {
        let (x, y) = point.to_affine().ok_or(Error::BadPublicKey)?;
        Ok(PublicKey::from_affine(Affine { x: x.to_fe(), y: y.to_fe() }))
    }
}
