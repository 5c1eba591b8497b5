//! What can be wrong.

use std::fmt;

/// Why there is no key, no child or no path. No error carries anything of a key.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// Text that is not 82 bytes in Base58.
    BadText,
    /// The last four bytes of the text are not the checksum of the others.
    BadChecksum,
    /// The first four bytes are neither those of `xpub` and `xprv`, nor those of `tpub` and `tprv`. A
    /// [`KeyExpression`](crate::KeyExpression) may also have those of SLIP-132.
    UnknownVersion,
    /// An extended secret key where a public one is asked for.
    SecretKey,
    /// An extended public key where a secret one is asked for.
    PublicKey,
    /// The key in the text is none: another prefix, zero, not below the group order, or not on the curve.
    BadKey,
    /// A key of depth zero that names a parent or has an index.
    BadMaster,
    /// A path that is not indexes below 2^31 between slashes, each with `'` or `h` behind it or not, or more than 255.
    BadPath,
    /// A hardened child of a public key.
    HardenedChild,
    /// A child of a key of depth 255.
    TooDeep,
    /// There is no child of this index, and BIP-32 says to take the next one. No such index is known.
    NoChild,
    /// A seed of fewer than 16 or more than 64 bytes, or one of which no key comes.
    BadSeed,
    /// A key of SLIP-132 for scripts of several keys: `Ypub`, `Zpub`, `Upub`, `Vpub` and their secret keys.
    SeveralKeys,
    /// The text before a key in brackets is not a fingerprint of eight hex digits with a path behind it.
    BadOrigin,
    /// A descriptor, but not of one key in `pkh`, `wpkh`, `sh(wpkh)` or `tr`.
    OtherDescriptor,
    /// The checksum behind a descriptor is not that of its text.
    BadDescriptorChecksum,
    /// Two paths at once, as in `xpub.../<0;1>/*` (BIP-389).
    SeveralPaths,
    /// A descriptor, or a path behind a key, that does not end in `/*`: it stands for one key.
    NoWildcard,
    /// A path that ends in `/*h`: it stands for hardened children.
    HardenedWildcard,
    /// Steps to follow from a key whose text has a path of its own.
    SecondPath,
    /// The text is for scripts of the kind of this name, and another is asked for.
    OtherKind(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::BadText => "not an extended key: not 82 bytes in Base58",
            Error::BadChecksum => "not an extended key: the checksum is wrong",
            Error::UnknownVersion => {
                "not an extended key that is known: the text begins with none of xpub, xprv, tpub, tprv"
            }
            Error::SecretKey => "an extended secret key, where a public one is asked for",
            Error::PublicKey => "an extended public key, where a secret one is asked for",
            Error::BadKey => "the extended key holds no valid key",
            Error::BadMaster => "an extended key of depth zero names a parent or has an index",
            Error::BadPath => "not a path: at most 255 indexes below 2^31 between slashes, as in m/84h/0h/0h/0",
            Error::HardenedChild => "a hardened child has no way from the public key of its parent",
            Error::TooDeep => "a key of depth 255 has no children",
            Error::NoChild => "there is no child of this index; BIP-32 says to take the next one",
            Error::BadSeed => "not a seed: fewer than 16 or more than 64 bytes, or no key comes of it",
            Error::SeveralKeys => "an extended key for scripts of several keys (SLIP-132), which have no address here",
            Error::BadOrigin => {
                "not the origin of a key: expected eight hex digits and a path, as in [d34db33f/84h/0h/0h]"
            }
            Error::OtherDescriptor => {
                "a descriptor of another form: expected one extended key in pkh(), wpkh(), sh(wpkh()) or tr()"
            }
            Error::BadDescriptorChecksum => "the checksum behind the descriptor is wrong",
            Error::SeveralPaths => {
                "two paths in one descriptor (BIP-389): write a line for each, as with /0/* and /1/*"
            }
            Error::NoWildcard => {
                "stands for one key, not for a range: end its path in /*, or give the extended key alone"
            }
            Error::HardenedWildcard => "stands for hardened children (/*h), which are not derived: end its path in /*",
            Error::SecondPath => "has a path of its own: leave out --path",
            Error::OtherKind(kind) => {
                return write!(f, "is for {kind} addresses, but another kind is asked for");
            }
        })
    }
}

impl std::error::Error for Error {}

impl From<phalanx::Error> for Error {
    /// What the library says of a child.
    fn from(error: phalanx::Error) -> Self {
        match error {
            phalanx::Error::HardenedChild => Error::HardenedChild,
            phalanx::Error::BadTweak => Error::NoChild,
            _ => Error::BadKey,
        }
    }
}
