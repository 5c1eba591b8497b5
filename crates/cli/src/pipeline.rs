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

use crate::batch::{Batch, Origin};
use crate::cells::Cells;
use crate::columns::{Job, NO_RECOVERY_ID, Role};
use crate::failure::Failure;
use crate::fault::Outcome;
use crate::guard::guard;
use crate::input::{Input, Piece};
use crate::output::{Output, Payload, Shape};
use crate::progress::Progress;
use crate::recover::{Recovered, recover};
use crate::room::Room;
use crate::summary::{Tally, grouped};
use crate::together::Means;
use crate::verify::{Answers, Policy, verify};

/// Rows without a valid signature that are told of on standard error.
const NOTES: usize = 10;

/// What is done to each row, by how many.
pub(crate) struct Plan {
    pub(crate) job: Job,
    pub(crate) policy: Policy,
    pub(crate) means: Means,
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
    work_to: &Sender<Numbered<Piece>>,
    failure_to: &Sender<Result<Numbered<Done>, Failure>>,
) {
    let mut number = 0;
    let mut emit = |piece: Piece| {
        room.take(piece.weight);
        number += 1;
        work_to.send((number - 1, piece)).is_ok()
    };
    if let Err(failure) = inputs.into_iter().try_for_each(|input| input.read(batch_rows, &mut emit)) {
        let _ = failure_to.send(Err(failure));
    }
}

fn compute(
    plan: &Plan,
    shape: Option<&Shape>,
    work: &Receiver<Numbered<Piece>>,
    done_to: &Sender<Result<Numbered<Done>, Failure>>,
) {
    for (number, piece) in work {
        let done = guard("internal error", || answer(plan, shape, piece));
        if done_to.send(done.map(|done| (number, done))).is_err() {
            return;
        }
    }
}

fn answer(plan: &Plan, shape: Option<&Shape>, piece: Piece) -> Result<Done, Failure> {
    let (bytes, weight) = (piece.bytes, piece.weight);
    let batch = piece.decode(plan.job);
    let (answers, keys) = judge(plan.job, &plan.means, plan.policy, &batch)?;
    let payload = shape.map(|shape| shape.render(&batch, &answers, &keys)).transpose()?;
    let notes = if plan.quiet { Vec::new() } else { notes(&batch, &answers.outcomes) };
    Ok(Done { origin: batch.origin, bytes, weight, tally: Tally::of(&answers), notes, payload })
}

/// The answers of a batch, and for recovery the keys.
pub(crate) fn judge(
    job: Job,
    means: &Means,
    policy: Policy,
    batch: &Batch,
) -> Result<(Answers, Vec<Option<Recovered>>), Failure> {
    match job {
        Job::Verify => Ok((verify(means, policy, batch), Vec::new())),
        Job::Recover => {
            if lacks_recovery_ids(batch) {
                let lack =
                    format!("{}: no column {NO_RECOVERY_ID}: the signature of row 1 has none", batch.origin.name);
                return Err(Failure::new(lack));
            }
            Ok(recover(means.bulk(), policy, batch))
        }
        Job::Msm => Err(Failure::new("a sum has no answer for each row")),
    }
}

/// Whether a file has no column of recovery ids, and its first signature has none either. Then none of them will.
fn lacks_recovery_ids(batch: &Batch) -> bool {
    let nowhere = matches!(batch.cells[Role::V as usize], Cells::Absent) && !batch.origin.json;
    let first = nowhere && batch.rows > 0 && batch.numbers.get(0) == 1;
    first && batch.cell(Role::Signature, 0).is_ok_and(|signature| signature.len() != 65)
}

fn notes(batch: &Batch, outcomes: &[Outcome]) -> Vec<Note> {
    let bad = outcomes.iter().enumerate().filter(|(_, outcome)| !outcome.verdict.is_valid());
    bad.take(NOTES).map(|(row, outcome)| Note { row: batch.numbers.get(row), outcome: *outcome }).collect()
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
                    progress.say(&note.outcome.text(&batch.origin, note.row));
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
