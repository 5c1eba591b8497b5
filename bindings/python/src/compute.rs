//! Any operation on rows: values in columns, and a column out.
//!
//! Secret keys are read into memory that is wiped, and the stack that they move on is overwritten. What Python itself
//! holds of them is out of reach.

use crate::secret::{Secrets, present};
use crate::threads::{self, Progress};
use crate::{backends, error, input, keys, output, rows, wipe};
use arrow_array::builder::BooleanBufferBuilder;
use arrow_buffer::NullBuffer;
use library::bindings::{Column, ColumnKind, ColumnOptions, SharedKind};
use library::{Verdict, children::PayloadKind};
use phalanx_ffi::operations::Operation;
use phalanx_rows::{Role, recovery_id_of};
use pyo3::prelude::*;
use std::ops::Range;
use zeroize::Zeroizing;

/// Rows that are computed together.
const ROWS: usize = 1024;

/// The operations on rows that give values: the name of each, and what it computes of what.
#[pyfunction]
pub(crate) fn operations() -> Vec<(&'static str, String)> {
    let declared = Operation::ALL.map(Operation::declaration);
    let columns = |columns: &[(&str, ColumnKind)]| {
        columns.iter().map(|(name, kind)| format!("{name} ({kind})")).collect::<Vec<_>>().join(", ")
    };
    let about = declared.iter().filter(|declared| !declared.outputs.is_empty()).map(|declared| {
        let (inputs, outputs) = (columns(declared.inputs), columns(declared.outputs));
        (declared.name, format!("{} From {inputs} to {outputs}.", declared.about.trim()))
    });
    about.collect()
}

/// Kinds of payload by their names.
const PAYLOADS: [(&str, PayloadKind); 4] = [
    ("none", PayloadKind::None),
    ("key_hash", PayloadKind::KeyHash),
    ("script_hash", PayloadKind::ScriptHash),
    ("taproot_key", PayloadKind::TaprootKey),
];

/// The values that an operation gives for each row: the bytes of its outputs, one after the other. A row is null where
/// it has none. A column that is None is zeros. With `optional_outputs`, outputs that may be left out are there. `low_s`
/// is for senders, and `payload` the kind of payload that children have.
#[pyfunction]
#[pyo3(signature = (
    operation, columns, *, optional_outputs=false, low_s="require", payload="none", threads=None, backend=None,
    progress=None,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn compute(
    py: Python<'_>,
    operation: &str,
    columns: Vec<Option<Bound<'_, PyAny>>>,
    optional_outputs: bool,
    low_s: &str,
    payload: &str,
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let payload = error::one_of("payload", payload, &PAYLOADS)?;
    let low_s = rows::low_s(low_s)?;
    let options = ColumnOptions { low_s, recovery_ids: optional_outputs, payload, ..ColumnOptions::default() };
    Call::of(operation, &columns, options)?.run(py, threads, backend, progress)
}

/// A call: its operation and the columns.
struct Call {
    operation: Operation,
    options: ColumnOptions<'static>,
    /// What all rows share.
    secret: Option<Zeroizing<Vec<u8>>>,
    /// The bytes of each output.
    widths: Vec<usize>,
    columns: Vec<Values>,
    rows: usize,
}

/// A column that a call takes.
struct Input {
    /// What its values are called, all and one.
    names: [String; 2],
    kind: ColumnKind,
    /// How values that are not secret are read.
    role: Role,
}

/// The values of one column.
struct Values {
    input: Input,
    source: Source,
}

enum Source {
    Secret(Secrets),
    Public(input::InputColumn),
    /// The same bytes, which are zero, in every row.
    Zeros(usize),
}

/// The values of some rows, one after the other, and where each ends.
struct Cells {
    bytes: Zeroizing<Vec<u8>>,
    ends: Vec<usize>,
}

