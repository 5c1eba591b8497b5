//! The Python package `phalanx_verkle`, its half in Rust: commitments over the basis of Ethereum's Verkle trees.
//!
//! Python's objects are read, work is shared among threads and answers are handed out as in the package `phalanx`, by
//! the modules of its crate.

mod basis;

use phalanx_python::{backends, error, ffi, output};
use pyo3::exceptions::PyImportError;
use pyo3::types::{PyAnyMethods, PyModule, PyModuleMethods};
use pyo3::{Bound, PyResult, pymodule, wrap_pyfunction};

/// The half of the package `phalanx_verkle` that is compiled.
#[pymodule]
fn _phalanx_verkle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let (py, name) = (module.py(), "phalanx_verkle");
    if !ffi::is_main_interpreter(py) {
        return Err(PyImportError::new_err(format!(
            "{name} does not run in sub-interpreters: import it in the main one"
        )));
    }
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // Types of this package: those of `phalanx` are others, even where both are imported.
    let (error, column) = (py.get_type::<error::PhalanxError>(), py.get_type::<output::Column>());
    error.setattr("__module__", name)?;
    column.setattr("__module__", name)?;
    module.add("PhalanxError", error)?;
    module.add("Column", column)?;
    module.add_class::<basis::VerkleBasis>()?;
    module.add_function(wrap_pyfunction!(backends::backends, module)?)?;
    Ok(())
}
