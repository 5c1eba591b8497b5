//! Children of extended public keys (BIP-32), and what scripts hold of public keys.
//!
//! Many children in one call are [`Bulk::derive_children`](crate::Bulk::derive_children). Extended keys as text, paths,
//! secret keys and addresses are in the crate `phalanx-bip32`.

use crate::{
    Error, PublicKey, Scalar,
    hash::{HmacSha512, hash160_uncleared, tags},
    keys::tweak_scalar,
};

/// The first index of a hardened child.
const HARDENED: u32 = 1 << 31;

/// An extended public key, as far as its children depend on it.
///
/// ```
/// use phalanx::{Error, SecretKey, children::{Parent, PayloadKind}};
/// let parent = Parent::new(SecretKey::from_bytes(&[7; 32])?.public_key(), &[9; 32]);
/// let child = parent.child(0, PayloadKind::KeyHash)?;
/// assert_eq!(child.payload.as_bytes().len(), 20);
/// assert_eq!(parent.child(1 << 31, PayloadKind::None), Err(Error::HardenedChild));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Parent {
    public_key: PublicKey,
    encoded: [u8; 33],
    chain_code: HmacSha512,
}

/// A child to derive, by its index.
#[derive(Debug, Clone, Copy)]
pub struct ChildRow<'a> {
    /// The parent.
    pub parent: &'a Parent,
    /// The index, which must be below 2^31.
    pub index: u32,
}

/// A child of an extended public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// The child's key.
    pub public_key: PublicKey,
    /// The child's chain code.
    pub chain_code: [u8; 32],
    /// What a script holds of the key, of the kind that was asked for.
    pub payload: Payload,
}

/// What a script holds of a public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadKind {
    /// Nothing is wanted.
    None,
    /// HASH160 of the key in 33 bytes: P2PKH and P2WPKH.
    KeyHash,
    /// HASH160 of the P2WPKH script of the key: P2SH-P2WPKH.
    ScriptHash,
    /// The x of the taproot output key without a tree of scripts: P2TR.
    TaprootKey,
}

/// The bytes that a script holds of a public key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload {
    kind: PayloadKind,
    bytes: [u8; 32],
}

impl Payload {
    pub(crate) const NONE: Payload = Payload { kind: PayloadKind::None, bytes: [0; 32] };

    /// What the bytes are.
    pub fn kind(&self) -> PayloadKind {
        self.kind
    }

    /// The bytes: none, 20 of a hash, or 32 of a taproot key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.kind.width()]
    }

    /// A hash of this kind.
    pub(crate) fn of_hash(kind: PayloadKind, hash: [u8; 20]) -> Self {
        let mut bytes = [0; 32];
        bytes[..20].copy_from_slice(&hash);
        Payload { kind, bytes }
    }

    pub(crate) fn of_taproot_key(key: &PublicKey) -> Self {
        Payload { kind: PayloadKind::TaprootKey, bytes: key.x_bytes() }
    }
}

impl PayloadKind {
    /// Every kind.
    pub const ALL: [PayloadKind; 4] =
        [PayloadKind::None, PayloadKind::KeyHash, PayloadKind::ScriptHash, PayloadKind::TaprootKey];

    /// The bytes of a payload of this kind.
    pub const fn width(self) -> usize {
        match self {
            PayloadKind::None => 0,
            PayloadKind::KeyHash | PayloadKind::ScriptHash => 20,
            PayloadKind::TaprootKey => 32,
        }
    }

    /// What a script holds of this key. Variable time.
    ///
    /// # Errors
    /// [`Error::BadTweak`] if the key has no taproot output key. No such key is known.
    pub fn of(self, key: &PublicKey) -> Result<Payload, Error> {
        Ok(match self {
            PayloadKind::None => Payload::NONE,
            PayloadKind::KeyHash => Payload::of_hash(self, key_hash(key)),
            PayloadKind::ScriptHash => {
                let mut script = [0; 22];
                script[1] = 20;
                script[2..].copy_from_slice(&key_hash(key));
                Payload::of_hash(self, hash160_uncleared(&script))
            }
            PayloadKind::TaprootKey => {
                let (key, tweak) = taproot_tweak(key)?;
                let output = key.tweak_add_scalar_vartime(&tweak).ok_or(Error::BadTweak)?;
                Payload::of_taproot_key(&output)
            }
        })
    }
}

fn key_hash(key: &PublicKey) -> [u8; 20] {
    hash160_uncleared(&key.to_bytes())
}

/// The key with an even y, and the tweak of its taproot output key.
pub(crate) fn taproot_tweak(key: &PublicKey) -> Result<(PublicKey, Scalar), Error> {
    let tweak = tags::TAP_TWEAK.hash_uncleared(&[&key.x_bytes()]);
    Ok((key.x_only().0.public_key(), tweak_scalar(&tweak)?))
}

impl Parent {
    /// Hashes the chain code in advance.
    pub fn new(public_key: PublicKey, chain_code: &[u8; 32]) -> Self {
        Parent { public_key, encoded: public_key.to_bytes(), chain_code: HmacSha512::new(chain_code) }
    }

    /// The key.
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The child of this index: CKDpub of BIP-32. Variable time.
    ///
    /// # Errors
    /// [`Error::HardenedChild`] for an index of 2^31 or more. [`Error::BadTweak`] if there is no child of this index,
    /// where BIP-32 says to take the next one, or no taproot output key of it. No such index is known.
    pub fn child(&self, index: u32, payload: PayloadKind) -> Result<Child, Error> {
        let (tweak, chain_code) = self.tweak(index)?;
        let public_key = self.public_key.tweak_add_scalar_vartime(&tweak).ok_or(Error::BadTweak)?;
        Ok(Child { public_key, chain_code, payload: payload.of(&public_key)? })
    }

    /// What is added to the key for a child, times the generator, and the child's chain code.
    pub(crate) fn tweak(&self, index: u32) -> Result<(Scalar, [u8; 32]), Error> {
        let code = self.chain_code.mac_uncleared(&[&self.message(index)?]);
        let [left, right] = [0, 32].map(|at| core::array::from_fn(|i| code[at + i]));
        Ok((tweak_scalar(&left)?, right))
    }

    /// The chain code as a key of the hash.
    pub(crate) fn chain_code(&self) -> &HmacSha512 {
        &self.chain_code
    }

    /// What is hashed for a child.
    pub(crate) fn message(&self, index: u32) -> Result<[u8; 37], Error> {
        if index >= HARDENED {
            return Err(Error::HardenedChild);
        }
        let mut message = [0; 37];
        message[..33].copy_from_slice(&self.encoded);
        message[33..].copy_from_slice(&index.to_be_bytes());
        Ok(message)
    }
}
