//! The checks that need the curve: what scripts ask.

use phalanx::{PublicKeyRef, XOnlyKeyRef, ecdsa, schnorr};

/// An encoded key of an ECDSA signature: compressed, uncompressed or hybrid, of the length that its first byte says.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EcdsaKey {
    /// The bytes after the end are zero.
    bytes: [u8; 65],
}

impl EcdsaKey {
    /// Takes bytes of a known form; none for all others, under which no signature holds.
    pub(crate) fn new(key: &[u8]) -> Option<EcdsaKey> {
        let mut bytes = [0; 65];
        bytes.get_mut(..key.len())?.copy_from_slice(key);
        let key_of = EcdsaKey { bytes };
        (!key.is_empty() && key_of.as_bytes().len() == key.len() && matches!(key[0], 2..=4 | 6 | 7)).then_some(key_of)
    }

    /// The 33 or 65 bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..if self.bytes[0] < 4 { 33 } else { 65 }]
    }
}

impl std::fmt::Debug for EcdsaKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EcdsaKey({})", const_hex::encode(self.as_bytes()))
    }
}

/// A question to the curve that a script asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// An ECDSA signature, with any s.
    Ecdsa {
        /// What is signed.
        digest: [u8; 32],
        /// The key.
        key: EcdsaKey,
        /// The signature without its sighash type.
        signature: ecdsa::Signature,
    },
    /// A BIP-340 signature.
    Schnorr {
        /// What is signed.
        digest: [u8; 32],
        /// The x-only key.
        key: [u8; 32],
        /// The signature without its sighash type.
        signature: [u8; 64],
    },
    /// Whether an output key of Taproot is an internal key plus a tweak times the generator.
    Commitment {
        /// The tweak, which commits to the tree of scripts.
        tweak: [u8; 32],
        /// The internal key, x-only.
        internal: [u8; 32],
        /// The output key, x-only.
        output: [u8; 32],
        /// Whether the output key's y is odd.
        odd: bool,
    },
}

impl Check {
    /// The row of a bulk call, if it is of that kind.
    pub(crate) fn ecdsa_row(&self) -> Option<ecdsa::Row<'_>> {
        let Check::Ecdsa { digest, key, signature } = self else { return None };
        let public_key = PublicKeyRef::EncodedHybrid(key.as_bytes());
        Some(ecdsa::Row { digest, signature: ecdsa::SignatureRef::Parsed(signature), public_key })
    }

    /// As [`ecdsa_row`](Self::ecdsa_row).
    pub(crate) fn schnorr_row(&self) -> Option<schnorr::Row<'_>> {
        let Check::Schnorr { digest, key, signature } = self else { return None };
        Some(schnorr::Row { message: digest, signature, public_key: XOnlyKeyRef::Encoded(key) })
    }
}

/// A check that a script came to in its first run, with the result that the run went on with.
#[derive(Clone, Debug)]
pub(crate) enum Claim {
    /// A check that was taken for true.
    One(Check),
    /// A check whose answer was computed at once.
    Known(Check, bool),
    /// A CHECKMULTISIG, which was taken for true if it can be.
    Multisig(MultisigClaim),
}

/// The signatures and keys of a CHECKMULTISIG, in the order in which consensus tries them: the last one first.
#[derive(Clone, Debug)]
pub(crate) struct MultisigClaim {
    /// Signatures with the digests that they sign, up to the first that holds under no key. Consensus never gets past
    /// that one, so it never tries those behind it.
    pub(crate) signatures: Vec<(ecdsa::Signature, [u8; 32])>,
    /// How many signatures have to hold, each under a key of its own, in the order of the keys.
    pub(crate) needed: usize,
    /// None for a key under which no signature holds.
    pub(crate) keys: Vec<Option<EcdsaKey>>,
}

impl Claim {
    /// The result that the first run went on with.
    pub(crate) fn assumed(&self) -> bool {
        match self {
            Claim::One(_) => true,
            Claim::Known(_, holds) => *holds,
            Claim::Multisig(claim) => claim.can_hold(),
        }
    }
}

impl MultisigClaim {
    /// Whether each signature can hold under some key.
    pub(crate) fn can_hold(&self) -> bool {
        self.signatures.len() == self.needed
    }

    /// Whether a signature holds under a key, as a check; none if that is no key.
    pub(crate) fn pair(&self, signature: usize, key: usize) -> Option<Check> {
        let (signature, digest) = self.signatures[signature];
        self.keys[key].map(|key| Check::Ecdsa { digest, key, signature })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_length_that_their_first_byte_says() {
        for (first, length) in [(2, 33), (3, 33), (4, 65), (6, 65), (7, 65)] {
            let key = vec![first; length];
            assert_eq!(EcdsaKey::new(&key).unwrap().as_bytes(), key);
            assert!(EcdsaKey::new(&key[1..]).is_none());
        }
        for wrong in [&[][..], &[0; 33], &[5; 65], &[2; 65], &[4; 33], &[4; 66], &[8; 65]] {
            assert!(EcdsaKey::new(wrong).is_none());
        }
    }
}
