//! `phalanx verify`, `phalanx recover` and `phalanx senders` from the command line to the exit status.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use phalanx::{Class, LowS};
use phalanx_rows::{
    Answers, BatchMode, DerRules, Job, NO_RECOVERY_ID, Outcome, Policy, RowJob, Tally, Verifier, answer,
};

use super::Files;
use super::backend::{bulk, threads};
use super::summary::{Summary, conclude};
use crate::args::{AnswerArgs, FileFormat, ForkChoice, OutputArgs, RunArgs, SendersArgs};
use crate::exit::{NO_RESULT, RunError};
use crate::input::{ChainSettings, ChainTally, Decoded, Input, Origin, RawBlock};
use crate::output::{Finding, Output, Payload, Shape, refuse_replacing};
use crate::pipeline::{self, Progress, grouped};
use crate::process::{interrupt, standard};

/// Rows without a valid signature that are told of on standard error.
const NOTES: usize = 10;

/// What is asked of each row, and by what rules.
struct Question {
    job: RowJob,
    policy: Policy,
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
    /// Say nothing on standard error, neither progress nor the first rows that are not valid.
    quiet: bool,
}

/// What becomes of a block.
enum Done {
    Answered {
        origin: Arc<Origin>,
        bytes: u64,
        tally: Tally,
        /// What of Ethereum is counted beside.
        chain: ChainTally,
        /// What is said of the first rows that are not valid.
        notes: Vec<String>,
        payload: Option<Payload>,
    },
    /// The file has failed. If blocks of it may still come, they are those of this origin.
    Failed(Option<Arc<Origin>>, RunError),
}

/// Runs a job over all files; returns the exit status. A file that fails does not keep the others from being read.
pub(super) fn run(job: RowJob, args: RunArgs, hybrid_keys: bool, mode: BatchMode) -> Result<u8, RunError> {
    let files = Files::new(&args.input, Job::Rows(job), &args.keep, args.answers.output.out.is_some())?;
    let policy = Policy { low_s: args.low_s, der: args.der, hybrid_keys };
    let finding = if job == RowJob::Recover { Finding::Key } else { Finding::Verdict };
    answer_files(&files, Question { job, policy, mode, finding }, args.answers)
}

/// Finds senders in all files. What was signed is known once a block is decoded; from there on it is a recovery.
pub(super) fn senders(args: SendersArgs) -> Result<u8, RunError> {
    let SendersArgs { format, fork: ForkChoice(fork), chain_id, unsigned_types: unsigned, .. } = args;
    let chain = ChainSettings { format, fork, chain_id, unsigned };
    let files = Files::of_chain(&args.files, chain)?;
    // The rules of forks on high s are applied when a block is decoded.
    let policy = Policy { low_s: LowS::Allow, der: DerRules::Strict, hybrid_keys: false };
    let (mode, finding) = (BatchMode::Never, Finding::Sender);
    answer_files(&files, Question { job: RowJob::Recover, policy, mode, finding }, args.answers)
}

fn answer_files(files: &Files<'_>, question: Question, args: AnswerArgs) -> Result<u8, RunError> {
    let start = Instant::now();
    interrupt::install()?;
    let Question { job, policy, mode, finding } = question;
    let AnswerArgs { output: args, block_rows } = args;
    let out = out_file(&args)?;
    refuse_replacing(args.named().as_slice(), &files.places())?;
    let bulk = bulk(args.means.backend.as_deref())?;
    let backend = bulk.backend().name();
    let threads = threads(args.means.threads);
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
    let plan = RowPlan { job, policy, verifier: Verifier::new(&bulk, mode), shape, quiet: args.quiet };
    let (tally, chain, later) = write(plan, threads, block_rows as usize, inputs, output.as_mut())?;
    failed.extend(later);
    if failed.len() == count {
        return Ok(NO_RESULT);
    }

    let finished = output.map(Output::finish).transpose()?;
    let chain = (finding == Finding::Sender).then_some(chain);
    let summary = Summary { tally, chain, files: count, failed, elapsed: start.elapsed(), threads, backend };
    let text = if args.json { summary.json() } else { summary.text() };
    if !conclude(&text, args.out.as_deref(), summary.failed.is_empty(), finished)? {
        return Ok(NO_RESULT);
    }
    Ok(summary.tally.status())
}

/// The file of the answers, and its format.
pub(super) fn out_file(args: &OutputArgs) -> Result<Option<(&Path, FileFormat)>, RunError> {
    let path = args.out.as_deref();
    path.map(|path| Ok((path, format(path, args.out_format)?))).transpose()
}

