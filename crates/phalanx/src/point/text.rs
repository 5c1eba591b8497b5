//! Points as bytes and as text.

use super::Point;
use crate::{
    Error,
    encoding::{Hex, Sec1, compressed, decode_hex_prefix, words},
    group::{self, Affine},
};
use core::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
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

impl FromStr for Point {
    type Err = Error;

    /// Reads 66 or 130 hexadecimal digits, as [`Point::from_bytes`].
    fn from_str(text: &str) -> Result<Point, Error> {
        let mut buffer = [0; 65];
        let bytes = decode_hex_prefix(text, &mut buffer)?;
        if matches!(bytes.len(), 33 | 65) { Point::from_bytes(bytes) } else { Err(Error::BadHex) }
    }
}

impl fmt::Display for Point {
    /// The encoding in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.to_bytes()).fmt(f)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({self})")
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use super::Point;
    use crate::encoding::serde::{deserialize, serialize};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Point {
        /// The encoding of 33 bytes.
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serialize(&self.to_bytes(), serializer)
        }
    }

    impl<'de> Deserialize<'de> for Point {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
            deserialize(deserializer, "a point of 33 or 65 bytes", Point::from_bytes)
        }
    }
}
