//! `phalanx msm`: the sum of scalars times points, of files of any length.
//!
//! Each worker of the pipeline has a sum of its own: addition commutes, so blocks are summed by whichever is free. The
//! sums are added at the end.

use std::ops::ControlFlow;
use std::time::Instant;

use clap::Args;
use phalanx::msm::{Accumulator, Msm};
use phalanx::{Bulk, Class, Point};
use phalanx_rows::{Job, Policy, SumTerms};

use super::backend::ComputeArgs;
use super::files::{Files, InputArgs};
use super::joined;
use crate::exit::{ALL_VALID, RunError, SOME_INVALID, SOME_MALFORMED};
use crate::input::{Decoded, Input, RawBlock};
use crate::output::refuse_replacing;
use crate::pipeline::{self, Desk, Progress};
use crate::process::{interrupt, standard};

/// Rows that are read at a time: their points are lifted together.
const BLOCK_ROWS: usize = 4096;

/// Bytes that a term takes while it waits and while it is summed: a scalar and a point, and both once more as an input
/// of the sum.
const TERM_BYTES: usize = 4 * 64;

/// What a thread takes at most: beyond it terms leave the caches, and with 64 MiB per sum takes a third longer.
const MOST_MEMORY: usize = 32 << 20;

/// By what means a sum is computed.
struct SumSettings {
    bulk: Bulk,
    msm: Msm,
    /// Terms that are summed together.
    terms: usize,
}

impl SumSettings {
    /// Half of the memory is for terms, half for what the sum makes of them.
    fn new(bulk: Bulk, memory: usize, workers: usize) -> Result<SumSettings, RunError> {
        let half = (memory / workers).min(MOST_MEMORY) / 2;
        let msm = Msm::builder().backend(bulk.backend()).threads(1).memory(half).build().map_err(RunError::of)?;
        Ok(SumSettings { bulk, msm, terms: (half / TERM_BYTES).max(BLOCK_ROWS) })
    }
}

/// Sums over all files; returns the exit status.
pub(super) fn run(args: &MsmArgs) -> Result<u8, RunError> {
    let clock = Instant::now();
    interrupt::install()?;
    let files = Files::of_rows(&args.input, Job::Sum, &[], false)?;
    refuse_replacing(&[], &files.places())?;
    let workers = args.compute.threads();
    let memory = (args.memory as usize).saturating_mul(1 << 20);
    let plan = SumSettings::new(args.compute.bulk()?, memory, workers)?;
    let backend = plan.bulk.backend().name();
    let inputs = files.open().collect::<Result<_, _>>()?;
    match sum(plan, workers, inputs, args.quiet)? {
        Ok((sum, rows)) => {
            let text = if sum == Point::IDENTITY { "infinity".to_owned() } else { const_hex::encode(sum.to_bytes()) };
            let seconds = clock.elapsed().as_secs_f64();
            standard::answer(&match args.json {
                false => format!("{text}\n"),
                true => format!(
                    "{{\"sum\":\"{text}\",\"rows\":{rows},\"seconds\":{seconds:.6},\"threads\":{workers},\
                     \"backend\":\"{backend}\"}}\n"
                ),
            })?;
            Ok(ALL_VALID)
        }
        Err((text, class)) => {
            standard::remark(format_args!("phalanx: {text}"));
            Ok(if class == Class::Malformed { SOME_MALFORMED } else { SOME_INVALID })
        }
    }
}

/// The first row that is no term, in words, and the class of its verdict.
type NoTerm = (String, Class);

