//! Extended secret keys. Constant time, and wiped.

use std::fmt;
use std::str::FromStr;

use phalanx::SecretKey;
use phalanx::hash::HmacSha512;
use zeroize::Zeroizing;

use crate::origin::{KEY, Origin, Rest};
use crate::wipe::cleared;
use crate::{Chain, DerivationPath, Error, ExtendedPublicKey, HARDENED};

/// Bytes of a seed.
const SEED: std::ops::RangeInclusive<usize> = 16..=64;

/// An extended secret key. It derives every child.
///
/// Key and chain code are wiped when it is dropped.
#[derive(Clone)]
pub struct ExtendedSecretKey {
    origin: Origin,
    chain_code: Zeroizing<[u8; 32]>,
    secret: SecretKey,
}

/// A code in halves: a number, and a chain code.
struct Halves([Zeroizing<[u8; 32]>; 2]);

impl Halves {
    fn new(key: &[u8], message: &[u8]) -> Self {
        let code = Zeroizing::new(HmacSha512::new(key).mac(&[message]));
        let mut halves = Halves([Zeroizing::new([0; 32]), Zeroizing::new([0; 32])]);
        for (half, part) in halves.0.iter_mut().zip(code.chunks_exact(32)) {
            half.copy_from_slice(part);
        }
        halves
    }
}

impl ExtendedSecretKey {
    /// The master key of a seed of 16 to 64 bytes.
    ///
    /// # Errors
    /// [`Error::BadSeed`] for a seed of another length, or one of which no key comes. No such seed is known.
    pub fn from_seed(seed: &[u8], chain: Chain) -> Result<Self, Error> {
        if !SEED.contains(&seed.len()) {
            return Err(Error::BadSeed);
        }
        cleared(|| {
            let Halves([key, chain_code]) = Halves::new(b"Bitcoin seed", seed);
            let secret = SecretKey::from_bytes(&*key).map_err(|_| Error::BadSeed)?;
            Ok(ExtendedSecretKey { origin: Origin::of_master(chain), chain_code, secret })
        })
    }

    /// Leaves copies on the stack, which the caller clears.
    pub(crate) fn of_bytes(origin: Origin, rest: &Rest) -> Result<Self, Error> {
        let (chain_code, key) = rest.split_at(32);
        let (&[0], key) = key.split_at(1) else { return Err(Error::BadKey) };
        let secret = SecretKey::from_bytes(key).map_err(|_| Error::BadKey)?;
        let mut kept = Zeroizing::new([0; 32]);
        kept.copy_from_slice(chain_code);
        Ok(ExtendedSecretKey { origin, chain_code: kept, secret })
    }

    /// The key.
    pub fn secret_key(&self) -> &SecretKey {
        &self.secret
    }

    /// The extended public key of this one. Constant time.
    pub fn to_public(&self) -> ExtendedPublicKey {
        ExtendedPublicKey::new(self.origin, *self.chain_code, self.secret.public_key())
    }

    /// The child of this index, hardened from [`HARDENED`] on. Constant time, except that it tells whether there is
    /// one.
    ///
    /// # Errors
    /// [`Error::TooDeep`] for a key of depth 255, [`Error::NoChild`] if there is none.
    pub fn child(&self, index: u32) -> Result<Self, Error> {
        cleared(|| self.child_uncleared(index))
    }

    fn child_uncleared(&self, index: u32) -> Result<Self, Error> {
        let public_key = self.secret.public_key();
        let origin = self.origin.child(&public_key, index)?;
        let mut message = Zeroizing::new([0; KEY + 4]);
        if index >= HARDENED {
            message[1..KEY].copy_from_slice(Zeroizing::new(self.secret.to_bytes()).as_slice());
        } else {
            message[..KEY].copy_from_slice(&public_key.to_bytes());
        }
        message[KEY..].copy_from_slice(&index.to_be_bytes());
        let Halves([tweak, chain_code]) = Halves::new(self.chain_code.as_slice(), message.as_slice());
        Ok(ExtendedSecretKey { origin, chain_code, secret: self.secret.tweak_add(&tweak)? })
    }

    /// The descendant of this path.
    ///
    /// # Errors
    /// As [`ExtendedSecretKey::child`], for some step of the path.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, Error> {
        cleared(|| path.indexes().iter().try_fold(self.clone(), |key, index| key.child(*index)))
    }

    /// The text, `xprv...` or `tprv...`, which is wiped when it is dropped. Variable time.
    pub fn to_text(&self) -> Zeroizing<String> {
        cleared(|| {
            let mut key = Zeroizing::new([0; KEY]);
            key[1..].copy_from_slice(Zeroizing::new(self.secret.to_bytes()).as_slice());
            self.origin.write(true, &self.chain_code, &key)
        })
    }
}

impl FromStr for ExtendedSecretKey {
    type Err = Error;

    /// Reads `xprv...` or `tprv...`. Variable time.
    ///
    /// # Errors
    /// What is wrong with the text, in the order of [`Error`]'s first seven. [`Error::PublicKey`] for `xpub...`.
    fn from_str(text: &str) -> Result<Self, Error> {
        cleared(|| {
            let (origin, rest) = Origin::read(text, true)?;
            Self::of_bytes(origin, &rest)
        })
    }
}

impl fmt::Debug for ExtendedSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExtendedSecretKey(..)")
    }
}
