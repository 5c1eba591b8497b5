//! Backend and threads.

use crate::error;
use library::{Backend, Bulk};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBool;
use std::thread::available_parallelism;

/// The means to compute on one thread, with the backend of this name; without one, with that of the environment, else
/// the fastest. Calls bring threads of their own, so that none are left over that a fork would lose.
pub fn bulk(backend: Option<&str>) -> PyResult<Bulk> {
    let builder = Bulk::builder().threads(1);
    let builder = match backend {
        Some(name) => builder.backend(name.parse::<Backend>().map_err(error::of)?),
        None => builder,
    };
    builder.build().map_err(error::of)
}

/// A number that the caller sets: of threads, or of bytes. None where it is below zero or too large for its type, so that
/// it is refused with what else is out of range.
pub(crate) struct Count(pub(crate) Option<usize>);

impl FromPyObject<'_, '_> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Count> {
        match object.extract::<usize>() {
            Ok(number) => Ok(Count(Some(number))),
            Err(wrong) if wrong.is_instance_of::<PyOverflowError>(object.py()) => Ok(Count(None)),
            Err(wrong) => Err(wrong),
        }
    }
}

/// How many threads the caller wants: a number, or True for all cores and False for one. Without this, True would be
/// the number 1 that it is in Python.
#[derive(Clone, Copy)]
pub struct ThreadCount(Option<usize>);

impl FromPyObject<'_, '_> for ThreadCount {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<ThreadCount> {
        if let Ok(all) = object.cast::<PyBool>() {
            return Ok(ThreadCount((!all.is_true()).then_some(1)));
        }
        match object.extract::<Count>()? {
            Count(Some(threads @ 1..=1024)) => Ok(ThreadCount(Some(threads))),
            _ => Err(error::value("threads: a number from 1 to 1024, or True for all cores")),
        }
    }
}

/// How many threads compute: as many as asked for, else as many as this process can run at once, and at most `most`.
pub fn threads(asked: Option<ThreadCount>, most: usize) -> usize {
    // The system is asked by reading files, which takes longer than to verify a row.
    let all = || available_parallelism().map_or(1, usize::from);
    if most <= 1 { 1 } else { asked.and_then(|asked| asked.0).unwrap_or_else(all).min(most) }
}

/// The backends that can compute here, the default first.
#[pyfunction]
pub fn backends() -> Vec<&'static str> {
    let mut names: Vec<&str> = Backend::available().iter().map(|backend| backend.name()).collect();
    names.reverse();
    names
}
