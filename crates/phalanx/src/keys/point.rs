//! Keys as points, and points as keys where they are not infinity.

use super::{PublicKey, XOnlyPublicKey};
use crate::{
    Error, Point,
    field::invert_vartime,
    group::{Affine, Fe, Jacobian, Secp256k1, from_coordinates_vartime},
};
use phalanx_engine::field::Field;

/// For the other crates of this repository, without any promise.
#[doc(hidden)]
impl Point {
    /// The sum with a key. Variable time.
    pub fn add_key_vartime(&self, key: &PublicKey) -> Point {
        let (&sum, key) = (self.jacobian(), key.affine());
        if sum.z.is_zero_vartime() {
            return Point::from_inner(key);
        }
        if sum.z.sub(Fe::one(), 1).is_zero_vartime() {
            // Z is 1: the first sum of two keys. Where they have the same x, z is zero.
            let (Affine { x, y }, _, z) = Affine { x: sum.x, y: sum.y }.add_co_z(key);
            if !z.is_zero_vartime() {
                return Point::from_jacobian(Jacobian { x, y, z: z.normalize() });
            }
        }
        Point::from_jacobian(sum.add_mixed_vartime::<Secp256k1>(key))
    }
}

/// For the other crates of this repository, without any promise.
#[doc(hidden)]
impl PublicKey {
    /// The key with these coordinates in little-endian limbs, none where they are those of no point. Variable time.
    pub fn from_coordinates_vartime([x, y]: [[u64; 4]; 2]) -> Option<PublicKey> {
        from_coordinates_vartime(x, y).map(|_| PublicKey::from_canonical(x, y))
    }

    /// x and y in little-endian limbs.
    pub fn coordinates(&self) -> [[u64; 4]; 2] {
        [self.x, self.y]
    }

    /// The key of a point, none for infinity. Variable time.
    pub fn of_point_vartime(point: &Point) -> Option<PublicKey> {
        PublicKey::from_jacobian_vartime(point.jacobian())
    }

    /// The keys of two points, none for infinity, by one inversion. Variable time.
    pub fn of_points_vartime(points: &[Point; 2]) -> [Option<PublicKey>; 2] {
        let [a, b] = points.each_ref().map(Point::jacobian);
        let product = a.z.mul(b.z);
        if product.is_zero_vartime() {
            return points.each_ref().map(PublicKey::of_point_vartime);
        }
        let inverse = invert_vartime(product);
        [(a, b), (b, a)].map(|(point, other)| Some(PublicKey::from_affine(point.to_affine_with(inverse.mul(other.z)))))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;
    use alloc::vec::Vec;

    /// Keys whose sums meet every case: twice the same point, a point and its negative, infinity and on from there.
    #[test]
    fn sums_of_keys_are_those_of_points() {
        let key = |k: i64| {
            let k = if k < 0 { -Scalar::from(k.unsigned_abs()) } else { Scalar::from(k.unsigned_abs()) };
            PublicKey::try_from(Point::mul_generator(&k)).unwrap()
        };
        for numbers in [[1, 2, 3, 4], [1, 1, 2, -4], [1, -1, 5, 5], [7, 3, -10, 2], [1, 2, 3, -6], [-6, 2, 2, 2]] {
            let keys: Vec<PublicKey> = numbers.map(key).into();
            let (mut sum, mut expected) = (Point::IDENTITY, Point::IDENTITY);
            for key in &keys {
                (sum, expected) = (sum.add_key_vartime(key), expected + Point::from(key));
                assert_eq!(sum, expected, "{numbers:?}");
                for other in [sum, Point::IDENTITY, Point::GENERATOR] {
                    let alone = [sum, other].map(|point| PublicKey::try_from(point).ok());
                    assert_eq!(PublicKey::of_points_vartime(&[sum, other]), alone);
                    assert_eq!(PublicKey::of_points_vartime(&[other, sum]), [alone[1], alone[0]]);
                    assert_eq!(PublicKey::of_point_vartime(&sum), alone[0]);
                }
            }
        }
    }

    #[test]
    fn coordinates_of_no_point_make_no_key() {
        let [x, y] = PublicKey::GENERATOR.coordinates();
        assert_eq!(PublicKey::from_coordinates_vartime([x, y]), Some(PublicKey::GENERATOR));
        assert_eq!(PublicKey::from_coordinates_vartime([y, x]), None);
        assert_eq!(PublicKey::from_coordinates_vartime([[0; 4]; 2]), None);
        assert_eq!(PublicKey::from_coordinates_vartime([x, [u64::MAX; 4]]), None);
    }
}
