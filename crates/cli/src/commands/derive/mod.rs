//! `phalanx derive`: extended keys in, ranges of their children out.

mod children;
mod key_lines;
mod options;
mod report;
mod source;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use super::files::opened;
use crate::exit::{NO_RESULT, RunError};
use crate::output::{Output, ReadPlace, refuse_replacing};
use crate::pipeline::{self, Desk, Progress};
use crate::process::{interrupt, standard};
use children::{ChildForm, ChildrenDone, write};
pub(super) use options::DeriveArgs;
use phalanx_bip32::ChildTable;
use report::DeriveReport;
use source::{ChildJob, KeyFeed, KeySource, Wanted};

/// An answer of the run.
enum DeriveAnswer {
    Done(ChildrenDone),
    /// What is wrong with a key.
    Fault(String),
    /// What might have been asked for.
    Hint(String),
    /// A file that could not be read to its end.
    Failed(RunError),
}

/// Derives all children; returns the exit status. A key that is none does not keep the others from it.
pub(super) fn run(args: &DeriveArgs) -> Result<u8, RunError> {
    let start = Instant::now();
    interrupt::install()?;
    let to_file = args.output.file()?;
    source::refuse(&args.keys)?;
    let places: Vec<_> = args.keys.iter().map(ReadPlace::of_name).collect();
    refuse_replacing(args.output.named().as_slice(), &places)?;
    let bulk = args.output.compute.bulk()?;
    let (backend, threads) = (bulk.backend().name(), args.output.compute.threads());
    let (sources, failed) = opened(args.keys.iter().map(|key| KeySource::open(key)));
    if sources.is_empty() {
        return Ok(NO_RESULT);
    }

    let several = sources.len() > 1 || !sources.iter().all(KeySource::is_key);
    let form = match to_file {
        Some((_, format)) => ChildForm::Table(format),
        None => ChildForm::Lines { numbered: several },
    };
    let mut output = match to_file {
        Some((path, format)) => Output::create(path, format, ChildTable::schema(args.address))?,
        None => Output::of_lines()?,
    };
    let mut report = DeriveReport::new(failed, threads, backend);
    let wanted = Wanted { path: args.path.clone(), range: args.range, kind: args.address };
    // How many children there are is known where no file has to be read for it.
    let known = (!several).then(|| wanted.count());
    let progress = (!args.output.quiet && to_file.is_some()).then(|| Progress::of(known, "children"));
    let say = |line: &str| progress.as_ref().map_or_else(|| standard::remark(line), |progress| progress.say(line));

    let read = move |feed: &mut KeyFeed| {
        source::feed(sources, &wanted, feed);
        Ok(())
    };
    let (kind, chain) = (args.address, args.network);
    let work = move |desk: &Desk<ChildJob, DeriveAnswer, ()>| {
        while desk.answer_next(|job| Ok(DeriveAnswer::Done(write(&bulk, job, kind, chain, form)?))) {}
        Ok(())
    };
    let collect = |answer: DeriveAnswer| {
        match answer {
            DeriveAnswer::Done(done) => {
                output.put(done.payload)?;
                report.add(done.keys, done.children, done.missing);
                if let Some(progress) = &progress {
                    progress.advance(done.children, report.children);
                }
            }
            DeriveAnswer::Fault(fault) => {
                say(&format!("phalanx: {fault}"));
                report.add_fault(fault);
            }
            DeriveAnswer::Hint(hint) if args.output.quiet => drop(hint),
            DeriveAnswer::Hint(hint) => say(&format!("phalanx: {hint}")),
            DeriveAnswer::Failed(failure) => {
                say(&format!("phalanx: {failure}"));
                report.failed.push(failure);
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    let _ = pipeline::run_from(read, threads, work, collect)?;
    drop(progress);

    let finished = output.finish()?;
    report.elapsed = start.elapsed();
    let text = if args.output.json { report.json() } else { report.text() };
    match args.output.out.as_deref() {
        Some(path) if path != Path::new("-") => standard::explain(&text)?,
        Some(_) => standard::prompt(&text),
        None if !args.output.quiet || args.output.json => standard::prompt(&text),
        None => {}
    }
    if !report.failed.is_empty() {
        return Ok(NO_RESULT);
    }
    finished.commit()?;
    Ok(report.status())
}
