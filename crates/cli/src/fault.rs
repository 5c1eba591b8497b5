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

/// The outcomes of rows while they are found. A row has none until one is written, so that no row is valid by default.
pub(crate) struct Outcomes {
    slots: Vec<Option<Outcome>>,
}

impl Outcomes {
    /// No outcome yet for any of the rows.
    pub(crate) fn none(rows: usize) -> Outcomes {
        Outcomes { slots: vec![None; rows] }
    }

    /// Writes the outcome of a row that has none.
    pub(crate) fn put(&mut self, row: usize, outcome: Outcome) {
        let before = self.slots[row].replace(outcome);
        assert!(before.is_none(), "row {row} of a block has two outcomes");
    }

    /// Writes an outcome for each of some rows.
    pub(crate) fn put_all(&mut self, rows: &[usize], outcomes: impl ExactSizeIterator<Item = Outcome>) {
        assert_eq!(rows.len(), outcomes.len(), "as many outcomes as rows");
        for (row, outcome) in rows.iter().zip(outcomes) {
            self.put(*row, outcome);
        }
    }

    /// Adds the outcome of a further check. It counts unless a check before it, in the contract's order, has failed.
    pub(crate) fn check(&mut self, row: usize, further: Outcome) {
        let outcome = self.slots[row].as_mut().unwrap_or_else(|| panic!("row {row} of a block has no outcome yet"));
        if first_failure([outcome.verdict, further.verdict]) == further.verdict {
            *outcome = further;
        }
    }

    /// All outcomes.
    ///
    /// # Panics
    /// Where a row has none: that row was not checked, and nothing may be said of it.
    pub(crate) fn finish(self) -> Vec<Outcome> {
        let outcomes = self.slots.into_iter().enumerate();
        let checked = |(row, outcome): (usize, Option<Outcome>)| {
            outcome.unwrap_or_else(|| panic!("row {row} of a block was not checked"))
        };
        outcomes.map(checked).collect()
    }
}

/// The verdict of a row by the verdicts of its checks: that of the first check that failed. Verdicts are numbered in the
/// order of the checks, which is the library's contract.
pub(crate) fn first_failure(checks: impl IntoIterator<Item = Verdict>) -> Verdict {
    let failed = checks.into_iter().filter(|verdict| !verdict.is_valid());
    failed.min_by_key(|verdict| *verdict as u8).unwrap_or(Verdict::Valid)
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        Outcome { verdict, column: None, fault: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "row 1 of a block was not checked")]
    fn a_row_that_was_not_checked_is_not_valid() {
        let mut outcomes = Outcomes::none(3);
        outcomes.put_all(&[0, 2], [Verdict::Valid, Verdict::Valid].map(Outcome::from).into_iter());
        outcomes.finish();
    }

    #[test]
    #[should_panic(expected = "as many outcomes as rows")]
    fn rows_and_outcomes_are_as_many() {
        Outcomes::none(3).put_all(&[0, 1, 2], [Verdict::Valid, Verdict::Valid].map(Outcome::from).into_iter());
    }

    #[test]
    #[should_panic(expected = "two outcomes")]
    fn a_row_has_one_outcome() {
        let mut outcomes = Outcomes::none(1);
        outcomes.put(0, Verdict::InvalidSignature.into());
        outcomes.put(0, Verdict::Valid.into());
    }

    #[test]
    fn the_first_check_that_fails_decides() {
        use Verdict::*;
        assert_eq!(first_failure([]), Valid);
        assert_eq!(first_failure([Valid, Valid]), Valid);
        let order = [MalformedRow, BadPublicKey, BadSignatureEncoding, OutOfRange, HighS, InvalidSignature];
        for (place, first) in order.into_iter().enumerate() {
            for later in order[place..].iter().copied().chain([Valid]) {
                assert_eq!([first_failure([first, later]), first_failure([later, first])], [first; 2]);
            }
        }
    }
}
