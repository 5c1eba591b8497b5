//! The public key.

use super::tweak_scalar;
use crate::{
    Error, Point, Scalar,
    declassify::declassify,
    encoding::{bytes_of_words, compressed, uncompressed},
    group::{self, Affine, Fe, Jacobian, Secp256k1},
    mul::{self, Unit},
    tables::Entry,
    wipe::{GeneratorStack, PointStack, Zero},
};
use core::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};
use phalanx_engine::{curve::Curve, field::Field, word::Mask};

/// A public key: a point of the curve y^2 = x^3 + 7 other than infinity.
///
/// Stored as its two coordinates in canonical form, 64 bytes. Keys are ordered and hashed by their compressed encoding.
///
/// ```
/// use phalanx::PublicKey;
/// let key: PublicKey = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798".parse()?;
/// assert_eq!(PublicKey::from_bytes(&key.to_bytes_uncompressed())?, key);
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey {
    /// Canonical, least significant word first.
    pub(super) x: [u64; 4],
    /// Canonical, least significant word first.
    pub(super) y: [u64; 4],
}

/// What stands where a key stood that was secret, such as the point that an ECDH shares.
impl Zero for PublicKey {
    const ZERO: PublicKey = PublicKey { x: [0; 4], y: [0; 4] };
}

impl PublicKey {
    /// The generator G of the group, the public key of the secret key 1.
    pub const GENERATOR: PublicKey = PublicKey { x: Secp256k1::GENERATOR[0], y: Secp256k1::GENERATOR[1] };

    /// The key with this x and a y of this parity.
    pub(crate) fn lift(x: [u64; 4], odd: bool) -> Result<Self, Error> {
        group::lift_x_vartime(x, odd).map(Self::from_affine).ok_or(Error::BadPublicKey)
    }

    /// From the canonical coordinates of a point.
    pub(crate) fn from_canonical(x: [u64; 4], y: [u64; 4]) -> Self {
        PublicKey { x, y }
    }

    /// Takes over a point; its coordinates may be of any magnitude that normalising takes.
    pub(crate) fn from_affine(point: Affine) -> Self {
        PublicKey { x: point.x.normalize().to_words(), y: point.y.normalize().to_words() }
    }

    pub(crate) fn entry(&self) -> Entry {
        let ([x0, x1, x2, x3], [y0, y1, y2, y3]) = (self.x, self.y);
        Entry([x0, x1, x2, x3, y0, y1, y2, y3])
    }

    pub(crate) fn affine(&self) -> Affine {
        Affine { x: Fe::from_words(self.x), y: Fe::from_words(self.y) }
    }

    /// The public key of a secret scalar, which must not be zero. Constant time.
    pub(crate) fn of_secret(unit: Unit, secret: &Scalar) -> Self {
        Self::from_affine(group::to_affine(&mul::mul_generator_ct(unit, secret)))
    }

    /// None for infinity. Constant time but for that.
    fn from_jacobian(point: &Jacobian) -> Option<Self> {
        // Whether the result is a key is what the caller asked.
        (!declassify(point.is_infinity().any())).then(|| Self::from_affine(group::to_affine(point)))
    }

    pub(crate) fn from_jacobian_vartime(point: &Jacobian) -> Option<Self> {
        group::to_affine_vartime(point).map(Self::from_affine)
    }

    pub(crate) fn y_is_odd(&self) -> bool {
        is_odd(&self.y)
    }

    pub(crate) fn x_words(&self) -> [u64; 4] {
        self.x
    }

    pub(crate) fn x_bytes(&self) -> [u8; 32] {
        bytes_of_words(&self.x)
    }

    pub(crate) fn y_bytes(&self) -> [u8; 32] {
        bytes_of_words(&self.y)
    }

    /// The compressed form: 02 or 03 by the parity of y, then x, big-endian.
    ///
    /// ```
    /// # use phalanx::{PublicKey, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(PublicKey::from_bytes(&key.to_bytes()), Ok(key));
    /// ```
    pub fn to_bytes(&self) -> [u8; 33] {
        compressed(&self.x_bytes(), self.y_is_odd())
    }

