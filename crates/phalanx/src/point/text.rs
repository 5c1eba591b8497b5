//! Points as bytes and as text.

use super::Point;
use crate::{
    Error,
    encoding::{Sec1, compressed, text, words},
    group::{self, Affine},
};
use core::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

impl Point {
    /// The compressed encoding of SEC 1, section 2.3.3: 02 or 03 by the parity of y, then x, big-endian. Infinity is 33
    /// zero bytes (`cbytes_ext` of BIP-327), so that all points have one length. Costs an inversion.
    ///
    /// ```
    /// use phalanx::Point;
    /// assert_eq!(Point::from_bytes(&Point::GENERATOR.to_bytes()), Ok(Point::GENERATOR));
    /// assert_eq!(Point::IDENTITY.to_bytes(), [0; 33]);
    /// ```
    pub fn to_bytes(&self) -> [u8; 33] {
        self.to_affine().map_or([0; 33], |(x, y)| compressed(&x.to_bytes(), y.is_odd().into()))
    }

    /// Reads what [`Point::to_bytes`] writes, and the uncompressed encoding of 65 bytes. Variable time: bytes that come
    /// from outside are public.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] for any other length or prefix, a coordinate not below p, or a point off the curve.
    ///
    /// ```
    /// use phalanx::{Error, Point};
    /// assert_eq!(Point::from_bytes(&[0; 33]), Ok(Point::IDENTITY));
    /// assert_eq!(Point::from_bytes(&[2; 32]), Err(Error::BadPublicKey));
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Point, Error> {
        Ok(decode(bytes)?.map_or(Point::IDENTITY, Point::from_inner))
    }
}

/// The finite point of an encoding, `None` for infinity. Variable time.
pub(super) fn decode(bytes: &[u8]) -> Result<Option<Affine>, Error> {
    if *bytes == [0; 33] {
        return Ok(None);
    }
    let point = match Sec1::parse(bytes, false)? {
        Sec1::Compressed { x, odd } => group::lift_x_vartime(words(x), odd),
        Sec1::Full { x, y, .. } => group::from_coordinates_vartime(words(x), words(y)),
    };
    point.map(Some).ok_or(Error::BadPublicKey)
}

/// The order of the encodings: infinity first, then by parity of y, then by x. Costs two inversions.
impl Ord for Point {
    fn cmp(&self, other: &Point) -> Ordering {
        self.to_bytes().cmp(&other.to_bytes())
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Point) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Point {
    /// Hashes the encoding. Costs an inversion.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

text!(Point, "Point", "a point of 33 or 65 bytes", [33, 65], to_bytes, from_bytes);
