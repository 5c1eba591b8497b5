//! Reading, decoding, computing and writing, at the same time.
//!
//! ```text
//! one reader ──> queue ──> workers: decode, compute, render ──> queue ──> the calling thread: order, write, count
//! ```
//!
//! A worker takes a whole batch, so workers never wait for each other. Batches in flight are limited in number and in
//! bytes: the reader takes room for a batch before it hands it on and the writer gives it back when the batch is written,
//! so that memory is bounded by a few batches for each worker whatever is slow.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};
use phalanx::Class;
use phalanx_rows::{Answers, Job, NO_RECOVERY_ID, Outcome, Policy, Role, RowJob, Verifier, answer};

use crate::failure::Failure;
use crate::guard::guard;
use crate::input::{Decoded, Input, Origin, RawBlock};
use crate::output::{Output, Payload, Shape};
use crate::progress::Progress;
use crate::room::Room;
use crate::summary::{Tally, grouped};

/// Rows without a valid signature that are told of on standard error.
const NOTES: usize = 10;

/// What is done to each row, by how many.
pub(crate) struct Plan {
    pub(crate) job: RowJob,
    pub(crate) policy: Policy,
    pub(crate) verifier: Verifier,
    pub(crate) workers: usize,
    pub(crate) batch_rows: usize,
    /// Say nothing on standard error, neither progress nor the first rows that are not valid.
    pub(crate) quiet: bool,
}

/// A row that is not valid.
struct Note {
    row: u64,
    outcome: Outcome,
}

/// A batch that has been answered.
struct Done {
    origin: Arc<Origin>,
    bytes: u64,
    weight: usize,
    tally: Tally,
    notes: Vec<Note>,
    payload: Option<Payload>,
}

/// Runs inputs through a plan and into an output; returns the counts when everything is written.
///
/// When something fails, the threads that are still busy are left behind: a reader may be waiting for input that never
/// comes, and the process is about to end.
pub(crate) fn run(plan: Plan, inputs: Vec<Input>, output: Option<(Arc<Shape>, &mut Output)>) -> Result<Tally, Failure> {
    let progress = if plan.quiet { None } else { Some(Progress::new(inputs.iter().map(|input| input.size).sum())) };
    let plan = Arc::new(plan);
    let (shape, output) = output.unzip();
    let room = Arc::new(Room::new(plan.workers));
    let (work_to, work) = unbounded();
    let (done_to, done) = unbounded();
    for number in 0..plan.workers {
        let (plan, shape) = (Arc::clone(&plan), shape.clone());
        let (work, done_to) = (work.clone(), done_to.clone());
        start(format!("compute-{number}"), move || compute(&plan, shape.as_deref(), &work, &done_to))?;
    }
    let batch_rows = plan.batch_rows;
    let reading = Arc::clone(&room);
    start("read".to_owned(), move || read(batch_rows, inputs, &reading, &work_to, &done_to))?;
    write(progress, output, done, &room)
}

/// Starts a thread that nobody waits for.
pub(crate) fn start(name: String, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    thread::Builder::new().name(name).spawn(work).map(drop).map_err(Failure::of)
}

type Numbered<T> = (u64, T);

fn read(
    batch_rows: usize,
    inputs: Vec<Input>,
    room: &Room,
    work_to: &Sender<Numbered<RawBlock>>,
    failure_to: &Sender<Result<Numbered<Done>, Failure>>,
) {
    let mut number = 0;
    let mut emit = |raw: RawBlock| {
        room.take(raw.weight);
        number += 1;
        work_to.send((number - 1, raw)).is_ok()
    };
    if let Err(failure) = inputs.into_iter().try_for_each(|input| input.read(batch_rows, &mut emit)) {
        let _ = failure_to.send(Err(failure));
    }
}

fn compute(
    plan: &Plan,
    shape: Option<&Shape>,
    work: &Receiver<Numbered<RawBlock>>,
    done_to: &Sender<Result<Numbered<Done>, Failure>>,
) {
    for (number, raw) in work {
        let done = guard("internal error", || process(plan, shape, &raw));
        if done_to.send(done.map(|done| (number, done))).is_err() {
            return;
        }
    }
}

fn process(plan: &Plan, shape: Option<&Shape>, raw: &RawBlock) -> Result<Done, Failure> {
    let block = raw.decode(Job::Rows(plan.job));
    let answers = judge(plan.job, &plan.verifier, plan.policy, &block)?;
    let payload = shape.map(|shape| shape.render(&block, &answers)).transpose()?;
    let notes = if plan.quiet { Vec::new() } else { notes(&block, &answers.outcomes) };
    let (bytes, weight) = (raw.bytes, raw.weight);
    Ok(Done { origin: block.origin, bytes, weight, tally: Tally::of(&answers), notes, payload })
}

/// The answers of a block. Fails where keys are to be recovered from a file that has no recovery ids.
pub(crate) fn judge(job: RowJob, verifier: &Verifier, policy: Policy, block: &Decoded<'_>) -> Result<Answers, Failure> {
    if job == RowJob::Recover && lacks_recovery_ids(block) {
        let name = &block.origin.name;
        return Err(Failure::new(format!("{name}: no column {NO_RECOVERY_ID}: the signature of row 1 has none")));
    }
    Ok(answer(job, verifier, policy, &block.rows))
}

/// Whether a file has no column of recovery ids, and its first signature has none either. Then none of them will.
fn lacks_recovery_ids(block: &Decoded<'_>) -> bool {
    let nowhere = !block.rows.has(Role::V) && !block.origin.json;
    let first = nowhere && block.rows.rows() > 0 && block.numbers.get(0) == 1;
    first && block.rows.cell(Role::Signature, 0).is_ok_and(|signature| signature.len() != 65)
}

fn notes(block: &Decoded<'_>, outcomes: &[Outcome]) -> Vec<Note> {
    let bad = outcomes.iter().enumerate().filter(|(_, outcome)| !outcome.verdict.is_valid());
    bad.take(NOTES).map(|(row, outcome)| Note { row: block.numbers.get(row), outcome: *outcome }).collect()
}

fn write(
    progress: Option<Progress>,
    mut output: Option<&mut Output>,
    done: Receiver<Result<Numbered<Done>, Failure>>,
    room: &Room,
) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut noted = 0;
    for item in done {
        let (number, batch) = item?;
        early.insert(number, batch);
        while let Some(batch) = early.remove(&next) {
            next += 1;
            tally.add(&batch.tally);
            if let (Some(output), Some(payload)) = (&mut output, batch.payload) {
                output.put(payload)?;
            }
            if let Some(progress) = &progress {
                for note in batch.notes.iter().take(NOTES - noted) {
                    progress.say(&batch.origin.note(note.row, note.outcome));
                    noted += 1;
                }
                progress.advance(batch.bytes, tally.rows());
            }
            room.give_back(batch.weight);
        }
    }
    let bad = tally.rows() - tally.class(Class::Valid);
    if let Some(progress) = progress
        && bad > noted as u64
    {
        progress.say(&format!("and {} more rows that are not valid", grouped(bad - noted as u64)));
    }
    Ok(tally)
}
