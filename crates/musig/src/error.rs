//! What can be wrong, and with whose contribution.

use alloc::vec::Vec;
use core::fmt;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// What these signers sent is wrong. The numbers count from 0, in the order of the call's list.
    BadContribution {
        /// What they sent.
        contribution: Contribution,
        /// Who sent it: one signer at least, in ascending order.
        signers: Vec<usize>,
    },
    /// Bytes that stand alone are no encoding of this contribution.
    BadEncoding(Contribution),
    /// An aggregate nonce has no valid encoding: the fault of who made the aggregate.
    BadAggregateNonce,
    /// There is no key to aggregate, or the keys' weighted sum is infinity.
    BadKeys,
    /// A tweak is not below the group order, or the tweaked key is infinity.
    BadTweak,
    /// The randomness of a nonce is zero: it was used before, or its source is broken.
    UsedRandomness,
    /// The key pair is not the one that the secret nonce was made for.
    OtherKey,
    /// The signer's key is not among the keys that are aggregated.
    NotASigner,
    /// Lists have other lengths than the list of keys, or the signer's number is too high.
    LengthMismatch,
    /// The signature does not hold. Which partial signatures are to blame is not known.
    BadSignature,
    /// The signature does not hold, but each partial signature does: the session was made from another aggregate nonce
    /// than the sum of the public nonces.
    OtherNonces,
    /// The signature does not hold, but each partial signature does: the public nonces add up to infinity, which all
    /// signers brought about together.
    BadNonceSum,
}

/// What a signer sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contribution {
    /// A public key.
    PublicKey,
    /// A public nonce.
    PublicNonce,
    /// A partial signature.
    PartialSignature,
}

impl Error {
    /// One signer's fault.
    pub(crate) fn of_signer(contribution: Contribution, signer: usize) -> Error {
        Error::BadContribution { contribution, signers: Vec::from([signer]) }
    }
}

/// The values of all signers, or an error that names every signer without a value.
pub(crate) fn all_or_bad<T>(
    contribution: Contribution,
    values: impl Iterator<Item = Option<T>>,
) -> Result<Vec<T>, Error> {
    let (mut good, mut signers) = (Vec::new(), Vec::new());
    for (signer, value) in values.enumerate() {
        match value {
            Some(value) => good.push(value),
            None => signers.push(signer),
        }
    }
    if signers.is_empty() { Ok(good) } else { Err(Error::BadContribution { contribution, signers }) }
}

impl fmt::Display for Contribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Contribution::PublicKey => "public key",
            Contribution::PublicNonce => "public nonce",
            Contribution::PartialSignature => "partial signature",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadContribution { contribution, signers } => {
                write!(f, "{contribution} is wrong of signer")?;
                signers.iter().try_for_each(|signer| write!(f, " {signer}"))
            }
            Error::BadEncoding(contribution) => write!(f, "bytes encode no {contribution}"),
            Error::BadAggregateNonce => f.write_str("bytes encode no aggregate nonce"),
            Error::BadKeys => f.write_str("there are no keys, or their weighted sum is infinity"),
            Error::BadTweak => f.write_str("tweak is not below the group order, or the tweaked key is infinity"),
            Error::UsedRandomness => f.write_str("randomness of a nonce is zero"),
            Error::OtherKey => f.write_str("secret nonce was made for another key"),
            Error::NotASigner => f.write_str("key is not among the aggregated keys"),
            Error::LengthMismatch => f.write_str("lists do not have one value for each signer"),
            Error::BadSignature => f.write_str("the signature does not hold"),
            Error::OtherNonces => f.write_str("aggregate nonce is not the sum of the public nonces"),
            Error::BadNonceSum => f.write_str("the public nonces of all signers add up to infinity"),
        }
    }
}

impl core::error::Error for Error {}
