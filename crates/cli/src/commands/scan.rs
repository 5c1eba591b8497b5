//! `phalanx scan`: the rows of an index in, a receiver's silent payments out.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use phalanx::{Bulk, PublicKey};
use phalanx_rows::NO_TWEAK_POINT;
use phalanx_silent::{Match, Scanner, scan_read};

use super::files::{Files, delimiter, format};
use super::out::OutputArgs;
use super::summary::{conclude, counts, speed};
use super::{joined, secret};
use crate::exit::{ALL_VALID, NO_RESULT, RunError, SOME_MALFORMED};
use crate::input::{Format, IndexBlock, IndexColumn, Input, Origin, RawBlock, SilentIndex, TABLES};
use crate::output::OutputFormat;
use crate::output::{Output, Payload, ReadPlace, RowTable, matches, refuse_replacing};
use crate::pipeline::{self, Desk, Progress};
use crate::process::{interrupt, standard};

/// Rows that are read at a time.
const BLOCK_ROWS: usize = 4096;

/// Lines on standard error about matches and about rows that cannot be read, each.
const NOTES: usize = 10;

/// What is done to each block.
struct ScanPlan {
    bulk: Bulk,
    scanner: Scanner,
    /// The format of the output, if there is one.
    out: Option<OutputFormat>,
}

/// What becomes of a block.
enum Scanned {
    Block(Box<ScannedBlock>),
    /// The file has failed. If blocks of it may still come, they are those of this origin.
    Failed(Option<Arc<Origin>>, RunError),
}

struct ScannedBlock {
    origin: Arc<Origin>,
    bytes: u64,
    counts: ScanCounts,
    /// The first matches, and the first rows that cannot be read, in words.
    notes: [Vec<String>; 2],
    payload: Option<Payload>,
}

/// What was found.
#[derive(Clone, Copy, Default)]
struct ScanCounts {
    rows: u64,
    matches: u64,
    malformed: u64,
}

/// Scans all files; returns the exit status. A file that fails does not keep the others from being read.
pub(super) fn run(args: &ScanArgs) -> Result<u8, RunError> {
    let start = Instant::now();
    interrupt::install()?;
    let out = args.output.file()?;
    let files = Files::new(&args.files, SilentIndex::new(args.format, args.delimiter))?;
    let from_standard = args.scan_key == Path::new("-");
    if from_standard && args.files.iter().any(|file| file == "-") {
        return Err(RunError::new("standard input can be read only once: the scan secret or an index"));
    }
    let mut places = files.places();
    places.push(ReadPlace::of_name(&args.scan_key));
    refuse_replacing(args.output.named().as_slice(), &places)?;
    let spend: PublicKey = args.spend_key.parse().map_err(|error| RunError::new(format!("--spend-key: {error}")))?;
    let scan = secret::read((!from_standard).then_some(args.scan_key.as_path()))?;
    let scanner = Scanner::new(&scan, spend, 0..=args.labels).map_err(RunError::of)?;
    drop(scan);
    let bulk = args.output.compute.bulk()?;
    let (backend, threads) = (bulk.backend().name(), args.output.compute.threads());
    let (inputs, mut failed) = files.open_all();
    if inputs.is_empty() {
        return Ok(NO_RESULT);
    }
    let create = |(path, format)| Output::create(path, format, matches::schema());
    let mut output = out.map(create).transpose()?;
    let plan = ScanPlan { bulk, scanner, out: out.map(|(_, format)| format) };
    let (counts, later) = scan_all(plan, threads, inputs, args.output.quiet, output.as_mut())?;
    failed.extend(later);
    if failed.len() == args.files.len() {
        return Ok(NO_RESULT);
    }
    let finished = output.map(Output::finish).transpose()?;
    let summary = ScanSummary { counts, failed, elapsed: start.elapsed(), threads, backend };
    let text = if args.output.json { summary.json() } else { summary.text() };
    if !conclude(&text, args.output.out.as_deref(), summary.failed.is_empty(), finished)? {
        return Ok(NO_RESULT);
    }
    Ok(if counts.malformed > 0 { SOME_MALFORMED } else { ALL_VALID })
}

