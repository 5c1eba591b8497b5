//! A whole run in one call and on one thread: bytes in, the answer of every row out. For the fuzz targets and the
//! corpora in `fuzz/` and for nobody else: this is no interface, and nothing here keeps its name or its form.
//!
//! All but the threads is what the command runs: what a file is, its columns, its reader, decoding, judging, output.

use std::io::{Cursor, Read, Write};
use std::sync::Arc;

use phalanx::{Bulk, Class, LowS, Verdict};

use crate::batch::Batch;
use crate::columns::{self, Names};
use crate::failure::Failure;
use crate::fault::Outcome;
use crate::input::{Input, Piece};
use crate::msm::Terms;
use crate::output::{Format, Payload, Shape};
use crate::pipeline;
use crate::recover::Recovered;
use crate::signature::Der;
use crate::summary::Tally;
use crate::together::{Means, Together};
use crate::verify::{Answers, Policy};

/// The question that is asked of each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// Is the signature valid?
    Verify,
    /// Whose is it?
    Recover,
    /// Is the row a term of a sum? The run ends with the first that is none.
    Sum,
}

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
}

/// Where the bytes come from.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A file whose name ends so.
    File(&'static str),
    /// Standard input, of which each read gives at most so many bytes.
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
    crate::guard::install();
}

/// Runs the command on one input in batches of so many rows.
///
/// # Errors
/// What the command says when it ends without a result.
pub fn run(bytes: &[u8], place: Place, batch_rows: usize, settings: &Settings) -> Result<Report, String> {
    // Whoever reads a message must not see the name of a temporary file in it.
    let mut named = None;
    let outcome = read(bytes, place, batch_rows, settings, &mut named);
    outcome.map_err(|failure| match named {
        Some(name) => failure.to_string().replace(&name, "FILE"),
        None => failure.to_string(),
    })
}

fn read(
    bytes: &[u8],
    place: Place,
    batch_rows: usize,
    settings: &Settings,
    named: &mut Option<String>,
) -> Result<Report, Failure> {
    let owned = |list: &[&str]| list.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
    let names = Arc::new(Names::new(&owned(settings.columns), &owned(settings.keep))?);
    let job = match settings.job {
        Job::Verify => columns::Job::Verify,
        Job::Recover => columns::Job::Recover,
        Job::Sum => columns::Job::Msm,
    };
    let mut file = None;
    let input = match place {
        Place::File(ending) => {
            let mut written = tempfile::Builder::new().suffix(ending).tempfile().map_err(Failure::of)?;
            written.write_all(bytes).map_err(Failure::of)?;
            let name = file.insert(written).path().to_string_lossy().into_owned();
            Input::open(named.insert(name), &names, job)?
        }
        Place::Stream(most) => {
            Input::of_stream(Box::new(Drops { bytes: Cursor::new(bytes.to_vec()), most }), &names, job)?
        }
    };
    let inputs = [input];
    let shape = if job == columns::Job::Msm { None } else { Some(Shape::new(Format::Jsonl, job, &inputs)?) };
    let [input] = inputs;
    let judge = Judge { job, settings, means: means(settings), shape };
    let mut report = Report::default();
    let mut failure = None;
    input.read(batch_rows, &mut |piece| match judge.answer(piece, named.as_deref(), &mut report) {
        Ok(more) => more,
        Err(broken) => {
            failure = Some(broken);
            false
        }
    })?;
    failure.map_or(Ok(report), Err)
}

fn means(settings: &Settings) -> Means {
    let bulk = Bulk::builder().threads(1).build().expect("one thread of the best backend");
    Means::new(&bulk, if settings.together { Together::Always } else { Together::Never })
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
    job: columns::Job,
    settings: &'a Settings,
    means: Means,
    shape: Option<Shape>,
}

impl Judge<'_> {
    /// Answers a block; says whether to go on.
    fn answer(&self, piece: Piece, name: Option<&str>, report: &mut Report) -> Result<bool, Failure> {
        let batch = piece.decode(self.job);
        let low_s = if self.settings.require_low_s { LowS::Require } else { LowS::Allow };
        let der = if self.settings.lax_der { Der::Lax } else { Der::Strict };
        let policy = Policy { low_s, der, hybrid_keys: self.settings.hybrid_keys };
        let row = |row: usize, outcome: &Outcome, key: Option<[u8; 33]>| {
            let text = outcome.text(&batch.origin, batch.numbers.get(row));
            Row {
                number: batch.numbers.get(row),
                verdict: outcome.verdict,
                column: outcome.column_name(&batch.origin).map(str::to_owned),
                text: name.map_or(text.clone(), |name| text.replace(name, "standard input")),
                key,
            }
        };
        if self.job == columns::Job::Msm {
            let bad = Terms::default().take(self.means.bulk(), &batch).err();
            report.rows.extend(bad.iter().map(|(place, outcome)| row(*place, outcome, None)));
            return Ok(bad.is_none());
        }
        let (answers, keys) = pipeline::judge(self.job, &self.means, policy, &batch)?;
        for (place, outcome) in answers.outcomes.iter().enumerate() {
            let key = keys.get(place).copied().flatten().map(|key| key.public_key);
            report.rows.push(row(place, outcome, key));
        }
        let tally = Tally::of(&answers);
        for (count, class) in report.counts.iter_mut().zip([Class::Valid, Class::Invalid, Class::Malformed]) {
            *count += tally.class(class);
        }
        report.output.extend(self.render(&batch, &answers, &keys)?);
        Ok(true)
    }

    fn render(&self, batch: &Batch, answers: &Answers, keys: &[Option<Recovered>]) -> Result<Vec<u8>, Failure> {
        let shape = self.shape.as_ref().expect("only a sum has no output");
        match shape.render(batch, answers, keys)? {
            Payload::Text(text) => Ok(text),
            Payload::Table(_) => unreachable!("JSON lines are text"),
        }
    }
}