    /// The uncompressed form: 04, x, y, big-endian.
    ///
    /// ```
    /// # use phalanx::{PublicKey, SecretKey};
    /// let key = SecretKey::random().public_key();
    /// assert_eq!(key.to_bytes_uncompressed()[1..33], key.to_bytes()[1..]);
    /// ```
    pub fn to_bytes_uncompressed(&self) -> [u8; 65] {
        uncompressed(&self.x_bytes(), &self.y_bytes())
    }

    /// The point with the same x and the other y.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let key = SecretKey::random().public_key();
    /// assert_ne!(key.negate(), key);
    /// assert_eq!(key.negate().negate(), key);
    /// ```
    #[must_use]
    pub fn negate(&self) -> PublicKey {
        Self::from_affine(self.affine().negate())
    }

    /// The sum of both keys. Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if the sum is the point at infinity.
    pub fn combine(&self, other: &PublicKey) -> Result<PublicKey, Error> {
        Self::combine_keys(&[*self, *other])
    }

    /// The sum of all keys. Variable time.
    ///
    /// # Errors
    /// [`Error::BadPublicKey`] if the sum is the point at infinity, as it is for no keys at all.
    ///
    /// ```
    /// # use phalanx::{Error, PublicKey, SecretKey};
    /// let (a, b) = (SecretKey::random(), SecretKey::random());
    /// let sum = PublicKey::combine_keys(&[a.public_key(), b.public_key()])?;
    /// assert_eq!(sum, a.tweak_add(&b.to_bytes())?.public_key());
    /// assert_eq!(sum.combine(&sum.negate()), Err(Error::BadPublicKey));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn combine_keys(keys: &[PublicKey]) -> Result<PublicKey, Error> {
        let sum = keys.iter().fold(Point::IDENTITY, |sum, key| sum.add_key_vartime(key));
        Self::of_point_vartime(&sum).ok_or(Error::BadPublicKey)
    }

    /// The key P + t * G. Constant time in the tweak, except that it tells whether the result is a key. A zero tweak
    /// changes nothing.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is not below the group order or the sum is infinity.
    ///
    /// ```
    /// # use phalanx::{Error, SecretKey};
    /// let secret = SecretKey::random();
    /// let key = secret.public_key();
    /// assert_eq!(key.tweak_add(&[0; 32])?, key);
    /// assert_eq!(key.tweak_add(&secret.negate().to_bytes()), Err(Error::BadTweak));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_add(&self, tweak: &[u8; 32]) -> Result<PublicKey, Error> {
        GeneratorStack::cleared(|| {
            Self::from_jacobian(&self.tweak_add_point(Unit::best(), tweak)?).ok_or(Error::BadTweak)
        })
    }

    /// P + t * G, which may be infinity. Constant time but for what is wrong with the tweak.
    pub(crate) fn tweak_add_point(&self, unit: Unit, tweak: &[u8; 32]) -> Result<Jacobian, Error> {
        Ok(mul::mul_generator_ct(unit, &tweak_scalar(tweak)?).add_mixed_any::<Secp256k1>(self.affine()))
    }

    /// P + t * G, unless it is infinity. Variable time.
    pub(crate) fn tweak_add_scalar_vartime(&self, tweak: &Scalar) -> Option<PublicKey> {
        Self::from_jacobian_vartime(&self.plus_multiple(tweak))
    }

    /// P + t * G, which may be infinity.
    pub(crate) fn plus_multiple(&self, tweak: &Scalar) -> Jacobian {
        mul::mul_generator_ct(Unit::OneLane, tweak).add_mixed_any::<Secp256k1>(self.affine())
    }

    /// The key t * P. Constant time in the tweak, except that it tells whether the result is a key.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is zero or not below the group order.
    ///
    /// ```
    /// # use phalanx::{Error, SecretKey};
    /// let secret = SecretKey::random();
    /// let inverse = secret.clone().tweak_mul(&[2; 32])?;
    /// assert_eq!(inverse.public_key(), secret.public_key().tweak_mul(&[2; 32])?);
    /// assert_eq!(secret.public_key().tweak_mul(&[0; 32]), Err(Error::BadTweak));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_mul(&self, tweak: &[u8; 32]) -> Result<PublicKey, Error> {
        PointStack::cleared(|| {
            let product = mul::mul_point_ct(Unit::best(), &self.affine(), &tweak_scalar(tweak)?);
            Self::from_jacobian(&product).ok_or(Error::BadTweak)
        })
    }
}

