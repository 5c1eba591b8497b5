//! One job on several threads beside as many processes of one thread each: what sharing memory and dividing the work
//! cost.
//!
//! Both compute the same number of rows, in turn. The processes start together and are independent of each other;
//! together they compute as many rows in a nanosecond as the sum of what each of them does, which is what the machine
//! can give to so many threads at most.

use crate::{
    Failure,
    inputs::{Generator, Rows},
    library::{self, Build, Library, OURS, Running},
    machine::{self, Machine},
    outcome::time,
    revision,
    stats::Summary,
};
use clap::Args;
use lab_abi::{Clock, Op, Request, op::Kind};
use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// Both sides run for about this long before the first sample counts.
const WARM_UP: Duration = Duration::from_millis(500);
/// Pairs of samples taken however long they take.
const FEWEST: usize = 5;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// The operation, one of those that are called in bulk
    #[arg(long)]
    op: String,
    /// Rows of a bulk call; each process gets its share
    #[arg(long, default_value_t = 16_384)]
    n: usize,
    /// Threads of the one side, processes of the other
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// How long to sample
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Distinct keys among the rows of a verification; without this each row has its own
    #[arg(long)]
    keys: Option<usize>,
    /// Forces a backend
    #[arg(long)]
    backend: Option<String>,
    /// The CPU that our side is built for
    #[arg(long, value_enum, default_value_t = Build::Native)]
    build: Build,
    /// One line of JSON
    #[arg(long)]
    json: bool,
}

/// Measures and prints.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let no = |reason: &str| Failure::NotThere(reason.to_owned());
    let op = Op::from_name(&settings.op).filter(|op| op.kind() == Kind::Scheme);
    let op = op.ok_or_else(|| no("no operation of that name is called in bulk"))?;
    if settings.threads < 2 || settings.n == 0 || settings.keys == Some(0) {
        return Err(no("--threads is at least 2, --n and --keys at least 1"));
    }
    let length = Duration::try_from_secs_f64(settings.seconds).map_err(|_| no("--seconds is not a length of time"))?;
    let share = settings.n.div_ceil(settings.threads);
    let request = Request {
        group: share * settings.threads,
        threads: settings.threads,
        clock: Clock::Wall,
        backend: settings.backend.clone(),
        ..Request::new(op, share * settings.threads)
    };
    let seed = getrandom::u64().map_err(|error| Failure::Broken(format!("no randomness: {error}")))?;
    let open = |name, build| library::open(name, build).map_err(Failure::NotThere);
    let (ours, maker) = (open(OURS, settings.build)?, open("libsecp256k1", Build::Native)?);
    let rows = Generator::new(&*maker, seed).keys(settings.keys).rows(op, request.rows, request.group, Rows::Valid);
    let rows = rows.map_err(Failure::NotThere)?;

    let mut job = ours.prepare(&request, &rows).map_err(Failure::NotThere)?;
    let alone = Request { rows: share, group: share, threads: 1, ..request.clone() };
    let ([threads, processes], pairs) = thread::scope(|scope| {
        let workers = rows.chunks(share * op.row_bytes()).map(|rows| {
            let (start, starts) = mpsc::channel::<()>();
            let (end, ends) = mpsc::channel();
            let alone = &alone;
            scope.spawn(move || {
                let opened = library::open_apart(OURS, settings.build);
                let outcome = opened.and_then(|library| work(&*library, alone, rows, &starts, &end));
                if let Err(reason) = outcome {
                    let _ = end.send(Err(reason));
                }
            });
            (start, ends)
        });
        let workers = Workers { workers: workers.collect(), share };
        sample(&mut *job, &request, &workers, length)
    })?;

    let share = processes.median / threads.median;
    let (version, flags) = (&ours.about().version, &ours.about().flags);
    if settings.json {
        let outcome = serde_json::json!({
            "op": op.name(), "n": request.rows, "threads": settings.threads, "keys": settings.keys,
            "backend": job.backend(), "ours_version": version, "ours_commit": revision::commit(), "ours_flags": flags,
            "threads_ns": threads.median, "threads_spread": threads.spread, "threads_least_ns": threads.least,
            "processes_ns": processes.median, "processes_spread": processes.spread, "processes_least_ns": processes.least,
            "share": share, "share_of_least": processes.least / threads.least, "samples": pairs,
            "seed": format!("{seed:016x}"), "load": machine::load(), "cpu": Machine::this().cpu,
        });
        println!("{outcome}");
    } else {
        let side = |summary: Summary| format!("{} ±{:.1}%", time(summary.median), summary.spread * 100.0);
        println!(
            "{} n = {} {}: {count} threads {}, {count} processes {} a row: {:.1}% of their rate ({:.1}% by the least times)",
            op.name(),
            request.rows,
            job.backend(),
            side(threads),
            side(processes),
            share * 100.0,
            processes.least / threads.least * 100.0,
            count = settings.threads,
        );
    }
    Ok(())
}

