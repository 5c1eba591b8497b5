//! `phalanx bench`: how many rows per second each backend computes on this CPU.
//!
//! - `inputs`: the rows;
//! - `work`: the operations, and the ways of a backend to compute them;
//! - `check`: whether the backends agree;
//! - `sample`: how rates are measured;
//! - `report`: the tables and the JSON document.
//!
//! Each knows only those before it.

mod check;
mod inputs;
mod report;
mod sample;
mod work;

use std::io::{IsTerminal, stderr};
use std::time::Instant;

use phalanx::{Backend, Bulk};

use self::inputs::{EncodedRows, Inputs};
use self::report::BenchReport;
use self::work::BenchBackend;
use super::{backend, info};
use crate::args::BenchArgs;
use crate::exit::{ALL_VALID, RunError};
use crate::process::{interrupt, standard};

/// Measures and reports; returns the exit status.
pub(super) fn run(args: &BenchArgs) -> Result<u8, RunError> {
    let clock = Instant::now();
    interrupt::install()?;
    // Key pairs are made by what the environment names, whatever the option says.
    let environment = backend::asked(None)?;
    let backends = match args.backend.as_deref() {
        Some(name) => backend::asked(Some(name))?.into_iter().collect(),
        None => Backend::available().to_vec(),
    };
    // All threads are those of a call for which nobody chooses.
    let usual = Bulk::builder().build().map_err(RunError::of)?;
    let (chosen, threads) = match backends[..] {
        [only] => (only, usual.threads()),
        _ => (environment.unwrap_or(usual.backend()), usual.threads()),
    };
    let load = load();
    if stderr().is_terminal() {
        standard::remark(format_args!("measuring for about {} s ...", args.seconds.as_secs_f64()));
    }
    let inputs = Inputs::new(threads)?;
    let rows = EncodedRows::new(&inputs);
    let tested = backends.iter().map(|backend| BenchBackend::new(*backend, threads)).collect::<Result<Vec<_>, _>>();
    let tested = tested.map_err(RunError::of)?;
    check::check(&tested, &rows)?;
    let measured = sample::measure(&tested, chosen, threads, &rows, clock, args.seconds)?;
    let report = BenchReport {
        cpu: info::cpu_name(),
        features: info::cpu_features(),
        threads,
        load,
        backends,
        chosen,
        seconds: clock.elapsed().as_secs_f64(),
        measured,
    };
    standard::explain(&if args.json { report.json() } else { report.text() })?;
    Ok(ALL_VALID)
}

/// How many threads of all programs wanted to run in the last minute, on average, where the system tells it in a file.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
