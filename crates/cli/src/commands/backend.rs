//! The implementation to compute with: by the option, else by the environment, else the fastest; and the threads.

use std::ffi::{OsStr, OsString};
use std::thread::available_parallelism;

use clap::Args;
use phalanx::{Backend, Bulk};

use crate::exit::RunError;

/// The environment variable that names a backend, as the library reads it.
const VARIABLE: &str = "PHALANX_BACKEND";

/// What computes.
#[derive(Debug, Default, Args)]
pub(crate) struct ComputeArgs {
    /// How many threads compute; by default as many as the machine can run at once. Reading has a thread
    /// beside them, and so has the writing of answers, if there are any.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,

    /// The implementation to compute with, one of those that `phalanx info` lists; by default the fastest.
    ///
    /// The environment variable PHALANX_BACKEND does the same.
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
}

impl ComputeArgs {
    /// The means to compute by, on the thread that calls them: the pipeline brings its own.
    pub(super) fn bulk(&self) -> Result<Bulk, RunError> {
        let builder = Bulk::builder().threads(1);
        let builder = match asked(self.backend.as_deref())? {
            Some(backend) => builder.backend(backend),
            None => builder,
        };
        builder.build().map_err(RunError::of)
    }

    /// How many threads compute.
    pub(super) fn threads(&self) -> usize {
        let all = || available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, |threads| threads as usize)
    }
}

/// The backend that `--backend` names or, without it, the environment variable. `None` if both are absent, or the
/// variable is empty.
///
/// Fails, with the name as it was given, when there is no such backend on this machine.
pub(super) fn asked(option: Option<&str>) -> Result<Option<Backend>, RunError> {
    let (source, name) = match option {
        Some(name) => ("--backend", OsString::from(name)),
        None => match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => (VARIABLE, name),
            _ => return Ok(None),
        },
    };
    let found = name.to_str().and_then(|name| name.parse().ok()).filter(|backend| is_there(*backend));
    found.map(Some).ok_or_else(|| RunError::new(not_there(source, &name, Backend::refused())))
}

/// Whether this machine can run the backend. Proves that backend alone.
fn is_there(backend: Backend) -> bool {
    Bulk::builder().threads(1).backend(backend).build().is_ok()
}

/// Why there is no backend of that name.
fn not_there(source: &str, name: &OsStr, refused: &[(Backend, &str)]) -> String {
    let names: Vec<&str> = Backend::available().iter().map(|backend| backend.name()).collect();
    let of_name = refused.iter().find(|(backend, _)| name == OsStr::new(backend.name()));
    let why = of_name.map_or_else(String::new, |(_, wrong)| format!(" ({})", refusal(wrong)));
    format!("{source}: there is no backend {name:?} here{why}; there are: {}", names.join(", "))
}

/// Why a backend that this CPU could run is not there.
pub(super) fn refusal(wrong: &str) -> String {
    format!("this CPU has its instructions, but the backend has not proved itself: {wrong}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_backend_is_named_with_the_reason() {
        let refused = [(Backend::Fma, "public keys"), (Backend::Ifma, "a panic")];
        let said = |name: &str| not_there("--backend", OsStr::new(name), &refused);
        assert!(said("fma").starts_with(
            "--backend: there is no backend \"fma\" here (this CPU has its instructions, but the backend has not \
             proved itself: public keys); there are: "
        ));
        assert!(said("ifma").contains("proved itself: a panic)"));
        assert!(said("neon").starts_with("--backend: there is no backend \"neon\" here; there are: "));
        assert!(said("neon").contains("portable"));
    }
}
