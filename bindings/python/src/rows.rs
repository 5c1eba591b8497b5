//! Verification and recovery: a verdict for each row of a table, by the rules of the command.

use crate::batches::Batches;
use crate::threads::{self, Progress};
use crate::verdicts::AnswerColumns;
use crate::{backends, error, output, reading, table};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use library::{Class, LowS, Verdict};
use phalanx_rows::{
    Answers, BatchMode, ColumnsError, DerRules, IdPlaces, Job, Names, Policy, Reader, RecoveryIds, RowJob, Tally,
    Verifier, answer,
};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::sync::Arc;

/// Rows that are computed together at most, as the command does.
const ROWS: usize = 4096;
/// Rows that are computed together at least, if there are as many: sums of many rows gain from this number on.
const FEWEST_ROWS: usize = 1024;
/// Pieces for each thread, so that none waits long for the last.
const PIECES: usize = 16;

/// Where recovery ids stand, by the words of the command.
const RECOVERY_IDS: [(&str, RecoveryIds); 4] = [
    ("last", RecoveryIds::Last),
    ("eip155", RecoveryIds::Eip155),
    ("header", RecoveryIds::Header),
    ("eip2098", RecoveryIds::Eip2098),
];

/// A question that is asked of each row, and how. It may be asked of many tables: what has been learnt of keys and of
/// batches is kept.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Rows {
    job: RowJob,
    names: Names,
    /// Whether all columns of a table are handed on, not only its id and those to keep.
    all: bool,
    policy: Policy,
    /// Whether the caller has said where recovery ids stand.
    ids_told: bool,
    verifier: Verifier,
}

