//! Nonces: the secret half, which signs once, the public half, and the sum of all signers' public halves.

use crate::{Contribution, Error, error::all_or_bad, wipe::cleared};
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use phalanx::{
    Bulk, Point, PublicKey, Scalar, SecretKey,
    bindings::{BuiltIn, Compression, Sha256By, add_key_vartime, declassify, hash_by, hasher, key_sums_vartime, tags},
    subtle::ConstantTimeEq,
};
use zeroize::Zeroize;

/// The secret half of a nonce. It signs once: [`Session::sign`](crate::Session::sign) consumes it.
///
/// It cannot be cloned, compared, shown or written down, and is wiped when it is dropped. It lies in memory of its own,
/// so that a move leaves no copy behind.
///
/// ```compile_fail
/// # fn twice(nonce: phalanx_musig::SecretNonce) {
/// let copy = nonce.clone();
/// # }
/// ```
pub struct SecretNonce(Box<Numbers>);

/// k1 and k2, not zero, and the key that they sign for.
struct Numbers {
    k: [Scalar; 2],
    public_key: PublicKey,
}

impl Drop for Numbers {
    fn drop(&mut self) {
        self.k.zeroize();
    }
}

/// What a nonce depends on besides randomness. Each value that is known makes a repeated nonce less likely where
/// randomness fails.
#[derive(Debug, Clone, Copy, Default)]
pub struct NonceInputs<'a> {
    /// The signer's secret key.
    pub secret_key: Option<&'a SecretKey>,
    /// The x of the aggregate key, as [`KeyAggregation::x_only`](crate::KeyAggregation::x_only) gives it.
    pub aggregate_key: Option<[u8; 32]>,
    /// The message, if it is known already.
    pub message: Option<&'a [u8]>,
    /// Anything else, such as a counter. At most 2^32 - 1 bytes count.
    pub extra: &'a [u8],
}

impl SecretNonce {
    /// A new nonce of the signer with this public key (`NonceGen`), from the operating system's randomness.
    ///
    /// # Panics
    /// If the operating system has no randomness to give.
    #[cfg(feature = "getrandom")]
    pub fn generate(public_key: &PublicKey, inputs: &NonceInputs<'_>) -> (SecretNonce, PublicNonce) {
        loop {
            let mut randomness = SecretKey::random().to_bytes();
            if let Ok(nonces) = Self::from_randomness(&mut randomness, public_key, inputs) {
                return nonces;
            }
        }
    }

    /// New nonces of the signer with this public key, as [`generate`](Self::generate) makes one, for as many sessions.
    /// Their public halves are computed in bulk.
    ///
    /// # Panics
    /// If the operating system has no randomness to give.
    #[cfg(feature = "getrandom")]
    pub fn generate_many(
        bulk: &Bulk,
        count: usize,
        public_key: &PublicKey,
        inputs: &NonceInputs<'_>,
    ) -> Vec<(SecretNonce, PublicNonce)> {
        let draw = |_| loop {
            let mut randomness = SecretKey::random().to_bytes();
            let secret = Self::secret_half(&mut randomness, public_key, inputs);
            if let Some(nonce) = secret.ok().and_then(|secret| Some((keys(&secret.0.k)?, secret))) {
                return nonce;
            }
        };
        // A list of secrets that grows would leave copies behind.
        let (mut keys, mut secrets) = (Vec::with_capacity(2 * count), Vec::with_capacity(count));
        cleared(|| {
            for (pair, secret) in (0..count).map(draw) {
                keys.extend(pair);
                secrets.push(secret);
            }
        });
        let points = bulk.public_keys(&keys);
        // They are published.
        let public = points.as_chunks::<2>().0.iter().map(|points| PublicNonce { points: declassify(*points) });
        secrets.into_iter().zip(public).collect()
    }

    /// A nonce of the signer with this public key (`NonceGen`), from 32 bytes of randomness, which are zeroed.
    ///
    /// The bytes must be uniform and never used again. Whoever can predict or repeat them learns the secret key.
    ///
    /// # Errors
    /// [`Error::UsedRandomness`] if all bytes are zero, as they are after a use.
    pub fn from_randomness(
        randomness: &mut [u8; 32],
        public_key: &PublicKey,
        inputs: &NonceInputs<'_>,
    ) -> Result<(SecretNonce, PublicNonce), Error> {
        cleared(|| Self::secret_half(randomness, public_key, inputs)?.with_public_half())
    }

