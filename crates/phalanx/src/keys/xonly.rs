//! The x-only public key of BIP-340 and the taproot tweak of BIP-341.

use super::PublicKey;
use crate::{Error, declassify::declassify, hash::tags};
use core::hash::{Hash, Hasher};

/// An x-only public key (BIP-340): an x coordinate, which stands for the point with that x and an even y.
///
/// Ordered and hashed by its 32-byte encoding.
///
/// ```
/// use phalanx::XOnlyPublicKey;
/// let key: XOnlyPublicKey = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798".parse()?;
/// assert_eq!(key.to_string()[..4], *"79be");
/// # Ok::<(), phalanx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct XOnlyPublicKey(PublicKey);

impl XOnlyPublicKey {
    /// For a point whose y is even.
    pub(super) fn from_even(point: PublicKey) -> Self {
        debug_assert!(!point.y_is_odd());
        XOnlyPublicKey(point)
    }

    /// The 32 big-endian bytes of x.
    ///
    /// ```
    /// # use phalanx::{Keypair, XOnlyPublicKey};
    /// let key = Keypair::random().x_only();
    /// assert_eq!(XOnlyPublicKey::from_bytes(&key.to_bytes()), Ok(key));
    /// ```
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.x_bytes()
    }

    /// The point this key stands for: the one with even y.
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let key = Keypair::random().x_only();
    /// assert_eq!(key.public_key().x_only(), (key, false));
    /// ```
    pub fn public_key(&self) -> PublicKey {
        self.0
    }

    /// The key P + t * G, and whether its y is odd. Constant time in the tweak, except that it tells whether the result
    /// is a key.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is not below the group order or the sum is infinity.
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let pair = Keypair::random();
    /// let (key, _odd) = pair.x_only().tweak_add(&[3; 32])?;
    /// assert_eq!(key, pair.tweak_add_x_only(&[3; 32])?.x_only());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn tweak_add(&self, tweak: &[u8; 32]) -> Result<(XOnlyPublicKey, bool), Error> {
        // The tweaked key is public.
        self.0.tweak_add(tweak).map(|key| declassify(key).x_only())
    }

    /// The taproot output key that commits to this internal key and a script tree (BIP-341, `taproot_tweak_pubkey`),
    /// and whether its y is odd. Without a tree the commitment is to the key alone, as BIP-341 recommends for keys that
    /// are to be spent without scripts.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if the tweak hash is not below the group order or the sum is infinity; no input is known for
    /// which either happens.
    ///
    /// ```
    /// # use phalanx::Keypair;
    /// let pair = Keypair::random();
    /// let (output_key, _odd) = pair.x_only().taproot_tweak(None)?;
    /// assert_eq!(output_key, pair.taproot_tweak(None)?.x_only());
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn taproot_tweak(&self, merkle_root: Option<&[u8; 32]>) -> Result<(XOnlyPublicKey, bool), Error> {
        self.tweak_add(&self.taproot_tweak_hash(merkle_root))
    }

    /// The tweak of BIP-341: the hash under `TapTweak` of x and, if there is one, the Merkle root.
    pub(super) fn taproot_tweak_hash(&self, merkle_root: Option<&[u8; 32]>) -> [u8; 32] {
        let root: &[u8] = merkle_root.map_or(&[], |root| root);
        tags::TAP_TWEAK.hash_uncleared(&[&self.to_bytes(), root])
    }
}

impl PublicKey {
    /// The key's x coordinate as a BIP-340 key, and whether y is odd, that is, whether the x-only key stands for the
    /// negative of this one.
    ///
    /// ```
    /// # use phalanx::SecretKey;
    /// let key = SecretKey::random().public_key();
    /// let (x_only, odd) = key.x_only();
    /// assert_eq!(x_only.to_bytes()[..], key.to_bytes()[1..]);
    /// assert_eq!(odd, key.to_bytes()[0] == 3);
    /// ```
    pub fn x_only(&self) -> (XOnlyPublicKey, bool) {
        let odd = self.y_is_odd();
        (XOnlyPublicKey::from_even(if odd { self.negate() } else { *self }), odd)
    }
}

impl From<PublicKey> for XOnlyPublicKey {
    /// Forgets which of the two points with this x was meant.
    fn from(key: PublicKey) -> Self {
        key.x_only().0
    }
}

impl Hash for XOnlyPublicKey {
    /// Hashes the 32-byte encoding.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_bytes().hash(state);
    }
}
