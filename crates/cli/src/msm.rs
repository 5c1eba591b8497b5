//! `phalanx msm`: the sum of scalars times points, of files of any length.
//!
//! ```text
//! one reader ──> queue ──> workers, each with a sum of its own ──> the calling thread: looks for bad rows, adds the sums
//! ```
//!
//! Addition commutes, so blocks are summed by whoever is free. What is wrong with a block is heard in the order of blocks:
//! the row that ends a run is the first bad one, however threads took their turns.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use phalanx::msm::{Accumulator, Msm};
use phalanx::{Bulk, Class, Point};
use phalanx_rows::{Job, Names, Terms};

use crate::args::MsmArgs;
use crate::backend::bulk;
use crate::failure::Failure;
use crate::guard::guard;
use crate::input::{Input, RawBlock};
use crate::interrupt;
use crate::pipeline::start;
use crate::progress::Progress;
use crate::run::{open, threads};
use crate::standard;

/// Rows that are read at a time: their points are lifted together.
const BLOCK_ROWS: usize = 4096;

/// Bytes that a term takes while it waits and while it is summed: a scalar and a point, and both once more as an input of
/// the sum.
const TERM_BYTES: usize = 4 * 64;

/// What a thread takes at most: beyond it terms leave the caches, and with 64 MiB a sum takes a third longer.
const MOST_MEMORY: usize = 32 << 20;

/// By what means a sum is computed.
struct Plan {
    bulk: Bulk,
    msm: Msm,
    /// Terms that are summed together.
    terms: usize,
}

impl Plan {
    /// Half of the memory is for terms, half for what the sum makes of them.
    fn new(bulk: Bulk, memory: usize, workers: usize) -> Result<Plan, Failure> {
        let half = (memory / workers).min(MOST_MEMORY) / 2;
        let msm = Msm::builder().backend(bulk.backend()).threads(1).memory(half).build().map_err(Failure::of)?;
        Ok(Plan { bulk, msm, terms: (half / TERM_BYTES).max(BLOCK_ROWS) })
    }
}

/// Sums over all files; returns the exit status.
pub(crate) fn run(args: &MsmArgs) -> Result<u8, Failure> {
    let clock = Instant::now();
    interrupt::install()?;
    let names = Arc::new(Names::new(&args.columns, &[])?);
    let workers = threads(args.threads);
    let memory = (args.memory as usize).saturating_mul(1 << 20);
    let plan = Plan::new(bulk(args.backend.as_deref())?, memory, workers)?;
    let backend = plan.bulk.backend().name();
    let inputs = open(&args.files, &names, Job::Sum)?;
    let progress = (!args.quiet).then(|| Progress::new(inputs.iter().map(|input| input.size).sum()));
    let told = sum(Arc::new(plan), workers, inputs)?;
    match hear(progress, told)? {
        Answer::Sum(sum, rows) => {
            let text = if sum == Point::IDENTITY { "infinity".to_owned() } else { const_hex::encode(sum.to_bytes()) };
            let seconds = clock.elapsed().as_secs_f64();
            standard::answer(&match args.json {
                false => format!("{text}\n"),
                true => format!(
                    "{{\"sum\":\"{text}\",\"rows\":{rows},\"seconds\":{seconds:.6},\"threads\":{workers},\
                     \"backend\":\"{backend}\"}}\n"
                ),
            })?;
            Ok(0)
        }
        Answer::Bad(text, class) => {
            standard::remark(format_args!("phalanx: {text}"));
            Ok(if class == Class::Malformed { 3 } else { 1 })
        }
    }
}

enum Answer {
    /// The sum of so many rows.
    Sum(Point, u64),
    /// The first row that is no term, in words.
    Bad(String, Class),
}

/// What reader and workers say.
enum Told {
    /// So many rows are terms, and so many bytes of the input were read for them.
    Good { number: u64, rows: u64, bytes: u64 },
    /// The block has this to say in its place.
    Bad { number: u64, end: Result<Answer, Failure> },
    /// The sum of a worker that has nothing left to do.
    Sum(Point),
    /// A panic.
    Broken(Failure),
}

/// Sets reader and workers to work. When a run ends early, those that are still busy are left behind.
fn sum(plan: Arc<Plan>, workers: usize, inputs: Vec<Input>) -> Result<Receiver<Told>, Failure> {
    let (work_to, work) = bounded::<(u64, RawBlock)>(workers);
    let (tell, told) = unbounded();
    for number in 0..workers {
        let (plan, work, tell) = (Arc::clone(&plan), work.clone(), tell.clone());
        start(format!("sum-{number}"), move || {
            let sum = guard("internal error", || add(&plan, &work, &tell));
            let _ = tell.send(sum.map_or_else(Told::Broken, Told::Sum));
        })?;
    }
    start("read".to_owned(), move || {
        let mut number = 0;
        let mut emit = |raw: RawBlock| {
            number += 1;
            work_to.send((number - 1, raw)).is_ok()
        };
        if let Err(failure) = inputs.into_iter().try_for_each(|input| input.read(BLOCK_ROWS, &mut emit)) {
            let _ = tell.send(Told::Bad { number, end: Err(failure) });
        }
    })?;
    Ok(told)
}

/// Adds up what comes, until nothing does.
fn add(plan: &Plan, work: &Receiver<(u64, RawBlock)>, tell: &Sender<Told>) -> Result<Point, Failure> {
    let mut sum = plan.msm.accumulator();
    let mut terms = Terms::default();
    for (number, raw) in work {
        let bytes = raw.bytes;
        let block = raw.decode(Job::Sum);
        match terms.take(&plan.bulk, &block.rows) {
            Ok(()) => drop(tell.send(Told::Good { number, rows: block.rows.rows() as u64, bytes })),
            Err((row, outcome)) => {
                let text = block.origin.note(block.numbers.get(row), outcome);
                let _ = tell.send(Told::Bad { number, end: Ok(Answer::Bad(text, outcome.verdict.class())) });
                return Ok(Point::IDENTITY);
            }
        }
        if terms.scalars().len() >= plan.terms {
            put(&mut terms, &mut sum)?;
        }
    }
    put(&mut terms, &mut sum)?;
    Ok(sum.finish())
}

fn put(terms: &mut Terms, sum: &mut Accumulator<'_>) -> Result<(), Failure> {
    sum.add(terms.scalars(), terms.points()).map_err(Failure::of)?;
    terms.clear();
    Ok(())
}

/// Listens until all sums are there, or until what is wrong with a block is known to be the first such thing.
fn hear(progress: Option<Progress>, told: Receiver<Told>) -> Result<Answer, Failure> {
    let (mut sum, mut rows, mut next) = (Point::IDENTITY, 0, 0);
    let mut early = BTreeMap::new();
    for told in told {
        match told {
            Told::Good { number, rows: more, bytes } => {
                early.insert(number, None);
                rows += more;
                if let Some(progress) = &progress {
                    progress.advance(bytes, rows);
                }
            }
            Told::Bad { number, end } => drop(early.insert(number, Some(end))),
            Told::Sum(part) => sum += part,
            Told::Broken(failure) => return Err(failure),
        }
        while let Some(end) = early.remove(&next) {
            next += 1;
            if let Some(end) = end {
                return end;
            }
        }
    }
    Ok(Answer::Sum(sum, rows))
}
