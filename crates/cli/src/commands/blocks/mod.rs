//! `phalanx blocks`: a node's data in, a verdict on every input out.
//!
//! - `source`: folders and files, block by block;
//! - `spent_json`: spent outputs in JSON;
//! - `judge`: what is found of a block;
//! - `report`: what a run found.

mod judge;
mod report;
mod source;
mod spent_json;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use phalanx_bitcoin::Verifier;

use super::backend::{bulk, threads};
use super::opened;
use super::rows::{format, out_file};
use crate::args::BlocksArgs;
use crate::exit::{NO_RESULT, RunError};
use crate::output::{Output, checks, index, refuse_replacing};
use crate::pipeline::{self, Progress, grouped};
use crate::process::{interrupt, standard};
use judge::{BlockJudge, Judged, Unjudged};
use report::BlocksReport;
use source::{BlockJob, BlockSource};
#[cfg(feature = "fuzzing")]
pub(crate) use spent_json::outputs as spent_outputs;

/// Lines on standard error about inputs that are not valid.
const NOTES: u64 = 10;

/// An answer of the run.
enum BlockAnswer {
    Judged(Box<Judged>),
    /// What is wrong with a source, beside its blocks.
    Fault(String),
}

/// Verifies all blocks; returns the exit status. What cannot be verified does not keep the rest from it.
pub(super) fn run(args: &BlocksArgs) -> Result<u8, RunError> {
    let start = Instant::now();
    interrupt::install()?;
    let out = out_file(&args.output)?;
    let index = match &args.silent_index {
        Some(path) => Some((path.as_path(), format(path, None)?)),
        None => None,
    };
    let index_option = args.silent_index.as_deref().map(|path| ("--silent-index", path));
    let outputs: Vec<_> = [args.output.named(), index_option].into_iter().flatten().collect();
    refuse_replacing(&outputs, &source::places(&args.paths))?;
    let bulk = bulk(args.output.means.backend.as_deref())?;
    let (backend, threads) = (bulk.backend().name(), threads(args.output.means.threads));
    let (sources, failed) = opened(args.paths.iter().map(|path| BlockSource::open(path, args.network, &args.heights)));
    if sources.is_empty() {
        return Ok(NO_RESULT);
    }

    let mut output = match out {
        Some((path, format)) => Some(Output::create(path, format, checks::schema())?),
        None => None,
    };
    let mut index_output = match index {
        Some((path, format)) => Some(Output::create(path, format, index::schema())?),
        None => None,
    };
    let mut report = BlocksReport::new(args.paths.len(), failed, threads, backend);
    sources.iter().for_each(|source| report.add_stale(source.stale()));
    let sizes = sources.iter().map(BlockSource::size).sum();
    let progress = (!args.output.quiet).then(|| Progress::of(Some(sizes), "inputs"));
    let say = |line: &str| progress.as_ref().map_or_else(|| standard::remark(line), |progress| progress.say(line));

    let read = move |feed: &mut source::BlockFeed| {
        sources.into_iter().try_for_each(|source| source.feed(feed));
        Ok(())
    };
    let verifier = Verifier::new(&bulk);
    let judge =
        BlockJudge { verifier, bulk, checks: out.map(|(_, format)| format), index: index.map(|(_, format)| format) };
    let work = move |desk: &pipeline::Desk<BlockJob, BlockAnswer, ()>| {
        while desk.answer_next(|job| Ok(BlockAnswer::Judged(judge.judge(job)?.into()))) {}
        Ok(())
    };
    let mut noted = 0;
    let collect = |answer: BlockAnswer| {
        let judged = match answer {
            BlockAnswer::Judged(judged) => *judged,
            BlockAnswer::Fault(fault) => {
                say(&format!("phalanx: {fault}"));
                report.add_fault(fault);
                return Ok(ControlFlow::Continue(()));
            }
        };
        if let (Some(output), Some(payload)) = (&mut output, judged.payload) {
            output.put(payload)?;
        }
        if let (Some(output), Some(payload)) = (&mut index_output, judged.index) {
            output.put(payload)?;
        }
        for note in judged.notes.iter().take(if args.output.quiet { 0 } else { (NOTES - noted) as usize }) {
            say(note);
            noted += 1;
        }
        match judged.result {
            Ok(found) => {
                report.add(&found);
                if let Some((height, hash)) = judged.height.zip(judged.hash) {
                    report.add_place(&judged.place, judged.network, height, &hash);
                }
            }
            Err(Unjudged::NotValid(said)) => {
                say(&format!("phalanx: {said}"));
                report.add_invalid_block();
            }
            Err(Unjudged::Unread(fault)) => {
                say(&format!("phalanx: {fault}"));
                report.add_fault(fault);
            }
        }
        if let Some(progress) = &progress {
            progress.advance(judged.bytes, report.counts.inputs);
        }
        if let Some(height) = judged.height.filter(|_| judged.stored) {
            let rest = (!judged.last).then_some((height.saturating_add(1), args.heights.last));
            interrupt::say_then(&report.resume(&judged.place, height, rest));
        }
        Ok(ControlFlow::Continue(()))
    };
    let _ = pipeline::run_from(read, threads, work, collect)?;
    if !args.output.quiet && report.invalid > noted {
        say(&format!("and {} more inputs that are not valid", grouped(report.invalid - noted)));
    }
    drop(progress);

    let outputs = [output, index_output].into_iter().flatten();
    let finished = outputs.map(Output::finish).collect::<Result<Vec<_>, _>>()?;
    report.elapsed = start.elapsed();
    let text = if args.output.json { report.json() } else { report.text() };
    if [&args.output.out, &args.silent_index].into_iter().flatten().any(|path| path == Path::new("-")) {
        standard::prompt(&text);
    } else {
        standard::explain(&text)?;
    }
    if !report.failed.is_empty() {
        return Ok(NO_RESULT);
    }
    for finished in finished {
        finished.commit()?;
    }
    Ok(report.status())
}
