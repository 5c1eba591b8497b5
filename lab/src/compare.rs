//! One comparison: two libraries, one operation, the same rows. [`side`] finds the two libraries by their names.

mod side;

pub(crate) use side::ready;

use crate::{
    Failure,
    inputs::{BASIS, Generator, Positions, Rows, Vectors},
    library::{self, Build, Library, OURS, Running},
    machine::{self, Machine},
    outcome::{Outcome, say},
    revision, sampling, stats,
};
use clap::{Args, ValueEnum};
use lab_abi::{Clock, Inputs, Op, Request, Shape, Tables, op::Kind};
use side::Side;
use std::time::{Duration, Instant};

/// The library whose peer makes the input rows.
const MAKER: &str = "libsecp256k1";
/// The name that stands for the fastest peer that a user can call.
const BEST_PUBLIC: &str = "best-public";
/// A peer with this at the end of its name is code that no user can call.
const INTERNAL: &str = "-internal";
/// Groups smaller than this are repeated with fresh rows until there are about so many.
const ROWS: usize = 4096;
/// To choose the fastest peer all run about so long in turn, twice at least and so often at most.
const CHOICE: Duration = Duration::from_secs(3);
const MOST_ROUNDS: usize = 10;

/// What becomes of tables of keys, on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TablesName {
    /// They stay from call to call, as the library keeps them
    Kept,
    /// Every call makes those it wants anew
    Fresh,
    /// None are made
    Without,
}

impl TablesName {
    const fn tables(self) -> Tables {
        match self {
            Self::Kept => Tables::Kept,
            Self::Fresh => Tables::Fresh,
            Self::Without => Tables::Without,
        }
    }
}

/// The curve of a sum over a fixed basis, on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CurveName {
    /// The group of prime order over Bandersnatch, with the basis of Ethereum's Verkle trees
    Banderwagon,
}

/// The order of dependence, on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShapeName {
    /// Every row by itself: throughput
    Stream,
    /// Each step from the one before, `lanes` chains side by side: latency
    Chain,
}

/// What to compare.
#[derive(Debug, Clone, PartialEq, Args)]
pub(crate) struct Settings {
    /// The operation
    #[arg(long)]
    pub(crate) op: String,
    /// Rows of a bulk call, points of a sum, signatures of a batch; with --single the number of distinct rows
    #[arg(long)]
    pub(crate) n: Option<usize>,
    /// The peer: a name of `lab peers`, `best-public` for the fastest that a user can call, or `phalanx@COMMIT`
    ///
    /// `phalanx@COMMIT` is our side at an earlier commit, built from that commit's sources. COMMIT is what git takes: a
    /// hash, a tag, HEAD~3. The options --backend, --tables, --parsed and --build then hold for both sides. NAME-parsed
    /// gives the peer parsed inputs.
    #[arg(long)]
    pub(crate) peer: String,
    /// Threads on both sides
    #[arg(long, default_value_t = 1)]
    pub(crate) threads: usize,
    /// How long to sample
    #[arg(long, default_value_t = 3.0)]
    pub(crate) seconds: f64,
    /// One call at a time, through the call for single items
    #[arg(long)]
    pub(crate) single: bool,
    /// Lanes of field and point operations
    #[arg(long, default_value_t = 1)]
    pub(crate) lanes: usize,
    /// How field and point operations depend on one another
    #[arg(long, value_enum, default_value_t = ShapeName::Stream)]
    pub(crate) shape: ShapeName,
    /// Forces a backend of ours, and of `phalanx@COMMIT`
    #[arg(long)]
    pub(crate) backend: Option<String>,
    /// What the rows of a verification are
    #[arg(long, value_enum, default_value_t = Rows::Valid)]
    pub(crate) rows: Rows,
    /// Distinct keys among the rows of a verification; without this each row has its own
    #[arg(long)]
    pub(crate) keys: Option<usize>,
    /// What becomes of the tables that our side makes for keys that repeat
    #[arg(long, value_enum, default_value_t = TablesName::Kept)]
    pub(crate) tables: TablesName,
    /// The curve of a sum over a fixed basis
    #[arg(long, value_enum, default_value_t = CurveName::Banderwagon)]
    pub(crate) curve: CurveName,
    /// The elements of the fixed basis: Verkle's 256
    #[arg(long, default_value_t = BASIS)]
    pub(crate) basis: usize,
    /// Non-zero scalars of a vector over the fixed basis
    #[arg(long, default_value_t = BASIS)]
    pub(crate) nonzero: usize,
    /// Where these scalars are
    #[arg(long, value_enum, default_value_t = Positions::First)]
    pub(crate) positions: Positions,
    /// One bulk call for `n` vectors over the fixed basis; without this one call a vector
    #[arg(long)]
    pub(crate) bulk: bool,
    /// A technique that the peer leaves out; with `--peer phalanx` both sides are ours
    #[arg(long)]
    pub(crate) without: Option<String>,
    /// How our side and `phalanx@COMMIT` are built; other peers are always built as `native`
    #[arg(long, value_enum, default_value_t = Build::Native)]
    pub(crate) build: Build,
    /// Gives our side parsed inputs too, and `phalanx@COMMIT`
    #[arg(long)]
    pub(crate) parsed: bool,
    /// Makes the rows of an earlier run again
    #[arg(long, value_parser = seed_from_hex)]
    pub(crate) seed: Option<u64>,
    /// Puts a peer in our place
    #[arg(long, hide = true, default_value = OURS)]
    pub(crate) ours: String,
    /// Times one thread by the time that passes too, not by the process's CPU time
    #[arg(long)]
    pub(crate) wall: bool,
    /// One line of JSON instead of a table row
    #[arg(long)]
    pub(crate) json: bool,
}

