//! The columns that answers are written to: a piece after the other, into the memory that a batch of the output keeps.

use crate::error;
use arrow_array::builder::{BooleanBufferBuilder, FixedSizeBinaryBuilder, StringBuilder};
use arrow_array::{Array, ArrayRef, BooleanArray};
use library::Verdict;
use phalanx_rows::{Answers, ColumnNames, Outcome, RowJob};
use pyo3::prelude::*;
use std::sync::Arc;

/// The answers for the first rows of a batch.
pub(crate) struct AnswerColumns {
    rows: usize,
    /// Of a recovery, the keys and their addresses.
    keys: Option<[FixedSizeBinaryBuilder; 2]>,
    valid: BooleanBufferBuilder,
    reasons: StringBuilder,
    blamed: StringBuilder,
}

impl AnswerColumns {
    /// No answer yet, and memory for so many.
    pub(crate) fn with_capacity(job: RowJob, rows: usize, names: &ColumnNames) -> AnswerColumns {
        // Memory for the longest texts is asked for, and what is not written is given back: a buffer that grows is copied,
        // and takes up to three times its bytes while it is.
        let text = |longest: Option<usize>| {
            let bytes = rows.saturating_mul(longest.unwrap_or(0)).min(i32::MAX as usize);
            StringBuilder::with_capacity(rows, bytes)
        };
        let keys = || [33, 20].map(|width| FixedSizeBinaryBuilder::with_capacity(rows, width));
        AnswerColumns {
            rows: 0,
            keys: matches!(job, RowJob::Recover).then(keys),
            valid: BooleanBufferBuilder::new(rows),
            reasons: text(Verdict::ALL.iter().map(|verdict| verdict.reason().len()).max()),
            blamed: text(names.iter().map(String::len).max()),
        }
    }

    /// How many rows have an answer.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Writes the answers for the next rows.
    pub(crate) fn push(&mut self, answers: &Answers, names: &ColumnNames) -> PyResult<()> {
        let outcomes = &answers.outcomes;
        if let Some([keys, addresses]) = &mut self.keys {
            if answers.keys.len() != outcomes.len() {
                return Err(error::internal("as many keys as outcomes"));
            }
            for key in &answers.keys {
                match key {
                    Some(key) => {
                        keys.append_value(key.public_key).map_err(error::internal)?;
                        addresses.append_value(key.address).map_err(error::internal)?;
                    }
                    None => {
                        keys.append_null();
                        addresses.append_null();
                    }
                }
            }
        }
        outcomes.iter().for_each(|outcome| self.valid.append(outcome.verdict.is_valid()));
        append(&mut self.reasons, outcomes, |outcome| Some(outcome.verdict.reason()))?;
        append(&mut self.blamed, outcomes, |outcome| outcome.column_name(names))?;
        self.rows += outcomes.len();
        Ok(())
    }

    /// The columns, in the order of the output.
    pub(crate) fn finish(self) -> Vec<ArrayRef> {
        let AnswerColumns { keys, mut valid, mut reasons, mut blamed, .. } = self;
        let mut columns: Vec<ArrayRef> = Vec::new();
        for mut values in keys.into_iter().flatten() {
            columns.push(Arc::new(values.finish()));
        }
        columns.push(Arc::new(BooleanArray::from(valid.finish())));
        for mut text in [reasons.finish(), blamed.finish()] {
            text.shrink_to_fit();
            columns.push(Arc::new(text));
        }
        columns
    }
}

/// Appends the text of each row, unless the type's offsets cannot count it.
fn append<'a>(to: &mut StringBuilder, outcomes: &[Outcome], text: impl Fn(Outcome) -> Option<&'a str>) -> PyResult<()> {
    let bytes: usize = outcomes.iter().filter_map(|outcome| text(*outcome)).map(str::len).sum();
    if i32::try_from(to.values_slice().len() + bytes).is_err() {
        return Err(error::value("the reasons of one batch take more than 2 GiB: give the table in smaller batches"));
    }
    outcomes.iter().for_each(|outcome| to.append_option(text(*outcome)));
    Ok(())
}
