//! A key as far as it can be read without a square root: the one reader of encoded public keys.
//!
//! The root is most of the work of reading a compressed key. Bulk calls take many roots together, or none, where a key
//! verifies by its x. So a key is read in two steps: [`RowKey`] now, its point later.

use super::PublicKey;
use crate::{
    Error, FieldElement,
    encoding::{Sec1, bytes_of_words, words},
    group,
};

/// A key as far as it can be read without a square root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKey {
    /// A point of the curve.
    Point(PublicKey),
    /// An x below p, and whether y is odd. There may be no such point.
    Lift {
        /// Least significant word first.
        x: [u64; 4],
        odd: bool,
    },
}

impl RowKey {
    /// Reads the forms of SEC 1, and with `hybrid` the hybrid form too.
    pub(crate) fn read_bytes(bytes: &[u8], hybrid: bool) -> Result<RowKey, Error> {
        match Sec1::parse(bytes, hybrid)? {
            Sec1::Compressed { x, odd } => Self::lift(words(x), odd),
            Sec1::Full { x, y, claimed_odd } => {
                let point = group::from_coordinates_vartime(words(x), words(y)).map(PublicKey::from_affine);
                let point = point.filter(|point| claimed_odd.is_none_or(|odd| odd == point.y_is_odd()));
                point.map(RowKey::Point).ok_or(Error::BadPublicKey)
            }
        }
    }

    /// Reads the forms of SEC 1, and the 64 bytes in which libsecp256k1 keeps a point: x, then y, least significant byte
    /// first.
    pub(crate) fn read_stored_bytes(bytes: &[u8]) -> Result<RowKey, Error> {
        let ([x, y], []) = bytes.as_chunks::<32>() else { return Self::read_bytes(bytes, false) };
        let little = |bytes: &[u8; 32]| {
            let (words, _) = bytes.as_chunks::<8>();
            core::array::from_fn(|i| u64::from_le_bytes(words[i]))
        };
        let point = group::from_coordinates_vartime(little(x), little(y)).map(PublicKey::from_affine);
        point.map(RowKey::Point).ok_or(Error::BadPublicKey)
    }

    /// Reads the 32 bytes of an x-only key.
    pub(crate) fn read_x_only_bytes(bytes: &[u8]) -> Result<RowKey, Error> {
        let x: &[u8; 32] = bytes.try_into().map_err(|_| Error::BadPublicKey)?;
        Self::lift(words(x), false)
    }

    /// The key with this x, which must be below p, and a y of this parity.
    fn lift(x: [u64; 4], odd: bool) -> Result<RowKey, Error> {
        FieldElement::from_limbs(x).map(|_| RowKey::Lift { x, odd }).ok_or(Error::BadPublicKey)
    }

    /// The point, for a square root where it is not known. Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if no point has this x.
    pub(crate) fn point(self) -> Result<PublicKey, Error> {
        match self {
            RowKey::Point(point) => Ok(point),
            RowKey::Lift { x, odd } => PublicKey::lift(x, odd),
        }
    }

    /// x, least significant word first.
    pub(crate) fn x_words(&self) -> [u64; 4] {
        match self {
            RowKey::Point(point) => point.x_words(),
            RowKey::Lift { x, .. } => *x,
        }
    }

    /// x, big-endian.
    pub(crate) fn x_bytes(&self) -> [u8; 32] {
        bytes_of_words(&self.x_words())
    }

    /// Whether y is odd.
    pub(crate) fn y_is_odd(&self) -> bool {
        match self {
            RowKey::Point(point) => point.y_is_odd(),
            RowKey::Lift { odd, .. } => *odd,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PublicKeyRef, SecretKey, XOnlyKeyRef, XOnlyPublicKey};
    use alloc::vec::Vec;

    /// Encodings of a key, of x without a point, and of what is no encoding.
    fn encodings() -> Vec<Vec<u8>> {
        let key = SecretKey::from_bytes(&[7; 32]).unwrap().public_key();
        let full = key.to_bytes_uncompressed();
        let with = |place: usize, byte: u8| {
            let mut bytes = full.to_vec();
            bytes[place] = byte;
            bytes
        };
        let mut five = [0; 33];
        (five[0], five[32]) = (3, 5);
        let mut above = [0xff; 33];
        above[0] = 2;
        let mut encodings = Vec::from([key.to_bytes().to_vec(), full.to_vec(), five.to_vec(), above.to_vec()]);
        encodings.extend([with(0, 6), with(0, 7), with(64, full[64] ^ 1), with(0, 5), full[..64].to_vec(), Vec::new()]);
        encodings
    }

    #[test]
    fn reading_in_two_steps_is_reading() {
        for bytes in encodings() {
            for (key, parsed) in [
                (PublicKeyRef::Encoded(&bytes), PublicKey::from_bytes(&bytes)),
                (PublicKeyRef::EncodedHybrid(&bytes), PublicKey::from_bytes_hybrid(&bytes)),
            ] {
                let read = RowKey::read(&key);
                assert_eq!(read.and_then(RowKey::point), parsed, "{bytes:?}");
                if let (Ok(read), Ok(parsed)) = (read, parsed) {
                    assert_eq!((read.x_bytes(), read.y_is_odd()), (parsed.x_bytes(), parsed.y_is_odd()));
                }
            }
            let x = bytes.get(1..33).unwrap_or_default();
            let read = RowKey::read_x_only(&XOnlyKeyRef::Encoded(x));
            assert_eq!(read.and_then(RowKey::point), XOnlyPublicKey::from_bytes(x).map(|key| key.public_key()));
        }
        // No root is taken of a compressed key, and none is needed of a full one.
        let kinds = encodings().into_iter().take(4).map(|bytes| RowKey::read_bytes(&bytes, false));
        let kinds: Vec<_> = kinds.map(|read| read.ok().map(|key| matches!(key, RowKey::Lift { .. }))).collect();
        assert_eq!(kinds, [Some(true), Some(false), Some(true), None]);
    }
}
