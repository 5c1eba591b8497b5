//! Aggregation of keys (`KeyAgg`), and tweaks of the aggregate (`ApplyTweak`). Variable time.

use crate::{Contribution, Error, error::all_or_bad};
use alloc::vec::Vec;
use phalanx::{Bulk, PublicKey, Scalar, XOnlyPublicKey, hash::TaggedHash, msm::Msm};

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
    /// Whether the sum of the keys stands in the aggregate with its negative: the BIP's `gacc` is -1.
    negated: bool,
    /// The sum of the tweaks, each with the sign that later tweaks gave it: the BIP's `tacc`.
    tweak: Scalar,
    pub(crate) sums: Msm,
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
        let list = TaggedHash::new(b"KeyAgg list").hash(&encoded.iter().map(|key| &key[..]).collect::<Vec<_>>());
        // The first key that differs from the first key has the coefficient 1, wherever it stands.
        let second = encoded.iter().find(|key| *key != first);
        let hash = TaggedHash::new(b"KeyAgg coefficient");
        let coefficient = |key: &[u8; 33]| {
            if second == Some(key) { Scalar::ONE } else { Scalar::from_bytes_reduced(&hash.hash(&[&list, key])) }
        };
        let coefficients: Vec<Scalar> = encoded.iter().map(coefficient).collect();
        let sum = sums.sum_of_products(&coefficients, &keys).map_err(|_| Error::BadKeys)?;
        let key = PublicKey::try_from(sum).map_err(|_| Error::BadKeys)?;
        Ok(KeyAggregation { keys, coefficients, key, negated: false, tweak: Scalar::ZERO, sums })
    }

    /// As [`new`](Self::new), from compressed keys, which are read in bulk.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with the first signer whose bytes are no key; as [`new`](Self::new).
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
        self.key = self.key.tweak_add(tweak).map_err(|_| Error::BadTweak)?;
        self.tweak += Scalar::from_bytes_reduced(tweak);
        Ok(self)
    }

    /// Adds t G to the point with even y that the aggregate's x stands for, as BIP-341 does for a taproot output key.
    ///
    /// # Errors
    /// As [`tweak_add`](Self::tweak_add).
    pub fn tweak_add_x_only(mut self, tweak: &[u8; 32]) -> Result<Self, Error> {
        if self.is_odd() {
            self.key = self.key.negate();
            self.negated = !self.negated;
            self.tweak = -self.tweak;
        }
        self.tweak_add(tweak)
    }

    /// Whether the y of the aggregate key is odd.
    pub(crate) fn is_odd(&self) -> bool {
        self.key.x_only().1
    }

    /// The number of the first signer with this key.
    pub(crate) fn position(&self, key: &PublicKey) -> Option<usize> {
        self.keys.iter().position(|other| other == key)
    }

    /// The coefficient of a signer's key in the point that signatures verify under: with the sign that the aggregate's
    /// parity and the tweaks give it.
    pub(crate) fn coefficient(&self, signer: usize) -> Scalar {
        self.signed(self.is_odd() != self.negated, self.coefficients[signer])
    }

    /// The sum of the tweaks in that point.
    pub(crate) fn tweak(&self) -> Scalar {
        self.signed(self.is_odd(), self.tweak)
    }

    fn signed(&self, negative: bool, value: Scalar) -> Scalar {
        if negative { -value } else { value }
    }
}
