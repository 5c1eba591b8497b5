//! What can be wrong with a row before any cryptography: the reasons behind the verdict `malformed_row`.

use phalanx::Verdict;

use crate::batch::Origin;
use crate::columns::Role;
use crate::event::Member;

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
    /// A line with an array that is no message of a Nostr relay.
    NotMessage,
    /// A row of more than 16 MiB.
    TooLong,
    /// A JSON object that names the same value twice.
    Twice,
    /// A CSV record with more or fewer fields than the header.
    FieldCount,
    /// A Nostr event that lacks one of its keys.
    AbsentInEvent,
    /// A Nostr event's id, public key or signature in any other form of hex than NIP-01's.
    NotLowerHex,
    /// A `created_at` beyond what every reader of JSON can hold, or no integer.
    NotTime,
    /// A `kind` beyond NIP-01's, or no integer.
    NotKind,
    /// A Nostr event's tags in any other form than NIP-01's.
    NotTags,
    /// A string of a Nostr event that is no text: it holds half of a surrogate pair.
    HalfCharacter,
    /// A Nostr event where keys are to be recovered.
    EventWithoutKey,
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
            Fault::NotMessage => "not a JSON object nor a message of a Nostr relay",
            Fault::AbsentInEvent => {
                "missing from a Nostr event (a line with `created_at`, `kind`, `tags` or `content` is one)"
            }
            Fault::NotLowerHex => "not lower-case hex without 0x",
            Fault::NotTime => "not an integer from 0 to 2^53 - 1",
            Fault::NotKind => "not an integer from 0 to 65535",
            Fault::NotTags => "not an array of arrays of strings",
            Fault::HalfCharacter => "half of a surrogate pair",
            Fault::EventWithoutKey => {
                "a Nostr event (a line with `created_at`, `kind`, `tags` or `content` is one): no key is recovered"
            }
            Fault::StaleId => "not the hash of the event",
        }
    }
}

/// What of a row is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The column of a role, by the name that the file gives it.
    Role(Role),
    /// A key of a Nostr event, whose names are fixed.
    Event(Member),
}

/// The answer for one row: a verdict and, where a column is to blame, which one and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) column: Option<Column>,
    pub(crate) fault: Option<Fault>,
}

impl Outcome {
    pub(crate) const fn malformed(column: Option<Role>, fault: Fault) -> Outcome {
        let column = match column {
            Some(role) => Some(Column::Role(role)),
            None => None,
        };
        Outcome { verdict: Verdict::MalformedRow, column, fault: Some(fault) }
    }

    pub(crate) const fn malformed_event(key: Member, fault: Fault) -> Outcome {
        Outcome { verdict: Verdict::MalformedRow, column: Some(Column::Event(key)), fault: Some(fault) }
    }

    /// The name of the column to blame.
    pub(crate) fn column_name(self, origin: &Origin) -> Option<&str> {
        self.column.map(|column| match column {
            Column::Role(role) => origin.columns[role as usize].as_str(),
            Column::Event(key) => key.name(),
        })
    }

    /// What to say of a row with this answer.
    pub(crate) fn text(self, origin: &Origin, row: u64) -> String {
        let mut text = format!("{}: row {row}: {}", origin.name, self.verdict.reason());
        if let Some(column) = self.column_name(origin) {
            text = format!("{text}: {column}");
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
