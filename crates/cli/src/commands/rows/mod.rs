//! `phalanx verify`, `phalanx recover` and `phalanx senders` from the command line to the exit status.

mod options;
mod senders;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use phalanx::Class;
use phalanx_rows::{
    Answers, BatchMode, IdPlaces, Job, Outcome, Policy, Reader, RecoveryIds, RowJob, Tally, Verifier, answer,
};

use super::files::Files;
use super::summary::{Summary, conclude};
use crate::exit::{NO_RESULT, RunError};
use crate::input::{ChainTally, Decoded, Input, Origin, RawBlock};
use crate::output::{Finding, Output, Payload, Shape, refuse_replacing};
use crate::pipeline::{self, Progress, grouped};
use crate::process::{interrupt, standard};
use options::AnswerArgs;
pub(super) use options::{RunArgs, VerifyArgs};
pub(super) use senders::{SendersArgs, senders};

/// Rows without a valid signature that are told of on standard error.
const NOTES: usize = 10;

/// What is asked of each row, and by what rules.
struct Question {
    job: RowJob,
    policy: Policy,
    /// Whether somebody has said where recovery ids stand.
    ids_told: bool,
    mode: BatchMode,
    finding: Finding,
}

/// What is done to each row.
struct RowPlan {
    job: RowJob,
    policy: Policy,
    verifier: Verifier,
    /// What is written of each row, if anything is.
    shape: Option<Arc<Shape>>,
    /// Whether somebody has said where recovery ids stand.
    ids_told: bool,
    /// Say nothing on standard error, neither progress nor the first rows that are not valid.
    quiet: bool,
}

/// What becomes of a block.
enum Done {
    Answered {
        origin: Arc<Origin>,
        bytes: u64,
        tally: Tally,
        id_places: IdPlaces,
        /// What of Ethereum is counted beside.
        chain: ChainTally,
        /// What to say of the first rows that are not valid.
        notes: Vec<String>,
        payload: Option<Payload>,
    },
    /// The file has failed. If blocks of it may still come, they are those of this origin.
    Failed(Option<Arc<Origin>>, RunError),
}

/// `phalanx verify`.
pub(super) fn verify(args: VerifyArgs) -> Result<u8, RunError> {
    run(RowJob::Verify, args.run, args.hybrid_keys, args.batch)
}

/// `phalanx recover`.
pub(super) fn recover(args: RunArgs) -> Result<u8, RunError> {
    run(RowJob::Recover, args, false, BatchMode::Never)
}

/// Runs a job over all files; returns the exit status. A file that fails does not keep the others from being read.
fn run(job: RowJob, args: RunArgs, hybrid_keys: bool, mode: BatchMode) -> Result<u8, RunError> {
    let files = Files::of_rows(&args.input, Job::Rows(job), &args.keep, args.answers.output.out.is_some())?;
    let policy = Policy { low_s: args.low_s, der: args.der, hybrid_keys, recovery_ids: args.v.unwrap_or_default() };
    let finding = if job == RowJob::Recover { Finding::Key } else { Finding::Verdict };
    let ids_told = args.v.is_some();
    answer_files(&files, Question { job, policy, ids_told, mode, finding }, args.answers)
}

fn answer_files(files: &Files<'_>, question: Question, args: AnswerArgs) -> Result<u8, RunError> {
    let start = Instant::now();
    interrupt::install()?;
    let Question { job, policy, ids_told, mode, finding } = question;
    let AnswerArgs { output: args, block_rows } = args;
    let out = args.file()?;
    refuse_replacing(args.named().as_slice(), &files.places())?;
    let bulk = args.compute.bulk()?;
    let backend = bulk.backend().name();
    let threads = args.compute.threads();
    let (inputs, mut failed) = files.open_all();
    if inputs.is_empty() {
        return Ok(NO_RESULT);
    }

    let count = files.names.len();
    let shape = out.map(|(_, format)| Shape::new(format, finding, &inputs, count)).transpose()?.map(Arc::new);
    let mut output = match (out, &shape) {
        (Some((path, format)), Some(shape)) => Some(Output::create(path, format, shape.schema())?),
        _ => None,
    };
    let plan = RowPlan { job, policy, verifier: Verifier::new(&bulk, mode), shape, ids_told, quiet: args.quiet };
    let Collected { tally, chain, failed: later, hints } =
        write(plan, threads, block_rows as usize, inputs, output.as_mut())?;
    failed.extend(later);
    if failed.len() == count {
        return Ok(NO_RESULT);
    }

    let finished = output.map(Output::finish).transpose()?;
    let chain = (finding == Finding::Sender).then_some(chain);
    let summary = Summary { tally, chain, files: count, failed, hints, elapsed: start.elapsed(), threads, backend };
    let text = if args.json { summary.json() } else { summary.text() };
    if !conclude(&text, args.out.as_deref(), summary.failed.is_empty(), finished)? {
        return Ok(NO_RESULT);
    }
    Ok(summary.tally.status())
}

/// What was found in all files.
#[derive(Default)]
struct Collected {
    tally: Tally,
    /// What of Ethereum is counted beside.
    chain: ChainTally,
    /// How files failed.
    failed: Vec<RunError>,
    /// What to say of files as a whole.
    hints: Vec<String>,
}

/// Where the recovery ids of the file stand whose answers are coming, if they are in the signatures.
struct InFile {
    origin: Arc<Origin>,
    id_places: IdPlaces,
}

