//! Nonces, which are used once, and what is published of them.

pub(crate) mod bip445;

use crate::{Error, KeyShare, Suite, declassify::public_keys, wipe::cleared};
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use phalanx::{Bulk, Point, PublicKey, SecretKey};
use zeroize::Zeroizing;

/// The two secret nonces of one signer for one signature.
///
/// Whoever signs two messages with the same nonces gives the share away. So this type cannot be copied, stored or sent,
/// and signing takes it by value, whether it succeeds or not. It wipes itself. It lies in memory of its own, so that a
/// move leaves no copy behind.
///
/// ```compile_fail
/// # use phalanx_frost::Nonces;
/// fn twice(nonces: &Nonces) -> Nonces {
///     nonces.clone()
/// }
/// ```
pub struct Nonces {
    /// The hiding and the binding one.
    secrets: Box<[SecretKey; 2]>,
    commitments: NonceCommitments,
}

impl Nonces {
    /// New nonces from the operating system's randomness and the share. Constant time in both.
    ///
    /// # Panics
    /// If the operating system has no randomness to give.
    pub fn generate(share: &KeyShare) -> Nonces {
        let randomness = || Zeroizing::new(SecretKey::random().to_bytes());
        loop {
            let made = match share.suite() {
                Suite::Bip445 => bip445::generate(&randomness(), &bip445::NonceInputs::of(share)),
                _ => Self::from_randomness(share, &randomness(), &randomness()),
            };
            // An error has probability 2^-256.
            if let Ok(nonces) = made {
                return nonces;
            }
        }
    }

    /// Nonces for so many signatures, as RFC 9591's participants may make them in advance. Constant time in the share.
    ///
    /// # Panics
    /// As [`Nonces::generate`].
    pub fn generate_many(share: &KeyShare, count: usize, bulk: &Bulk) -> Vec<Nonces> {
        // BIP-445 has hashes of its own.
        let Ok(hashes) = share.suite().hashes() else {
            return (0..count).map(|_| Self::generate(share)).collect();
        };
        let secret = Zeroizing::new(share.secret().to_bytes());
        let draw = |_| loop {
            let randomness = Zeroizing::new(SecretKey::random().to_bytes());
            if let Ok(nonce) = SecretKey::try_from(*Zeroizing::new(hashes.nonce(&randomness, &secret))) {
                return nonce;
            }
        };
        let secrets: Vec<SecretKey> = cleared(|| (0..2 * count).map(draw).collect());
        let publics = public_keys(&secrets, bulk);
        let (pairs, publics) = (secrets.as_chunks::<2>().0, publics.as_chunks::<2>().0);
        let nonces = |(pair, [d, e]): (&[SecretKey; 2], &[PublicKey; 2])| Nonces {
            secrets: Box::new(pair.clone()),
            commitments: NonceCommitments { hiding: *d, binding: *e },
        };
        cleared(|| pairs.iter().zip(publics).map(nonces).collect())
    }

    /// `nonce_generate` of RFC 9591, section 4.1, with its 32 random bytes for each nonce given: for published vectors.
    /// Bytes that were used once must not be used again.
    ///
    /// # Errors
    /// [`Error::NotInSuite`] for BIP-445. [`Error::BadNonceSum`] if a nonce is zero, for which no bytes are known.
    pub fn from_randomness(share: &KeyShare, hiding: &[u8; 32], binding: &[u8; 32]) -> Result<Nonces, Error> {
        let hashes = share.suite().hashes()?;
        let secret = Zeroizing::new(share.secret().to_bytes());
        let hash = |randomness| SecretKey::try_from(*Zeroizing::new(hashes.nonce(randomness, &secret)));
        let nonce = |randomness| cleared(|| hash(randomness)).map_err(|_| Error::BadNonceSum);
        Ok(Self::of_secrets(nonce(hiding)?, nonce(binding)?))
    }

    /// Nonces as vectors print them. For this project's own tests.
    #[cfg(feature = "internals")]
    pub fn from_vector(hiding: SecretKey, binding: SecretKey) -> Nonces {
        Self::of_secrets(hiding, binding)
    }

