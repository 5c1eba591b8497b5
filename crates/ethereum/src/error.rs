//! Why there is no sender.

use core::fmt;
use phalanx::Verdict;

/// Why a transaction or an authorization has no sender.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SenderError {
    /// The bytes are not the canonical RLP of what they should be.
    Malformed {
        /// The field at fault, by its name in the EIPs and in JSON, in snake case.
        field: &'static str,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A transaction type (EIP-2718) other than 1 to 4. [`is_unsigned_type`](crate::is_unsigned_type) tells those that
    /// have no signature.
    UnknownType(u8),
    /// The fork does not have this transaction type yet.
    TypeNotActive(u8),
    /// v, or the parity of y, is none that the fork allows for this type.
    BadV,
    /// The chain id is another than the rules name.
    OtherChain,
    /// The nonce of an authorization is 2^64 - 1, which EIP-7702 refuses.
    NonceTooLarge,
    /// The signature: [`OutOfRange`](phalanx::Error::OutOfRange), [`HighS`](phalanx::Error::HighS), or
    /// [`InvalidSignature`](phalanx::Error::InvalidSignature) where no key can have made it.
    Signature(phalanx::Error),
}

/// What is wrong with a field of RLP.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The bytes end before it does, or it is missing.
    TooShort,
    /// More bytes follow than belong there.
    TrailingBytes,
    /// A length or a single byte that has a shorter form.
    NotCanonical,
    /// A string in place of a list.
    NotAList,
    /// A list in place of a string.
    NotAString,
    /// A number with a leading zero.
    LeadingZero,
    /// A number of too many bytes.
    TooLarge,
    /// Another number of bytes than such a value has.
    WrongLength,
}

impl SenderError {
    /// The verdict of a row for which this is the answer.
    pub fn verdict(self) -> Verdict {
        match self {
            SenderError::Malformed { .. } | SenderError::UnknownType(_) => Verdict::MalformedRow,
            SenderError::BadV => Verdict::OutOfRange,
            SenderError::TypeNotActive(_) | SenderError::OtherChain | SenderError::NonceTooLarge => {
                Verdict::InvalidSignature
            }
            SenderError::Signature(error) => error.into(),
        }
    }
}

impl fmt::Display for SenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SenderError::Malformed { field, fault } => write!(f, "{field}: {fault}"),
            SenderError::UnknownType(kind) => write!(f, "transaction type {kind} is unknown"),
            SenderError::TypeNotActive(kind) => write!(f, "the fork does not have transaction type {kind}"),
            SenderError::BadV => f.write_str("the fork does not allow this v"),
            SenderError::OtherChain => f.write_str("the chain id is that of another chain"),
            SenderError::NonceTooLarge => f.write_str("the nonce of the authorization is 2^64 - 1"),
            SenderError::Signature(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SenderError {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::TooShort => "missing or cut short",
            Fault::TrailingBytes => "extra bytes at the end",
            Fault::NotCanonical => "a shorter encoding exists",
            Fault::NotAList => "a string where a list belongs",
            Fault::NotAString => "a list where a string belongs",
            Fault::LeadingZero => "a number with leading zeros",
            Fault::TooLarge => "a number too large for the field",
            Fault::WrongLength => "a wrong number of bytes",
        })
    }
}
