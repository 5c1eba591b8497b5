//! `phalanx verify` and `phalanx recover` from the command line to the exit status.

use std::path::Path;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use phalanx_rows::{BatchMode, Job, Names, Policy, RowJob, Verifier};

use crate::args::RunArgs;
use crate::backend::bulk;
use crate::failure::Failure;
use crate::input::Input;
use crate::interrupt;
use crate::output::{Format, Output, Shape};
use crate::pipeline::{self, Plan};
use crate::standard;
use crate::summary::Summary;

/// Runs a job over all files; returns the exit status.
pub(crate) fn run(job: RowJob, args: RunArgs, hybrid_keys: bool, mode: BatchMode) -> Result<u8, Failure> {
    let start = Instant::now();
    interrupt::install()?;
    let names = Arc::new(Names::new(&args.columns, &args.keep)?);
    let format = args.out.as_deref().map(|path| format(path, args.out_format)).transpose()?;
    let bulk = bulk(args.backend.as_deref())?;
    let backend = bulk.backend().name();
    let threads = threads(args.threads);
    let inputs = open(&args.files, &names, Job::Rows(job))?;

    let shape = format.map(|format| Shape::new(format, job, &inputs)).transpose()?.map(Arc::new);
    let mut output = match (&args.out, &shape) {
        (Some(path), Some(shape)) => Some(Output::create(path, shape)?),
        _ => None,
    };
    let policy = Policy { low_s: args.low_s.into(), der: args.der.into(), hybrid_keys };
    let batch_rows = args.batch_rows as usize;
    let verifier = Verifier::new(&bulk, mode);
    let plan = Plan { job, policy, verifier, workers: threads, batch_rows, quiet: args.quiet };
    let tally = pipeline::run(plan, inputs, shape.zip(output.as_mut()))?;

    // The summary comes before the rename: where it cannot be written, no output may appear.
    let finished = output.map(Output::finish).transpose()?;
    let summary = Summary { tally, elapsed: start.elapsed(), threads, backend };
    let text = if args.json { summary.json() } else { summary.text() };
    if args.out.as_deref() == Some(Path::new("-")) {
        standard::prompt(&text);
    } else {
        standard::explain(&text)?;
    }
    if let Some(finished) = finished {
        finished.commit()?;
    }
    Ok(summary.tally.status())
}

/// How many threads compute.
pub(crate) fn threads(asked: Option<u32>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, usize::from), |threads| threads as usize)
}

/// Opens all files.
pub(crate) fn open(files: &[String], names: &Arc<Names>, job: Job) -> Result<Vec<Input>, Failure> {
    if files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Failure::new("standard input can be read only once"));
    }
    files.iter().map(|file| Input::open(file, names, job)).collect()
}

fn format(path: &Path, asked: Option<Format>) -> Result<Format, Failure> {
    match asked.or_else(|| Format::of(path)) {
        Some(format) => Ok(format),
        None if path == Path::new("-") => Ok(Format::Jsonl),
        None => Err(Failure::new(format!(
            "{}: the ending says no format: end in .parquet, .csv or .jsonl, or name one with --out-format",
            path.display()
        ))),
    }
}