fn is_odd(words: &[u64; 4]) -> bool {
    words[0] & 1 == 1
}

impl Ord for PublicKey {
    /// By compressed encoding: parity of y, then x.
    fn cmp(&self, other: &Self) -> Ordering {
        let parity = self.y_is_odd().cmp(&other.y_is_odd());
        parity.then_with(|| self.x.iter().rev().cmp(other.x.iter().rev()))
    }
}

impl PartialOrd for PublicKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for PublicKey {
    /// Hashes the compressed encoding.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SecretKey, hash::sha256};
    use alloc::vec::Vec;
    use core::hash::BuildHasher;

    fn keys(count: u8) -> Vec<PublicKey> {
        (0..count).map(|i| SecretKey::from_bytes(&sha256(&[i])).unwrap().public_key()).collect()
    }

    #[test]
    fn order_and_hash_are_those_of_the_compressed_encoding() {
        let hasher = std::hash::RandomState::new();
        let keys = keys(40);
        for a in &keys {
            assert_eq!(hasher.hash_one(a), hasher.hash_one(a.to_bytes()));
            for b in &keys {
                assert_eq!(a.cmp(b), a.to_bytes().cmp(&b.to_bytes()));
                assert_eq!(a.x_only().0.cmp(&b.x_only().0), a.x_only().0.to_bytes().cmp(&b.x_only().0.to_bytes()));
            }
        }
    }

    #[test]
    fn coordinates_at_and_above_the_prime_are_refused() {
        // x = 1 is on the curve with y^2 = 8; x = p + 1 is not an encoding of it.
        let mut one = [0; 33];
        (one[0], one[32]) = (2, 1);
        let key = PublicKey::from_bytes(&one).unwrap();
        let mut above = [0xff; 33];
        above[0] = 2;
        above[29..].copy_from_slice(&0xffff_fc30_u32.to_be_bytes());
        above[28] = 0xfe;
        assert_eq!(PublicKey::from_bytes(&above), Err(Error::BadPublicKey));
        let full = key.to_bytes_uncompressed();
        let mut reduced = full;
        reduced[1..33].copy_from_slice(&above[1..]);
        assert_eq!(PublicKey::from_bytes(&full), Ok(key));
        assert_eq!(PublicKey::from_bytes(&reduced), Err(Error::BadPublicKey));
    }

    #[test]
    fn points_off_the_curve_are_refused() {
        for key in keys(10) {
            let mut full = key.to_bytes_uncompressed();
            full[64] ^= 2;
            assert_eq!(PublicKey::from_bytes(&full), Err(Error::BadPublicKey));
        }
        assert_eq!(PublicKey::from_bytes(&[0; 33]), Err(Error::BadPublicKey));
        assert_eq!(PublicKey::from_bytes(&[0]), Err(Error::BadPublicKey));
        let mut zero = [0; 65];
        zero[0] = 4;
        assert_eq!(PublicKey::from_bytes(&zero), Err(Error::BadPublicKey));
    }

    #[test]
    fn the_generator_is_the_key_of_one() {
        let mut one = [0; 32];
        one[31] = 1;
        assert_eq!(SecretKey::from_bytes(&one).unwrap().public_key(), PublicKey::GENERATOR);
        assert_eq!(PublicKey::combine_keys(&[]), Err(Error::BadPublicKey));
        assert_eq!(PublicKey::combine_keys(&[PublicKey::GENERATOR]), Ok(PublicKey::GENERATOR));
    }
}