/// The sum of all rows and their number, or the first row that is no term.
fn sum(
    plan: SumSettings,
    workers: usize,
    inputs: Vec<Input>,
    quiet: bool,
) -> Result<Result<(Point, u64), NoTerm>, RunError> {
    let progress = (!quiet).then(|| Progress::new(inputs.iter().map(|input| input.size).sum()));
    let (mut sum, mut rows, mut bad) = (Point::IDENTITY, 0, None);
    let collect = |done: Result<(u64, u64), NoTerm>| match done {
        Ok((more, bytes)) => {
            rows += more;
            if let Some(progress) = &progress {
                progress.advance(bytes, rows);
            }
            Ok(ControlFlow::Continue(()))
        }
        Err(row) => {
            bad = Some(row);
            Ok(ControlFlow::Break(()))
        }
    };
    let work = move |desk: &SumDesk| add(&plan, desk);
    // Without one of its files a sum would be another.
    match pipeline::run(inputs, BLOCK_ROWS, workers, work, |_, failure| Err(failure), collect)? {
        ControlFlow::Continue(parts) => {
            parts.into_iter().for_each(|part| sum += part);
            Ok(Ok((sum, rows)))
        }
        ControlFlow::Break(()) => Ok(Err(bad.ok_or_else(|| RunError::new("internal error: a sum ended early"))?)),
    }
}

/// Blocks come from it. Each is answered by its rows and the bytes that were read for them, if all rows are terms.
type SumDesk = Desk<RawBlock, Result<(u64, u64), NoTerm>, Point>;

/// Adds up what comes, until nothing does.
fn add(plan: &SumSettings, desk: &SumDesk) -> Result<Point, RunError> {
    let mut sum = plan.msm.accumulator();
    // They wait for more, so that the sum of a piece is worth its tables.
    let mut terms = SumTerms::default();
    while desk.answer_next(|raw| Ok(take(plan, &mut terms, &raw.decode()?, raw.bytes))) {
        if terms.scalars().len() >= plan.terms {
            put(&mut terms, &mut sum)?;
        }
    }
    put(&mut terms, &mut sum)?;
    Ok(sum.finish())
}

fn take(plan: &SumSettings, terms: &mut SumTerms, block: &Decoded<'_>, bytes: u64) -> Result<(u64, u64), NoTerm> {
    match terms.take(&plan.bulk, &block.rows) {
        Ok(()) => Ok((block.rows.rows() as u64, bytes)),
        Err((row, outcome)) => Err((block.note(row, outcome, Policy::default()), outcome.verdict.class())),
    }
}

fn put(terms: &mut SumTerms, sum: &mut Accumulator<'_>) -> Result<(), RunError> {
    sum.add(terms.scalars(), terms.points()).map_err(RunError::of)?;
    terms.clear();
    Ok(())
}

/// Sum scalars times points: k_0 P_0 + k_1 P_1 + ... over all rows of all files.
///
/// Prints the sum as a compressed point, 33 bytes in hex, or the word `infinity`; that is also the sum of no rows.
/// The sum depends neither on threads nor on memory nor on the backend. Scalars and points are public: this takes
/// variable time.
#[derive(Debug, Args)]
#[command(after_help = STATUSES, after_long_help = joined(&[COLUMNS, STATUSES, EXAMPLES]))]
pub(crate) struct MsmArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    compute: ComputeArgs,

    /// About how much memory terms and their tables may take, in MiB, for all threads together.
    ///
    /// Longer pieces of a sum cost less a row. A thread takes about 3 MiB at least and uses 32 at most.
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,

    /// Print the sum, the number of rows and the time as one JSON object.
    #[arg(long)]
    json: bool,

    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

const COLUMNS: &str = "\
Columns, with other names that are understood in brackets; case does not matter:
  scalar        32 bytes, below the group order [coefficient]
  point         33 or 65 bytes; 33 zero bytes are infinity

Values are binary, or hex text with or without 0x. Of JSON lines, every line is a row.";

const STATUSES: &str = "\
Exit status:
  0    the sum of all rows is printed
  1    a scalar is not below the group order (out_of_range), or a point is
       none (bad_public_key)
  2    wrong usage, or an input or output error
  3    a row is malformed: a value missing or null, text that is not hex, a
       scalar that is not 32 bytes
  130  interrupted

The first row that is no term of the sum decides between 1 and 3 and is named on standard error; there is no sum \
then.";

const EXAMPLES: &str = "\
Examples:
  phalanx msm terms.parquet
  phalanx msm --columns point=pubkey,scalar=weight --memory 64 part-*.csv.gz";