fn seed_from_hex(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| "a seed is up to 16 hexadecimal digits".into())
}

/// Runs and prints a comparison.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let outcome = compare(settings)?;
    if settings.json { say(&outcome.json()) } else { say(&format!("{}\n{}", Outcome::heading(), outcome.row())) }
}

/// Runs a comparison.
pub(crate) fn compare(settings: &Settings) -> Result<Outcome, Failure> {
    let request = request(settings)?;
    let seed = match settings.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| Failure::Broken(format!("no randomness: {error}")))?,
    };
    // Both are looked for before anything is built, which takes long.
    let ours_side = Side::find(&settings.ours)?;
    let ours_inputs = if settings.parsed { Inputs::Parsed } else { ours_side.inputs };
    let peer_side = (settings.peer != BEST_PUBLIC).then(|| Side::find(&settings.peer)).transpose()?;
    let ours = ours_side.open(settings.build)?;
    let maker = Side::find(MAKER)?.open(Build::Native)?;
    let rows = Generator::new(&*maker, seed).keys(settings.keys).vectors(vectors(settings)).rows(
        request.op,
        request.rows,
        request.group,
        settings.rows,
    );
    let rows = rows.map_err(Failure::NotThere)?;

    if settings.without.is_some() && peer_side.is_none() {
        return Err(Failure::NotThere(format!("--without wants a peer by its name, not {BEST_PUBLIC}")));
    }
    let theirs = Request { backend: None, tables: Tables::Kept, ..request.clone() };
    let (peer_side, candidates) = match peer_side {
        Some(side) => (side, Vec::new()),
        None => {
            let (name, candidates) = best_public(&theirs, &rows)?;
            (Side::find(&name)?, candidates)
        }
    };
    // An earlier commit of ours is asked for what our side is asked for, and so is ours without a technique.
    let peer_is_ours = peer_side.commit().is_some() || peer_side.is_work_tree();
    let theirs = if peer_is_ours { request.clone() } else { theirs };
    let peer_inputs = if peer_is_ours && settings.parsed { Inputs::Parsed } else { peer_side.inputs };
    let theirs = Request { without: settings.without.clone(), ..theirs };
    let peer = peer_side.open_as_peer(settings.build)?;
    let judge = if peer.has_other_curve() { Judge::Peer(&*peer) } else { Judge::Maker(&*maker) };
    let peer_rows = match judge {
        Judge::Maker(_) => rows.clone(),
        Judge::Peer(_) if settings.rows == Rows::Valid && [Op::SignEcdsa, Op::VerifyEcdsa].contains(&request.op) => {
            let made = Generator::new(&*peer, seed).rows(request.op, request.rows, request.group, Rows::Valid);
            made.map_err(|reason| peer_side.refusal(&reason))?
        }
        Judge::Peer(_) => {
            return Err(Failure::NotThere(format!("{} has valid rows of ECDSA only", peer_side.name)));
        }
    };

    let mut left = ours
        .prepare(&Request { inputs: ours_inputs, ..request.clone() }, &rows)
        .map_err(|reason| ours_side.refusal(&reason))?;
    let mut right = peer
        .prepare(&Request { inputs: peer_inputs, ..theirs }, &peer_rows)
        .map_err(|reason| peer_side.refusal(&reason))?;

    if let Some(asked) = &request.backend {
        ours_side.runs(left.backend(), asked)?;
        if peer_is_ours && settings.without.is_none() {
            peer_side.runs(right.backend(), asked)?;
        }
    }

    let names = [ours_side.name.as_str(), peer_side.name.as_str()];
    if request.op == Op::SignEcdsa && peer.draws_nonces() {
        check_signatures(&mut *left, &rows, &Judge::Maker(&*maker), names[0])?;
        check_signatures(&mut *right, &peer_rows, &judge, names[1])?;
    } else {
        check_equal([&mut *left, &mut *right], &request, names)?;
    }
    let [ours_heap, peer_heap] = [count(&mut *left, &request)?, count(&mut *right, &request)?];
    let whole = if request.op.kind() == Kind::Arithmetic { request.rows } else { request.group };
    let length = Duration::try_from_secs_f64(settings.seconds)
        .map_err(|_| Failure::NotThere("--seconds is not a length of time".into()))?;
    let samples = sampling::interleave([&mut *left, &mut *right], request.rows, whole, length)?;

    Ok(Outcome {
        op: request.op.name().to_owned(),
        n: if request.group == 1 { request.rows } else { request.group },
        rows: request.rows,
        threads: request.threads,
        lanes: request.lanes,
        shape: (request.op.kind() == Kind::Arithmetic)
            .then(|| if request.shape == Shape::Chain { "chain" } else { "stream" }.to_owned()),
        single: request.single,
        row_class: row_class(settings, request.op),
        keys: settings.keys,
        tables: (request.tables != Tables::Kept).then(|| request.tables.name().to_owned()),
        backend: left.backend().to_owned(),
        ours_commit: ours_side.commit().or_else(|| ours_side.is_work_tree().then(revision::commit).flatten()),
        ours: ours_side.name,
        ours_version: ours.about().version.clone(),
        ours_flags: ours.about().flags.clone(),
        ours_inputs: inputs_name(ours_inputs),
        ours_ns: samples.left.median,
        ours_spread: samples.left.spread,
        ours_least_ns: samples.left.least,
        ours_bytes: ours_heap.map(|heap| heap.bytes),
        ours_allocations: ours_heap.map(|heap| heap.allocations),
        asked: settings.peer.clone(),
        peer_commit: peer_side.commit(),
        without: settings.without.clone(),
        peer_backend: peer_is_ours.then(|| right.backend().to_owned()),
        peer: peer_side.name,
        peer_version: peer.about().version.clone(),
        peer_flags: peer.about().flags.clone(),
        peer_inputs: inputs_name(peer_inputs),
        peer_ns: samples.right.median,
        peer_spread: samples.right.spread,
        peer_least_ns: samples.right.least,
        peer_bytes: peer_heap.map(|heap| heap.bytes),
        peer_allocations: peer_heap.map(|heap| heap.allocations),
        ratio: samples.right.median / samples.left.median,
        ratio_of_least: samples.right.least / samples.left.least,
        noise: stats::is_noise(samples.left, samples.right),
        samples: samples.pairs,
        clock: if request.clock == Clock::Cpu { "cpu" } else { "wall" }.to_owned(),
        candidates,
        seed: format!("{seed:016x}"),
        load: machine::load(),
        cpu: Machine::this().cpu,
    })
}

