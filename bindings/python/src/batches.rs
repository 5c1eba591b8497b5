//! Batches of one schema, as Python gets them: by Arrow's interface for tables.

use crate::{error, ffi};
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The schema that a caller of Arrow's interface asks for, if any.
pub(crate) type Requested<'py> = Option<Bound<'py, PyAny>>;
/// What Arrow's interface gives.
pub(crate) type Capsule<'py> = PyResult<Bound<'py, PyCapsule>>;

/// A table in batches.
#[derive(Clone)]
pub(crate) struct Batches {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

impl Batches {
    /// No rows yet.
    pub(crate) fn new(schema: SchemaRef) -> Batches {
        Batches { schema, batches: Vec::new() }
    }

    /// Appends the rows of another part of the same table. Nothing is copied.
    pub(crate) fn append(&mut self, part: Batches) -> PyResult<()> {
        if part.schema != self.schema {
            return Err(error::value("the parts of one table have columns of different names or types"));
        }
        self.batches.extend(part.batches);
        Ok(())
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// A capsule with the batches. The schema that is asked for is not looked at, which the interface allows.
    pub(crate) fn stream<'py>(&self, py: Python<'py>, _requested: Requested<'py>) -> Capsule<'py> {
        let batches = self.batches.clone().into_iter().map(Ok);
        ffi::stream_capsule(py, Box::new(RecordBatchIterator::new(batches, self.schema.clone())))
    }
}
