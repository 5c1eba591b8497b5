//! Extended public keys.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use phalanx::PublicKey;
use phalanx::children::{Child, ChildRow, Parent, PayloadKind};

use crate::origin::{Origin, Rest, fingerprint};
use crate::{Chain, DerivationPath, Error, HARDENED};

/// The chain code of every aggregate key: SHA-256 of "MuSig2MuSig2MuSig2", by BIP-328.
const MUSIG_CHAIN_CODE: [u8; 32] = [
    0x86, 0x80, 0x87, 0xca, 0x02, 0xa6, 0xf9, 0x74, 0xc4, 0x59, 0x89, 0x24, 0xc3, 0x6b, 0x57, 0x76, 0x2d, 0x32, 0xcb,
    0x45, 0x71, 0x71, 0x67, 0xe3, 0x00, 0x62, 0x2c, 0x71, 0x67, 0xe3, 0x89, 0x65,
];

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

    pub(crate) fn of_bytes(origin: Origin, rest: &Rest) -> Result<Self, Error> {
        let (chain_code, key) = rest.split_at(32);
        let key = PublicKey::from_bytes(key).map_err(|_| Error::BadKey)?;
        Ok(Self::new(origin, chain_code.try_into().map_err(|_| Error::BadText)?, key))
    }

    /// The extended key of an aggregate key of MuSig2 (BIP-328): a master with the chain code of all aggregate keys.
    /// Who knows the signers' keys can derive its children, since the chain code is public.
    ///
    /// Signers sign for child `i` under their aggregate with one more plain tweak: the first half of HMAC-SHA512 of the
    /// parent's key and `i`, keyed by the parent's chain code.
    ///
    /// ```
    /// use phalanx::{PublicKey, hash::HmacSha512};
    /// use phalanx_bip32::{Chain, ExtendedPublicKey};
    /// use phalanx_musig::KeyAggregation;
    /// let signers: [PublicKey; 2] = [
    ///     "03935f972da013f80ae011890fa89b67a27b7be6ccb24d3274d18b2d4067f261a9".parse()?,
    ///     "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9".parse()?,
    /// ];
    /// let aggregate = KeyAggregation::new(&signers)?;
    /// let parent = ExtendedPublicKey::of_musig(aggregate.public_key(), Chain::Main);
    ///
    /// let hash = HmacSha512::new(parent.chain_code()).mac(&[&parent.public_key().to_bytes(), &5u32.to_be_bytes()]);
    /// let for_child = aggregate.tweak_add(hash[..32].try_into()?)?;
    /// assert_eq!(for_child.public_key(), *parent.child(5)?.public_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_musig(aggregate: PublicKey, chain: Chain) -> Self {
        Self::new(Origin::of_master(chain), MUSIG_CHAIN_CODE, aggregate)
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
        Self::of_bytes(origin, &rest)
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