    /// The secret half alone. The caller overwrites the stack.
    fn secret_half(
        randomness: &mut [u8; 32],
        public_key: &PublicKey,
        inputs: &NonceInputs<'_>,
    ) -> Result<SecretNonce, Error> {
        // Whether the bytes are zero is told by the error.
        if declassify(randomness[..].ct_eq(&[0; 32]).unwrap_u8()) == 1 {
            return Err(Error::UsedRandomness);
        }
        let mut mask = masked(BuiltIn, randomness, inputs.secret_key.map(SecretKey::to_bytes));
        randomness.zeroize();
        let hash = nonce_hash(BuiltIn, &mask, &public_key.to_bytes(), inputs);
        mask.zeroize();
        Ok(Self::of_hash(public_key, &hash))
    }

    /// The numbers that a hash gives with 0 and 1 behind it. The caller overwrites the stack.
    pub(crate) fn of_hash(public_key: &PublicKey, hash: &Sha256By<BuiltIn>) -> SecretNonce {
        let mut nonce = SecretNonce(Box::new(Numbers { k: [Scalar::ZERO; 2], public_key: *public_key }));
        numbers(hash, &mut nonce.0.k);
        nonce
    }

    /// With the public half, which is made of it. The caller overwrites the stack.
    pub(crate) fn with_public_half(self) -> Result<(SecretNonce, PublicNonce), Error> {
        let points = points(&self.0.k).ok_or(Error::UsedRandomness)?;
        Ok((self, PublicNonce { points }))
    }

    /// The key that the nonce signs for.
    pub(crate) fn public_key(&self) -> &PublicKey {
        &self.0.public_key
    }

    /// k1 and k2.
    pub(crate) fn numbers(&self) -> &[Scalar; 2] {
        &self.0.k
    }

    /// A nonce of a published vector.
    #[cfg(test)]
    pub(crate) fn of_vector(k: [Scalar; 2], public_key: PublicKey) -> Self {
        SecretNonce(Box::new(Numbers { k, public_key }))
    }
}

/// The hash of what a nonce depends on, by the public key in compressed form. The secret key or the randomness is in
/// `mask`, as [`masked`] gives it. The caller overwrites the stack.
pub fn nonce_hash<C: Compression>(
    compression: C,
    mask: &[u8; 32],
    key: &[u8; 33],
    inputs: &NonceInputs<'_>,
) -> Sha256By<C> {
    let NonceInputs { aggregate_key, message, extra, .. } = inputs;
    let aggregate_key = aggregate_key.as_ref().map_or(&[][..], |key| key);
    let mut hash = hasher(&tags::MUSIG_NONCE, compression);
    [&mask[..], &[33], key, &[aggregate_key.len() as u8], aggregate_key, &[message.is_some().into()]]
        .iter()
        .for_each(|part| hash.update_uncleared(part));
    if let Some(message) = message {
        hash.update_uncleared(&(message.len() as u64).to_be_bytes());
        hash.update_uncleared(message);
    }
    let extra = &extra[..extra.len().min(u32::MAX as usize)];
    hash.update_uncleared(&(extra.len() as u32).to_be_bytes());
    hash.update_uncleared(extra);
    hash
}

/// Writes the numbers that a hash gives with 0 and 1 behind it. The caller overwrites the stack.
pub fn numbers<C: Compression>(hash: &Sha256By<C>, k: &mut [Scalar; 2]) {
    for (number, k) in (0..).zip(k) {
        let mut hash = hash.clone();
        hash.update_uncleared(&[number]);
        let mut bytes = hash.finish_uncleared();
        *k = Scalar::from_bytes_reduced(&bytes);
        bytes.zeroize();
    }
}

/// The points of the numbers, none if a number is zero. The caller overwrites the stack.
pub fn points(k: &[Scalar; 2]) -> Option<[PublicKey; 2]> {
    Some(keys(k)?.each_ref().map(SecretKey::public_key))
}

/// The numbers as keys. A hash gives zero, which is none, as often as it gives a number that somebody guesses.
fn keys(k: &[Scalar; 2]) -> Option<[SecretKey; 2]> {
    let key = |k: &Scalar| SecretKey::try_from(*k).ok();
    Some([key(&k[0])?, key(&k[1])?])
}

