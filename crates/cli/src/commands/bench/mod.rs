//! `phalanx bench`: how many rows per second each backend computes on this CPU.

mod check;
mod inputs;
mod report;
mod sample;
mod work;

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use clap::Args;
use phalanx::{Backend, Bulk};

use self::inputs::{EncodedRows, Inputs};
use self::report::BenchReport;
use self::work::BenchBackend;
use super::{backend, info, joined};
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

/// Measure how many rows per second each backend computes on this CPU.
///
/// Verification, recovery, signing, public keys, shared secrets and sums, one at a time and in bulk, on one thread
/// and on all. Keys and signatures to verify are read from bytes, as those of a file are. Tables of keys are made
/// only for the rows that share 16 keys. Answers are checked before anything is timed; a backend that disagrees is
/// an error.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, after_long_help = joined(&[JSON, STATUSES, EXAMPLES]))]
pub(crate) struct BenchArgs {
    /// About how long to measure, from 0.1 to 3600 s. Each rate is measured once at least, so a run may take longer.
    #[arg(long, value_name = "N", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Duration,

    /// Measure this backend alone, one of those that `phalanx info` lists; by default all of them.
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How long to measure.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "not a number from 0.1 to 3600".into())
}

const JSON: &str = "\
The JSON object:
  version    of this command
  cpu        the processor's name, or null
  features   instruction sets that Phalanx can make use of
  threads    how many threads all threads are
  load       threads of all programs that wanted to run in the minute before,
             or null
  backends   those that were measured
  backend    the one that is chosen here unless another is asked for; with
             --backend that one
  seconds    how long the run took
  rates      an array; each element has
    operation        verify-ecdsa, verify-ecdsa-few-keys, verify-schnorr,
                     recover, sign-ecdsa, sign-schnorr, public-keys,
                     shared-secrets, tweak-add-public, decompress or sum
    way              single, one row a call; or bulk
    threads          1 or all
    backend          the one that computed
    rows_per_second  the median; of a sum, products per second
    spread           the distance between the quartiles, as a share of the
                     median
    samples          how many the median is of
    rows_per_call    rows, or products of a sum, in a call
  gains      an array; each element has operation, way and threads, and
    gain             the rate of the chosen backend over that of the portable
                     one, the median over the rounds of samples. There are
                     none if the chosen backend is portable, or the only one
    best             the backend with the highest rate";

const STATUSES: &str = "\
Exit status:
  0    the rates are printed
  2    wrong usage, an output error, or backends that disagree
  130  interrupted";

const EXAMPLES: &str = "\
Examples:
  phalanx bench
  phalanx bench --seconds 60 --json
  phalanx bench --backend portable";