/// The format of a file of answers.
pub(super) fn format(path: &Path, asked: Option<FileFormat>) -> Result<FileFormat, RunError> {
    match asked.or_else(|| FileFormat::of(path)) {
        Some(format) => Ok(format),
        None if path == Path::new("-") => Ok(FileFormat::Jsonl),
        None => Err(RunError::new(format!(
            "{}: the ending says no format: end in .parquet, .csv or .jsonl, or name one with --out-format",
            path.display()
        ))),
    }
}

/// Answers all rows and writes the answers. Returns the counts when everything is written, and how files failed.
fn write(
    plan: RowPlan,
    workers: usize,
    block_rows: usize,
    inputs: Vec<Input>,
    mut output: Option<&mut Output>,
) -> Result<(Tally, ChainTally, Vec<RunError>), RunError> {
    let progress = (!plan.quiet).then(|| Progress::new(inputs.iter().map(|input| input.size).sum()));
    let (mut tally, mut of_chain) = (Tally::default(), ChainTally::default());
    let mut noted = 0;
    let mut failed = Vec::new();
    let collect = |done: Done| {
        match done {
            // A file that failed for what is in it may also break off, before its reader learns of it.
            Done::Failed(Some(origin), _) | Done::Answered { origin, .. } if origin.is_given_up() => {}
            Done::Failed(origin, failure) => {
                let text = format!("phalanx: {failure}");
                progress.as_ref().map_or_else(|| standard::remark(&text), |progress| progress.say(&text));
                failed.push(failure);
                if let Some(origin) = origin {
                    origin.give_up();
                }
            }
            Done::Answered { bytes, tally: more, chain, notes, payload, .. } => {
                tally.add(&more);
                of_chain.add(&chain);
                if let (Some(output), Some(payload)) = (&mut output, payload) {
                    output.put(payload)?;
                }
                if let Some(progress) = &progress {
                    for note in notes.iter().take(NOTES - noted) {
                        progress.say(note);
                        noted += 1;
                    }
                    progress.advance(bytes, tally.rows());
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
    let bad = tally.rows() - tally.class(Class::Valid) - tally.unsigned();
    if let Some(progress) = progress {
        if bad > noted as u64 {
            progress.say(&format!("and {} more rows that are not valid", grouped(bad - noted as u64)));
        }
        of_chain.hint().iter().for_each(|hint| progress.say(hint));
    }
    Ok((tally, of_chain, failed))
}

fn process(plan: &RowPlan, raw: &RawBlock) -> Result<Done, RunError> {
    let block = match raw.decode(Job::Rows(plan.job)) {
        Ok(block) => block,
        Err(failure) => return Ok(Done::Failed(Some(Arc::clone(&raw.origin)), failure)),
    };
    let answers = match answers(plan.job, &plan.verifier, plan.policy, &block) {
        Ok(answers) => answers,
        Err(failure) => return Ok(Done::Failed(Some(block.origin), failure)),
    };
    let payload = plan.shape.as_ref().map(|shape| shape.render(&block, &answers)).transpose()?;
    let notes = if plan.quiet { Vec::new() } else { notes(&block, &answers.outcomes) };
    let tally = Tally::of(&answers);
    let chain = block.chain.map(|report| report.tally).unwrap_or_default();
    Ok(Done::Answered { origin: block.origin, bytes: raw.bytes, tally, chain, notes, payload })
}

/// The answers of a block. Fails where keys are to be recovered from a file that has no recovery ids.
pub(crate) fn answers(
    job: RowJob,
    verifier: &Verifier,
    policy: Policy,
    block: &Decoded<'_>,
) -> Result<Answers, RunError> {
    if job == RowJob::Recover && lacks_recovery_ids(block) {
        let lacking = RunError::new(format!("no column {NO_RECOVERY_ID}: the signature of row 1 has none"));
        return Err(lacking.about(&block.origin.name));
    }
    Ok(answer(job, verifier, policy, &block.rows))
}

/// Whether a file has no column of recovery ids, and its first signature has none either. Then none of them will.
fn lacks_recovery_ids(block: &Decoded<'_>) -> bool {
    !block.origin.json && block.rows.rows() > 0 && block.numbers.get(0) == 1 && block.rows.lacks_recovery_ids()
}

fn notes(block: &Decoded<'_>, outcomes: &[Outcome]) -> Vec<String> {
    let bad = outcomes.iter().enumerate().filter(|(_, outcome)| outcome.is_valid() == Some(false));
    bad.take(NOTES).map(|(row, outcome)| block.note(row, *outcome)).collect()
}
