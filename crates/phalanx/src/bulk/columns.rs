//! Rows in columns: bytes in, answers out, and a verdict for each row.
//!
//! Answers stand on the stack, a block of rows at a time. So do secret keys, in types that are wiped when they are
//! dropped. Moves leave copies on the stack. Where rows are secret, the stack that a block used is overwritten after
//! it, also after a panic.

use super::{
    memory::Lines,
    operation::{OnRows, RowOperation},
    rows::Rows,
};
use crate::{
    Column, Error, LowS, PublicKey, SecretKey, Verdict,
    backend::Lanes,
    ecdsa::{self, RecoveryId},
    mul::Unit,
    schnorr,
    tuning::SECRET_ROWS_ON_STACK as ROWS,
    wipe::SecretBlockStack,
};
use core::{array, fmt};

/// What some operations on columns let choose.
#[derive(Debug, Clone, Copy)]
pub struct ColumnOptions {
    /// Whether ECDSA verification refuses high s.
    pub low_s: LowS,
    /// Whether ECDSA signing gives recovery ids. Then signatures are made one by one, which takes longer.
    pub recovery_ids: bool,
}

impl Default for ColumnOptions {
    /// Low s alone, and no recovery ids.
    fn default() -> Self {
        ColumnOptions { low_s: LowS::Require, recovery_ids: false }
    }
}

/// The answer to a row, beside its verdict.
#[non_exhaustive]
#[derive(Clone, Copy)]
pub enum Answer<'a> {
    /// A public key.
    PublicKey(&'a PublicKey),
    /// An ECDSA signature, and its recovery id where [`ColumnOptions::recovery_ids`] asks for it.
    Ecdsa(&'a ecdsa::Signature, Option<RecoveryId>),
    /// A signature of BIP-340.
    Schnorr(&'a schnorr::Signature),
    /// A shared secret.
    SharedSecret(&'a [u8; 32]),
}

impl fmt::Debug for Answer<'_> {
    /// Shows no shared secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::PublicKey(key) => f.debug_tuple("PublicKey").field(key).finish(),
            Answer::Ecdsa(signature, id) => f.debug_tuple("Ecdsa").field(signature).field(id).finish(),
            Answer::Schnorr(signature) => f.debug_tuple("Schnorr").field(signature).finish(),
            Answer::SharedSecret(_) => f.write_str("SharedSecret(..)"),
        }
    }
}

/// The bytes of a value in a column.
#[derive(Clone, Copy)]
pub(super) enum Width {
    /// Any number, the same in each row.
    Any,
    Of(usize),
    /// Those of a public key: 33 or 65.
    Key,
}

impl Width {
    fn allows(self, width: usize) -> bool {
        match self {
            Width::Any => true,
            Width::Of(only) => width == only,
            Width::Key => width == 33 || width == 65,
        }
    }
}

/// What an operation on columns has.
pub(super) trait ColumnOperation: RowOperation {
    /// Writes the verdicts of the rows, and gives `answer` the answer of each valid row.
    fn in_columns(call: ColumnCall<'_>, answer: impl FnMut(usize, Answer<'_>)) -> Result<(), Error>;
}

/// A call on columns.
pub(super) struct ColumnCall<'c> {
    pub(super) lanes: Lanes,
    pub(super) columns: &'c [Column<'c>],
    pub(super) options: ColumnOptions,
    pub(super) verdicts: &'c mut [Verdict],
    pub(super) workspace: &'c mut Lines,
}