/// Scans and writes the matches. Returns the counts when everything is written, and how files failed.
fn scan_all(
    plan: ScanPlan,
    workers: usize,
    inputs: Vec<Input>,
    quiet: bool,
    mut output: Option<&mut Output>,
) -> Result<(ScanCounts, Vec<RunError>), RunError> {
    let progress = (!quiet).then(|| Progress::new(inputs.iter().map(|input| input.size).sum()));
    let say = |line: &str| progress.as_ref().map_or_else(|| standard::remark(line), |progress| progress.say(line));
    let mut counts = ScanCounts::default();
    let (mut noted, mut failed) = ([0; 2], Vec::new());
    let collect = |scanned: Scanned| {
        match scanned {
            Scanned::Failed(Some(origin), _) if origin.is_given_up() => {}
            Scanned::Block(block) if block.origin.is_given_up() => {}
            Scanned::Failed(origin, failure) => {
                say(&format!("phalanx: {failure}"));
                failed.push(failure);
                if let Some(origin) = origin {
                    origin.give_up();
                }
            }
            Scanned::Block(block) => {
                counts.rows += block.counts.rows;
                counts.matches += block.counts.matches;
                counts.malformed += block.counts.malformed;
                if let (Some(output), Some(payload)) = (&mut output, block.payload) {
                    output.put(payload)?;
                }
                for (noted, notes) in noted.iter_mut().zip(&block.notes).filter(|_| !quiet) {
                    for note in notes.iter().take(NOTES - *noted) {
                        say(note);
                        *noted += 1;
                    }
                }
                if let Some(progress) = &progress {
                    progress.advance(block.bytes, counts.rows);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    let work = move |desk: &Desk<RawBlock, Scanned, ()>| {
        while desk.answer_next(|block| scan_block(&plan, block)) {}
        Ok(())
    };
    let lost = |origin, failure| Ok(Scanned::Failed(origin, failure));
    let _ = pipeline::run(inputs, BLOCK_ROWS, workers, work, lost, collect)?;
    Ok((counts, failed))
}

fn scan_block(plan: &ScanPlan, raw: &RawBlock) -> Result<Scanned, RunError> {
    let block = match raw.decode() {
        Ok(block) => block,
        Err(failure) => return Ok(Scanned::Failed(Some(Arc::clone(&raw.origin)), failure)),
    };
    let index = IndexBlock::of(&block)?;
    let rows = index.rows();
    let note = |row: usize, what: &str| format!("{}: row {}: {what}", block.origin.name, block.numbers.get(row));
    let read = (0..block.rows.rows()).map(|row| rows.get(row));
    let (matches, bad) = scan_read(&plan.bulk, &[&plan.scanner], read, NO_TWEAK_POINT);
    let mut table = plan.out.map(|_| RowTable::new(matches::schema()));
    let mut told = Vec::new();
    for found in &matches {
        let row = found.row;
        let txid = index.text(IndexColumn::Txid, row);
        let height = index.text(IndexColumn::Height, row).and_then(|height| height.parse().ok());
        if told.len() < NOTES {
            told.push(note(row, &in_words(txid.as_deref(), found)));
        }
        if let Some(table) = &mut table {
            matches::push(table, txid.as_deref(), height, found);
        }
    }
    let payload = table.zip(plan.out).map(|(table, format)| Payload::of_table(table.finish()?, format)).transpose()?;
    let counts =
        ScanCounts { rows: block.rows.rows() as u64, matches: matches.len() as u64, malformed: bad.len() as u64 };
    let bad = bad.iter().take(NOTES).map(|(row, why)| note(*row, why)).collect();
    let origin = Arc::clone(&block.origin);
    Ok(Scanned::Block(Box::new(ScannedBlock { origin, bytes: raw.bytes, counts, notes: [told, bad], payload })))
}

fn in_words(txid: Option<&str>, found: &Match) -> String {
    let transaction = txid.map_or_else(String::new, |txid| format!("transaction {txid}, "));
    let label = found.label.map_or_else(String::new, |label| format!(", label {label}"));
    format!("{transaction}output {}, k {}{label}", found.output, found.k)
}

/// A completed run.
struct ScanSummary {
    counts: ScanCounts,
    failed: Vec<RunError>,
    elapsed: Duration,
    threads: usize,
    backend: &'static str,
}

impl ScanSummary {
    fn rows_per_second(&self) -> f64 {
        self.counts.rows as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// One JSON object on one line.
    fn json(&self) -> String {
        let failed: Vec<_> = self.failed.iter().filter_map(RunError::of_file).collect();
        let failed = failed.iter().map(|(file, error)| serde_json::json!({ "file": file, "error": error }).to_string());
        let ScanCounts { rows, matches, malformed } = self.counts;
        format!(
            concat!(
                r#"{{"rows":{},"matches":{},"malformed":{},"failed":[{}],"seconds":{:.6},"rows_per_second":{:.1},"#,
                r#""threads":{},"backend":"{}"}}"#,
                "\n"
            ),
            rows,
            matches,
            malformed,
            failed.collect::<Vec<_>>().join(","),
            self.elapsed.as_secs_f64(),
            self.rows_per_second(),
            self.threads,
            self.backend,
        )
    }

    /// A few lines of text.
    fn text(&self) -> String {
        let ScanCounts { rows, matches, malformed } = self.counts;
        let mut text = counts(&[(rows, "rows"), (matches, "matches"), (malformed, "malformed")]);
        for failure in &self.failed {
            // Writing to memory does not fail.
            let _ = writeln!(text, "could not be read to the end: {failure}");
        }
        text + &speed(self.elapsed, self.rows_per_second(), "rows", self.threads, self.backend)
    }
}

/// Find a receiver's silent payments (BIP-352) in the rows of an index.
///
/// A row is a transaction: its tweak point, and its taproot outputs. Each output that is the receiver's is a match.
/// The scan secret is read from a file or standard input alone. It is used in constant time; time may tell which
/// rows match.
#[derive(Debug, Args)]
#[command(after_help = STATUSES,
    after_long_help = joined(&[COLUMNS, OUTPUT, STATUSES, EXAMPLES]))]
pub(crate) struct ScanArgs {
    /// An index in Parquet, CSV or JSON lines; text also as .gz or .zst; `-` is standard input.
    #[arg(required = true, value_name = "INDEX")]
    files: Vec<String>,

    /// Read the scan secret from this file; `-` is standard input.
    ///
    /// 64 hex digits, on the first line.
    #[arg(long, value_name = "FILE")]
    scan_key: PathBuf,

    /// The spend key, 33 or 65 bytes.
    #[arg(long, value_name = "HEX")]
    spend_key: String,

    /// How many labels there are, numbered from 1. Change, which is label 0, is always looked for.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u32).range(0..100_000))]
    labels: u32,

    /// What the files are, whatever their names and contents say.
    #[arg(long, value_name = "FORMAT", value_parser = format(&TABLES))]
    format: Option<&'static Format>,

    /// What stands between the columns of CSV: one character, or the word tab.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,

    #[command(flatten)]
    output: OutputArgs,
}

const COLUMNS: &str = "\
Columns of an index; case does not matter:
  txid       any type, passed through; may be missing
  height     a number, passed through; may be missing
  tweak_key  the tweak point: 33 or 65 bytes, or the 64 bytes in which
             libsecp256k1 keeps a point (x, then y, least significant byte
             first)
  outputs    a list: of each taproot output's key the first eight bytes as a
             big-endian number with a sign, or in text the whole key in hex

Values are binary, or hex text with or without 0x. A list in CSV is text such as [1, -2].";

const OUTPUT: &str = "\
Columns of --out, a row for each match:
  txid    as the index has it; bytes in hex
  height  as the index has it
  output  which of the row's outputs, from 0
  k       which of the receiver's outputs in the transaction, from 0
  label   the label that was paid to, if any; 0 is change
  key     the x of the output, 32 bytes
  tweak   what is added to the spend secret to spend it, 32 bytes

Who reads the file learns which outputs are the receiver's.";

const STATUSES: &str = "\
Exit status:
  0    every row was read, with matches or without
  2    wrong usage, or an input or output error; the output is incomplete
  3    at least one row is malformed or has no valid tweak point
  130  interrupted; no output is left behind";

const EXAMPLES: &str = "\
Examples:
  phalanx scan index.parquet --scan-key scan.txt --spend-key 025cc9...
  phalanx scan index.jsonl.zst --scan-key - --spend-key 025cc9... < scan.txt";
