//! Children of extended keys: ranges of their indexes in; keys, scripts and addresses out.

use crate::batches::{Batches, Capsule, Requested};
use crate::threads::{self, Progress};
use crate::{backends, error, ffi};
use arrow_array::RecordBatch;
use library::Bulk;
use library::children::PayloadKind;
use phalanx_bip32::{Chain, ChildTable, DerivationPath, Error, ExtendedPublicKey, HARDENED, KeyExpression, ScriptKind};
use pyo3::prelude::*;

/// Children that are derived together, as the command does.
const CHILDREN: usize = 4096;
/// Keys whose paths are followed together.
const KEYS: usize = 64;

/// The children of extended keys: a row for each. It has Arrow's interface, as a Table has.
#[pyclass(frozen, module = "phalanx")]
pub(crate) struct Children(Batches);

#[pymethods]
impl Children {
    /// Arrow's interface. The schema that is asked for is not looked at, which the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Requested<'py>) -> Capsule<'py> {
        self.0.stream(py, requested_schema)
    }

    /// The names and types of the columns, by Arrow's interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> Capsule<'py> {
        ffi::schema_capsule(py, &self.0.schema)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<phalanx.Children: {} of {}>", self.0.len(), self.0.names().join(", "))
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.names()
    }
}

/// The children of each key from index `first` on, so many.
#[pyfunction]
#[pyo3(signature = (keys, first, count, *, path, address, network, threads=None, backend=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn derive(
    py: Python<'_>,
    keys: Vec<String>,
    first: u32,
    count: u32,
    path: &str,
    address: Option<&str>,
    network: Option<&str>,
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Children> {
    let path: DerivationPath = path.parse().map_err(|wrong| error::value(format!("path: {wrong}")))?;
    let range = first..first.checked_add(count).filter(|end| *end <= HARDENED).ok_or_else(|| {
        error::value(format!("indexes: below {HARDENED}, since children of public keys are not hardened"))
    })?;
    let kinds = ScriptKind::ALL.map(|kind| (kind.name(), kind));
    let chains = [("main", Chain::Main), ("test", Chain::Test), ("regtest", Chain::Regtest)];
    let plan = ChildPlan {
        bulk: backends::bulk(backend)?,
        kind: address.map(|address| error::one_of("address", address, &kinds)).transpose()?,
        chain: network.map(|network| error::one_of("network", network, &chains)).transpose()?,
        first,
        count: count as usize,
    };

    let mut parents: Vec<ExtendedPublicKey> = Vec::with_capacity(keys.len());
    let pieces = keys.len().div_ceil(KEYS);
    let length = |piece: usize| KEYS.min(keys.len() - piece * KEYS);
    let read = |piece: usize| {
        let read = keys.iter().enumerate().skip(piece * KEYS).take(KEYS).map(|(row, text)| {
            let key = text
                .parse()
                .and_then(|key: KeyExpression| if key.is_secret() { Err(Error::SecretKey) } else { Ok(key) });
            let parent = key.and_then(|key| key.parent(&path, plan.kind));
            let parent = parent.and_then(|parent| parent.rows(range.clone()).map(drop).map(|()| parent));
            parent.map_err(|wrong| error::row(row, wrong))
        });
        read.collect::<PyResult<Vec<_>>>()
    };
    let take = |_, read| {
        parents.extend::<Vec<_>>(read);
        Ok(())
    };
    threads::run(Progress::new(py, None, keys.len()), pieces, backends::threads(threads, pieces), length, read, take)?;

    let total = parents.len().checked_mul(plan.count).ok_or_else(|| error::value("more children than memory"))?;
    let pieces = total.div_ceil(CHILDREN);
    let length = |piece: usize| CHILDREN.min(total - piece * CHILDREN);
    let derive = |piece: usize| plan.derive(&parents, piece * CHILDREN, length(piece));
    let mut children = Batches::new(ChildTable::schema(plan.kind));
    let take = |_, batch| {
        children.batches.push(batch);
        Ok(())
    };
    let progress = Progress::new(py, progress, total);
    threads::run(progress, pieces, backends::threads(threads, pieces), length, derive, take)?;
    Ok(Children(children))
}

/// What is asked of all keys.
struct ChildPlan {
    bulk: Bulk,
    /// Without a kind there are keys alone.
    kind: Option<ScriptKind>,
    /// Without a chain it is that of each key.
    chain: Option<Chain>,
    first: u32,
    count: usize,
}

impl ChildPlan {
    /// So many children of all those of all keys, from this one on.
    fn derive(&self, parents: &[ExtendedPublicKey], first: usize, length: usize) -> PyResult<RecordBatch> {
        let mut rows = Vec::with_capacity(length);
        while rows.len() < length {
            let (number, before) = ((first + rows.len()) / self.count, (first + rows.len()) % self.count);
            let start = self.first + before as u32;
            let end = start + (self.count - before).min(length - rows.len()) as u32;
            rows.extend(parents[number].rows(start..end).map_err(error::internal)?);
        }
        let found = self.bulk.derive_children(&rows, self.kind.map_or(PayloadKind::None, ScriptKind::payload));
        let mut table = ChildTable::new(self.kind);
        for (at, (row, child)) in rows.iter().zip(&found).enumerate() {
            let number = (first + at) / self.count;
            let chain = self.chain.unwrap_or_else(|| parents[number].chain());
            table.push(number as u64, row.index, child.as_ref().ok(), chain).map_err(error::internal)?;
        }
        table.finish().map_err(error::internal)
    }
}