/// The randomness, or the secret key under a mask that the randomness makes. The caller overwrites the stack.
pub fn masked(compression: impl Compression, randomness: &[u8; 32], secret_key: Option<[u8; 32]>) -> [u8; 32] {
    let Some(mut key) = secret_key else { return *randomness };
    let mut mask = hash_by(&tags::MUSIG_AUX, compression, &[randomness]);
    mask.iter_mut().zip(&key).for_each(|(mask, key)| *mask ^= key);
    key.zeroize();
    mask
}

impl fmt::Debug for SecretNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretNonce(..)")
    }
}

/// The public half of a nonce, which a signer sends in the first round: two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicNonce {
    pub(crate) points: [PublicKey; 2],
}

impl PublicNonce {
    /// Reads 66 bytes: two points in compressed form.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] if one is none.
    pub fn from_bytes(bytes: &[u8; 66]) -> Result<Self, Error> {
        let point = |half: &[u8]| PublicKey::from_bytes(half);
        let (first, second) = bytes.split_at(33);
        let points = point(first).and_then(|first| Ok([first, point(second)?]));
        points.map(|points| PublicNonce { points }).map_err(|_| Error::BadEncoding(Contribution::PublicNonce))
    }

    /// Reads those of many signers, in bulk.
    ///
    /// # Errors
    /// [`Error::BadContribution`] with all signers whose bytes are no nonce.
    pub fn read_all(bulk: &Bulk, encoded: &[[u8; 66]]) -> Result<Vec<Self>, Error> {
        let halves: Vec<&[u8]> = encoded.iter().flat_map(|nonce| nonce.chunks_exact(33)).collect();
        let points = bulk.decompress(&halves);
        let nonce = |pair: &[Result<PublicKey, phalanx::Error>]| match pair {
            [Ok(first), Ok(second)] => Some(PublicNonce { points: [*first, *second] }),
            _ => None,
        };
        all_or_bad(Contribution::PublicNonce, points.chunks_exact(2).map(nonce))
    }

    /// The 66 bytes.
    pub fn to_bytes(&self) -> [u8; 66] {
        joined(self.points.map(|point| point.to_bytes()))
    }
}

/// The sum of all signers' public nonces: two points, of which each may be infinity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AggregateNonce {
    /// None for infinity.
    pub(crate) points: [Option<PublicKey>; 2],
}

impl AggregateNonce {
    /// The sum of public nonces (`NonceAgg`).
    pub fn sum(nonces: &[PublicNonce]) -> Self {
        let mut sum = NonceSum::default();
        nonces.iter().for_each(|nonce| sum.add(nonce.points));
        AggregateNonce { points: sum.finish() }
    }

    /// Reads 66 bytes: two points in compressed form, or 33 zeros for infinity.
    ///
    /// # Errors
    /// [`Error::BadAggregateNonce`] for anything else.
    pub fn from_bytes(bytes: &[u8; 66]) -> Result<Self, Error> {
        let point = |half: &[u8]| match half.iter().all(|byte| *byte == 0) {
            true => Ok(None),
            false => PublicKey::from_bytes(half).map(Some).map_err(|_| Error::BadAggregateNonce),
        };
        let (first, second) = bytes.split_at(33);
        Ok(AggregateNonce { points: [point(first)?, point(second)?] })
    }

    /// The 66 bytes.
    pub fn to_bytes(&self) -> [u8; 66] {
        joined(self.points.map(|point| point.map_or([0; 33], |point| point.to_bytes())))
    }
}

/// The sum of nonces, half by half. Variable time.
#[derive(Debug)]
pub struct NonceSum {
    /// The sums of all but the last one.
    before: [Point; 2],
    /// The last one, which is added when the sums are converted.
    last: Option<[PublicKey; 2]>,
}

impl Default for NonceSum {
    fn default() -> Self {
        NonceSum { before: [Point::IDENTITY; 2], last: None }
    }
}

impl NonceSum {
    /// Adds a nonce.
    pub fn add(&mut self, nonce: [PublicKey; 2]) {
        if let Some(last) = self.last.replace(nonce) {
            self.before.iter_mut().zip(&last).for_each(|(sum, half)| *sum = add_key_vartime(sum, half));
        }
    }

    /// The halves, none for infinity.
    pub fn finish(&self) -> [Option<PublicKey>; 2] {
        self.last.map_or([None; 2], |last| key_sums_vartime(&self.before, &last))
    }
}

fn joined([first, second]: [[u8; 33]; 2]) -> [u8; 66] {
    let mut bytes = [0; 66];
    bytes[..33].copy_from_slice(&first);
    bytes[33..].copy_from_slice(&second);
    bytes
}
