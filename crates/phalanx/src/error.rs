//! What can be wrong: [`Error`] for one call, [`Verdict`] for one row of many, and the low-S policy.

use core::fmt;
#[cfg(feature = "bulk")]
use phalanx_engine::fixed_base::SavedError;

/// Why a call was refused.
///
/// The variants say which check failed, in the words of the verdict contract (see [`Verdict`]); they never carry secret
/// material.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Error {
    /// A secret key that is not 32 bytes, is zero, or is not below the group order.
    BadSecretKey,
    /// A public key of wrong length or prefix, with x >= p, off the curve, not liftable, or the point at infinity.
    BadPublicKey,
    /// A signature of wrong length, or one that is not DER.
    BadSignatureEncoding,
    /// r or s zero or not below the group order; for BIP-340 r >= p or s >= n; a recovery id above 3.
    OutOfRange,
    /// s above half the group order, under [`LowS::Require`].
    HighS,
    /// The signature's equation does not hold, or recovery has no result.
    InvalidSignature,
    /// A tweak not below the group order, or one whose result would be the key zero or the point at infinity.
    BadTweak,
    /// A hardened child, whose index is 2^31 or more, of a public key.
    HardenedChild,
    /// A message digest that is not 32 bytes.
    BadDigest,
    /// Text that is not hexadecimal or has the wrong length.
    BadHex,
    /// Two slices that must pair up element by element differ in length.
    LengthMismatch {
        /// The length of the first slice.
        left: usize,
        /// The length of the slice that disagrees with it.
        right: usize,
    },
    /// A backend was asked for that this build or this CPU does not have.
    BackendUnavailable {
        /// The name asked for.
        asked: AskedName,
        /// The names that can be asked for here.
        available: &'static [&'static str],
    },
    /// The threads asked for could not be started.
    ThreadsUnavailable,
    /// A column that does not lie within its bytes.
    BadColumn,
    /// A workspace with fewer cache lines than the call takes.
    WorkspaceTooSmall {
        /// The lines that the call takes.
        needed: usize,
        /// The lines that there are.
        given: usize,
    },
    /// More points than tables of multiples can be over: the smallest would have 2^26 rows or more.
    TooManyPoints,
    /// A file of tables that is damaged, cut short, or of other points or another budget of memory.
    #[cfg(feature = "bulk")]
    BadTables(SavedError),
}

/// A name as somebody asked for it, up to its first 32 bytes.
///
/// ```
/// use phalanx::{Backend, Error};
/// let Err(Error::BackendUnavailable { asked, .. }) = "portabel".parse::<Backend>() else { panic!() };
/// assert_eq!(asked.to_string(), "portabel");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskedName {
    bytes: [u8; 32],
    length: u8,
}

impl AskedName {
    pub(crate) fn new(name: &str) -> Self {
        let end = (0..=name.len().min(32)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
        let kept = &name[..end];
        let mut bytes = [0; 32];
        bytes[..kept.len()].copy_from_slice(kept.as_bytes());
        AskedName { bytes, length: kept.len() as u8 }
    }

    pub(crate) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl fmt::Display for AskedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AskedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Error {
    /// Fails with both lengths unless they are equal.
    pub(crate) fn check_lengths(left: usize, right: usize) -> Result<(), Error> {
        if left == right { Ok(()) } else { Err(Error::LengthMismatch { left, right }) }
    }

    /// Fails unless the equation holds: the last check of a signature.
    pub(crate) fn check_equation(holds: bool) -> Result<(), Error> {
        if holds { Ok(()) } else { Err(Error::InvalidSignature) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadSecretKey => f.write_str("secret key is not 32 bytes, is zero, or is not below the group order"),
            Error::BadPublicKey => f.write_str("public key is not the encoding of a point on the curve"),
            Error::BadSignatureEncoding => f.write_str("signature has the wrong length or is not DER"),
            Error::OutOfRange => f.write_str("a number in the signature is out of range"),
            Error::HighS => f.write_str("s is above half the group order, which the policy refuses"),
            Error::InvalidSignature => f.write_str("signature does not match"),
            Error::BadTweak => f.write_str("tweak is not below the group order, or its result is zero"),
            Error::HardenedChild => f.write_str("a hardened child has no way from the public key of its parent"),
            Error::BadDigest => f.write_str("message digest is not 32 bytes"),
            Error::BadHex => f.write_str("text is not hexadecimal or has the wrong length"),
            Error::LengthMismatch { left, right } => write!(f, "slices differ in length: {left} and {right}"),
            Error::BackendUnavailable { asked, available } => {
                write!(f, "backend {asked:?} is not available here; available:")?;
                available.iter().try_for_each(|name| write!(f, " {name}"))
            }
            Error::ThreadsUnavailable => f.write_str("the threads asked for could not be started"),
            Error::BadColumn => f.write_str("a column does not lie within its bytes"),
            Error::WorkspaceTooSmall { needed, given } => {
                write!(f, "the call takes a workspace of {needed} cache lines, and has {given}")
            }
            #[cfg(feature = "bulk")]
            Error::BadTables(error) => error.fmt(f),
            Error::TooManyPoints => f.write_str("tables cannot be over so many points"),
        }
    }
}

impl core::error::Error for Error {}

/// The answer for one row of a bulk call.
///
/// Checks run in this order and the first that fails is the verdict: message, public key, signature encoding, range of
/// r and s, low-S policy, equation. The order is part of the contract: every backend and every surface gives the same
/// verdict for the same row.
///
/// ```
/// use phalanx::{Class, Verdict};
/// assert_eq!(Verdict::HighS.reason(), "high_s");
/// assert_eq!(Verdict::HighS.class(), Class::Invalid);
/// assert!(Verdict::Valid.is_valid());
/// ```
///
/// There may be more verdicts in later versions. Whoever tells verdicts apart asks for the [`class`](Verdict::class) or
/// the [`reason`](Verdict::reason), or has an arm for the others; that arm must not take a row for valid. A verdict has
/// no default: where one stands for a row that nothing has decided yet, it must not be [`Verdict::Valid`].
#[repr(u8)]
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The signature is valid.
    Valid,
    /// A value is missing or of the wrong kind, for instance a digest that is not 32 bytes.
    MalformedRow,
    /// As [`Error::BadPublicKey`].
    BadPublicKey,
    /// As [`Error::BadSignatureEncoding`].
    BadSignatureEncoding,
    /// As [`Error::OutOfRange`].
    OutOfRange,
    /// As [`Error::HighS`].
    HighS,
    /// As [`Error::InvalidSignature`].
    InvalidSignature,
}

/// The three kinds of verdict a caller usually counts.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// The row is a valid signature.
    Valid,
    /// The row is well formed and is not a valid signature.
    Invalid,
    /// The row could not be understood as a signature at all.
    Malformed,
}

