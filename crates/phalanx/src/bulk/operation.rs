//! What an operation on rows is.

use super::memory::Lines;
use crate::{Error, lanes::Machine};
use core::ops::Range;

/// An operation on rows. A value of the type holds what all rows share, such as the policy on high s.
///
/// The answers are those of the single operation, whatever the neighbouring rows hold. Every element of `out` is
/// written. All memory that the work needs beyond the stack is `memory`, of [`Lanes::lines_of_rows`]. There are at most
/// as many rows as a chunk has.
///
/// [`Lanes::lines_of_rows`]: crate::backend::Lanes::lines_of_rows
pub(super) trait RowOperation: Copy + Sync {
    /// The rows.
    type Rows<'a>: RowSet;
    /// The answer to a row.
    type Out: Clone + Send;

    /// What stands where there is no answer.
    const NONE: Self::Out;
    /// Whether rows hold secrets. Then the operation runs in constant time, and the stack that it used is overwritten.
    const SECRET: bool;

    /// The answers, by one lane on any CPU.
    fn one_lane(self, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines);

    /// The answers, eight rows at a time.
    fn eight_lanes<M: Machine>(self, machine: M, rows: Self::Rows<'_>, out: &mut [Self::Out], memory: &mut Lines);
}

/// An operation on rows of one type, which may have to be gathered from columns.
pub(super) trait OnRows<R>: RowOperation {
    /// The rows as the operation takes them.
    fn rows<'a>(rows: &'a [R]) -> Self::Rows<'a>;
}

/// Rows in one slice, or in several that stand side by side.
pub(super) trait RowSet: Copy + Sync {
    /// The number of rows.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the slices differ in length.
    fn count(self) -> Result<usize, Error>;

    /// Some of the rows.
    fn part(self, rows: Range<usize>) -> Self;
}

impl<A: Sync> RowSet for &[A] {
    fn count(self) -> Result<usize, Error> {
        Ok(self.len())
    }
    fn part(self, rows: Range<usize>) -> Self {
        &self[rows]
    }
}

impl<A: Sync, B: Sync> RowSet for (&[A], &[B]) {
    fn count(self) -> Result<usize, Error> {
        Error::check_lengths(self.0.len(), self.1.len())?;
        Ok(self.0.len())
    }
    fn part(self, rows: Range<usize>) -> Self {
        (&self.0[rows.clone()], &self.1[rows])
    }
}

impl<A: Sync, B: Sync, C: Sync> RowSet for (&[A], &[B], &[C]) {
    fn count(self) -> Result<usize, Error> {
        let count = (self.0, self.1).count()?;
        Error::check_lengths(count, self.2.len())?;
        Ok(count)
    }
    fn part(self, rows: Range<usize>) -> Self {
        (&self.0[rows.clone()], &self.1[rows.clone()], &self.2[rows])
    }
}
