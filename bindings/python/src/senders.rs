//! Senders of Ethereum: signing hashes, signatures and parities in columns, and a column of addresses out.

use crate::compute::{Call, Input, Work};
use crate::{backends, output, rows};
use library::bindings::ColumnKind;
use phalanx_rows::Role;
use pyo3::prelude::*;

/// The address that made each signature of a signing hash, 20 bytes. A row is null where it has none.
#[pyfunction]
#[pyo3(signature = (columns, *, low_s, threads=None, backend=None, progress=None))]
pub(crate) fn senders(
    py: Python<'_>,
    columns: [Bound<'_, PyAny>; 3],
    low_s: &str,
    threads: Option<backends::ThreadCount>,
    backend: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<output::Column> {
    let inputs = [
        (["signing hashes", "signing hash"], ColumnKind::Digest, Role::Message),
        (["signatures", "signature"], ColumnKind::Signature, Role::Message),
        (["parities", "parity"], ColumnKind::RecoveryId, Role::V),
    ];
    let inputs = inputs.into_iter().map(|(names, kind, role)| Input { names: names.map(str::to_owned), kind, role });
    let work = Work::Senders(rows::low_s(low_s)?);
    Call::new(work, inputs, &columns.map(Some), vec![20])?.run(py, threads, backend, progress)
}