impl InFile {
    /// Ends the file: a file whose ids seem to stand elsewhere fails, if wrong keys may have been found.
    fn end(self, ids: RecoveryIds, told: bool, found: &mut Collected, say: &dyn Fn(&str)) {
        let name = &self.origin.name;
        if self.origin.is_given_up() {
            return;
        }
        if let Some(refusal) = self.id_places.refusal(ids, Reader::Command) {
            let failure = RunError::new(refusal).about(name);
            say(&format!("phalanx: {failure}"));
            found.failed.push(failure);
        } else if let Some(hint) = self.id_places.hint(ids, told, Reader::Command) {
            found.hints.push(format!("{name}: {hint}"));
        }
    }
}

/// Answers all rows and writes the answers. Returns what was found when everything is written.
fn write(
    plan: RowPlan,
    workers: usize,
    block_rows: usize,
    inputs: Vec<Input>,
    mut output: Option<&mut Output>,
) -> Result<Collected, RunError> {
    let progress = (!plan.quiet).then(|| Progress::new(inputs.iter().map(|input| input.size).sum()));
    let say = |text: &str| progress.as_ref().map_or_else(|| standard::remark(text), |progress| progress.say(text));
    let (ids, told) = (plan.policy.recovery_ids, plan.ids_told);
    let mut found = Collected::default();
    let mut noted = 0;
    let mut current: Option<InFile> = None;
    let collect = |done: Done| {
        match done {
            // A file that failed for what is in it may also break off, before its reader learns of it.
            Done::Failed(Some(origin), _) | Done::Answered { origin, .. } if origin.is_given_up() => {}
            Done::Failed(origin, failure) => {
                say(&format!("phalanx: {failure}"));
                found.failed.push(failure);
                if let Some(origin) = origin {
                    origin.give_up();
                }
            }
            Done::Answered { origin, bytes, tally: more, id_places, chain, notes, payload } => {
                found.tally.add(&more);
                found.chain.add(&chain);
                if let Some(before) = current.take_if(|file| !Arc::ptr_eq(&file.origin, &origin)) {
                    before.end(ids, told, &mut found, &say);
                }
                let file = current.get_or_insert_with(|| InFile { origin, id_places: IdPlaces::default() });
                file.id_places.add(&id_places);
                if let (Some(output), Some(payload)) = (&mut output, payload) {
                    output.put(payload)?;
                }
                if let Some(progress) = &progress {
                    for note in notes.into_iter().take(NOTES - noted) {
                        progress.say(&note);
                        noted += 1;
                    }
                    progress.advance(bytes, found.tally.rows());
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    let work = move |desk: &pipeline::Desk<RawBlock, Done, ()>| {
        while desk.answer_next(|block| process(&plan, block)) {}
        Ok(())
    };
    let lost = |origin, failure| Ok(Done::Failed(origin, failure));
    let _ = pipeline::run(inputs, block_rows, workers, work, lost, collect)?;
    if let Some(last) = current {
        last.end(ids, told, &mut found, &say);
    }
    let bad = found.tally.rows() - found.tally.class(Class::Valid) - found.tally.unsigned();
    if let Some(progress) = &progress {
        if bad > noted as u64 {
            progress.say(&format!("and {} more rows that are not valid", grouped(bad - noted as u64)));
        }
        found.chain.hint().iter().for_each(|hint| progress.say(hint));
    }
    Ok(found)
}

fn process(plan: &RowPlan, raw: &RawBlock) -> Result<Done, RunError> {
    let block = match raw.decode() {
        Ok(block) => block,
        Err(failure) => return Ok(Done::Failed(Some(Arc::clone(&raw.origin)), failure)),
    };
    let answers = match answers(plan.job, &plan.verifier, plan.policy, &block) {
        Ok(answers) => answers,
        Err(failure) => return Ok(Done::Failed(Some(block.origin), failure)),
    };
    let payload = plan.shape.as_ref().map(|shape| shape.render(&block, &answers)).transpose()?;
    let notes = if plan.quiet { Vec::new() } else { notes(&block, &answers.outcomes, plan.policy) };
    let tally = Tally::of(&answers);
    let chain = block.chain.map(|report| report.tally).unwrap_or_default();
    let (origin, bytes, id_places) = (block.origin, raw.bytes, answers.id_places);
    Ok(Done::Answered { origin, bytes, tally, id_places, chain, notes, payload })
}

/// The answers of a block. Fails where keys are to be recovered from a file that has no recovery ids.
pub(crate) fn answers(
    job: RowJob,
    verifier: &Verifier,
    policy: Policy,
    block: &Decoded<'_>,
) -> Result<Answers, RunError> {
    if job == RowJob::Recover && lacks_recovery_ids(block, policy.recovery_ids) {
        let lacking = RunError::new(block.rows.lacking_ids(Reader::Command));
        return Err(lacking.about(&block.origin.name));
    }
    Ok(answer(job, verifier, policy, &block.rows))
}

/// Whether a file has no column of recovery ids, and its first signature has none either. Then none of them will.
fn lacks_recovery_ids(block: &Decoded<'_>, ids: RecoveryIds) -> bool {
    !block.json && block.rows.rows() > 0 && block.numbers.get(0) == 1 && block.rows.lacks_recovery_ids(ids)
}

fn notes(block: &Decoded<'_>, outcomes: &[Outcome], policy: Policy) -> Vec<String> {
    let bad = outcomes.iter().enumerate().filter(|(_, outcome)| outcome.is_valid() == Some(false));
    bad.take(NOTES).map(|(row, outcome)| block.note(row, *outcome, policy)).collect()
}