    pub(crate) fn of_secrets(hiding: SecretKey, binding: SecretKey) -> Nonces {
        let commitments = NonceCommitments { hiding: hiding.public_key(), binding: binding.public_key() };
        Nonces { secrets: Box::new([hiding, binding]), commitments }
    }

    /// What the signer publishes.
    pub fn commitments(&self) -> NonceCommitments {
        self.commitments
    }

    /// The nonces themselves: the hiding and the binding one.
    pub(crate) fn secrets(&self) -> &[SecretKey; 2] {
        &self.secrets
    }
}

impl fmt::Debug for Nonces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nonces").field("commitments", &self.commitments).finish_non_exhaustive()
    }
}

/// What a signer publishes of its nonces: two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NonceCommitments {
    pub(crate) hiding: PublicKey,
    pub(crate) binding: PublicKey,
}

impl NonceCommitments {
    /// From two compressed points, 66 bytes: the public nonce of BIP-445.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another length, and for what is no point.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let ([hiding, binding], []) = bytes.as_chunks::<33>() else { return Err(Error::BadEncoding) };
        let read = |point: &[u8; 33]| PublicKey::from_bytes(point).map_err(|_| Error::BadEncoding);
        Ok(NonceCommitments { hiding: read(hiding)?, binding: read(binding)? })
    }

    /// [`NonceCommitments::from_bytes`] of each, in one call.
    pub fn read_many(encoded: &[&[u8; 66]], bulk: &Bulk) -> Vec<Result<Self, Error>> {
        let points: Vec<&[u8]> = encoded.iter().flat_map(|bytes| [&bytes[..33], &bytes[33..]]).collect();
        let read = |pair: &[Result<PublicKey, _>; 2]| match pair {
            [Ok(hiding), Ok(binding)] => Ok(NonceCommitments { hiding: *hiding, binding: *binding }),
            _ => Err(Error::BadEncoding),
        };
        bulk.decompress(&points).as_chunks::<2>().0.iter().map(read).collect()
    }

    /// As [`NonceCommitments::from_bytes`] reads it.
    pub fn to_bytes(&self) -> [u8; 66] {
        let mut bytes = [0; 66];
        bytes[..33].copy_from_slice(&self.hiding.to_bytes());
        bytes[33..].copy_from_slice(&self.binding.to_bytes());
        bytes
    }
}

/// The sums of the signers' public nonces, of which each may be infinity: the aggregate nonce of BIP-445.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AggregateNonce {
    pub(crate) hiding: Point,
    pub(crate) binding: Point,
}

impl AggregateNonce {
    /// The sums.
    pub fn sum<'a>(nonces: impl IntoIterator<Item = &'a NonceCommitments>) -> Self {
        let zero = AggregateNonce { hiding: Point::IDENTITY, binding: Point::IDENTITY };
        nonces.into_iter().fold(zero, |sum, nonce| sum.plus(nonce))
    }

    /// The sums with one signer more.
    #[must_use]
    pub fn plus(self, nonce: &NonceCommitments) -> Self {
        let NonceCommitments { hiding, binding } = nonce;
        AggregateNonce { hiding: self.hiding + Point::from(hiding), binding: self.binding + Point::from(binding) }
    }

    /// From two compressed points, 66 bytes. 33 zeros stand for infinity.
    ///
    /// # Errors
    /// [`Error::BadEncoding`] for another length, and for what is no point.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let ([hiding, binding], []) = bytes.as_chunks::<33>() else { return Err(Error::BadEncoding) };
        let read = |point: &[u8; 33]| match point {
            [0, ..] if point.iter().all(|byte| *byte == 0) => Ok(Point::IDENTITY),
            _ => PublicKey::from_bytes(point).map(Point::from).map_err(|_| Error::BadEncoding),
        };
        Ok(AggregateNonce { hiding: read(hiding)?, binding: read(binding)? })
    }

    /// As [`AggregateNonce::from_bytes`] reads it.
    pub fn to_bytes(&self) -> [u8; 66] {
        let mut bytes = [0; 66];
        let write = |point: &Point| PublicKey::try_from(point).map_or([0; 33], |point| point.to_bytes());
        bytes[..33].copy_from_slice(&write(&self.hiding));
        bytes[33..].copy_from_slice(&write(&self.binding));
        bytes
    }
}
