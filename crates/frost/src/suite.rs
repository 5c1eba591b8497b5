//! What differs between the protocols: hashes, and whether signatures are those of BIP-340.

use crate::{Error, Identifier};
use phalanx::{PublicKey, Scalar, bindings::tags, hash::Sha256};
use zeroize::Zeroizing;

/// A protocol. All are FROST on secp256k1 with SHA-256. A share of one is not a share of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suite {
    /// FROST(secp256k1, SHA-256) of RFC 9591, section 6.5. Signatures have 65 bytes.
    Rfc9591,
    /// `FROST-secp256k1-SHA256-TR-v1` of the crate `frost-secp256k1-tr`. Signatures are those of BIP-340.
    Taproot,
    /// The draft BIP-445. Signatures are those of BIP-340, and one binding factor serves all signers.
    Bip445,
}

impl Suite {
    /// Whether keys and nonces stand for points with even y.
    pub(crate) fn is_x_only(self) -> bool {
        self != Suite::Rfc9591
    }

    /// The hashes of RFC 9591.
    ///
    /// # Errors
    /// [`Error::NotInSuite`] for BIP-445, which has others.
    pub(crate) fn hashes(self) -> Result<Hashes, Error> {
        match self {
            Suite::Rfc9591 => Ok(RFC_9591),
            Suite::Taproot => Ok(TAPROOT),
            Suite::Bip445 => Err(Error::NotInSuite),
        }
    }

    /// H2: the challenge of a signature.
    pub(crate) fn challenge(self, nonce: &PublicKey, key: &PublicKey, message: &[u8]) -> Scalar {
        let (nonce, key) = (nonce.to_bytes(), key.to_bytes());
        if self.is_x_only() {
            let hash = tags::BIP340_CHALLENGE.hash(&[&nonce[1..], &key[1..], message]);
            return Scalar::from_bytes_reduced(&hash);
        }
        RFC_9591.to_field(b"chal", &[&nonce, &key, message])
    }

    /// HID: the participant of a name, such as a mail address.
    ///
    /// # Errors
    /// [`Error::NotInSuite`] for BIP-445, whose participants are counted. [`Error::BadIdentifier`] if the hash is zero,
    /// for which no name is known.
    pub fn identifier(self, name: &[u8]) -> Result<Identifier, Error> {
        Identifier::from_bytes(&self.hashes()?.to_field(b"id", &[name]).to_bytes()).ok_or(Error::BadIdentifier)
    }
}

const RFC_9591: Hashes = Hashes(b"FROST-secp256k1-SHA256-v1");
const TAPROOT: Hashes = Hashes(b"FROST-secp256k1-SHA256-TR-v1");

/// Hashes whose domains begin with a context.
#[derive(Clone, Copy)]
pub(crate) struct Hashes(&'static [u8]);

impl Hashes {
    /// H1: the binding factor of a participant.
    pub(crate) fn binding_factor(self, parts: &[&[u8]]) -> Scalar {
        self.to_field(b"rho", parts)
    }

    /// H3: a nonce from randomness and a secret.
    pub(crate) fn nonce(self, randomness: &[u8; 32], secret: &[u8; 32]) -> Scalar {
        self.to_field(b"nonce", &[randomness, secret])
    }

    /// H4: the hash of a message.
    pub(crate) fn message(self, message: &[u8]) -> [u8; 32] {
        hash(&[self.0, b"msg", message])
    }

    /// H5: the hash of all nonce commitments, which `bytes` encode.
    pub(crate) fn commitments(self, bytes: &[u8]) -> [u8; 32] {
        hash(&[self.0, b"com", bytes])
    }

    /// HDKG: the challenge of a proof of knowledge.
    pub(crate) fn proof(self, prover: &Identifier, key: &PublicKey, nonce: &PublicKey) -> Scalar {
        self.to_field(b"dkg", &[&prover.to_bytes(), &key.to_bytes(), &nonce.to_bytes()])
    }

    /// `hash_to_field` of RFC 9380, section 5.2: one scalar from 48 bytes of `expand_message_xmd` with SHA-256. The domain
    /// is the context and the label, one after the other. Constant time but for lengths.
    fn to_field(self, label: &[u8], parts: &[&[u8]]) -> Scalar {
        let length = [(self.0.len() + label.len()) as u8];
        let mut hasher = Sha256::new();
        hasher.update(&[0; 64]);
        for part in parts.iter().copied().chain([&[0, 48, 0][..], self.0, label, &length]) {
            hasher.update(part);
        }
        let zeroth = Zeroizing::new(hasher.finish());
        let first = Zeroizing::new(hash(&[&zeroth[..], &[1], self.0, label, &length]));
        let mixed: Zeroizing<[u8; 32]> = Zeroizing::new(core::array::from_fn(|i| zeroth[i] ^ first[i]));
        let second = Zeroizing::new(hash(&[&mixed[..], &[2], self.0, label, &length]));
        let mut wide = Zeroizing::new([0; 64]);
        wide[16..48].copy_from_slice(&first[..]);
        wide[48..].copy_from_slice(&second[..16]);
        Scalar::from_bytes_wide(&wide)
    }
}

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finish()
}
