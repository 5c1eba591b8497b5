//! Where an extended key comes from, and the form of both kinds of keys.

use phalanx::{PublicKey, children::PayloadKind};
use zeroize::Zeroizing;

use crate::text::{self, BYTES};
use crate::version::{Purpose, Version};
use crate::{Chain, Error};

/// The bytes of a key behind the rest.
pub(crate) const KEY: usize = 33;

/// The chain code of an extended key, and the bytes of the key.
pub(crate) type Rest = Zeroizing<[u8; 32 + KEY]>;

/// The network of a key, and its place below the master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) chain: Chain,
    pub(crate) depth: u8,
    pub(crate) parent_fingerprint: [u8; 4],
    pub(crate) index: u32,
}

impl Origin {
    pub(crate) fn of_master(chain: Chain) -> Self {
        Origin { chain, depth: 0, parent_fingerprint: [0; 4], index: 0 }
    }

    /// The origin of a child of this key.
    pub(crate) fn child(&self, parent: &PublicKey, index: u32) -> Result<Self, Error> {
        let depth = self.depth.checked_add(1).ok_or(Error::TooDeep)?;
        Ok(Origin { chain: self.chain, depth, parent_fingerprint: fingerprint(parent), index })
    }

    /// Reads the text of an extended key of BIP-32: the origin, and the chain code with the bytes of the key.
    pub(crate) fn read(text: &str, secret: bool) -> Result<(Self, Rest), Error> {
        let (version, bytes) = Self::open(text)?;
        match version {
            Version { purpose: Purpose::OneKey(_) | Purpose::SeveralKeys, .. } => Err(Error::UnknownVersion),
            Version { secret: true, .. } if !secret => Err(Error::SecretKey),
            Version { secret: false, .. } if secret => Err(Error::PublicKey),
            Version { chain, .. } => Self::of_bytes(chain, &bytes),
        }
    }

    /// The bytes of an extended key of BIP-32 or SLIP-132, and what their version says.
    pub(crate) fn open(text: &str) -> Result<(Version, Zeroizing<[u8; BYTES]>), Error> {
        let bytes = text::decode(text)?;
        let version = Version::of(&bytes).ok_or(Error::UnknownVersion)?;
        Ok((version, bytes))
    }

    /// What stands behind the version: the origin, and the chain code with the bytes of the key.
    pub(crate) fn of_bytes(chain: Chain, bytes: &[u8; BYTES]) -> Result<(Self, Rest), Error> {
        let [_, _, _, _, depth, p0, p1, p2, p3, i0, i1, i2, i3, ..] = *bytes;
        let parent_fingerprint = [p0, p1, p2, p3];
        let origin = Origin { chain, depth, parent_fingerprint, index: u32::from_be_bytes([i0, i1, i2, i3]) };
        if depth == 0 && origin != Origin::of_master(chain) {
            return Err(Error::BadMaster);
        }
        let mut rest = Zeroizing::new([0; 32 + KEY]);
        rest.copy_from_slice(&bytes[13..]);
        Ok((origin, rest))
    }

    /// The text of an extended key.
    pub(crate) fn write(&self, secret: bool, chain_code: &[u8; 32], key: &[u8; KEY]) -> Zeroizing<String> {
        let mut bytes = Zeroizing::new([0; BYTES]);
        bytes[..4].copy_from_slice(&Version::of_bip32(self.chain, secret));
        bytes[4] = self.depth;
        bytes[5..9].copy_from_slice(&self.parent_fingerprint);
        bytes[9..13].copy_from_slice(&self.index.to_be_bytes());
        bytes[13..45].copy_from_slice(chain_code);
        bytes[45..].copy_from_slice(key);
        text::encode(&bytes)
    }
}

/// The first four bytes of HASH160 of a key.
pub(crate) fn fingerprint(key: &PublicKey) -> [u8; 4] {
    let hash = PayloadKind::KeyHash.of(key).expect("every key has a hash");
    let mut first = [0; 4];
    first.copy_from_slice(&hash.as_bytes()[..4]);
    first
}