impl Call {
    fn of(name: &str, columns: &[Option<Bound<'_, PyAny>>], options: ColumnOptions<'static>) -> PyResult<Call> {
        let operation = Operation::ALL.into_iter().find(|operation| operation.declaration().name == name);
        let operation = operation
            .filter(|operation| !operation.declaration().outputs.is_empty())
            .ok_or_else(|| error::value(format!("operation: {name:?} is none of phalanx.operations()")))?;
        let declared = operation.declaration();
        // A secret key that all rows share follows the columns.
        let (columns, shared) = columns.split_at(columns.len().min(declared.inputs.len()));
        let shares = declared.shares(SharedKind::SecretKey);
        if columns.len() != declared.inputs.len() || shared.len() != usize::from(shares) {
            let (needed, given) = (declared.inputs.len(), columns.len() + shared.len());
            return Err(error::value(format!("{name} takes {needed} columns, and {given} are given")));
        }
        let outputs = declared.outputs_of_call(options.recovery_ids);
        let widths = outputs.iter().map(|(name, kind)| match (kind, kind.widths()) {
            (ColumnKind::Payload, _) => Ok(options.payload.width()),
            (_, Some([width, _])) => Ok(width),
            (_, None) => Err(error::internal(format!("{name} of any width"))),
        });
        let role = |kind| match kind {
            ColumnKind::PublicKey => Role::PublicKey,
            ColumnKind::Parity => Role::V,
            _ => Role::Message,
        };
        let inputs = declared.inputs.iter().map(|(name, kind)| {
            let all = name.replace('_', " ");
            Input { names: [all.clone(), singular(&all)], kind: *kind, role: role(*kind) }
        });
        let widths = widths.collect::<PyResult<_>>()?;
        let columns = inputs.zip(columns).map(|(input, column)| {
            let source = match (column, input.kind) {
                (Some(column), ColumnKind::SecretKey) => Source::Secret(Secrets::of(column)?),
                (Some(column), _) => Source::Public(input::InputColumn::of(column)?),
                (None, ColumnKind::Bytes(bytes)) => Source::Zeros(bytes),
                (None, _) => return Err(error::value(format!("{}: a column is needed", input.names[0]))),
            };
            Ok(Values { input, source })
        });
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let counts = || columns.iter().filter_map(|column| Some((column.rows()?, &column.input.names[0])));
        // Secret keys count the rows, or else the first column.
        let secrets = counts().find(|(_, what)| *what == "secret keys");
        let (rows, whose) = secrets.or_else(|| counts().next()).unwrap_or((0, &columns[0].input.names[0]));
        if let Some((other, what)) = counts().find(|(other, _)| *other != rows) {
            return Err(error::value(format!("{other} {what}, and {rows} {whose}")));
        }
        let secret = shared.first().map(|key| shared_secret(key.as_ref())).transpose()?;
        Ok(Call { operation, options, secret, widths, rows, columns })
    }

    /// The values of all rows, null where a row has none.
    fn run(
        &self,
        py: Python<'_>,
        threads: Option<backends::ThreadCount>,
        backend: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<output::Column> {
        let (rows, width) = (self.rows, self.width());
        let (bulk, pieces) = (backends::bulk(backend)?, rows.div_ceil(ROWS));
        let length = |piece: usize| ROWS.min(rows - piece * ROWS);
        let work = |piece: usize| {
            let first = piece * ROWS;
            wipe::cleared(|| self.values(&bulk, first..first + length(piece)))
        };
        // It never grows, which would leave bytes behind that are not wiped.
        let mut values = Zeroizing::new(Vec::with_capacity(rows * width));
        let mut are_there = BooleanBufferBuilder::new(rows);
        let take = |_, found: Zeroizing<Vec<u8>>| {
            for row in found.chunks(width + 1) {
                values.extend_from_slice(&row[..width]);
                are_there.append(row[width] == 1);
            }
            Ok(())
        };
        let threads = backends::threads(threads, pieces);
        threads::run(Progress::new(py, progress, rows), pieces, threads, length, work, take)?;
        if are_there.len() != rows {
            return Err(error::internal("as many answers as rows"));
        }
        output::Column::new(values, width, Some(NullBuffer::new(are_there.finish())))
    }

    /// The bytes that a row gives.
    fn width(&self) -> usize {
        self.widths.iter().sum()
    }

    /// The bytes of some rows. Behind those of a row stands whether they are there.
    fn values(&self, bulk: &library::Bulk, rows: Range<usize>) -> PyResult<Zeroizing<Vec<u8>>> {
        let columns = self.columns.iter().map(|column| column.cells(rows.clone()));
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let mut out = Zeroizing::new(vec![0; rows.len() * (self.width() + 1)]);
        let mut places: Vec<&mut [u8]> = out.chunks_mut(self.width() + 1).collect();
        let options = ColumnOptions { secret: self.secret.as_ref().and_then(|key| key.first_chunk()), ..self.options };
        bulk.in_chunks(&mut places, |rows, places, one, memory| {
            let mut start = rows.start;
            while start < rows.end {
                let end = columns.iter().map(|column| column.end_of_width(start, rows.end)).min().unwrap_or(rows.end);
                let columns: Vec<_> = columns.iter().map(|column| column.column(start..end)).collect();
                let places = &mut places[start - rows.start..end - rows.start];
                let mut verdicts = vec![Verdict::InvalidSignature; places.len()];
                let write = |row: usize, output: usize, value: &[u8]| {
                    let first = self.widths[..output].iter().sum::<usize>();
                    places[row][first..first + value.len()].copy_from_slice(value);
                };
                let done = self.operation.in_columns(one, &columns, options, &mut verdicts, memory, write);
                assert_eq!(done, Ok(()), "a chunk has columns of the operation's widths, and memory for them");
                for (place, verdict) in places.iter_mut().zip(verdicts) {
                    place[self.width()] = verdict.is_valid().into();
                }
                start = end;
            }
        });
        Ok(out)
    }
}

/// The bytes of a secret key that all rows share.
fn shared_secret(key: Option<&Bound<'_, PyAny>>) -> PyResult<Zeroizing<Vec<u8>>> {
    let key = key.ok_or_else(|| error::value("secret key: one is needed"))?;
    let bytes = match key.cast::<keys::SecretKey>() {
        Ok(key) => Zeroizing::new(key.get().secret().to_bytes().to_vec()),
        Err(_) => key.extract::<keys::SecretBytes>()?.0,
    };
    let checked = library::SecretKey::from_bytes(&bytes).map(drop);
    checked.map(|()| bytes).map_err(|wrong| error::with_reason(key.py(), wrong))
}

/// The name of one of many values.
fn singular(name: &str) -> String {
    for (many, one) in [("ices", "ex"), ("ies", "y"), ("shes", "sh"), ("ss", "ss"), ("s", "")] {
        if let Some(stem) = name.strip_suffix(many) {
            return stem.to_owned() + one;
        }
    }
    name.to_owned()
}

impl Values {
    /// The number of rows, if they are counted.
    fn rows(&self) -> Option<usize> {
        match &self.source {
            Source::Secret(secrets) => Some(secrets.rows()),
            Source::Public(column) => Some(column.rows()),
            Source::Zeros(_) => None,
        }
    }

    /// The values of some rows. What is no public key stands there as zeros, which are none either.
    fn cells(&self, rows: Range<usize>) -> PyResult<Cells> {
        // Where values may be secret the memory never grows, which would leave bytes behind that are not wiped.
        let bytes = self.input.kind.widths().map_or(0, |[one, other]| rows.len() * one.max(other));
        let mut cells =
            Cells { bytes: Zeroizing::new(Vec::with_capacity(bytes)), ends: Vec::with_capacity(rows.len()) };
        match &self.source {
            Source::Secret(secrets) => {
                secrets.some(rows)?.iter().for_each(|secret| cells.push(&*Zeroizing::new(secret.to_bytes())));
            }
            Source::Zeros(width) => rows.for_each(|_| cells.push(&vec![0; *width])),
            Source::Public(column) if self.input.kind == ColumnKind::PublicKey => {
                column.read(self.input.role, rows, |values| {
                    let key = |value: &Result<&'_ [u8], _>| matches!(value, Ok(key) if self.allows(key.len()));
                    values.iter().for_each(|value| {
                        cells.push(if key(value) { value.unwrap_or_default() } else { &[0; 33] });
                    });
                    Ok(())
                })?;
            }
            Source::Public(column) => column.read(self.input.role, rows.clone(), |values| {
                let what = &self.input.names[1];
                for (value, row) in present(values, rows.start, what)?.into_iter().zip(rows) {
                    if !self.allows(value.len()) {
                        let (bytes, kind) = (value.len(), self.input.kind);
                        let a = if what.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
                        return Err(error::value(format!("row {row}: {a} {what} of {bytes} bytes, not {kind}")));
                    }
                    match (self.input.role, value) {
                        (Role::V, [v]) => cells.push(&[recovery_id_of(*v)]),
                        _ => cells.push(value),
                    }
                }
                Ok(())
            })?,
        }
        Ok(cells)
    }

    fn allows(&self, width: usize) -> bool {
        self.input.kind.widths().is_none_or(|widths| widths.contains(&width))
    }
}

impl Cells {
    fn push(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.ends.push(self.bytes.len());
    }

    fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The bytes of a row.
    fn width(&self, row: usize) -> usize {
        self.ends[row] - self.start(row)
    }

    /// The first row behind `start`, and at most `end`, whose value has another width.
    fn end_of_width(&self, start: usize, end: usize) -> usize {
        (start + 1..end).find(|row| self.width(*row) != self.width(start)).unwrap_or(end)
    }

    /// The column of rows whose values have one width.
    fn column(&self, rows: Range<usize>) -> Column<'_> {
        let (width, bytes) = (self.width(rows.start), &self.bytes[self.start(rows.start)..self.ends[rows.end - 1]]);
        Column::new(bytes, width, width, rows.len()).expect("values one after the other")
    }
}
