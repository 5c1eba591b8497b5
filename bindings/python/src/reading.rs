//! What a call reads of a table, and the pieces in which it does.

use crate::{error, table::InputTable};
use arrow_array::{ArrayRef, RecordBatch};
use phalanx_rows::{Cells, ColumnNames, ColumnsError, Job, Names, Role, RowBlock, arrow};
use pyo3::prelude::*;

/// The columns to read and those to hand on.
pub(crate) struct Reading {
    /// Where each role stands that the job reads.
    roles: [Option<usize>; Role::COUNT],
    /// What the table calls each role.
    pub(crate) names: ColumnNames,
    pub(crate) kept: Vec<usize>,
}

/// Rows of one batch that are computed together.
pub(crate) struct Piece {
    pub(crate) batch: usize,
    pub(crate) first: usize,
    pub(crate) rows: usize,
    /// The rows of the table before these.
    pub(crate) before: usize,
}

impl Reading {
    /// Finds the columns that the job reads.
    pub(crate) fn new(table: &InputTable, names: &Names, job: Job) -> Result<Reading, ColumnsError> {
        let header: Vec<&str> = table.schema.fields().iter().map(|field| field.name().as_str()).collect();
        let selection = names.select(&header, job)?;
        let mut called = Role::ALL.map(|role| names.name_of(role).to_owned());
        selection.name(&header, &mut called);
        let kept = selection.kept.iter().copied().flatten().collect();
        let roles = Role::ALL.map(|role| selection.at[role as usize].filter(|_| job.reads(role)));
        Ok(Reading { roles, names: called, kept })
    }

    /// Refuses a table whose columns cannot be read.
    pub(crate) fn check(&self, py: Python<'_>, table: &InputTable) -> PyResult<()> {
        let read: Vec<usize> = self.roles.into_iter().flatten().collect();
        table.require(py, read.iter().copied())?;
        py.detach(|| table.check(&read))
    }

    /// Gives `take` the rows of a piece. Their text is decoded, their dictionaries are written out, and nothing else is
    /// copied.
    pub(crate) fn block<T>(
        &self,
        table: &InputTable,
        piece: &Piece,
        take: impl FnOnce(&RowBlock<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let plain = |place: &usize| {
            let column = table.batches[piece.batch].column(*place).slice(piece.first, piece.rows);
            arrow::plain(&column).map_err(error::value)
        };
        let mut arrays: [Option<ArrayRef>; Role::COUNT] = Default::default();
        for (array, place) in arrays.iter_mut().zip(&self.roles) {
            *array = place.as_ref().map(plain).transpose()?;
        }
        let cells = Role::ALL.map(|role| match &arrays[role as usize] {
            Some(array) => Cells::new(role, arrow::column(array)),
            None => Cells::Absent,
        });
        take(&RowBlock::new(piece.rows, cells))
    }
}

/// The places of the columns that a job reads or hands on by name.
pub(crate) fn wanted(header: &[&str], names: &Names, job: Job) -> Result<Vec<usize>, ColumnsError> {
    Ok(names.select(header, job)?.project(job).0)
}

/// All rows of a table, so many at a time at most.
pub(crate) fn pieces(table: &InputTable, rows: usize) -> Vec<Piece> {
    let mut before = 0;
    let of_batch = |(batch, rows_of): (usize, &RecordBatch)| {
        let (all, start) = (rows_of.num_rows(), before);
        before += all;
        let piece = move |first| Piece { batch, first, rows: rows.min(all - first), before: start + first };
        (0..all).step_by(rows).map(piece).collect::<Vec<_>>()
    };
    table.batches.iter().enumerate().flat_map(of_batch).collect()
}
