//! Verification and recovery: a verdict for each row of a table, by the rules of the command.

use crate::crew::{self, Progress};
use crate::{backends, error, input, output};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use library::{Class, LowS, Verdict};
use phalanx_rows::{
    BatchMode, Cells, ColumnNames, ColumnPlaces, DerRules, Job, NO_RECOVERY_ID, Names, Policy, Role, RowBlock, RowJob,
    Tally, Verifier, answer, arrow,
};
use pyo3::prelude::*;
use std::sync::Arc;

/// Rows that are computed together at most, as the command does.
const ROWS: usize = 4096;
/// Rows that are computed together at least, if there are as many: sums of many rows gain from this number on.
const FEWEST_ROWS: usize = 1024;
/// Pieces for each thread, so that none waits long for the last.
const PIECES: usize = 16;

/// A question that is asked of each row, and how. It may be asked of many tables: what has been learnt of keys and of
/// batches is kept.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Rows {
    job: RowJob,
    names: Names,
    /// Whether all columns of a table are handed on, not only its id and those to keep.
    all: bool,
    policy: Policy,
    verifier: Verifier,
}

#[pymethods]
impl Rows {
    #[new]
    #[pyo3(signature = (job, *, columns, output, low_s, der, hybrid_keys, batch, backend))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        job: &str,
        columns: Vec<(String, String)>,
        output: Option<Vec<String>>,
        low_s: &str,
        der: &str,
        hybrid_keys: bool,
        batch: &str,
        backend: Option<&str>,
    ) -> PyResult<Rows> {
        let job = one_of("job", job, &[("verify", RowJob::Verify), ("recover", RowJob::Recover)])?;
        let pairs: Vec<String> = columns.iter().map(|(role, name)| format!("{role}={name}")).collect();
        let all = output.is_none();
        let names = Names::new(&pairs, &output.unwrap_or_default())
            .map_err(|wrong| error::value(format!("columns: {wrong}")))?;
        let policy = Policy {
            low_s: one_of("low_s", low_s, &[("allow", LowS::Allow), ("require", LowS::Require)])?,
            der: one_of("der", der, &[("strict", DerRules::Strict), ("lax", DerRules::Lax)])?,
            hybrid_keys,
        };
        let modes = [("auto", BatchMode::Auto), ("always", BatchMode::Always), ("never", BatchMode::Never)];
        let mode = one_of("batch", batch, &modes)?;
        Ok(Rows { job, names, all, policy, verifier: Verifier::new(&backends::bulk(backend)?, mode) })
    }

    /// The name of the backend that computes.
    #[getter]
    fn backend(&self) -> &'static str {
        self.verifier.bulk().backend().name()
    }

    /// The table with an answer for each row. `first` says that no rows have come before its first: only then does that
    /// row tell whether recovery ids are nowhere.
    #[pyo3(signature = (table, *, first=true, threads=None, progress=None))]
    fn answer(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        first: bool,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<output::Table> {
        let threads = backends::threads(threads)?;
        let table = input::InputTable::of(table)?;
        let plan = Plan::new(self, &table)?;
        let pieces = pieces(&table, threads);
        let progress = Progress::new(py, progress, table.rows());
        let work = |piece: usize| plan.answers(self, &table, &pieces[piece], first && piece == 0);
        let answered = crew::run(progress, pieces.len(), threads, |piece| pieces[piece].rows, work)?;
        py.detach(|| plan.table(&table, &pieces, answered))
    }
}

/// The value that a word stands for.
fn one_of<T: Copy>(name: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(known, _)| *known == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
        error::value(format!("{name}: {word:?} is none of {}", known.join(", ")))
    })
}

/// Rows of one batch that are computed together.
struct Piece {
    batch: usize,
    first: usize,
    rows: usize,
}

/// All rows, cut so that each thread has several pieces.
fn pieces(table: &input::InputTable, threads: usize) -> Vec<Piece> {
    let rows = if threads == 1 { ROWS } else { (table.rows() / (threads * PIECES)).clamp(FEWEST_ROWS, ROWS) };
    let of_batch = |(batch, rows_of): (usize, &RecordBatch)| {
        let all = rows_of.num_rows();
        (0..all).step_by(rows).map(move |first| Piece { batch, first, rows: rows.min(all - first) }).collect::<Vec<_>>()
    };
    table.batches.iter().enumerate().flat_map(of_batch).collect()
}

/// Which columns are read and written.
struct Plan {
    /// The columns to read, and where among them each role stands.
    read: Vec<usize>,
    layout: ColumnPlaces,
    names: ColumnNames,
    /// The columns to hand on.
    kept: Vec<usize>,
    schema: SchemaRef,
}

/// The answers for a piece, in the columns that are written.
struct Answered {
    columns: Vec<ArrayRef>,
    tally: Tally,
}