#[pymethods]
impl Rows {
    #[new]
    #[pyo3(signature = (job, *, columns, output, low_s, der, hybrid_keys, batch, v, backend))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        job: &str,
        columns: Vec<(String, String)>,
        output: Option<Vec<String>>,
        low_s: &str,
        der: &str,
        hybrid_keys: bool,
        batch: &str,
        v: Option<&str>,
        backend: Option<&str>,
    ) -> PyResult<Rows> {
        let job = error::one_of("job", job, &[("verify", RowJob::Verify), ("recover", RowJob::Recover)])?;
        let pairs: Vec<String> = columns.iter().map(|(role, name)| format!("{role}={name}")).collect();
        let all = output.is_none();
        let names = Names::new(&pairs, &output.unwrap_or_default())
            .map_err(|wrong| error::value(format!("columns: {wrong}")))?;
        let policy = Policy {
            low_s: self::low_s(low_s)?,
            der: error::one_of("der", der, &[("strict", DerRules::Strict), ("lax", DerRules::Lax)])?,
            hybrid_keys,
            recovery_ids: v.map(|word| error::one_of("v", word, &RECOVERY_IDS)).transpose()?.unwrap_or_default(),
        };
        let modes = [("auto", BatchMode::Auto), ("always", BatchMode::Always), ("never", BatchMode::Never)];
        let mode = error::one_of("batch", batch, &modes)?;
        Ok(Rows {
            job,
            names,
            all,
            policy,
            ids_told: v.is_some(),
            verifier: Verifier::new(&backends::bulk(backend)?, mode),
        })
    }

    /// The name of the backend that computes.
    #[getter]
    fn backend(&self) -> &'static str {
        self.verifier.bulk().backend().name()
    }

    /// The places of the columns that are read or handed on, of a table with these names of columns.
    fn wanted(&self, header: Vec<String>) -> PyResult<Vec<usize>> {
        self.places(&header.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The table with an answer for each row. `first` says that no rows have come before its first: only then does that
    /// row tell whether recovery ids are nowhere.
    #[pyo3(signature = (table, *, first=true, threads=None, progress=None))]
    fn answer(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        first: bool,
        threads: Option<backends::ThreadCount>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<output::Table> {
        let table = table::InputTable::of(table, &|header| self.places(header))?;
        let threads = backends::threads(threads, table.rows().div_ceil(FEWEST_ROWS));
        let plan = Plan::new(py, self, &table)?;
        // So many that each thread has several pieces.
        let rows = if threads == 1 { ROWS } else { (table.rows() / (threads * PIECES)).clamp(FEWEST_ROWS, ROWS) };
        let pieces = reading::pieces(&table, rows);
        let progress = Progress::new(py, progress, table.rows());
        let work = |piece: usize| plan.answers(self, &table, &pieces[piece], first && piece == 0);
        let mut written = Written::new(self, &plan, &table)?;
        let take = |_, found: Found| written.push(found);
        threads::run(progress, pieces.len(), threads, |piece| pieces[piece].rows, work, take)?;
        written.table(self)
    }
}

impl Rows {
    /// The places of the columns that are read or handed on.
    fn places(&self, header: &[&str]) -> PyResult<Vec<usize>> {
        let named = reading::wanted(header, &self.names, Job::Rows(self.job)).map_err(do_not_fit)?;
        Ok(if self.all { (0..header.len()).collect() } else { named })
    }
}

/// The error of columns that do not fit the job.
fn do_not_fit(wrong: ColumnsError) -> PyErr {
    error::value(match wrong {
        ColumnsError::Lacking(..) | ColumnsError::TwoNames(..) => {
            format!("{wrong}; name one by columns={{role: name}}")
        }
        wrong => wrong.to_string(),
    })
}

/// The policy on high s that a word stands for.
pub(crate) fn low_s(word: &str) -> PyResult<LowS> {
    error::one_of("low_s", word, &[("allow", LowS::Allow), ("require", LowS::Require)])
}

/// Which columns are read and written.
struct Plan {
    reading: reading::Reading,
    schema: SchemaRef,
}

impl Plan {
    fn new(py: Python<'_>, rows: &Rows, table: &table::InputTable) -> PyResult<Plan> {
        let mut reading = reading::Reading::new(table, &rows.names, Job::Rows(rows.job)).map_err(do_not_fit)?;
        reading.check(py, table)?;
        if rows.all {
            let can_be_read = |place: &usize| !table.unreadable().contains_key(place);
            reading.kept = (0..table.schema.fields().len()).filter(can_be_read).collect();
            warn_of_others(py, table)?;
        }
        table.require(py, reading.kept.iter().copied())?;
        let kept = &reading.kept;
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
        Ok(Plan { reading, schema })
    }

    /// The answers for a piece, on the calling thread.
    fn answers(
        &self,
        rows: &Rows,
        table: &table::InputTable,
        piece: &reading::Piece,
        is_first: bool,
    ) -> PyResult<Found> {
        self.reading.block(table, piece, |block| {
            if is_first && rows.job == RowJob::Recover && block.lacks_recovery_ids(rows.policy.recovery_ids) {
                return Err(error::value(block.lacking_ids(Reader::Python)));
            }
            let answers = answer(rows.job, &rows.verifier, rows.policy, block);
            if answers.outcomes.len() != piece.rows {
                return Err(error::internal("as many outcomes as rows"));
            }
            let bad = answers.outcomes.iter().enumerate().filter(|(_, outcome)| !outcome.verdict.is_valid());
            let notes = bad.take(output::NOTES).map(|(row, outcome)| {
                let text = block.describe(row, *outcome, &self.reading.names, rows.policy, Reader::Python);
                (piece.before + row, text)
            });
            let notes = notes.collect();
            Ok(Found { answers, notes })
        })
    }
}

/// Warns of the columns that the result leaves out.
fn warn_of_others(py: Python<'_>, table: &table::InputTable) -> PyResult<()> {
    for wrong in table.unreadable().values() {
        let text = format!("{}; the result leaves this column out", wrong.value(py));
        // Text from others may hold a zero, which C cannot.
        let text = CString::new(text.replace('\0', "\u{fffd}")).map_err(error::internal)?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(())
}

/// What is found of a piece.
struct Found {
    answers: Answers,
    /// The first rows that are not valid, and why.
    notes: Vec<(usize, String)>,
}

/// The output as far as it has been written: batches as the input has them, with the columns that are handed on and
/// those of the answers. Answers come in the order of the rows.
struct Written<'a> {
    job: RowJob,
    plan: &'a Plan,
    table: &'a table::InputTable,
    tally: Tally,
    id_places: IdPlaces,
    notes: Vec<(usize, String)>,
    batches: Vec<RecordBatch>,
    /// The answers for the next batch.
    next: AnswerColumns,
}

impl<'a> Written<'a> {
    fn new(rows: &Rows, plan: &'a Plan, table: &'a table::InputTable) -> PyResult<Written<'a>> {
        let rows_of_first = table.batches.first().map_or(0, RecordBatch::num_rows);
        let next = AnswerColumns::with_capacity(rows.job, rows_of_first, &plan.reading.names);
        let mut written = Written {
            job: rows.job,
            plan,
            table,
            tally: Tally::default(),
            id_places: IdPlaces::default(),
            notes: Vec::new(),
            batches: Vec::new(),
            next,
        };
        written.end_batches()?;
        Ok(written)
    }

    /// Writes the answers for the next piece, which lies in one batch.
    fn push(&mut self, found: Found) -> PyResult<()> {
        let Found { answers, notes } = found;
        self.tally.add(&Tally::of(&answers));
        self.id_places.add(&answers.id_places);
        self.notes.extend(notes.into_iter().take(output::NOTES - self.notes.len()));
        self.next.push(&answers, &self.plan.reading.names)?;
        self.end_batches()
    }

    /// Ends the next batch where all its rows have answers, and those behind it that have no rows.
    fn end_batches(&mut self) -> PyResult<()> {
        while let Some(batch) = self.table.batches.get(self.batches.len())
            && self.next.rows() >= batch.num_rows()
        {
            let rows_of_next = self.table.batches.get(self.batches.len() + 1).map_or(0, RecordBatch::num_rows);
            let next = AnswerColumns::with_capacity(self.job, rows_of_next, &self.plan.reading.names);
            let answers = std::mem::replace(&mut self.next, next);
            let kept = self.plan.reading.kept.iter().map(|place| Arc::clone(batch.column(*place)));
            let columns: Vec<ArrayRef> = kept.chain(answers.finish()).collect();
            let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            // Fails where a column has more or fewer rows.
            let batch = RecordBatch::try_new_with_options(Arc::clone(&self.plan.schema), columns, &options);
            self.batches.push(batch.map_err(error::internal)?);
        }
        Ok(())
    }

    /// The whole output. A table whose recovery ids seem to stand elsewhere is refused, if wrong keys may have been found.
    fn table(self, rows: &Rows) -> PyResult<output::Table> {
        let ids = rows.policy.recovery_ids;
        if self.batches.len() != self.table.batches.len() || self.next.rows() > 0 {
            return Err(error::internal("an answer for each row"));
        }
        if let Some(refusal) = self.id_places.refusal(ids, Reader::Python) {
            return Err(error::value(refusal));
        }
        let hint = self.id_places.hint(ids, rows.ids_told, Reader::Python);
        let rows = Batches { schema: Arc::clone(&self.plan.schema), batches: self.batches };
        Ok(output::Table { rows, tally: self.tally, notes: self.notes, hint })
    }
}

/// What the command would say of so many rows of each verdict, by its name: all rows, those that are valid, invalid and
/// malformed, and its exit status.
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
