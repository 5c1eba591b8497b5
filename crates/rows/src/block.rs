//! A few thousand rows in columns: what every table is turned into and every job reads.

use crate::cells::Cells;
use crate::fault::RowFault;
use crate::id_places::Reader;
use crate::outcome::Outcome;
use crate::policy::RecoveryIds;
use crate::roles::Role;
use crate::selection::NO_RECOVERY_ID;

/// Rows of one table, in their order.
#[derive(Clone, Debug)]
pub struct RowBlock<'a> {
    rows: usize,
    cells: [Cells<'a>; Role::COUNT],
    predecided: Vec<(usize, Outcome)>,
    id_mismatches: Vec<usize>,
    contested: Vec<(usize, Contest)>,
}

/// The outcomes of a row that cannot be valid: which one it is depends on who signed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// Where the address that signed is the expected one.
    pub agreed: Outcome,
    /// Where it is another, or nobody can have signed.
    pub otherwise: Outcome,
}

impl<'a> RowBlock<'a> {
    /// `rows` rows with the cells of each role.
    ///
    /// # Panics
    /// Where a role has cells, but fewer than there are rows.
    pub fn new(rows: usize, cells: [Cells<'a>; Role::COUNT]) -> RowBlock<'a> {
        assert!(cells.iter().all(|cells| cells.covers(rows)), "every role has a cell for each row");
        RowBlock { rows, cells, predecided: Vec::new(), id_mismatches: Vec::new(), contested: Vec::new() }
    }

    /// The same block, in which some rows have an outcome before anything is computed, in ascending order.
    ///
    /// # Panics
    /// Where the order is another, or such a row is valid.
    pub fn with_predecided(self, predecided: Vec<(usize, Outcome)>) -> RowBlock<'a> {
        assert!(predecided.is_sorted_by(|(row, _), (next, _)| row < next), "rows in ascending order");
        assert!(
            predecided.iter().all(|(_, outcome)| !outcome.verdict.is_valid()),
            "no row is valid before it is checked"
        );
        RowBlock { predecided, ..self }
    }

    /// The same block, in which some rows are Nostr events whose id is not the hash of their content.
    pub fn with_id_mismatches(self, id_mismatches: Vec<usize>) -> RowBlock<'a> {
        RowBlock { id_mismatches, ..self }
    }

    /// The same block, in which recovery decides between two outcomes of some rows, in ascending order.
    ///
    /// # Panics
    /// Where the order is another, or one of the outcomes is valid.
    pub fn with_contested(self, contested: Vec<(usize, Contest)>) -> RowBlock<'a> {
        assert!(contested.is_sorted_by(|(row, _), (next, _)| row < next), "rows in ascending order");
        let refuses = |contest: &Contest| ![contest.agreed, contest.otherwise].iter().any(|one| one.verdict.is_valid());
        assert!(contested.iter().all(|(_, contest)| refuses(contest)), "no contested row is valid");
        RowBlock { contested, ..self }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the table has a column of this role.
    pub fn has(&self, role: Role) -> bool {
        !matches!(self.cells[role as usize], Cells::Absent)
    }

    /// Whether there is no column of recovery ids, and the first row's signature has none either. Where these are a
    /// table's first rows, none of its rows will have one.
    pub fn lacks_recovery_ids(&self, ids: RecoveryIds) -> bool {
        let has_one = |signature: &[u8]| match signature.len() {
            64 => ids == RecoveryIds::Eip2098,
            length => length == 65,
        };
        let nowhere = !self.has(Role::V) && self.rows > 0;
        nowhere && self.cell(Role::Signature, 0).is_ok_and(|signature| !has_one(signature))
    }

    /// What to say of a table that [lacks recovery ids](Self::lacks_recovery_ids).
    pub fn lacking_ids(&self, reader: Reader) -> String {
        // Python counts from 0.
        let row = if reader == Reader::Command { "row 1" } else { "the first row" };
        let text = format!("no column {NO_RECOVERY_ID}: the signature of {row} has none");
        if self.cell(Role::Signature, 0).is_ok_and(|signature| signature.len() == 64) {
            let option = reader.option("v", "eip2098");
            return format!("{text}, unless it is the highest bit of s (EIP-2098): try {option}");
        }
        text
    }

    /// A cell.
    ///
    /// # Errors
    /// Why there is no value.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline]
    pub fn cell(&self, role: Role, row: usize) -> Result<&[u8], RowFault> {
        self.cells[role as usize].get(row)
    }

    /// Of a cell whose text could not be read: how long it is, and how it begins.
    pub(crate) fn unread(&self, role: Role, row: usize) -> Option<(u64, &[u8])> {
        self.cells[role as usize].unread(row)
    }

    /// The outcome that a row has before anything is computed.
    pub(crate) fn predecided(&self, row: usize) -> Option<Outcome> {
        // Where every row has one, it stands at its own number.
        if let Some((at, outcome)) = self.predecided.get(row)
            && *at == row
        {
            return Some(*outcome);
        }
        let place = self.predecided.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.predecided[place].1)
    }

    /// The outcomes between which the recovery of a row decides.
    pub(crate) fn contest(&self, row: usize) -> Option<Contest> {
        let place = self.contested.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.contested[place].1)
    }

    /// Rows that are Nostr events whose id is not the hash of their content.
    pub(crate) fn id_mismatches(&self) -> &[usize] {
        &self.id_mismatches
    }
}
