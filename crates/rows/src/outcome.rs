//! What is found of a row: its outcome, and the key that was recovered.

use phalanx::Verdict;

use crate::event::EventKey;
use crate::fault::RowFault;
use crate::id_places::IdPlaces;
use crate::roles::{ColumnNames, Role};

/// A key that was recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Compressed.
    pub public_key: [u8; 33],
    /// The Ethereum address.
    pub address: [u8; 20],
}

/// The answers for a block of rows.
#[derive(Clone, Debug)]
pub struct Answers {
    /// An outcome for each row.
    pub outcomes: Vec<Outcome>,
    /// Of a recovery, the key of each row that is valid.
    pub keys: Vec<Option<Recovered>>,
    /// Rows whose ECDSA signature has s above half the group order, whatever their verdict.
    pub high_s: u64,
    /// Where the recovery ids of signatures of 65 bytes seem to stand.
    pub id_places: IdPlaces,
}

/// Where in a row something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The column of a role, by the name that the table gives it.
    Role(Role),
    /// A key of a Nostr event, whose names are fixed.
    Event(EventKey),
    /// A field of an Ethereum transaction, by its name.
    Field(&'static str),
}

/// The answer for one row: a verdict and, where a column is at fault, which one and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The column at fault.
    pub column: Option<At>,
    /// What is wrong with it, or with the row.
    pub fault: Option<RowFault>,
}

impl Outcome {
    /// A row that cannot be read, because of one of its columns or as a whole.
    pub fn malformed(column: Option<Role>, fault: RowFault) -> Outcome {
        Outcome { verdict: Verdict::MalformedRow, column: column.map(At::Role), fault: Some(fault) }
    }

    /// A Nostr event that cannot be read because of one of its keys.
    pub fn malformed_event(key: EventKey, fault: RowFault) -> Outcome {
        Outcome { verdict: Verdict::MalformedRow, column: Some(At::Event(key)), fault: Some(fault) }
    }

    /// A row that can be read and is not valid, because of one of its columns.
    pub fn invalid(verdict: Verdict, column: Role) -> Outcome {
        Outcome { verdict, column: Some(At::Role(column)), fault: None }
    }

    /// A row that has no signature, so that there is nothing to judge. Whoever asks for its verdict alone takes it for
    /// malformed.
    pub fn unsigned() -> Outcome {
        Outcome::malformed(None, RowFault::Unsigned)
    }

    /// Whether the row has no signature.
    pub fn is_unsigned(self) -> bool {
        self.fault == Some(RowFault::Unsigned)
    }

    /// The name of the verdict as files and reports spell it; `unsigned` for a row without a signature.
    pub fn reason(self) -> &'static str {
        if self.is_unsigned() { "unsigned" } else { self.verdict.reason() }
    }

    /// Whether the row is valid; nothing of a row without a signature.
    pub fn is_valid(self) -> Option<bool> {
        (!self.is_unsigned()).then(|| self.verdict.is_valid())
    }

    /// The name of the column at fault.
    pub fn column_name(self, names: &ColumnNames) -> Option<&str> {
        self.column.map(|column| match column {
            At::Role(role) => names[role as usize].as_str(),
            At::Event(key) => key.name(),
            At::Field(name) => name,
        })
    }

    /// The outcome in words: the reason, the column at fault, what is wrong with it.
    pub fn text(self, names: &ColumnNames) -> String {
        let parts = [Some(self.reason()), self.column_name(names), self.fault.map(RowFault::text)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(": ")
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
        if first_failure(outcome.verdict, [further.verdict]) == further.verdict {
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

/// The verdict of a row by the verdicts of its checks, of which there is at least one: that of the first check that
/// failed. Verdicts are numbered in the order of the checks, which is the library's contract.
pub(crate) fn first_failure(check: Verdict, others: impl IntoIterator<Item = Verdict>) -> Verdict {
    let failed = others.into_iter().chain([check]).filter(|verdict| !verdict.is_valid());
    failed.min_by_key(|verdict| *verdict as u8).unwrap_or(check)
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
        assert_eq!(first_failure(Valid, []), Valid);
        assert_eq!(first_failure(Valid, [Valid]), Valid);
        let order = [MalformedRow, BadPublicKey, BadSignatureEncoding, OutOfRange, HighS, InvalidSignature];
        for (place, first) in order.into_iter().enumerate() {
            for later in order[place..].iter().copied().chain([Valid]) {
                assert_eq!([first_failure(first, [later]), first_failure(later, [first])], [first; 2]);
            }
        }
    }
}