/// The vectors that are asked for.
fn vectors(settings: &Settings) -> Vectors {
    Vectors { nonzero: settings.nonzero, positions: settings.positions }
}

/// What the rows are, in a word or three.
fn row_class(settings: &Settings, op: Op) -> String {
    let name = |value: Option<clap::builder::PossibleValue>| {
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    if op == Op::MsmFixed {
        return format!("{} non-zero, {}", settings.nonzero, name(settings.positions.to_possible_value()));
    }
    name(settings.rows.to_possible_value())
}

fn inputs_name(inputs: Inputs) -> String {
    match inputs {
        Inputs::Encoded => "encoded".to_owned(),
        Inputs::Parsed => "parsed".to_owned(),
    }
}

/// What the settings ask of both libraries.
fn request(settings: &Settings) -> Result<Request, Failure> {
    let no = |reason: String| Err(Failure::NotThere(reason));
    let Some(op) = Op::from_name(&settings.op) else {
        return no(format!("no operation named {}; there are {}", settings.op, Op::ALL.map(Op::name).join(", ")));
    };
    let is_fixed = op == Op::MsmFixed;
    let n = settings.n.unwrap_or(if op == Op::TableBuild {
        1
    } else if op.kind() == Kind::Scheme && !is_fixed {
        4096
    } else {
        1024
    });
    if n == 0 || settings.threads == 0 || settings.keys == Some(0) || ![1, 8].contains(&settings.lanes) {
        return no("--n, --threads and --keys are at least 1, --lanes is 1 or 8".into());
    }
    if settings.basis != BASIS || settings.nonzero == 0 || settings.nonzero > BASIS {
        return no(format!("--basis is {BASIS}, and --nonzero is from 1 to {BASIS}"));
    }
    // Each of these is a call of its own.
    let alone = settings.single || [Op::TableBuild, Op::Challenge].contains(&op);
    let single = if is_fixed { !settings.bulk } else { alone } && op.kind() == Kind::Scheme;
    let (rows, group) = match op.kind() {
        Kind::Arithmetic => (n.next_multiple_of(8), 1),
        Kind::Scheme if single => (n, 1),
        _ if is_fixed => (n, n),
        _ => (n * (ROWS / n).max(1), n),
    };
    Ok(Request {
        op,
        rows,
        group,
        threads: settings.threads,
        lanes: settings.lanes,
        single,
        inputs: Inputs::Encoded,
        shape: if settings.shape == ShapeName::Chain { Shape::Chain } else { Shape::Stream },
        clock: if settings.threads == 1 && !settings.wall { Clock::Cpu } else { Clock::Wall },
        backend: settings.backend.clone(),
        tables: settings.tables.tables(),
        without: None,
    })
}

/// Who makes the rows of a curve and verifies its signatures.
enum Judge<'a> {
    /// libsecp256k1, of secp256k1.
    Maker(&'a dyn Library),
    /// A peer on another curve, of that.
    Peer(&'a dyn Library),
}

/// Runs a library over all rows of ECDSA signing and has each of its signatures verified.
fn check_signatures(job: &mut dyn Running, rows: &[u8], judge: &Judge<'_>, name: &str) -> Result<(), Failure> {
    job.run(0..rows.len() / Op::SignEcdsa.row_bytes(), 1).map_err(Failure::Broken)?;
    let signatures = job.output().map_err(Failure::Broken)?;
    let (library, of_secp256k1) = match judge {
        Judge::Maker(library) => (*library, true),
        Judge::Peer(library) => (*library, false),
    };
    let hold = Generator::new(library, 0).signatures_hold(rows, &signatures, of_secp256k1);
    if hold.map_err(Failure::Broken)? {
        return Ok(());
    }
    Err(Failure::Broken(format!("a signature of {name} does not hold")))
}

/// Runs both over all rows and compares the results.
fn check_equal(jobs: [&mut dyn Running; 2], request: &Request, names: [&str; 2]) -> Result<(), Failure> {
    let mut results = Vec::new();
    for job in jobs {
        job.run(0..request.rows, 1).map_err(Failure::Broken)?;
        results.push(job.output().map_err(Failure::Broken)?);
    }
    if results[0] == results[1] && !results[0].is_empty() {
        return Ok(());
    }
    let width = request.op.result_bytes();
    let differ = |(left, right)| left != right;
    let first = results[0].chunks(width).zip(results[1].chunks(width)).position(differ);
    let place = first.map_or("their numbers of results".to_owned(), |row| format!("result {row}"));
    Err(Failure::Broken(format!("{} and {} differ in {place} of {}", names[0], names[1], request.op.name())))
}

/// What a row takes from the heap.
#[derive(Debug, Clone, Copy)]
struct HeapOfRow {
    bytes: f64,
    allocations: f64,
}

/// What each row takes from the heap, of one run over all rows that nobody times. They have run before, so that what a
/// library makes once is not in it.
fn count(job: &mut dyn Running, request: &Request) -> Result<Option<HeapOfRow>, Failure> {
    let each = |number: u64| number as f64 / request.rows as f64;
    let heap = job.count(0..request.rows).map_err(Failure::Broken)?;
    Ok(heap.map(|heap| HeapOfRow { bytes: each(heap.bytes), allocations: each(heap.allocations) }))
}

/// The fastest peer that a user can call, and the nanoseconds per row of all that have the operation: the least of
/// several runs over all rows, taken in turn so that a busy moment does not decide.
fn best_public(request: &Request, rows: &[u8]) -> Result<(String, Vec<(String, f64)>), Failure> {
    let (mut libraries, mut reasons) = (Vec::new(), Vec::new());
    for name in library::peers().into_iter().filter(|name| !name.ends_with(INTERNAL)) {
        match library::open(&name, Build::Native) {
            Ok(library) => libraries.push((name, library)),
            Err(reason) => reasons.push(format!("{name}: {reason}")),
        }
    }
    let mut jobs = Vec::new();
    for (name, library) in libraries.iter().filter(|(_, library)| !library.has_other_curve()) {
        match library.prepare(request, rows) {
            Ok(job) => jobs.push((name, job, f64::INFINITY)),
            Err(reason) => reasons.push(format!("{name}: {reason}")),
        }
    }
    let begun = Instant::now();
    for round in 0..MOST_ROUNDS {
        for (_, job, least) in &mut jobs {
            let took = job.run(0..request.rows, 1).map_err(Failure::Broken)?;
            *least = least.min(took.as_nanos() as f64 / request.rows as f64);
        }
        if round > 0 && begun.elapsed() > CHOICE {
            break;
        }
    }
    let mut timed: Vec<_> = jobs.into_iter().map(|(name, _, least)| (name.clone(), least)).collect();
    timed.sort_by(|left, right| left.1.total_cmp(&right.1));
    let best = timed.first().map(|(name, _)| name.clone());
    best.map(|best| (best, timed)).ok_or_else(|| Failure::NotThere(format!("no peer for it: {}", reasons.join("; "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(flatten)]
        settings: Settings,
    }

    fn settings(line: &str) -> Settings {
        Line::parse_from(line.split(' ')).settings
    }

    #[test]
    fn requests_follow_the_kind_of_operation() {
        let rows = |line: &str| request(&settings(line)).map(|request| (request.rows, request.group)).unwrap();
        assert_eq!(rows("--peer x --op verify-ecdsa"), (4096, 4096));
        assert_eq!(rows("--peer x --op verify-ecdsa --n 100 --single"), (100, 1));
        assert_eq!(rows("--peer x --op recover --n 8"), (4096, 8));
        assert_eq!(rows("--peer x --op field-mul --n 100"), (104, 1));
        assert_eq!(rows("--peer x --op msm --n 3"), (4095, 3));
        assert_eq!(rows("--peer x --op msm --n 5000"), (5000, 5000));
    }

    #[test]
    fn what_is_not_there_is_said() {
        for (line, reason) in [
            ("--peer libsecp256k1 --op verify", "no operation named verify"),
            ("--peer libsecp256k1 --op msm --n 0", "at least 1"),
            ("--peer libsecp256k1 --op field-mul --lanes 4", "--lanes is 1 or 8"),
            ("--peer nobody --op recover", "no peer named nobody"),
            ("--peer k256 --ours nobody --op recover", "no peer named nobody"),
            ("--peer phalanx@ --op recover", "no commit is named"),
            ("--peer phalanx@-parsed --op recover", "no commit is named"),
        ] {
            match compare(&settings(line)) {
                Err(Failure::NotThere(said)) => assert!(said.contains(reason), "{said}"),
                _ => panic!("{line} is not refused"),
            }
        }
    }
}
