//! Extended public keys.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use phalanx::PublicKey;
use phalanx::bip32::{Child, ChildRow, Parent, PayloadKind};

use crate::origin::{Origin, fingerprint};
use crate::{Chain, DerivationPath, Error, HARDENED};

/// An extended public key. It derives every child that is not hardened.
#[derive(Clone)]
pub struct ExtendedPublicKey {
    origin: Origin,
    chain_code: [u8; 32],
    parent: Parent,
}

impl ExtendedPublicKey {
    pub(crate) fn new(origin: Origin, chain_code: [u8; 32], key: PublicKey) -> Self {
        ExtendedPublicKey { origin, chain_code, parent: Parent::new(key, &chain_code) }
    }

    /// The key.
    pub fn public_key(&self) -> &PublicKey {
        self.parent.public_key()
    }

    /// The chain code, by which children differ from those of others with the same key.
    pub fn chain_code(&self) -> &[u8; 32] {
        &self.chain_code
    }

    /// The network of the text: [`Chain::Main`] for `xpub`, [`Chain::Test`] for `tpub`.
    pub fn chain(&self) -> Chain {
        self.origin.chain
    }

    /// How many steps the key is away from the master.
    pub fn depth(&self) -> u8 {
        self.origin.depth
    }

    /// The index of this key among its siblings, zero for a master.
    pub fn index(&self) -> u32 {
        self.origin.index
    }

    /// The fingerprint of the parent, zero for a master.
    pub fn parent_fingerprint(&self) -> [u8; 4] {
        self.origin.parent_fingerprint
    }

    /// The first four bytes of HASH160 of the key, by which its children name it.
    pub fn fingerprint(&self) -> [u8; 4] {
        fingerprint(self.public_key())
    }

    /// The child of this index. Variable time.
    ///
    /// # Errors
    /// [`Error::HardenedChild`] from [`HARDENED`] on, [`Error::TooDeep`] for a key of depth 255, [`Error::NoChild`] if
    /// there is none.
    pub fn child(&self, index: u32) -> Result<Self, Error> {
        self.extend(&self.parent.child(index, PayloadKind::None)?, index)
    }

    /// The descendant of this path.
    ///
    /// # Errors
    /// As [`ExtendedPublicKey::child`], for some step of the path.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, Error> {
        path.indexes().iter().try_fold(self.clone(), |key, index| key.child(*index))
    }

    /// The children of a range of indexes, as rows of [`Bulk::derive_children`](phalanx::Bulk::derive_children).
    ///
    /// # Errors
    /// [`Error::HardenedChild`] if the range goes beyond [`HARDENED`], [`Error::TooDeep`] for a key of depth 255.
    pub fn rows(&self, indexes: Range<u32>) -> Result<impl ExactSizeIterator<Item = ChildRow<'_>>, Error> {
        if indexes.end > HARDENED {
            return Err(Error::HardenedChild);
        }
        if self.depth() == u8::MAX {
            return Err(Error::TooDeep);
        }
        Ok(Indexes(indexes).map(|index| ChildRow { parent: &self.parent, index }))
    }

    /// The extended key of a child that was derived from this key under this index.
    ///
    /// # Errors
    /// [`Error::TooDeep`] for a key of depth 255.
    pub fn extend(&self, child: &Child, index: u32) -> Result<Self, Error> {
        Ok(Self::new(self.origin.child(self.public_key(), index)?, child.chain_code, child.public_key))
    }
}

/// The indexes of a range, whose number is known also where `usize` has 32 bits.
struct Indexes(Range<u32>);

impl Iterator for Indexes {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Indexes {}

impl FromStr for ExtendedPublicKey {
    type Err = Error;

    /// Reads `xpub...` or `tpub...`. Variable time.
    ///
    /// # Errors
    /// What is wrong with the text, in the order of [`Error`]'s first seven. [`Error::SecretKey`] for `xprv...`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (origin, rest) = Origin::read(text, false)?;
        let (chain_code, key) = rest.split_at(32);
        let key = PublicKey::from_bytes(key).map_err(|_| Error::BadKey)?;
        Ok(Self::new(origin, chain_code.try_into().map_err(|_| Error::BadText)?, key))
    }
}

impl fmt::Display for ExtendedPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.origin.write(false, &self.chain_code, &self.public_key().to_bytes()))
    }
}

impl fmt::Debug for ExtendedPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtendedPublicKey({self})")
    }
}

impl PartialEq for ExtendedPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.origin == other.origin && self.chain_code == other.chain_code && self.public_key() == other.public_key()
    }
}

impl Eq for ExtendedPublicKey {}
