//! A whole run in one call and on one thread: bytes in, the answer of every row out. For the fuzz targets and the
//! corpora in `fuzz/` and for nobody else: this is no interface, and nothing here keeps its name or its form.
//!
//! All but the threads is what the command runs: what a file is, its columns, its reader, decoding, judging, output.

use std::io::{Cursor, Read, Write};
use std::sync::Arc;

use phalanx::{Bulk, Class, LowS, Verdict};
pub use phalanx_rows::Job;
use phalanx_rows::{Answers, BatchMode, DerRules, Names, Outcome, Policy, RowJob, SumTerms, Tally, Verifier};

use crate::commands::blocks::spent_outputs;
use crate::commands::rows::answers;
use crate::exit::RunError;
use crate::input::{ChainTransactions, Content, Decoded, Input, InputSettings, RawBlock, Rows};
use crate::output::{Finding, OutputFormat, Payload, Shape};

/// The options of the command that change what is read or how it is judged.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The subcommand.
    pub job: Job,
    /// `--der lax`
    pub lax_der: bool,
    /// `--low-s require`
    pub require_low_s: bool,
    /// `--hybrid-keys`
    pub hybrid_keys: bool,
    /// `--batch always`, else `never`
    pub together: bool,
    /// `--columns`
    pub columns: &'static [&'static str],
    /// `--keep`
    pub keep: &'static [&'static str],
    /// The rows are Ethereum transactions, whose senders are found.
    pub senders: bool,
}

/// Where the bytes come from.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A file whose name has this ending.
    File(&'static str),
    /// Standard input. Each read gives at most this number of bytes.
    Stream(usize),
}

/// The answer of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number; for text of JSON lines, the number of its line.
    pub number: u64,
    /// What the command says of it.
    pub verdict: Verdict,
    /// The column to blame, by the name that the output gives it.
    pub column: Option<String>,
    /// What is said on standard error.
    pub text: String,
    /// What was recovered, compressed.
    pub key: Option<[u8; 33]>,
}

/// What a run that came to its end has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Every row, or the one that ended a sum.
    pub rows: Vec<Row>,
    /// The rows counted for the summary: valid, invalid, malformed.
    pub counts: [u64; 3],
    /// The output as JSON lines.
    pub output: Vec<u8>,
}

/// Has panics kept that the command turns into a failure; others stay what they are. To be called once.
pub fn install() {
    crate::process::guard::install();
}

/// Runs the command on one input, in blocks of `block_rows` rows.
///
/// # Errors
/// What the command says when it ends without a result.
pub fn run(bytes: &[u8], place: Place, block_rows: usize, settings: &Settings) -> Result<Report, String> {
    // Whoever reads a message must not see the name of a temporary file in it.
    let mut named = None;
    let outcome = read(bytes, place, block_rows, settings, &mut named);
    outcome.map_err(|failure| match named {
        Some(name) => failure.to_string().replace(&name, "FILE"),
        None => failure.to_string(),
    })
}

/// The values and scripts of spent outputs in JSON, of a block with so many inputs that spend something.
///
/// # Errors
/// The text is no such array, or has more elements.
pub fn spent_outputs_of(text: &[u8], wanted: usize) -> Result<Vec<(u64, Vec<u8>)>, String> {
    let outputs = spent_outputs(text, &[wanted])?;
    Ok(outputs.into_iter().map(|output| (output.value, output.script.into_owned())).collect())
}

