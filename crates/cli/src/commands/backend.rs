//! The implementation to compute with: by the option, else by the environment, else the fastest; and the threads.

use std::ffi::{OsStr, OsString};
use std::thread::available_parallelism;

use phalanx::{Backend, Bulk};

use crate::exit::RunError;

/// The environment variable that names a backend, as the library reads it.
const VARIABLE: &str = "PHALANX_BACKEND";

/// The backend that `--backend` names or, without it, the environment; none if neither names one.
///
/// Fails, with the name as it was given, when there is no such backend on this machine.
pub(super) fn asked(option: Option<&str>) -> Result<Option<Backend>, RunError> {
    let (source, name) = match option {
        Some(name) => ("--backend", OsString::from(name)),
        None => match std::env::var_os(VARIABLE) {
            Some(name) => (VARIABLE, name),
            None => return Ok(None),
        },
    };
    let available = Backend::available();
    let found = available.iter().find(|backend| name == OsStr::new(backend.name()));
    found.map(|backend| Some(*backend)).ok_or_else(|| {
        let names: Vec<&str> = available.iter().map(|backend| backend.name()).collect();
        RunError::new(format!("{source}: there is no backend {name:?} here; there are: {}", names.join(", ")))
    })
}

/// The means to compute by, on the thread that calls them: the pipeline brings its own.
pub(super) fn bulk(option: Option<&str>) -> Result<Bulk, RunError> {
    let builder = Bulk::builder().threads(1);
    let builder = match asked(option)? {
        Some(backend) => builder.backend(backend),
        None => builder,
    };
    builder.build().map_err(RunError::of)
}

/// How many threads compute.
pub(super) fn threads(asked: Option<u32>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, usize::from), |threads| threads as usize)
}
