//! `lab files`: rows a second of the command `phalanx verify FILE` beside loops that a user would write, on the same
//! file.
//!
//! A file of rows is made, as CSV and as Parquet. Whole processes run in turn, ours and the other's, each with the
//! start of the program, reading and parsing. Each comparison gives two rows of a record: by the time that passes, and
//! by the seconds of CPU of all threads. The peers are a plain loop in Rust over libsecp256k1 (CSV), one in Python over
//! coincurve (CSV, and Parquet by pyarrow), and one bulk call of our library on the same rows in memory.

use crate::{
    Failure,
    inputs::{Generator, Rows, fresh_seed},
    library::{self, Build, Running},
    machine,
    outcome::{Absent, Outcome, say},
    record::{self, not_written},
    revision::{self, lab},
    stats::Summary,
};
use clap::Args;
use lab_abi::{Description, Op, Request};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeVal,
};
use std::{
    cell::RefCell,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Instant,
};

/// The operation's name in records.
const OP: &str = "file-verify";
/// One row in so many has another digest than the one that was signed.
const SPOILT: usize = 100;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Rows of the file
    #[arg(long, default_value_t = 100_000)]
    rows: usize,
    /// How often each program runs on each file
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// The Python with coincurve and pyarrow
    #[arg(long, value_name = "FILE", default_value = "python3")]
    python: PathBuf,
    /// Keeps the record in this folder, not in `lab/record/<date>-<cpu>`
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// What finds how many rows of a file are valid.
struct Program {
    name: String,
    version: String,
    flags: String,
    runner: Runner,
}

/// How a [`Program`] does it.
enum Runner {
    /// It reads the file and prints the number.
    Command(Vec<String>),
    /// It has the rows, so many, and is no program but a job in this process.
    Job(RefCell<Box<dyn Running>>, usize),
}

impl Program {
    fn new(name: &str, version: String, flags: String, command: &[&str]) -> Self {
        let command = command.iter().map(|word| (*word).to_owned()).collect();
        Self { name: name.into(), version, flags, runner: Runner::Command(command) }
    }

    fn run(&self, file: &Path) -> Result<Run, Failure> {
        match &self.runner {
            Runner::Command(command) => {
                let (cpu, begin) = (seconds_of(UsageWho::RUSAGE_CHILDREN)?, Instant::now());
                let said = output(Command::new(&command[0]).args(&command[1..]).arg(file)).map_err(Failure::Broken)?;
                let (wall, cpu) = (begin.elapsed().as_secs_f64(), seconds_of(UsageWho::RUSAGE_CHILDREN)? - cpu);
                let said = Said::of(&said).ok_or_else(|| Failure::Broken(format!("{} said {said}", self.name)))?;
                Ok(Run { wall, cpu, said })
            }
            Runner::Job(job, rows) => {
                let mut job = job.borrow_mut();
                let cpu = seconds_of(UsageWho::RUSAGE_SELF)?;
                let wall = job.run(0..*rows, 1).map_err(Failure::Broken)?.as_secs_f64();
                let cpu = seconds_of(UsageWho::RUSAGE_SELF)? - cpu;
                let verdicts = job.output().map_err(Failure::Broken)?;
                let valid = verdicts.iter().filter(|verdict| **verdict == 1).count();
                Ok(Run { wall, cpu, said: Said { valid, backend: None } })
            }
        }
    }
}

/// What a run took, in seconds that passed and seconds of CPU, and what it said.
struct Run {
    wall: f64,
    cpu: f64,
    said: Said,
}

/// What a program printed: a number of valid rows, or the summary of `phalanx verify --json`.
#[derive(Debug, PartialEq, Eq, serde::Deserialize)]
struct Said {
    valid: usize,
    backend: Option<String>,
}

impl Said {
    fn of(text: &str) -> Option<Self> {
        let number = text.trim().parse().map(|valid| Self { valid, backend: None });
        number.ok().or_else(|| serde_json::from_str(text).ok())
    }
}

/// What a command prints; the error is the last line of what it complains of. Status 1 of ours says that rows are
/// invalid.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} does not start: {error}"))?;
    if output.status.success() || output.status.code() == Some(1) && output.stderr.is_empty() {
        return String::from_utf8(output.stdout).map_err(|_| format!("{name} prints no text"));
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(complaint.lines().rfind(|line| !line.is_empty()).unwrap_or("it failed without a word").to_owned())
}

