//! What can be wrong with a row before any cryptography: the reasons behind the verdict `malformed_row`.

use phalanx::Verdict;

use crate::batch::Origin;
use crate::columns::Role;

/// Why a value, or a whole row, could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fault {
    /// The row has no such column or key.
    Absent,
    /// The value is null or empty.
    Null,
    /// Text that is not hex.
    NotHex,
    /// A column or a JSON value of a type that cannot hold this.
    WrongType,
    /// A digest, an event id or a scalar that is not 32 bytes, an address that is not 20.
    WrongLength,
    /// Text that is not UTF-8.
    NotText,
    /// A value that is no number where one is needed.
    NotNumber,
    /// A scheme other than `ecdsa` and `schnorr`; for recovery, other than `ecdsa`.
    UnknownScheme,
    /// A line that is not a JSON object.
    NotObject,
    /// A JSON object that names the same value twice.
    Twice,
    /// A row of more than 16 MiB.
    TooLong,
    /// A CSV record with more or fewer fields than the header.
    FieldCount,
    /// A Nostr event whose tags or content cannot be serialised as NIP-01 says.
    NotEvent,
    /// A Nostr event whose id is not the hash of its content. Not malformed: the signature is of something else.
    StaleId,
}

impl Fault {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Fault::Absent => "missing",
            Fault::Null => "null or empty",
            Fault::NotHex => "not hex",
            Fault::WrongType => "wrong type",
            Fault::WrongLength => "wrong length",
            Fault::NotText => "not UTF-8",
            Fault::NotNumber => "not a number",
            Fault::UnknownScheme => "unknown scheme",
            Fault::NotObject => "not a JSON object",
            Fault::Twice => "named twice",
            Fault::TooLong => "longer than 16 MiB",
            Fault::FieldCount => "more or fewer fields than the header",
            Fault::NotEvent => "not a Nostr event",
            Fault::StaleId => "not the hash of the event",
        }
    }
}

/// The answer for one row: a verdict and, where a column is to blame, which one and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) column: Option<Role>,
    pub(crate) fault: Option<Fault>,
}

impl Outcome {
    pub(crate) const fn malformed(column: Option<Role>, fault: Fault) -> Outcome {
        Outcome { verdict: Verdict::MalformedRow, column, fault: Some(fault) }
    }

    /// What to say of a row with this answer.
    pub(crate) fn text(self, origin: &Origin, row: u64) -> String {
        let mut text = format!("{}: row {row}: {}", origin.name, self.verdict.reason());
        if let Some(role) = self.column {
            text = format!("{text}: {}", origin.columns[role as usize]);
        }
        if let Some(fault) = self.fault {
            text = format!("{text}: {}", fault.text());
        }
        text
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        Outcome { verdict, column: None, fault: None }
    }
}
