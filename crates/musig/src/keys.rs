//! Aggregation of keys (`KeyAgg`), and tweaks of the aggregate (`ApplyTweak`). Variable time.

use crate::{Contribution, Error, error::all_or_bad};
use alloc::vec::Vec;
use phalanx::{
    Bulk, PublicKey, Scalar, XOnlyPublicKey,
    bindings::{BuiltIn, Compression, hash_by, hasher, tags},
    msm::Msm,
};

/// The keys of all signers and the one key that stands for them, tweaked or not.
///
/// ```
/// use phalanx::SecretKey;
/// use phalanx_musig::KeyAggregation;
/// let mut keys = [SecretKey::random().public_key(), SecretKey::random().public_key()];
/// keys.sort();
/// let aggregation = KeyAggregation::new(&keys)?.tweak_add_x_only(&[7; 32])?;
/// assert_ne!(aggregation.public_key(), KeyAggregation::new(&keys)?.public_key());
/// # Ok::<(), phalanx_musig::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KeyAggregation {
    keys: Vec<PublicKey>,
    /// What each key is multiplied by.
    coefficients: Vec<Scalar>,
    /// The aggregate with all tweaks.
    key: PublicKey,
    tweaks: Tweaks,
    pub(crate) sums: Msm,
}

/// What tweaks did to an aggregate key.
#[derive(Debug, Clone)]
pub struct Tweaks {
    /// Whether the sum of the keys stands in the aggregate with its negative: the BIP's `gacc` is -1.
    pub negated: bool,
    /// The sum of the tweaks, each with the sign that later tweaks gave it: the BIP's `tacc`.
    pub sum: Scalar,
}

impl KeyAggregation {
    /// Aggregates keys in this order. The same key may stand there more than once.
    ///
    /// # Errors
    /// [`Error::BadKeys`] for no keys, or if the sum is infinity. No keys are known for which it is.
    pub fn new(keys: &[PublicKey]) -> Result<Self, Error> {
        Self::summed(keys.to_vec(), Msm::new())
    }

    fn summed(keys: Vec<PublicKey>, sums: Msm) -> Result<Self, Error> {
        let encoded: Vec<[u8; 33]> = keys.iter().map(PublicKey::to_bytes).collect();
        let first = encoded.first().ok_or(Error::BadKeys)?;
        let mut hash = hasher(&tags::MUSIG_KEY_LIST, BuiltIn);
        encoded.iter().for_each(|key| hash.update_uncleared(key));
        let (list, second) = (hash.finish_uncleared(), encoded.iter().find(|key| *key != first));
        let factor = |key| coefficient(BuiltIn, &list, key, second == Some(key));
        let coefficients: Vec<Scalar> = encoded.iter().map(factor).collect();
        let sum = sums.sum_of_products(&coefficients, &keys).map_err(|_| Error::BadKeys)?;
        let key = PublicKey::try_from(sum).map_err(|_| Error::BadKeys)?;
        Ok(KeyAggregation { keys, coefficients, key, tweaks: Tweaks::NONE, sums })
    }

    /// As [`new`](Self::new), from compressed keys, which are read in bulk.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with all signers whose bytes are not a key; as [`new`](Self::new).
    pub fn from_encoded(keys: &[[u8; 33]]) -> Result<Self, Error> {
        Self::with(&Bulk::new(), keys)
    }

    /// As [`from_encoded`](Self::from_encoded), with the backend and the threads of `bulk`. Sessions of these keys use
    /// them too.
    ///
    /// # Errors
    /// As [`from_encoded`](Self::from_encoded).
    pub fn with(bulk: &Bulk, keys: &[[u8; 33]]) -> Result<Self, Error> {
        let encoded: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
        let read = bulk.decompress(&encoded).into_iter().map(Result::ok);
        Self::summed(all_or_bad(Contribution::PublicKey, read)?, Msm::with(bulk))
    }

    /// The signers' keys, in their order.
    pub fn keys(&self) -> &[PublicKey] {
        &self.keys
    }

    /// The aggregate key with all tweaks.
    pub fn public_key(&self) -> PublicKey {
        self.key
    }

    /// The aggregate key with all tweaks as a BIP-340 key, under which signatures verify.
    pub fn x_only(&self) -> XOnlyPublicKey {
        self.key.x_only().0
    }

    /// Adds t G to the aggregate key, as BIP-32 does for a child key.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if t is not below the group order, or the result is infinity.
    pub fn tweak_add(mut self, tweak: &[u8; 32]) -> Result<Self, Error> {
        self.key = self.tweaks.apply(&self.key, tweak, false).ok_or(Error::BadTweak)?;
        Ok(self)
    }

    /// Adds t G to the point with even y that the aggregate's x stands for, as BIP-341 does for a taproot output key.
    ///
    /// # Errors
    /// As [`tweak_add`](Self::tweak_add).
    pub fn tweak_add_x_only(mut self, tweak: &[u8; 32]) -> Result<Self, Error> {
        self.key = self.tweaks.apply(&self.key, tweak, true).ok_or(Error::BadTweak)?;
        Ok(self)
    }

    /// The number of the first signer with this key.
    pub(crate) fn position(&self, key: &PublicKey) -> Option<usize> {
        self.keys.iter().position(|other| other == key)
    }

    /// The coefficient of a signer's key in the point that signatures verify under.
    pub(crate) fn coefficient(&self, signer: usize) -> Scalar {
        self.tweaks.signed(self.is_odd(), self.coefficients[signer])
    }

    /// The sum of the tweaks in that point.
    pub(crate) fn tweak(&self) -> Scalar {
        self.tweaks.total(self.is_odd())
    }

    /// Whether the y of the aggregate key is odd.
    fn is_odd(&self) -> bool {
        self.key.x_only().1
    }
}

impl Tweaks {
    /// No tweaks.
    pub const NONE: Tweaks = Tweaks { negated: false, sum: Scalar::ZERO };

    /// Adds t G to the aggregate key, or to the point with even y that its x stands for. None if t is not below the
    /// group order, or the result is infinity.
    pub fn apply(&mut self, key: &PublicKey, tweak: &[u8; 32], is_x_only: bool) -> Option<PublicKey> {
        let negates = is_x_only && key.x_only().1;
        let key = if negates { key.negate() } else { *key }.tweak_add(tweak).ok()?;
        self.negated ^= negates;
        self.sum = if negates { -self.sum } else { self.sum } + Scalar::from_bytes_reduced(tweak);
        Some(key)
    }

    /// The coefficient of a key in the point that signatures verify under: with the sign that the tweaks and the parity
    /// of the aggregate key give it.
    pub fn signed(&self, is_odd: bool, coefficient: Scalar) -> Scalar {
        if is_odd != self.negated { -coefficient } else { coefficient }
    }

    /// The sum of the tweaks in that point.
    pub fn total(&self, is_odd: bool) -> Scalar {
        if is_odd { -self.sum } else { self.sum }
    }
}

/// What a key in compressed form is multiplied by, by the hash of the list. It is 1 for the keys that equal the second
/// key: the first one that differs from the first of the list.
pub fn coefficient(compression: impl Compression, list: &[u8; 32], key: &[u8; 33], is_second: bool) -> Scalar {
    if is_second {
        return Scalar::ONE;
    }
    Scalar::from_bytes_reduced(&hash_by(&tags::MUSIG_KEY_COEFFICIENT, compression, &[list, key]))
}
