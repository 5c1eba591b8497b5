//! Sums of products, of public scalars and points; and sums over points that never change.

use crate::table::InputTable;
use crate::threads::{self, Progress};
use crate::{backends, error, input, output, reading, secret};
use library::msm::{FixedBase as Tables, Msm};
use library::{Bulk, ParseNumberError, Point, PublicKey, Scalar};
use phalanx_rows::{Job, Names, Policy, Reader, Role, RowFault, SumTerms};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fmt::Display;
use zeroize::Zeroizing;

/// Terms that are summed together, as the command does: beyond them they leave the caches.
const TERMS: usize = 1 << 16;
/// Terms that are summed together at least, if there are as many.
const FEWEST_TERMS: usize = 1024;
/// Vectors whose sums over a fixed basis are computed side by side.
const VECTORS: usize = 256;

/// The sum of all rows' `scalar` times `point` of the tables, which are parts of one, as 33 bytes; zeros are infinity.
/// For public values: its time depends on them.
#[pyfunction]
#[pyo3(signature = (tables, *, columns, threads=None, backend=None, progress=None))]
pub(crate) fn sum_of_products<'py>(
    py: Python<'py>,
    tables: &Bound<'py, PyAny>,
    columns: Vec<(String, String)>,
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bulk = backends::bulk(backend)?;
    let names = names(&columns)?;
    let wanted = |header: &[&str]| reading::wanted(header, &names, Job::Sum).map_err(error::value);
    let mut sum = Point::IDENTITY;
    let mut first = 0;
    for table in tables.try_iter()? {
        let table = InputTable::of(&table?, &wanted)?;
        sum += sum_of_table(py, &table, first, &names, threads, &bulk, progress)?;
        first += table.rows();
    }
    Ok(PyBytes::new(py, &sum.to_bytes()))
}

fn names(columns: &[(String, String)]) -> PyResult<Names> {
    let pairs: Vec<String> = columns.iter().map(|(role, name)| format!("{role}={name}")).collect();
    Names::new(&pairs, &[]).map_err(error::value)
}

/// The places of the columns that a sum reads, of a table with these names of columns.
#[pyfunction]
pub(crate) fn terms_wanted(header: Vec<String>, columns: Vec<(String, String)>) -> PyResult<Vec<usize>> {
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    reading::wanted(&header, &names(&columns)?, Job::Sum).map_err(error::value)
}

/// The sum over the rows of one table, the first of which has this number.
fn sum_of_table(
    py: Python<'_>,
    table: &InputTable,
    first: usize,
    names: &Names,
    threads: Option<backends::ThreadCount>,
    bulk: &Bulk,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Point> {
    let reading = reading::Reading::new(table, names, Job::Sum).map_err(error::value)?;
    reading.check(py, table)?;

    let threads = backends::threads(threads, table.rows().div_ceil(FEWEST_TERMS));
    let pieces = reading::pieces(table, (table.rows() / threads).clamp(FEWEST_TERMS, TERMS));
    let msm = Msm::with(bulk);
    let compute = |piece: usize| {
        let piece = &pieces[piece];
        reading.block(table, piece, |block| {
            let mut terms = SumTerms::default();
            let taken = terms.take(bulk, block);
            taken.map_err(|(row, wrong)| {
                let text = block.describe(row, wrong, &reading.names, Policy::default(), Reader::Python);
                error::row(first + piece.before + row, text)
            })?;
            Ok(msm.sum_of_products(terms.scalars(), terms.points()).expect("as many scalars as points"))
        })
    };
    let progress = Progress::new(py, progress, table.rows());
    let mut sum = Point::IDENTITY;
    let add = |_, part| {
        sum += part;
        Ok(())
    };
    threads::run(progress, pieces.len(), threads, |piece| pieces[piece].rows, compute, add)?;
    Ok(sum)
}

/// Points that never change, and tables of their multiples within so many bytes: for commitments.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct FixedBase {
    tables: Tables,
}

