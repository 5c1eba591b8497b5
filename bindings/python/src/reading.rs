//! What a call reads of a table, and the pieces in which it does.

use crate::{error, input::InputTable};
use arrow_array::RecordBatch;
use phalanx_rows::{Cells, ColumnNames, ColumnPlaces, ColumnsError, Job, Names, Role, RowBlock, arrow};
use pyo3::prelude::*;

/// The columns to read and those to hand on.
pub(crate) struct Reading {
    read: Vec<usize>,
    /// Where among the columns to read each role stands.
    layout: ColumnPlaces,
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
        let (read, layout) = selection.project(job);
        Ok(Reading { read, layout, names: called, kept })
    }

    /// Refuses a table whose columns cannot be read.
    pub(crate) fn check(&self, table: &InputTable) -> PyResult<()> {
        table.check(&self.read)
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
        let arrays = self.read.iter().map(plain).collect::<PyResult<Vec<_>>>()?;
        let cells = Role::ALL.map(|role| match self.layout.roles[role as usize] {
            Some(place) => Cells::new(role, arrow::column(&arrays[place])),
            None => Cells::Absent,
        });
        take(&RowBlock::new(piece.rows, cells))
    }
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