fn read(
    bytes: &[u8],
    place: Place,
    block_rows: usize,
    settings: &Settings,
    named: &mut Option<String>,
) -> Result<Report, RunError> {
    let owned = |list: &[&str]| list.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
    let names = Names::new(&owned(settings.columns), &owned(settings.keep))?;
    let job = settings.job;
    let content: Arc<dyn Content> = if settings.senders {
        Arc::new(ChainTransactions::default())
    } else {
        Arc::new(Rows { job, settings: InputSettings { names, keeps: true, ..InputSettings::default() } })
    };
    let mut file = None;
    let input = match place {
        Place::File(ending) => {
            let mut written = tempfile::Builder::new().suffix(ending).tempfile().map_err(RunError::of)?;
            written.write_all(bytes).map_err(RunError::of)?;
            let name = file.insert(written).path().to_string_lossy().into_owned();
            Input::open(named.insert(name), &content)?
        }
        Place::Stream(most) => {
            Input::of_stream(Box::new(Drops { bytes: Cursor::new(bytes.to_vec()), most }), &content)?
        }
    };
    let inputs = [input];
    let shape = match job {
        Job::Rows(RowJob::Verify) => Some(Shape::new(OutputFormat::Jsonl, Finding::Verdict, &inputs, 1)?),
        Job::Rows(RowJob::Recover) => {
            let finding = if settings.senders { Finding::Sender } else { Finding::Key };
            Some(Shape::new(OutputFormat::Jsonl, finding, &inputs, 1)?)
        }
        Job::Sum => None,
    };
    let [input] = inputs;
    let judge = Judge { job, settings, verifier: verifier(settings), shape };
    let mut report = Report::default();
    let mut failure = None;
    input.read(block_rows, &mut |raw| match judge.answer(raw, named.as_deref(), &mut report) {
        Ok(more) => more,
        Err(broken) => {
            failure = Some(broken);
            false
        }
    })?;
    failure.map_or(Ok(report), Err)
}

fn verifier(settings: &Settings) -> Verifier {
    let bulk = Bulk::builder().threads(1).build().expect("one thread of the best backend");
    Verifier::new(&bulk, if settings.together { BatchMode::Always } else { BatchMode::Never })
}

/// Gives a few bytes at a time.
struct Drops {
    bytes: Cursor<Vec<u8>>,
    most: usize,
}

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.most);
        self.bytes.read(&mut buffer[..most])
    }
}

struct Judge<'a> {
    job: Job,
    settings: &'a Settings,
    verifier: Verifier,
    shape: Option<Shape>,
}

impl Judge<'_> {
    /// Answers a block; says whether to go on.
    fn answer(&self, raw: RawBlock, name: Option<&str>, report: &mut Report) -> Result<bool, RunError> {
        let block = raw.decode()?;
        let low_s = if self.settings.require_low_s { LowS::Require } else { LowS::Allow };
        let der = if self.settings.lax_der { DerRules::Lax } else { DerRules::Strict };
        let policy = Policy { low_s, der, hybrid_keys: self.settings.hybrid_keys, ..Policy::default() };
        let row = |row: usize, outcome: &Outcome, key: Option<[u8; 33]>| {
            let text = block.note(row, *outcome, policy);
            Row {
                number: block.numbers.get(row),
                verdict: outcome.verdict,
                column: outcome.column_name(&block.origin.columns).map(str::to_owned),
                text: name.map_or(text.clone(), |name| text.replace(name, "standard input")),
                key,
            }
        };
        let Job::Rows(job) = self.job else {
            let bad = SumTerms::default().take(self.verifier.bulk(), &block.rows).err();
            report.rows.extend(bad.iter().map(|(place, outcome)| row(*place, outcome, None)));
            return Ok(bad.is_none());
        };
        let answers = answers(job, &self.verifier, policy, &block)?;
        for (place, outcome) in answers.outcomes.iter().enumerate() {
            let key = answers.keys.get(place).copied().flatten().map(|key| key.public_key);
            report.rows.push(row(place, outcome, key));
        }
        let tally = Tally::of(&answers);
        for (count, class) in report.counts.iter_mut().zip([Class::Valid, Class::Invalid, Class::Malformed]) {
            *count += tally.class(class);
        }
        report.output.extend(self.render(&block, &answers)?);
        Ok(true)
    }

    fn render(&self, block: &Decoded<'_>, answers: &Answers) -> Result<Vec<u8>, RunError> {
        let shape = self.shape.as_ref().expect("only a sum has no output");
        match shape.render(block, answers)? {
            Payload::Text(text) => Ok(text),
            Payload::Table(_) => Err(RunError::new("internal error: JSON lines are text")),
        }
    }
}