/// Seconds of CPU of this process, or of all children that have ended, as the kernel counts them: in microseconds.
fn seconds_of(who: UsageWho) -> Result<f64, Failure> {
    let usage =
        getrusage(who).map_err(|error| Failure::NotThere(format!("the kernel does not say what ran: {error}")))?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// A compact signature by DER's rules.
fn der(signature: &[u8]) -> Vec<u8> {
    let integer = |half: &[u8]| {
        let start = half.iter().position(|byte| *byte != 0).unwrap_or(half.len() - 1);
        let sign: &[u8] = if half[start] & 0x80 == 0 { &[] } else { &[0] };
        let number = [sign, &half[start..]].concat();
        [&[2, number.len() as u8], &*number].concat()
    };
    let both = [integer(&signature[..32]), integer(&signature[32..])].concat();
    [&[0x30, both.len() as u8], &*both].concat()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The rows as CSV.
fn csv(rows: &[u8]) -> String {
    let mut text = "msg_hash,sig,pubkey\n".to_owned();
    for row in rows.chunks_exact(Op::VerifyEcdsa.row_bytes()) {
        let _ = writeln!(text, "{},{},{}", hex(&row[..32]), hex(&der(&row[32..96])), hex(&row[96..]));
    }
    text
}

/// Builds a package for this CPU and says where its program is.
fn build(manifest: &str, package: &str) -> Result<PathBuf, String> {
    let target = library::target().join("files");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--locked", "--quiet", "-p", package, "--manifest-path"]);
    command.arg(lab().join(manifest)).arg("--target-dir").arg(&target).env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env("RUSTFLAGS", "-C target-cpu=native").env("CFLAGS", "-O3 -march=native");
    output(&mut command)?;
    let program = target.join("release").join(package.trim_end_matches("-cli"));
    // Where a linker leaves the pages of a program can make it slow. A copy, which is written in one go, lies better.
    let copy = program.with_extension("copy");
    fs::copy(program, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    Ok(copy)
}

/// Ours, by so many threads.
fn ours(command: &Path, threads: usize) -> Result<Program, String> {
    let command = command.to_string_lossy();
    let threads = threads.to_string();
    let said = output(Command::new(&*command).arg("--version"))?;
    let version = said.trim().rsplit(' ').next().unwrap_or_default().to_owned();
    let flags = format!("phalanx verify --threads {threads}; -C opt-level=3 -C target-cpu=native");
    Ok(Program::new(library::OURS, version, flags, &[&*command, "verify", "--json", "--quiet", "--threads", &threads]))
}

fn plain_loop() -> Result<Program, String> {
    let program = build("files/libsecp256k1-loop/Cargo.toml", "libsecp256k1-loop")?;
    let program = program.to_string_lossy();
    let version = output(Command::new(&*program).arg("--version"))?.trim().to_owned();
    let flags = "-C opt-level=3 -C target-cpu=native; its C by -O3 -march=native".to_owned();
    Ok(Program::new("rust-secp256k1, loop", version, flags, &[&program]))
}

fn script() -> PathBuf {
    lab().join("files/coincurve_loop.py")
}

fn coincurve(python: &Path) -> Result<Program, String> {
    let (python, script) = (python.to_string_lossy(), script());
    let script = script.to_string_lossy();
    let said = output(Command::new(&*python).args([&*script, "--versions"]))?;
    let (version, flags) = said.trim().split_once('\n').ok_or("coincurve does not say its version")?;
    Ok(Program::new("coincurve, loop", version.into(), flags.into(), &[&python, &script]))
}

/// One bulk call of our library on the rows, by so many threads. The library stays open until the lab ends.
fn bulk_call(rows: &[u8], threads: usize) -> Result<Program, String> {
    let library = Box::leak(library::open(library::OURS, Build::Native)?);
    let count = rows.len() / Op::VerifyEcdsa.row_bytes();
    let request = Request { group: count, threads, ..Request::new(Op::VerifyEcdsa, count) };
    let runner = Runner::Job(RefCell::new(library.prepare(&request, rows)?), count);
    let Description { version, flags } = library.about().clone();
    Ok(Program { name: format!("{}, one bulk call", library::OURS), version, flags, runner })
}

/// Runs both on a file in turn: the outcomes by the time that passes and by seconds of CPU.
fn compare(
    pair: [&Program; 2],
    file: &Path,
    form: &str,
    threads: usize,
    settings: &Settings,
    seed: u64,
) -> Result<[Outcome; 2], Failure> {
    let rows = settings.rows;
    let mut backend = String::new();
    let mut times: [[Vec<f64>; 2]; 2] = Default::default();
    // The first round warms the file's cache up.
    for round in 0..=settings.rounds.max(1) {
        let mut order = [0, 1];
        if round % 2 == 1 {
            order.swap(0, 1);
        }
        for side in order {
            let Run { wall, cpu, said } = pair[side].run(file)?;
            let expected = rows - rows.div_ceil(SPOILT);
            if said.valid != expected {
                let name = &pair[side].name;
                return Err(Failure::Broken(format!("{name} finds {} valid rows, not {expected}", said.valid)));
            }
            backend = said.backend.unwrap_or(backend);
            if round > 0 {
                times[0][side].push(wall * 1e9 / rows as f64);
                times[1][side].push(cpu * 1e9 / rows as f64);
            }
        }
    }
    let outcome = |clock: &str, [left, right]: &[Vec<f64>; 2]| {
        let [ours, peer] = pair;
        Outcome {
            op: OP.to_owned(),
            n: rows,
            rows,
            threads,
            lanes: 1,
            row_class: format!("{form}, {clock}"),
            backend: backend.clone(),
            ours: ours.name.clone(),
            ours_version: ours.version.clone(),
            ours_commit: revision::commit(),
            ours_flags: ours.flags.clone(),
            ours_inputs: "encoded".to_owned(),
            asked: peer.name.clone(),
            peer: peer.name.clone(),
            peer_version: peer.version.clone(),
            peer_flags: peer.flags.clone(),
            peer_inputs: "encoded".to_owned(),
            clock: clock.to_owned(),
            ..Outcome::of_times([Summary::of(left), Summary::of(right)], left.len(), seed)
        }
    };
    Ok([outcome("wall", &times[0]), outcome("cpu", &times[1])])
}

/// Measures, and keeps the record `files`.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    if settings.rows < SPOILT {
        return Err(Failure::NotThere(format!("--rows is at least {SPOILT}")));
    }
    let folder = library::target().join("files");
    fs::create_dir_all(&folder).map_err(not_written(&folder))?;
    let seed = fresh_seed()?;
    let maker = library::open("libsecp256k1", Build::Native).map_err(Failure::NotThere)?;
    let rows = Generator::new(&*maker, seed).rows(Op::VerifyEcdsa, settings.rows, 1, Rows::Valid);
    let mut rows = rows.map_err(Failure::NotThere)?;
    rows.chunks_exact_mut(Op::VerifyEcdsa.row_bytes()).step_by(SPOILT).for_each(|row| row[0] ^= 1);
    let (text, packed) = (folder.join("rows.csv"), folder.join("rows.parquet"));
    fs::write(&text, csv(&rows)).map_err(not_written(&text))?;

    let phalanx = build("../Cargo.toml", "phalanx-cli")
        .map_err(|reason| Failure::NotThere(format!("the command phalanx is absent: {reason}")))?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let ours = |threads| ours(&phalanx, threads).map_err(Failure::NotThere);
    let (one, all) = (ours(1)?, ours(processors)?);
    let (plain, python) = (plain_loop(), coincurve(&settings.python));
    let bulk = bulk_call(&rows, processors);
    // What it takes to write Parquet is what it takes to read it.
    let has_parquet = python.is_ok()
        && output(Command::new(&settings.python).arg(script()).arg("--write-parquet").args([&text, &packed])).is_ok();

    let (mut outcomes, mut absent) = (Vec::new(), Vec::new());
    say(&Outcome::heading())?;
    for (ours, threads, peer, form) in [
        (&one, 1, &plain, "csv"),
        (&all, processors, &plain, "csv"),
        (&one, 1, &python, "csv"),
        (&one, 1, &python, "parquet"),
        (&all, processors, &bulk, "csv"),
        (&all, processors, &bulk, "parquet"),
    ] {
        let file = if form == "csv" { &text } else { &packed };
        let reason = match peer {
            Ok(peer) if form == "csv" || has_parquet => {
                for outcome in compare([ours, peer], file, form, threads, settings, seed)? {
                    say(&outcome.row())?;
                    outcomes.push(outcome);
                }
                continue;
            }
            Ok(_) => "pyarrow writes no Parquet",
            Err(reason) => reason,
        };
        let asked = format!("--op {OP} --threads {threads}, {form}");
        say(&format!("{asked}: {reason}"))?;
        absent.push(Absent { absent: asked, reason: reason.to_owned(), cpu: machine::cpu() });
    }
    let lines = outcomes.iter().map(Outcome::json).chain(absent.iter().map(Absent::json));
    record::keep("files.jsonl", settings.into.as_deref(), lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_as_files_have_them() {
        let mut row = vec![0x11; 32];
        row.extend([vec![0x80; 32], vec![0; 31], vec![5]].concat());
        row.extend([2; 33]);
        let text = csv(&row);
        let (head, line) = text.trim().split_once('\n').unwrap();
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((head, cells.len(), &cells[0][..4]), ("msg_hash,sig,pubkey", 3, "1111"));
        assert_eq!(cells[1], format!("30260221{}{}020105", "00", "80".repeat(32)));
        assert_eq!(cells[2], "02".repeat(33));
    }

    #[test]
    fn programs_say_how_many_rows_are_valid() {
        assert_eq!(Said::of("99000\n"), Some(Said { valid: 99_000, backend: None }));
        let summary = Said { valid: 61, backend: Some("ifma".into()) };
        assert_eq!(Said::of("{\"rows\":64,\"valid\":61,\"backend\":\"ifma\"}\n"), Some(summary));
        assert_eq!(Said::of("rows"), None);
        assert_eq!(Said::of("{\"rows\":64}"), None);
    }

    #[test]
    fn what_children_take_is_counted_finer_than_the_kernels_clock_ticks() {
        let children = || seconds_of(UsageWho::RUSAGE_CHILDREN);
        let before = children().unwrap();
        let took = |_| {
            let begin = children().unwrap();
            output(Command::new("true").arg("x")).unwrap();
            children().unwrap() - begin
        };
        let times: Vec<f64> = (0..8).map(took).collect();
        // Other tests may have children too, so no time is judged but that there are some below a tick of 10 ms.
        assert!(children().unwrap() > before && times.iter().any(|time| *time > 0.0 && *time < 0.01), "{times:?}");
    }
}
