//! A few thousand rows in columns: what every input is turned into and every job reads.

use std::sync::Arc;

use arrow_array::ArrayRef;

use crate::cells::Cells;
use crate::columns::Role;
use crate::fault::{Fault, Outcome};

/// Where rows come from, for messages and for the output's `file` column.
#[derive(Debug)]
pub(crate) struct Origin {
    /// The path as the user wrote it, or `standard input`.
    pub(crate) name: String,
    /// What the file calls the column of each role.
    pub(crate) columns: [String; Role::COUNT],
    /// Kept values are JSON as it stood in the line: text in quotes, numbers without.
    pub(crate) json: bool,
}

/// Rows of one input, in their order.
pub(crate) struct Batch {
    pub(crate) origin: Arc<Origin>,
    pub(crate) rows: usize,
    pub(crate) numbers: Numbers,
    pub(crate) cells: [Cells; Role::COUNT],
    /// The pass-through columns, in the places of the input's selection.
    pub(crate) kept: Vec<Option<ArrayRef>>,
    /// Rows that have an answer before anything is computed, ascending.
    pub(crate) settled: Vec<(usize, Outcome)>,
    /// Nostr events whose id is not the hash of their content, ascending.
    pub(crate) stale: Vec<usize>,
}

impl Batch {
    /// One row that is too long to be read, where so many columns are passed through.
    pub(crate) fn overlong(kept: usize, origin: Arc<Origin>, row: u64) -> Batch {
        Batch {
            origin,
            rows: 1,
            numbers: Numbers::From(row),
            cells: Role::ALL.map(|_| Cells::All(Fault::TooLong)),
            kept: vec![None; kept],
            settled: vec![(0, Outcome::malformed(None, Fault::TooLong))],
            stale: Vec::new(),
        }
    }

    pub(crate) fn cell(&self, role: Role, row: usize) -> Result<&[u8], Fault> {
        self.cells[role as usize].get(row)
    }
}

/// The numbers by which the user knows the rows, counted from 1.
pub(crate) enum Numbers {
    /// One after the other.
    From(u64),
    /// Line numbers in a text with empty lines.
    Listed(Vec<u64>),
}

impl Numbers {
    pub(crate) fn get(&self, row: usize) -> u64 {
        match self {
            Numbers::From(first) => first + row as u64,
            Numbers::Listed(numbers) => numbers[row],
        }
    }
}