impl Plan {
    fn new(rows: &Rows, table: &input::InputTable) -> PyResult<Plan> {
        let job = Job::Rows(rows.job);
        let header: Vec<&str> = table.schema.fields().iter().map(|field| field.name().as_str()).collect();
        let selection = rows.names.select(&header, job).map_err(|wrong| {
            error::value(match wrong {
                phalanx_rows::ColumnsError::Lacking(..) => format!("{wrong}; name one by columns={{role: name}}"),
                wrong => wrong.to_string(),
            })
        })?;
        let mut names = Role::ALL.map(|role| rows.names.name_of(role).to_owned());
        selection.name(&header, &mut names);
        let kept: Vec<usize> =
            if rows.all { (0..header.len()).collect() } else { selection.kept.iter().copied().flatten().collect() };
        let mut fields: Vec<Arc<Field>> = kept.iter().map(|place| Arc::clone(&table.schema.fields()[*place])).collect();
        let answers: &[(&str, DataType, bool)] = match rows.job {
            RowJob::Verify => &[],
            RowJob::Recover => {
                &[("public_key", DataType::FixedSizeBinary(33), true), ("address", DataType::FixedSizeBinary(20), true)]
            }
        };
        let verdict =
            [("valid", DataType::Boolean, false), ("reason", DataType::Utf8, false), ("column", DataType::Utf8, true)];
        for (name, data_type, nullable) in answers.iter().chain(&verdict) {
            if fields.iter().any(|field| field.name() == name) {
                return Err(error::value(format!("the output would have two columns `{name}`")));
            }
            fields.push(Arc::new(Field::new(*name, data_type.clone(), *nullable)));
        }
        let metadata = if rows.all { table.schema.metadata().clone() } else { Default::default() };
        let schema = Arc::new(Schema::new(fields).with_metadata(metadata));
        let (read, layout) = selection.project(job);
        Ok(Plan { read, layout, names, kept, schema })
    }

    /// The answers for a piece, on the calling thread. Its text is decoded, its dictionaries are written out, and
    /// nothing else is copied.
    fn answers(
        &self,
        rows: &Rows,
        table: &input::InputTable,
        piece: &Piece,
        is_first: bool,
    ) -> Result<Answered, String> {
        let batch = &table.batches[piece.batch];
        let arrays = input::columns(batch, &self.read, piece.first, piece.rows)?;
        let cells = Role::ALL.map(|role| match self.layout.roles[role as usize] {
            Some(place) => Cells::new(role, arrow::column(&arrays[place])),
            None => Cells::Absent,
        });
        let block = RowBlock::new(piece.rows, cells);
        if is_first && rows.job == RowJob::Recover && block.lacks_recovery_ids() {
            return Err(format!("no column {NO_RECOVERY_ID}: the signature of the first row has none"));
        }
        let answers = answer(rows.job, &rows.verifier, rows.policy, &block);
        if answers.outcomes.len() != piece.rows {
            return Err("internal error: as many outcomes as rows".to_owned());
        }
        let mut columns: Vec<ArrayRef> = Vec::new();
        if rows.job == RowJob::Recover {
            columns.push(Arc::new(arrow::public_keys(&answers.keys)));
            columns.push(Arc::new(arrow::addresses(&answers.keys)));
        }
        columns.push(Arc::new(arrow::valid(&answers.outcomes)));
        columns.push(Arc::new(arrow::reasons(&answers.outcomes)));
        columns.push(Arc::new(arrow::blamed(&answers.outcomes, &self.names)));
        Ok(Answered { columns, tally: Tally::of(&answers) })
    }

    /// The output: the batches of the input, with the columns of their pieces.
    fn table(
        &self,
        table: &input::InputTable,
        pieces: &[Piece],
        answered: Vec<Result<Answered, String>>,
    ) -> PyResult<output::Table> {
        let mut tally = Tally::default();
        let mut parts: Vec<Vec<Vec<ArrayRef>>> = table.batches.iter().map(|_| Vec::new()).collect();
        for (piece, answered) in pieces.iter().zip(answered) {
            let answered = answered.map_err(error::value)?;
            tally.add(&answered.tally);
            parts[piece.batch].push(answered.columns);
        }
        let mut batches = Vec::with_capacity(parts.len());
        for (batch, parts) in table.batches.iter().zip(parts) {
            let rows = batch.num_rows();
            let mut columns: Vec<ArrayRef> = self.kept.iter().map(|place| Arc::clone(batch.column(*place))).collect();
            for field in &self.schema.fields()[self.kept.len()..] {
                let place = columns.len() - self.kept.len();
                let parts: Vec<ArrayRef> = parts.iter().map(|part| Arc::clone(&part[place])).collect();
                columns.push(match parts.is_empty() {
                    true => arrow_array::new_empty_array(field.data_type()),
                    false => arrow::joined(&parts).map_err(error::value)?,
                });
            }
            let options = RecordBatchOptions::new().with_row_count(Some(rows));
            // Fails where a column has more or fewer rows.
            let batch = RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options);
            batches.push(batch.map_err(error::internal)?);
        }
        Ok(output::Table { schema: Arc::clone(&self.schema), batches, tally })
    }
}

/// What the command would say of a given number of rows of each verdict, by its name: all rows, those that are valid,
/// invalid and malformed, and its exit status.
#[pyfunction]
pub(crate) fn classes(counts: Vec<(String, u64)>) -> PyResult<(u64, u64, u64, u64, u8)> {
    let verdicts = counts.into_iter().map(|(reason, count)| {
        let verdict = Verdict::ALL.iter().find(|verdict| verdict.reason() == reason);
        verdict.map(|verdict| (*verdict, count)).ok_or_else(|| error::value(format!("no verdict is called {reason:?}")))
    });
    let tally = Tally::of_verdicts(verdicts.collect::<PyResult<Vec<_>>>()?);
    let class = |class| tally.class(class);
    Ok((tally.rows(), class(Class::Valid), class(Class::Invalid), class(Class::Malformed), tally.status()))
}
