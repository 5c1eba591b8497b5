//! Extended keys as wallets write them: alone, with an origin and a path, or in a descriptor.

use std::fmt;
use std::str::FromStr;

use crate::origin::Origin;
use crate::version::Purpose;
use crate::wipe::cleared;
use crate::{DerivationPath, Error, ExtendedPublicKey, ExtendedSecretKey, ScriptKind, descriptor};

/// An extended key in one of the forms in which wallets write it, with what the form says.
///
/// - `xpub...`, `xprv...`, `tpub...`, `tprv...` (BIP-32) stand for the key alone.
/// - `ypub`, `zpub`, `upub`, `vpub` and their secret keys (SLIP-132) also say the kind of script.
/// - Before the key may be its origin, `[d34db33f/84h/0h/0h]`, and behind it a path that ends in `/*` (BIP-380).
/// - All of that may be in `pkh(...)`, `wpkh(...)`, `sh(wpkh(...))` or `tr(...)`, with or without the checksum behind
///   it, which is verified.
///
/// The origin is read, and has no effect. A secret key is wiped when the expression is dropped.
///
/// ```
/// use phalanx_bip32::{DerivationPath, KeyExpression, LockingScript, ScriptKind};
/// let account: KeyExpression = "wpkh([73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvP\
///                               EbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V/0/*)".parse()?;
/// assert_eq!((account.kind(), account.is_secret()), (Some(ScriptKind::P2wpkh), false));
/// let parent = account.parent(&DerivationPath::default(), None)?;
/// let script = LockingScript::of_key(ScriptKind::P2wpkh, parent.child(0)?.public_key())?;
/// assert_eq!(script.address(parent.chain()), "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
/// # Ok::<(), phalanx_bip32::Error>(())
/// ```
#[derive(Clone)]
pub struct KeyExpression {
    key: ExtendedKey,
    kind: Option<ScriptKind>,
    /// The steps between the key and the wildcard, if there is one.
    branch: Option<DerivationPath>,
}

/// On the heap, so that a secret key that moves leaves nothing behind.
#[derive(Clone)]
enum ExtendedKey {
    Public(Box<ExtendedPublicKey>),
    Secret(Box<ExtendedSecretKey>),
}

impl KeyExpression {
    /// The kind of script that the text says, if it does.
    pub fn kind(&self) -> Option<ScriptKind> {
        self.kind
    }

    /// Whether the key is a secret key.
    pub fn is_secret(&self) -> bool {
        matches!(self.key, ExtendedKey::Secret(_))
    }

    /// The parent of the children that the text stands for: the key at the end of its own path, or, if it has none, at
    /// the end of `path`. `kind` is the kind of script that is asked for, if one is.
    ///
    /// A secret key is derived in constant time, as by [`ExtendedSecretKey::derive`], and only the last key is made
    /// public.
    ///
    /// # Errors
    /// [`Error::OtherKind`] if the text says another kind. [`Error::SecondPath`] if the text has a path and `path` is
    /// not empty. Those of [`ExtendedPublicKey::derive`] and [`ExtendedSecretKey::derive`].
    pub fn parent(&self, path: &DerivationPath, kind: Option<ScriptKind>) -> Result<ExtendedPublicKey, Error> {
        if let (Some(said), Some(asked)) = (self.kind, kind)
            && said != asked
        {
            return Err(Error::OtherKind(said.name()));
        }
        let path = match &self.branch {
            Some(_) if !path.indexes().is_empty() => return Err(Error::SecondPath),
            Some(branch) => branch,
            None => path,
        };
        match &self.key {
            ExtendedKey::Public(key) => key.derive(path),
            ExtendedKey::Secret(key) => cleared(|| Ok(key.derive(path)?.to_public())),
        }
    }
}

impl FromStr for KeyExpression {
    type Err = Error;

    /// Reads an expression, also with white space around it. Variable time.
    ///
    /// # Errors
    /// What is wrong with the text: any of [`Error`]'s variants that are about text.
    fn from_str(text: &str) -> Result<Self, Error> {
        cleared(|| Self::read(text))
    }
}

impl KeyExpression {
    fn read(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let descriptor = descriptor::read(text)?;
        let (kind, text) = descriptor.map_or((None, text), |(kind, text)| (Some(kind), text));
        let text = without_origin(text)?;
        let (key, steps) = text.find('/').map_or((text, ""), |slash| text.split_at(slash));
        let (said, key) = extended_key(key)?;
        let kind = match (kind, said) {
            (Some(kind), Some(said)) if kind != said => return Err(Error::OtherKind(said.name())),
            (kind, said) => kind.or(said),
        };
        let branch = branch(steps, descriptor.is_some())?;
        Ok(KeyExpression { key, kind, branch })
    }
}

/// The text behind an origin, if there is one.
fn without_origin(text: &str) -> Result<&str, Error> {
    let Some(rest) = text.strip_prefix('[') else { return Ok(text) };
    let (origin, key) = rest.split_once(']').ok_or(Error::BadOrigin)?;
    let (fingerprint, steps) = origin.split_once('/').map_or((origin, None), |(before, steps)| (before, Some(steps)));
    let is_fingerprint = fingerprint.len() == 8 && fingerprint.bytes().all(|digit| digit.is_ascii_hexdigit());
    match steps.map_or(Ok(DerivationPath::default()), path) {
        Ok(_) if is_fingerprint => Ok(key),
        _ => Err(Error::BadOrigin),
    }
}

/// A key, and the kind of script that its version says.
fn extended_key(text: &str) -> Result<(Option<ScriptKind>, ExtendedKey), Error> {
    let (version, bytes) = Origin::open(text)?;
    let kind = match version.purpose {
        Purpose::Any => None,
        Purpose::OneKey(kind) => Some(kind),
        Purpose::SeveralKeys => return Err(Error::SeveralKeys),
    };
    let (origin, rest) = Origin::of_bytes(version.chain, &bytes)?;
    let key = match version.secret {
        true => ExtendedKey::Secret(ExtendedSecretKey::of_bytes(origin, &rest)?.into()),
        false => ExtendedKey::Public(ExtendedPublicKey::of_bytes(origin, &rest)?.into()),
    };
    Ok((kind, key))
}

/// The steps to the wildcard. Without steps behind it, a key outside of a descriptor stands for itself.
fn branch(steps: &str, in_descriptor: bool) -> Result<Option<DerivationPath>, Error> {
    match steps.strip_suffix('*') {
        None if steps.is_empty() && !in_descriptor => Ok(None),
        _ if steps.contains(['<', ';', '>']) => Err(Error::SeveralPaths),
        None if ["/*h", "/*'", "/*H"].iter().any(|wildcard| steps.ends_with(wildcard)) => Err(Error::HardenedWildcard),
        None => Err(Error::NoWildcard),
        Some("/") => Ok(Some(DerivationPath::default())),
        Some(steps) => {
            let steps = steps.strip_prefix('/').and_then(|steps| steps.strip_suffix('/')).ok_or(Error::BadPath)?;
            path(steps).map(Some)
        }
    }
}

/// The steps of a path without an `m` before them.
fn path(steps: &str) -> Result<DerivationPath, Error> {
    if steps.starts_with('m') { Err(Error::BadPath) } else { steps.parse() }
}

impl fmt::Debug for KeyExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyExpression(..)")
    }
}