/// What a worker reports: that it is ready with its results, then how long each run took.
type Report = Result<(Duration, Vec<u8>), String>;

/// The process's side of the work, until nobody wants more.
fn work(
    library: &dyn Library,
    request: &Request,
    rows: &[u8],
    starts: &mpsc::Receiver<()>,
    end: &mpsc::Sender<Report>,
) -> Result<(), String> {
    let mut job = library.prepare(request, rows)?;
    let took = job.run(0..request.rows, 1)?;
    let mut report = (took, job.output()?);
    while end.send(Ok(report)).is_ok() && starts.recv().is_ok() {
        report = (job.run(0..request.rows, 1)?, Vec::new());
    }
    Ok(())
}

struct Workers {
    workers: Vec<(mpsc::Sender<()>, mpsc::Receiver<Report>)>,
    share: usize,
}

impl Workers {
    fn reports(&self) -> Result<Vec<(Duration, Vec<u8>)>, Failure> {
        let gone = |_| Failure::Broken("a process has ended".to_owned());
        self.workers.iter().map(|(_, ends)| ends.recv().map_err(gone)?.map_err(Failure::Broken)).collect()
    }

    /// All at once; nanoseconds per row of all together.
    fn run(&self) -> Result<f64, Failure> {
        let sent = self.workers.iter().all(|(start, _)| start.send(()).is_ok());
        if !sent {
            return Err(Failure::Broken("a process has ended".to_owned()));
        }
        let rate = |(took, _): &(Duration, Vec<u8>)| self.share as f64 / took.as_nanos() as f64;
        Ok(1.0 / self.reports()?.iter().map(rate).sum::<f64>())
    }
}

/// Checks that both give the same results, then times them in turn: nanoseconds per row of the threads and of the
/// processes, and the number of pairs.
fn sample(
    job: &mut dyn Running,
    request: &Request,
    workers: &Workers,
    length: Duration,
) -> Result<([Summary; 2], usize), Failure> {
    let threads = |job: &mut dyn Running| {
        let took = job.run(0..request.rows, 1).map_err(Failure::Broken)?;
        Ok(took.as_nanos() as f64 / request.rows as f64)
    };
    threads(job)?;
    let apart: Vec<u8> = workers.reports()?.into_iter().flat_map(|(_, results)| results).collect();
    if apart.is_empty() || job.output().map_err(Failure::Broken)? != apart {
        return Err(Failure::Broken("threads and processes differ in their results".to_owned()));
    }
    let (mut series, begun) = ([Vec::new(), Vec::new()], Instant::now());
    let mut threads_start = false;
    while begun.elapsed() < WARM_UP + length || series[0].len() < FEWEST {
        threads_start = !threads_start;
        let pair = if threads_start {
            let first = threads(job)?;
            [first, workers.run()?]
        } else {
            let first = workers.run()?;
            [threads(job)?, first]
        };
        if begun.elapsed() > WARM_UP {
            series[0].push(pair[0]);
            series[1].push(pair[1]);
        }
    }
    Ok(([Summary::of(&series[0]), Summary::of(&series[1])], series[0].len()))
}
