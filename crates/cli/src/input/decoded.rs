//! A few thousand rows of one input, decoded: what every kind of input is turned into.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::ArrayRef;
use phalanx_rows::{Cells, ColumnNames, Outcome, Policy, Reader, Role, RowBlock, RowFault};

use super::chain::ChainReport;

/// Where rows come from, for messages and for the output's `file` column.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The path as the user wrote it, or `standard input`.
    pub(crate) name: String,
    /// What the file calls the column of each role.
    pub(crate) columns: ColumnNames,
    /// Set when the file has failed: nothing more of it is read.
    pub(crate) given_up: AtomicBool,
}

impl Origin {
    /// Says that nothing more of the file is needed.
    pub(crate) fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.given_up.load(Ordering::Relaxed)
    }
}

/// Rows of one input, in their order, and what the output passes through of them.
pub(crate) struct Decoded<'a> {
    pub(crate) origin: Arc<Origin>,
    pub(crate) rows: RowBlock<'a>,
    pub(crate) numbers: RowNumbers,
    /// The pass-through columns, in the places of the input's selection.
    pub(crate) kept: Vec<Option<ArrayRef>>,
    /// Whether kept values are JSON as it stood in the line: text in quotes, numbers without.
    pub(crate) json: bool,
    /// Of Ethereum transactions.
    pub(crate) chain: Option<ChainReport>,
}

impl Decoded<'_> {
    /// What to say of a row.
    pub(crate) fn note(&self, row: usize, outcome: Outcome, policy: Policy) -> String {
        let Origin { name, columns, .. } = &*self.origin;
        let said = match &self.chain {
            Some(report) => report.note(row, &self.kept, outcome, columns),
            None => format!(": {}", self.rows.describe(row, outcome, columns, policy, Reader::Command)),
        };
        format!("{name}: row {}{said}", self.numbers.get(row))
    }
}

/// Rows, and the columns that are passed through beside them.
pub(super) type WithKept<'a> = (RowBlock<'a>, Vec<Option<ArrayRef>>);

/// Rows that are too long to be read. `kept` columns are passed through.
pub(super) fn overlong(rows: usize, kept: usize) -> WithKept<'static> {
    let outcomes = (0..rows).map(|row| (row, Outcome::malformed(None, RowFault::TooLong)));
    let block = RowBlock::new(rows, Role::ALL.map(|_| Cells::All(RowFault::TooLong)));
    (block.with_predecided(outcomes.collect()), vec![None; kept])
}

/// The numbers by which the user knows the rows, counted from 1.
pub(crate) enum RowNumbers {
    /// One after the other.
    From(u64),
    /// Line numbers in a text with empty lines.
    Listed(Vec<u64>),
}

impl RowNumbers {
    pub(crate) fn get(&self, row: usize) -> u64 {
        match self {
            RowNumbers::From(first) => first + row as u64,
            RowNumbers::Listed(numbers) => numbers[row],
        }
    }
}