#[pymethods]
impl FixedBase {
    #[new]
    #[pyo3(
        signature = (points, *, memory=backends::Count(Some(67_108_864)), backend=None),
        text_signature = "(points, *, memory=67108864, backend=None)"
    )]
    fn new(
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        memory: backends::Count,
        backend: Option<&str>,
    ) -> PyResult<FixedBase> {
        let memory = memory.0.ok_or_else(|| error::value("memory: a number of bytes, not below zero"))?;
        let bulk = backends::bulk(backend)?;
        let points = read(Role::Point, points, PublicKey::from_bytes)?;
        py.detach(|| Tables::build(&Msm::with(&bulk), &points, memory))
            .map(|tables| FixedBase { tables })
            .map_err(error::of)
    }

    fn __len__(&self) -> usize {
        self.tables.points().len()
    }

    /// The bytes of the tables.
    #[getter]
    fn table_bytes(&self) -> usize {
        self.tables.bytes()
    }

    /// The sum of these scalars times the first points, as 33 bytes, by the tables. For public scalars: its time
    /// depends on them.
    fn sum<'py>(&self, py: Python<'py>, scalars: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let scalars = read(Role::Scalar, scalars, scalar)?;
        let sum = py.detach(|| self.tables.sums().sum_vartime(&scalars)).map_err(error::of)?;
        Ok(PyBytes::new(py, &sum.to_bytes()))
    }

    /// The sum of each row of scalars: a row is 32 bytes for each of the first points, or for all. 33 bytes each, in
    /// time that depends on the scalars.
    #[pyo3(signature = (rows, *, threads=None, progress=None))]
    fn sums(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        threads: Option<backends::ThreadCount>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<output::Column> {
        let vectors = input::InputColumn::of(rows)?;
        let rows = vectors.rows();
        let length = |piece: usize| VECTORS.min(rows - piece * VECTORS);
        let compute = |piece: usize| {
            let rows = piece * VECTORS..piece * VECTORS + length(piece);
            let vectors = vectors.read(Role::Message, rows.clone(), |values| each(values, rows.start, vector))?;
            let vectors: Vec<&[Scalar]> = vectors.iter().map(Vec::as_slice).collect();
            let mut sums = vec![Point::IDENTITY; vectors.len()];
            self.tables.sums().sums_vartime(&vectors, &mut sums).map_err(error::of)?;
            Ok(sums)
        };
        let mut bytes = Zeroizing::new(Vec::with_capacity(rows * 33));
        let take = |_, sums: Vec<Point>| {
            sums.iter().for_each(|sum| bytes.extend_from_slice(&sum.to_bytes()));
            Ok(())
        };
        let progress = Progress::new(py, progress, rows);
        let pieces = rows.div_ceil(VECTORS);
        threads::run(progress, pieces, backends::threads(threads, pieces), length, compute, take)?;
        output::Column::new(bytes, 33, None)
    }

    /// The sum of these scalars times the first points, as 33 bytes, in constant time: for secret scalars. It reads no
    /// tables, and takes many times as long.
    fn commit<'py>(&self, py: Python<'py>, scalars: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let scalars = Zeroizing::new(secret::read(scalars, "scalar", scalar)?);
        let sum = py.detach(|| self.tables.commit(&scalars));
        Ok(PyBytes::new(py, &sum.map_err(error::of)?.to_bytes()))
    }
}

fn scalar(bytes: &[u8]) -> Result<Scalar, String> {
    Scalar::from_bytes(bytes).map_err(|wrong| match wrong {
        ParseNumberError::InvalidLength => format!("{} bytes, and a scalar has 32", bytes.len()),
        _ => "a scalar is not below the group order".to_owned(),
    })
}

fn vector(bytes: &[u8]) -> Result<Vec<Scalar>, String> {
    let (words, rest) = bytes.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(format!("{} bytes, and each scalar has 32", bytes.len()));
    }
    words.iter().map(|word| scalar(word)).collect()
}

/// The values of a column, read one by one.
fn read<T, E: Display>(
    role: Role,
    object: &Bound<'_, PyAny>,
    value: impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Vec<T>> {
    let column = input::InputColumn::of(object)?;
    column.read(role, 0..column.rows(), |values| each(values, 0, value))
}

/// The values of rows, read one by one; the first of them has this number.
fn each<T, E: Display>(
    values: &[Result<&[u8], RowFault>],
    first: usize,
    value: impl Fn(&[u8]) -> Result<T, E>,
) -> PyResult<Vec<T>> {
    let rows = values.iter().zip(first..);
    let read = rows.map(|(bytes, row)| {
        let bytes = bytes.map_err(|fault| error::value(format!("row {row}: {}", fault.text())))?;
        value(bytes).map_err(|wrong| error::row(row, wrong))
    });
    read.collect()
}
