//! What can be wrong.

use std::fmt;

/// Why there is no answer.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// No text of an address, or the keys in it are none, or a version that this crate does not know how to read.
    BadAddress,
    /// A label whose hash is no tweak, or that takes the spend key to infinity. Nobody knows such a label of a key that
    /// was not made for it.
    BadLabel(u32),
    /// More labels than [`MAX_LABELS`](crate::MAX_LABELS).
    TooManyLabels,
    /// There are not as many spent outputs as inputs.
    LengthMismatch,
    /// No input has a key that counts, as in a transaction without inputs.
    NoEligibleInput,
    /// An input spends an output of a witness version above 1, which makes the transaction none of silent payments.
    UnknownWitnessVersion,
    /// The keys of the inputs sum up to infinity, or their secret keys to zero.
    ZeroSum,
    /// A hash is zero or not below the group order. Nobody knows such an input.
    BadHash,
    /// Not the 64 bytes of a proof.
    BadProof,
    /// More than [`MAX_OUTPUTS`](crate::MAX_OUTPUTS) outputs for addresses that share a scan key.
    TooManyOutputs,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadAddress => f.write_str("not an address of silent payments"),
            Error::BadLabel(label) => write!(f, "label {label} has no key"),
            Error::TooManyLabels => write!(f, "more than {} labels", crate::MAX_LABELS),
            Error::LengthMismatch => f.write_str("there are not as many spent outputs as inputs"),
            Error::NoEligibleInput => f.write_str("no input has a key that counts"),
            Error::UnknownWitnessVersion => f.write_str("an input spends an output of a witness version above 1"),
            Error::ZeroSum => f.write_str("the keys of the inputs sum up to zero"),
            Error::BadHash => f.write_str("a hash is not below the group order, or zero"),
            Error::BadProof => f.write_str("not a proof"),
            Error::TooManyOutputs => write!(f, "more than {} outputs for one scan key", crate::MAX_OUTPUTS),
        }
    }
}

impl std::error::Error for Error {}
