//! The Python package `phalanx`, its half in Rust: tables of signatures in, verdicts out.
//!
//! It has no arithmetic and no policy of its own. Which column plays which role, how a row is read and what is found
//! of it comes from `phalanx-rows`, as it does for the command; everything else comes from the library.
//!
//! The interpreter's lock is given up while rows are computed. What Python's objects hold is read before that: Arrow's
//! arrays cannot change and are not copied, everything else is copied.

// Another package takes only some of it.
#![cfg_attr(not(feature = "module"), allow(dead_code, unused_imports))]

pub mod backends;
pub mod error;
pub mod threads;

pub mod ffi;

mod wipe;

mod keys;

pub mod input;

mod batches;

pub mod output;

mod verdicts;

mod reading;

mod children;
mod chilldkg;
mod compute;
mod frost;
mod index;
mod musig;
mod once;
mod rows;
mod scan;
mod scanner;
pub mod secret;
mod sums;
mod table;

use pyo3::types::{PyAnyMethods, PyModule, PyModuleMethods};
use pyo3::{Bound, PyResult, pymodule, wrap_pyfunction};

/// The half of the package `phalanx` that is compiled.
#[cfg(feature = "module")]
#[pymodule]
fn _phalanx(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // Arithmetic that is checked as it runs, as the profile `dev` has it, takes longer: nothing is measured with it.
    module.add("checks_arithmetic", cfg!(debug_assertions))?;
    let error = module.py().get_type::<error::PhalanxError>();
    error.setattr("reason", module.py().None())?;
    module.add("PhalanxError", error)?;
    module.add("InvalidSignature", module.py().get_type::<error::InvalidSignature>())?;
    module.add_class::<keys::SecretKey>()?;
    module.add_class::<keys::PublicKey>()?;
    module.add_class::<keys::XOnlyPublicKey>()?;
    module.add_class::<keys::Signature>()?;
    module.add("BadContribution", module.py().get_type::<error::BadContribution>())?;
    module.add_class::<musig::KeyAggregation>()?;
    module.add_class::<musig::SecretNonce>()?;
    module.add("MusigSession", module.py().get_type::<musig::MusigSession>())?;
    module.add_class::<frost::Group>()?;
    module.add_class::<frost::KeyShare>()?;
    module.add_class::<frost::Nonces>()?;
    module.add("FrostSession", module.py().get_type::<frost::FrostSession>())?;
    module.add_class::<chilldkg::ChillDkgCoordinator>()?;
    module.add_function(wrap_pyfunction!(chilldkg::recover, module)?)?;
    module.add_class::<output::Table>()?;
    module.add_class::<output::Column>()?;
    module.add_class::<rows::Rows>()?;
    module.add_class::<sums::FixedBase>()?;
    module.add_class::<scanner::Scanner>()?;
    module.add_class::<scan::Matches>()?;
    module.add_class::<children::Children>()?;
    module.add_function(wrap_pyfunction!(ffi::is_main_interpreter, module)?)?;
    module.add_function(wrap_pyfunction!(backends::backends, module)?)?;
    module.add_function(wrap_pyfunction!(rows::classes, module)?)?;
    module.add_function(wrap_pyfunction!(output::joined, module)?)?;
    module.add_function(wrap_pyfunction!(compute::operations, module)?)?;
    module.add_function(wrap_pyfunction!(compute::compute, module)?)?;
    module.add_function(wrap_pyfunction!(sums::sum_of_products, module)?)?;
    module.add_function(wrap_pyfunction!(sums::terms_wanted, module)?)?;
    module.add_function(wrap_pyfunction!(scan::scan, module)?)?;
    module.add_function(wrap_pyfunction!(index::index_wanted, module)?)?;
    module.add_function(wrap_pyfunction!(children::derive, module)?)?;
    Ok(())
}