impl<'c> ColumnCall<'c> {
    /// The columns, if they are of these widths and of as many rows as there are verdicts.
    pub(super) fn columns<const N: usize>(&self, widths: [Width; N]) -> Result<[Column<'c>; N], Error> {
        let columns: [Column<'c>; N] = self.columns.try_into().map_err(|_| Error::BadColumn)?;
        for (column, width) in columns.iter().zip(widths) {
            Error::check_lengths(column.len(), self.verdicts.len())?;
            if !width.allows(column.width()) {
                return Err(Error::BadColumn);
            }
        }
        Ok(columns)
    }

    /// Writes the verdicts that are an operation's only answers.
    pub(super) fn verify<R: Copy>(
        self,
        operation: impl OnRows<R, Out = Verdict>,
        rows: impl Rows<R>,
    ) -> Result<(), Error> {
        self.lanes.on_rows(operation, rows, self.verdicts, self.workspace)
    }

    /// Calls `work` with each block of rows. The verdict of a row is valid at first.
    pub(super) fn blocks<O: RowOperation, const N: usize>(
        self,
        widths: [Width; N],
        mut work: impl FnMut(&mut Block<'_, N>),
    ) -> Result<(), Error> {
        let columns = self.columns(widths)?;
        let memory = self.lanes.enough(self.workspace)?;
        for (first, verdicts) in (0..).step_by(ROWS).zip(self.verdicts.chunks_mut(ROWS)) {
            let columns = columns.map(|column| column.part(first..first + verdicts.len()));
            // Not the caller's verdicts: a panic in this block must not leave one of those valid.
            let found = &mut [Verdict::Valid; ROWS][..verdicts.len()];
            let (lanes, options) = (self.lanes, self.options);
            let mut block = Block { lanes, options, first, columns, verdicts: found, memory };
            if O::SECRET {
                SecretBlockStack::cleared(|| work(&mut block))
            } else {
                work(&mut block)
            }
            verdicts.copy_from_slice(found);
        }
        Ok(())
    }
}

/// Some rows of a call on columns, at most [`ROWS`].
pub(super) struct Block<'b, const N: usize> {
    lanes: Lanes,
    pub(super) options: ColumnOptions,
    /// The number of the first row.
    pub(super) first: usize,
    pub(super) columns: [Column<'b>; N],
    pub(super) verdicts: &'b mut [Verdict],
    memory: &'b mut Lines,
}

impl<'b, const N: usize> Block<'b, N> {
    /// Computes the answers of the block's rows, one place of `out` for each.
    pub(super) fn run<O: RowOperation>(&mut self, operation: O, rows: O::Rows<'_>, out: &mut [O::Out]) {
        self.lanes.run(operation, rows, out, self.memory);
    }

    /// The same of rows that may have to be gathered.
    pub(super) fn on_rows<R: Copy, O: OnRows<R>>(&mut self, operation: O, rows: impl Rows<R>, out: &mut [O::Out]) {
        let done = self.lanes.on_rows(operation, rows, out, self.memory);
        done.expect("a place for each row of the block, and memory for them");
    }

    /// What calls for one row run on.
    pub(super) fn unit(&self) -> Unit {
        Unit::of_vectors(self.lanes.vectors())
    }

    /// The secret keys of a column. The key 1 stands where the bytes are no key, and beyond the last row. A row whose
    /// bytes are no key is malformed.
    #[inline(always)]
    pub(super) fn secret_keys(&mut self, column: usize) -> [SecretKey; ROWS] {
        array::from_fn(|i| {
            let bytes = if i < self.verdicts.len() { self.columns[column].get(i) } else { &ONE };
            SecretKey::from_slice(bytes).unwrap_or_else(|_| {
                self.fail(i, Verdict::MalformedRow);
                SecretKey::from_bytes(&ONE).expect("one is a secret key")
            })
        })
    }

    /// Says what is wrong with a row, of which nothing has been found wrong before.
    fn fail(&mut self, row: usize, verdict: Verdict) {
        if self.verdicts[row].is_valid() {
            self.verdicts[row] = verdict;
        }
    }

    /// The 32 bytes of each row of a column; zeros beyond the rows.
    #[inline(always)]
    pub(super) fn words(&self, column: usize) -> [[u8; 32]; ROWS] {
        let mut words = [[0; 32]; ROWS];
        let rows = words[..self.verdicts.len()].iter_mut().enumerate();
        rows.for_each(|(i, word)| word.copy_from_slice(self.columns[column].get(i)));
        words
    }

    /// The bytes of each row of a column; none beyond the rows.
    pub(super) fn bytes(&self, column: usize) -> [&'b [u8]; ROWS] {
        array::from_fn(|i| if i < self.verdicts.len() { self.columns[column].get(i) } else { &[] })
    }

    /// Takes the errors of rows as their verdicts, and gives `take` the values of the rows that are still valid.
    pub(super) fn sort_out<T>(&mut self, found: &[Result<T, Error>], mut take: impl FnMut(usize, &T)) {
        for (i, found) in found.iter().enumerate() {
            match found {
                Ok(value) if self.verdicts[i].is_valid() => take(i, value),
                Ok(_) => {}
                Err(error) => self.fail(i, (*error).into()),
            }
        }
    }

    /// The rows that are valid so far.
    pub(super) fn valid(&self) -> impl Iterator<Item = usize> {
        self.verdicts.iter().enumerate().filter(|(_, verdict)| verdict.is_valid()).map(|(i, _)| i)
    }
}

/// What a row that has no answer is computed with.
const ONE: [u8; 32] = {
    let mut one = [0; 32];
    one[31] = 1;
    one
};
