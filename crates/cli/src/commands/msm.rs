//! `phalanx msm`: the sum of scalars times points, of files of any length.
//!
//! Each worker of the pipeline has a sum of its own: addition commutes, so blocks are summed by whichever is free. The
//! sums are added at the end.

use std::ops::ControlFlow;
use std::time::Instant;

use phalanx::msm::{Accumulator, Msm};
use phalanx::{Bulk, Class, Point};
use phalanx_rows::{Job, Policy, SumTerms};

use super::Files;
use super::backend::{bulk, threads};
use crate::args::MsmArgs;
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
    let workers = threads(args.means.threads);
    let memory = (args.memory as usize).saturating_mul(1 << 20);
    let plan = SumSettings::new(bulk(args.means.backend.as_deref())?, memory, workers)?;
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
