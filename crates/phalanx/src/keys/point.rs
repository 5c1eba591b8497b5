//! Keys as points, and points as keys where they are not infinity.

use super::{PublicKey, XOnlyPublicKey};
use crate::{
    Error, Point,
    field::invert_vartime,
    group::{Affine, Fe, Jacobian, Secp256k1, from_coordinates_vartime},
};
use phalanx_engine::field::Field;

impl Point {
    /// The sum with a key. Variable time.
    pub(crate) fn add_key_vartime(&self, key: &PublicKey) -> Point {
        let (&sum, key) = (self.jacobian(), key.affine());
        if sum.z.is_zero_vartime() {
            return Point::from_inner(key);
        }
        let is_same = |a: Fe, b: Fe| a.difference(b, 1).is_zero_vartime();
        if !is_one(sum.z) {
            return Point::from_jacobian(sum.add_mixed_vartime::<Secp256k1>(key));
        }
        // The first sum of two keys.
        match (is_same(sum.x, key.x), is_same(sum.y, key.y)) {
            (false, _) => {
                let (Affine { x, y }, _, z) = Affine { x: sum.x, y: sum.y }.add_co_z(key);
                Point::from_jacobian(Jacobian { x, y, z: z.normalize() })
            }
            (true, true) => Point::from_jacobian(sum.double()),
            (true, false) => Point::IDENTITY,
        }
    }
}

impl PublicKey {
    /// The key with these coordinates in little-endian limbs, none where they are those of no point. Variable time.
    pub(crate) fn from_coordinates_vartime([x, y]: [[u64; 4]; 2]) -> Option<PublicKey> {
        from_coordinates_vartime(x, y).map(|_| PublicKey::from_canonical(x, y))
    }

    /// x and y in little-endian limbs.
    pub(crate) fn coordinates(&self) -> [[u64; 4]; 2] {
        [self.x, self.y]
    }

    /// The key of a point, none for infinity. Variable time.
    pub(crate) fn of_point_vartime(point: &Point) -> Option<PublicKey> {
        PublicKey::from_jacobian_vartime(point.jacobian())
    }

    /// The sums of two points with a key each, none for infinity. One inversion serves the additions and the conversions.
    /// Variable time.
    pub(crate) fn of_sums_vartime(points: &[Point; 2], keys: &[PublicKey; 2]) -> [Option<PublicKey>; 2] {
        match [0, 1].map(|i| Sum::new(points[i].jacobian(), &keys[i])) {
            [Sum::Key(first), Sum::Key(second)] => [first, second],
            [Sum::Key(first), Sum::Line(line)] => [first, Some(line.sum(invert_vartime(line.denominator)))],
            [Sum::Line(line), Sum::Key(second)] => [Some(line.sum(invert_vartime(line.denominator))), second],
            [Sum::Line(a), Sum::Line(b)] => {
                let inverse = invert_vartime(a.denominator.mul(b.denominator));
                [a.sum(inverse.mul(b.denominator)), b.sum(inverse.mul(a.denominator))].map(Some)
            }
        }
    }
}

/// The sum of a point and a key.
enum Sum {
    /// Known without an inversion: infinity has no key.
    Key(Option<PublicKey>),
    /// The negative of the third point of the curve on this line.
    Line(Line),
}

impl Sum {
    fn new(point: &Jacobian, key: &PublicKey) -> Sum {
        if point.z.is_zero_vartime() {
            return Sum::Key(Some(*key));
        }
        let chord = Line::chord(point, key.affine());
        match (chord.h.is_zero_vartime(), chord.rise.is_zero_vartime()) {
            (false, _) => Sum::Line(chord),
            (true, false) => Sum::Key(None),
            (true, true) => Sum::Line(Line::tangent(key.affine())),
        }
    }
}

/// The line through a point (X, Y, Z) and a key (x, y), or the tangent at the key.
struct Line {
    key: Affine,
    /// X.
    x: Fe,
    /// Whether Z is 1.
    is_affine: bool,
    /// x Z^2 - X.
    h: Fe,
    /// The slope is rise / denominator.
    rise: Fe,
    denominator: Fe,
}

impl Line {
    /// Of the slope (y Z^3 - Y) / (Z (x Z^2 - X)), unless the point is the key or its negative.
    fn chord(point: &Jacobian, key: Affine) -> Line {
        let Jacobian { x, y, z } = *point;
        if is_one(z) {
            let h = key.x.difference(x, 1); // 3
            return Line { key, x, is_affine: true, h, rise: key.y.difference(y, 1), denominator: h }; // 3
        }
        let zz = z.square();
        let h = key.x.mul_less(zz, x, 1); // 1
        let rise = key.y.mul_less(zz.mul(z), y, 1); // 1
        Line { key, x, is_affine: false, h, rise, denominator: z.mul(h) }
    }

    /// Of the slope 3 x^2 / 2 y. No point of the curve has y = 0.
    fn tangent(key: Affine) -> Line {
        let (rise, denominator) = (key.x.square_scaled::<3>(), key.y.scale(2).carry());
        Line { key, x: key.x, is_affine: true, h: Fe::zero(), rise, denominator }
    }

    /// The sum of the two points, given 1 / denominator.
    fn sum(&self, inverse: Fe) -> PublicKey {
        let slope = self.rise.mul(inverse);
        // 1 / Z is h / denominator.
        let x1 = if self.is_affine { self.x } else { self.x.mul(self.h.mul(inverse).square()) };
        let x = slope.square_less::<1>(self.key.x.add(x1), 2); // 1
        let y = slope.mul_less(self.key.x.difference(x, 1), self.key.y, 1); // 1, of 3
        PublicKey::from_affine(Affine { x, y })
    }
}

fn is_one(z: Fe) -> bool {
    z.sub(Fe::one(), 1).is_zero_vartime()
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
                for other in [sum, Point::IDENTITY, Point::GENERATOR, Point::GENERATOR.add_key_vartime(key)] {
                    for second in [*key, PublicKey::GENERATOR, PublicKey::GENERATOR.negate()] {
                        let alone = [sum + Point::from(key), other + Point::from(second)];
                        let alone = alone.map(|point| PublicKey::try_from(point).ok());
                        assert_eq!(PublicKey::of_sums_vartime(&[sum, other], &[*key, second]), alone);
                        let exchanged = PublicKey::of_sums_vartime(&[other, sum], &[second, *key]);
                        assert_eq!(exchanged, [alone[1], alone[0]]);
                    }
                }
                (sum, expected) = (sum.add_key_vartime(key), expected + Point::from(key));
                assert_eq!(sum, expected, "{numbers:?}");
                assert_eq!(PublicKey::of_point_vartime(&sum), PublicKey::try_from(sum).ok());
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
