//! `phalanx blocks`: a node's data in, a verdict on every input out.

mod amount;
mod block_file;
mod block_json;
mod judge;
mod options;
mod report;
mod source;
mod spent_json;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use phalanx_bitcoin::{Verifier, reversed_hex};

use super::files::opened;
use crate::exit::{NO_RESULT, RunError};
use crate::output::{Output, OutputFormat, checks, index, inputs, refuse_replacing};
use crate::pipeline::{self, Progress, grouped};
use crate::process::{interrupt, standard};
use judge::{BlockJudge, FoundInput, Judged, PerOutput, Unjudged};
pub(super) use options::BlocksArgs;
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

/// A file of answers whose ending says its format.
fn by_ending(path: Option<&Path>) -> Result<Option<(&Path, OutputFormat)>, RunError> {
    path.map(|path| Ok((path, OutputFormat::of(path, None)?))).transpose()
}

/// Verifies all blocks; returns the exit status. What cannot be verified does not keep the rest from it.
pub(super) fn run(args: &BlocksArgs) -> Result<u8, RunError> {
    let start = Instant::now();
    interrupt::install()?;
    let files = PerOutput {
        checks: args.output.file()?,
        inputs: by_ending(args.inputs.as_deref())?,
        index: by_ending(args.silent_index.as_deref())?,
    };
    let options = ["--out", "--inputs", "--silent-index"].into_iter().zip(files.into_array());
    let outputs: Vec<_> = options.filter_map(|(option, file)| Some((option, file?.0))).collect();
    refuse_replacing(&outputs, &source::places(&args.paths))?;
    let bulk = args.output.compute.bulk()?;
    let (backend, threads) = (bulk.backend().name(), args.output.compute.threads());
    let (sources, failed) = opened(args.paths.iter().map(|path| BlockSource::open(path, args.network, &args.heights)));
    if sources.is_empty() {
        return Ok(NO_RESULT);
    }

    let schemas = [checks::schema(), inputs::schema(), index::schema()];
    let create = |(file, schema)| match file {
        Some((path, format)) => Output::create(path, format, schema).map(Some),
        None => Ok(None),
    };
    let mut outputs =
        files.into_array().into_iter().zip(schemas).map(create).collect::<Result<Vec<Option<Output>>, _>>()?;
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
    let formats = files.map(|file| file.map(|(_, format)| format));
    let judge = BlockJudge { verifier, bulk, formats };
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
        for (output, payload) in outputs.iter_mut().zip(judged.payloads.into_array()) {
            if let (Some(output), Some(payload)) = (output, payload) {
                output.put(payload)?;
            }
        }
        for invalid in judged.invalid.iter().take(if args.output.quiet { 0 } else { (NOTES - noted) as usize }) {
            let FoundInput { txid, input, error } = invalid;
            let txid = reversed_hex(txid);
            say(&format!("{}, transaction {txid}, input {input}: {}: {error}", judged.named, error.name()));
            noted += 1;
        }
        match judged.result {
            Ok(found) => {
                report.add(&found);
                if let Some((height, hash)) = judged.height.zip(judged.hash) {
                    report.add_place(&judged.place, judged.network, height, &hash);
                    report.add_invalid_inputs(&judged.place, height, &hash, judged.invalid);
                }
            }
            Err(Unjudged::NotValid(rule)) => {
                say(&format!("phalanx: {}: {rule}", judged.named));
                report.add_invalid_block(&judged.place, judged.height, judged.hash, rule);
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
        let all = if args.inputs.is_some() { "" } else { "; --inputs FILE writes all" };
        say(&format!("and {} more inputs that are not valid{all}", grouped(report.invalid - noted)));
    }
    drop(progress);

    let finished = outputs.into_iter().flatten().map(Output::finish).collect::<Result<Vec<_>, _>>()?;
    report.elapsed = start.elapsed();
    let text = if args.output.json { report.json() } else { report.text() };
    if files.into_array().into_iter().flatten().any(|(path, _)| path == Path::new("-")) {
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
