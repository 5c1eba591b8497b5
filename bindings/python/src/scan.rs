//! Scans for silent payments: the rows of an index in, the outputs of receivers out.

use crate::batches::{Batches, Capsule, Requested};
use crate::index::{IndexColumns, IndexPlaces};
use crate::output::wiped;
use crate::reading;
use crate::scanner::Scanner;
use crate::table::InputTable;
use crate::threads::{self, Progress};
use crate::{backends, error, ffi, wipe};
use arrow_array::{ArrayRef, FixedSizeBinaryArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_buffer::Buffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use library::Bulk;
use phalanx_rows::{BadIndexRow, NO_TWEAK_POINT};
use phalanx_silent::{Match, scan_read};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Rows that are scanned together at most, and at least where many keys are looked for.
const ROWS: usize = 1024;
const FEWEST_ROWS: usize = 64;
/// Keys of one receiver that take about as long as another receiver does.
const KEYS: usize = 64;

/// The outputs of receivers in the rows of an index: a row for each. It has Arrow's interface, as a Table has. The
/// memory of the tweaks is wiped when nobody holds it any more.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Matches {
    found: Batches,
    rows: usize,
    malformed: Vec<(usize, BadIndexRow)>,
}

#[pymethods]
impl Matches {
    /// Arrow's interface. The schema that is asked for is not looked at, which the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Requested<'py>) -> Capsule<'py> {
        self.found.stream(py, requested_schema)
    }

    /// The names and types of the columns, by Arrow's interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Capsule<'py> {
        ffi::schema_capsule(py, &self.found.schema)
    }

    /// How many outputs were found.
    fn __len__(&self) -> usize {
        self.found.len()
    }

    fn __repr__(&self) -> String {
        let (found, rows, malformed) = (self.found.len(), self.rows, self.malformed.len());
        format!("<phalanx.Matches: {found} in {rows} rows, {malformed} of them malformed>")
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.found.names()
    }

    /// How many rows the index has.
    #[getter]
    fn rows(&self) -> usize {
        self.rows
    }

    /// The rows that cannot be read, and so have no matches, by their number from 0: what is wrong with each.
    #[getter]
    fn malformed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let malformed = PyDict::new(py);
        for (row, why) in &self.malformed {
            malformed.set_item(row, why)?;
        }
        Ok(malformed)
    }
}

/// The outputs of receivers in the rows of these tables, which are parts of one.
#[pyfunction]
#[pyo3(signature = (tables, scanners, *, threads=None, backend=None, progress=None))]
pub(crate) fn scan(
    py: Python<'_>,
    tables: &Bound<'_, PyAny>,
    scanners: Vec<Py<Scanner>>,
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Matches> {
    if scanners.is_empty() {
        return Err(error::value("scanners: at least one is needed"));
    }
    let scanners: Vec<&Scanner> = scanners.iter().map(Py::get).collect();
    let weight: usize = scanners.iter().map(|scanner| 1 + scanner.keys() / KEYS).sum();
    let plan = ScanPlan {
        bulk: backends::bulk(backend)?,
        receivers: scanners.iter().map(|scanner| scanner.receiver()).collect(),
        most: (ROWS / weight).max(FEWEST_ROWS),
    };
    let mut all: Option<Matches> = None;
    for table in tables.try_iter()? {
        let table = InputTable::of(&table?, &|header| Ok(IndexPlaces::of(header)?.all()))?;
        let before = all.as_ref().map_or(0, |all| all.rows);
        let columns = IndexColumns::of(py, &table)?;
        let part = plan.scan(&table, &columns, before, threads, Progress::new(py, progress, table.rows()))?;
        match &mut all {
            None => all = Some(part),
            Some(all) => {
                all.rows += part.rows;
                all.malformed.extend(part.malformed);
                all.found.append(part.found)?;
            }
        }
    }
    all.ok_or_else(|| error::internal("a part"))
}

/// What is done to each part.
struct ScanPlan<'s> {
    bulk: Bulk,
    receivers: Vec<&'s phalanx_silent::Scanner>,
    /// Rows that are scanned together at most.
    most: usize,
}

