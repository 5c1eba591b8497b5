//! Rows on the calling thread, in the caller's memory.

use super::{
    Operation, RowSet,
    columns::{ColumnCall, ColumnOptions},
    operation::RowOperation,
};
use crate::{Column, Error, OneThread, Verdict};
use phalanx_engine::word::CacheLine;

impl OneThread {
    /// The number of cache lines of workspace that an operation on rows takes: any operation, on any number of rows,
    /// because they are computed in chunks.
    pub const fn workspace_lines(self) -> usize {
        self.lanes().lines_of_rows()
    }

    /// An operation on rows in columns, which are those of [`Operation::declaration`].
    ///
    /// Every row gets a verdict: [`Verdict::Valid`], or what is wrong with it; where both keys of a row are wrong, what
    /// is wrong with the public one. `answer` is called for each output of each valid row, in their order, with the
    /// number of the row, the number of the output, and the value. A secret key of zero, or not below the group order,
    /// makes a row [`Verdict::MalformedRow`]. Constant time in secret keys and tweaks; the rest is variable time where
    /// the operation is. The workspace is of [`OneThread::workspace_lines`].
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many verdicts as rows in every column, [`Error::BadColumn`] if a
    /// column, or what rows share, is missing or has another width, [`Error::WorkspaceTooSmall`] for a smaller workspace. Then every verdict
    /// is [`Verdict::InvalidSignature`], and there is no answer.
    ///
    /// ```
    /// use phalanx::{SecretKey, Verdict, bindings::{CacheLine, Column, ColumnOptions, OneThread, Operation}};
    /// let (bulk, secrets) = (OneThread::PORTABLE, [[7; 32], [0; 32], [9; 32]]);
    /// let mut workspace = vec![CacheLine([0; 8]); bulk.workspace_lines()];
    /// let (mut verdicts, mut keys, options) = ([Verdict::InvalidSignature; 3], Vec::new(), ColumnOptions::default());
    /// let columns = [Column::of(&secrets)];
    /// bulk.in_columns(Operation::PublicKeys, &columns, options, &mut verdicts, &mut workspace, |row, _, key| {
    ///     keys.push((row, key.to_vec()));
    /// })?;
    /// assert_eq!(verdicts, [Verdict::Valid, Verdict::MalformedRow, Verdict::Valid]);
    /// assert_eq!(keys[1], (2, SecretKey::from_bytes(&[9; 32])?.public_key().to_bytes().to_vec()));
    /// # Ok::<(), phalanx::Error>(())
    /// ```
    pub fn in_columns(
        self,
        operation: Operation,
        columns: &[Column<'_>],
        options: ColumnOptions<'_>,
        verdicts: &mut [Verdict],
        workspace: &mut [CacheLine],
        answer: impl FnMut(usize, usize, &[u8]),
    ) -> Result<(), Error> {
        verdicts.fill(Verdict::InvalidSignature);
        let call = ColumnCall { lanes: self.lanes(), kinds: &[], columns, options, verdicts, workspace };
        operation.in_columns(call, answer)
    }

    /// Writes the answers of rows.
    pub(super) fn run<O: RowOperation>(
        self,
        operation: O,
        rows: O::Rows<'_>,
        out: &mut [O::Out],
        workspace: &mut [CacheLine],
    ) -> Result<(), Error> {
        Error::check_lengths(rows.count()?, out.len())?;
        let memory = self.lanes().enough(workspace)?;
        self.lanes().run(operation, rows, out, memory);
        Ok(())
    }
}