impl Verdict {
    /// Every verdict, in the order of its number.
    pub const ALL: &'static [Verdict] = &[
        Verdict::Valid,
        Verdict::MalformedRow,
        Verdict::BadPublicKey,
        Verdict::BadSignatureEncoding,
        Verdict::OutOfRange,
        Verdict::HighS,
        Verdict::InvalidSignature,
    ];

    /// The verdict's name as files and reports spell it.
    ///
    /// ```
    /// # use phalanx::Verdict;
    /// let names: Vec<_> = Verdict::ALL.iter().map(|verdict| verdict.reason()).collect();
    /// assert_eq!(names[..2], ["valid", "malformed_row"]);
    /// ```
    pub const fn reason(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::MalformedRow => "malformed_row",
            Verdict::BadPublicKey => "bad_public_key",
            Verdict::BadSignatureEncoding => "bad_signature_encoding",
            Verdict::OutOfRange => "out_of_range",
            Verdict::HighS => "high_s",
            Verdict::InvalidSignature => "invalid_signature",
        }
    }

    /// Whether the row is valid, invalid or malformed.
    ///
    /// ```
    /// # use phalanx::{Class, Verdict};
    /// assert_eq!(Verdict::MalformedRow.class(), Class::Malformed);
    /// ```
    pub const fn class(self) -> Class {
        match self {
            Verdict::Valid => Class::Valid,
            Verdict::MalformedRow => Class::Malformed,
            _ => Class::Invalid,
        }
    }

    /// True for [`Verdict::Valid`] alone.
    ///
    /// ```
    /// # use phalanx::Verdict;
    /// assert_eq!(Verdict::ALL.iter().filter(|verdict| verdict.is_valid()).count(), 1);
    /// ```
    pub const fn is_valid(self) -> bool {
        matches!(self, Verdict::Valid)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.reason())
    }
}

impl From<Error> for Verdict {
    /// The verdict of a row on which a single call would have failed with this error.
    fn from(error: Error) -> Self {
        match error {
            Error::BadPublicKey => Verdict::BadPublicKey,
            Error::BadSignatureEncoding => Verdict::BadSignatureEncoding,
            Error::OutOfRange => Verdict::OutOfRange,
            Error::HighS => Verdict::HighS,
            Error::InvalidSignature => Verdict::InvalidSignature,
            Error::BadDigest
            | Error::BadHex
            | Error::BadSecretKey
            | Error::BadTweak
            | Error::HardenedChild
            | Error::LengthMismatch { .. }
            | Error::BackendUnavailable { .. }
            | Error::ThreadsUnavailable
            | Error::BadColumn
            | Error::WorkspaceTooSmall { .. }
            | Error::TooManyPoints => Verdict::MalformedRow,
            #[cfg(feature = "bulk")]
            Error::BadTables(_) => Verdict::MalformedRow,
        }
    }
}

impl From<Result<(), Error>> for Verdict {
    fn from(result: Result<(), Error>) -> Self {
        result.map_or_else(Verdict::from, |()| Verdict::Valid)
    }
}

/// What to do with an ECDSA signature whose s is above half the group order.
///
/// For every valid (r, s) the pair (r, n - s) is valid too, so whoever holds one can make the other. Bitcoin's relay
/// rules and BIP-146 accept the smaller s only; the mathematics and older chain data accept both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LowS {
    /// Refuse s > n/2 with [`Error::HighS`].
    Require,
    /// Accept both halves.
    Allow,
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn verdict_numbers_are_their_position() {
        for (number, verdict) in Verdict::ALL.iter().enumerate() {
            assert_eq!(*verdict as usize, number);
        }
    }

    #[test]
    fn errors_map_to_the_verdict_of_the_same_name() {
        assert_eq!(Verdict::from(Error::BadDigest), Verdict::MalformedRow);
        assert_eq!(Verdict::from(Error::BadHex), Verdict::MalformedRow);
        assert_eq!(Verdict::from(Error::HighS).reason(), "high_s");
        assert_eq!(Verdict::from(Ok(())), Verdict::Valid);
        assert_eq!(Verdict::from(Err(Error::OutOfRange)), Verdict::OutOfRange);
    }

    #[test]
    fn messages_name_what_the_caller_needs() {
        let error = Error::BackendUnavailable { asked: AskedName::new("ifma"), available: &["portable"] };
        assert_eq!(error.to_string(), "backend \"ifma\" is not available here; available: portable");
        assert_eq!(Error::LengthMismatch { left: 3, right: 4 }.to_string(), "slices differ in length: 3 and 4");
    }
}