impl ScanPlan<'_> {
    /// The matches of a part, before which so many rows have come.
    fn scan(
        &self,
        table: &InputTable,
        columns: &IndexColumns,
        before: usize,
        threads: Option<backends::ThreadCount>,
        progress: Progress<'_, '_>,
    ) -> PyResult<Matches> {
        let pieces = reading::pieces(table, self.most);
        let threads = backends::threads(threads, pieces.len());
        let mut matches: Vec<Vec<Match>> = table.batches.iter().map(|_| Vec::new()).collect();
        let mut malformed = Vec::new();
        let work = |piece: usize| {
            columns.rows(table, &pieces[piece], |rows| scan_read(&self.bulk, &self.receivers, rows, NO_TWEAK_POINT))
        };
        let take = |piece: usize, (found, wrong): (Vec<Match>, Vec<(usize, BadIndexRow)>)| {
            let piece = &pieces[piece];
            let in_batch = |found: Match| Match { row: piece.first + found.row, ..found };
            matches[piece.batch].extend(found.into_iter().map(in_batch));
            malformed.extend(wrong.iter().map(|(row, why)| (before + piece.before + row, *why)));
            Ok(())
        };
        threads::run(progress, pieces.len(), threads, |piece| pieces[piece].rows, work, take)?;
        let mut found = Batches::new(schema(columns, table));
        let mut first = before;
        for (batch, matches) in matches.iter().enumerate() {
            if !matches.is_empty() {
                let kept = columns.kept(table, batch);
                found.batches.push(written(&found.schema, kept, first, matches)?);
            }
            first += table.batches[batch].num_rows();
        }
        Ok(Matches { found, rows: table.rows(), malformed })
    }
}

/// The columns of the matches: those of the command, and before them the numbers of the row and of the scanner.
fn schema(columns: &IndexColumns, table: &InputTable) -> SchemaRef {
    let mut fields = columns.kept_fields(table);
    fields.extend([
        Field::new("row", DataType::UInt64, false),
        Field::new("scanner", DataType::UInt32, false),
        Field::new("output", DataType::UInt64, false),
        Field::new("k", DataType::UInt32, false),
        Field::new("label", DataType::UInt32, true),
        Field::new("key", DataType::FixedSizeBinary(32), false),
        Field::new("tweak", DataType::FixedSizeBinary(32), false),
    ]);
    Arc::new(Schema::new(fields))
}

/// The matches of a batch, whose first row has this number, and what is handed on of their rows.
fn written<'t>(
    schema: &SchemaRef,
    kept: impl Iterator<Item = &'t ArrayRef>,
    first: usize,
    matches: &[Match],
) -> PyResult<RecordBatch> {
    let rows = UInt64Array::from_iter_values(matches.iter().map(|found| found.row as u64));
    let mut columns =
        kept.map(|column| take(column, &rows, None)).collect::<Result<Vec<_>, _>>().map_err(error::value)?;
    let keys: Vec<u8> = matches.iter().flat_map(|found| found.key).collect();
    // It never grows, which would leave bytes behind that are not wiped.
    let mut tweaks = Zeroizing::new(Vec::with_capacity(32 * matches.len()));
    wipe::cleared(|| {
        matches.iter().for_each(|found| tweaks.extend_from_slice(&*Zeroizing::new(found.tweak.to_bytes())));
    });
    let words = |bytes| FixedSizeBinaryArray::try_new(32, bytes, None).map_err(error::internal);
    let numbers: [ArrayRef; 5] = [
        Arc::new(UInt64Array::from_iter_values(rows.values().iter().map(|row| first as u64 + row))),
        Arc::new(UInt32Array::from_iter_values(matches.iter().map(|found| found.scanner as u32))),
        Arc::new(UInt64Array::from_iter_values(matches.iter().map(|found| found.output as u64))),
        Arc::new(UInt32Array::from_iter_values(matches.iter().map(|found| found.k))),
        Arc::new(UInt32Array::from_iter(matches.iter().map(|found| found.label))),
    ];
    columns.extend(numbers);
    columns.push(Arc::new(words(Buffer::from_vec(keys))?));
    columns.push(Arc::new(words(wiped(tweaks))?));
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(error::value)
}
