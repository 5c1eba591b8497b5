//! The fastest peer that a user can call.

use super::checks::{Judge, check_signatures, results, same};
use crate::{
    Failure,
    library::{self, Build, Library, Running},
    outcome::{AbsentPeer, Candidate, How},
    stats::Summary,
};
use lab_abi::{Description, Op, Request};
use std::time::{Duration, Instant};

/// A peer with this in its name is code that no user can call.
pub(crate) const INTERNAL: &str = "-internal";
/// All run about so long in turn, but so often at least and at most.
const CHOICE: Duration = Duration::from_secs(3);
const ROUNDS: [usize; 2] = [3, 10];

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// The fastest.
    pub(super) best: String,
    /// All that have the operation, the fastest first.
    pub(super) candidates: Vec<Candidate>,
    /// Those that could not be built or opened.
    pub(super) absent: Vec<AbsentPeer>,
}

/// A candidate while it runs.
struct Runner<'a> {
    peer: &'a str,
    library: &'a dyn Library,
    job: Box<dyn Running + 'a>,
    /// Nanoseconds a row of each run.
    times: Vec<f64>,
}

/// Runs all peers that have the operation over all rows in turn, after their results have been found equal to ours.
pub(super) fn public(
    request: &Request,
    rows: &[u8],
    (name, ours): (&str, &mut dyn Running),
    judge: &Judge<'_>,
) -> Result<Found, Failure> {
    let (mut libraries, mut absent, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for peer in library::peers().into_iter().filter(|peer| !peer.ends_with(INTERNAL)) {
        match library::open(&peer, Build::Native) {
            Ok(library) if !library.has_other_curve() => libraries.push((peer, library)),
            Ok(_) => {}
            Err(reason) => absent.push(AbsentPeer { peer, reason }),
        }
    }
    let expected = results(ours, request)?;
    let mut runners = Vec::new();
    for (peer, library) in &libraries {
        let mut job = match library.prepare(request, rows) {
            Ok(job) => job,
            Err(reason) => {
                refusals.push(format!("{peer} {reason}"));
                continue;
            }
        };
        if request.op == Op::SignEcdsa && library.draws_nonces() {
            check_signatures(&mut *job, rows, judge, peer)?;
        } else {
            same([&expected, &results(&mut *job, request)?], request, [name, peer])?;
        }
        runners.push(Runner { peer, library: &**library, job, times: Vec::new() });
    }
    let begun = Instant::now();
    for round in 0..ROUNDS[1] {
        for Runner { job, times, .. } in &mut runners {
            let took = job.run(0..request.rows, 1).map_err(Failure::Broken)?;
            times.push(took.as_nanos() as f64 / request.rows as f64);
        }
        if round + 1 >= ROUNDS[0] && begun.elapsed() > CHOICE {
            break;
        }
    }
    let mut runners: Vec<_> = runners.into_iter().map(|runner| (Summary::of(&runner.times), runner)).collect();
    runners.sort_by(|(left, _), (right, _)| left.median.total_cmp(&right.median));
    let candidate = |(summary, runner): &(Summary, Runner<'_>)| {
        let Description { version, flags } = runner.library.about().clone();
        let how = How { runs: runner.times.len(), spread: summary.spread, version, flags };
        Candidate::Measured { peer: runner.peer.to_owned(), ns: summary.median, how }
    };
    if let Some((_, first)) = runners.first() {
        let (best, candidates) = (first.peer.to_owned(), runners.iter().map(candidate).collect());
        return Ok(Found { best, candidates, absent });
    }
    let absent = absent.iter().map(|AbsentPeer { peer, reason }| format!("{peer} is absent: {reason}"));
    let reasons = refusals.into_iter().chain(absent).collect::<Vec<_>>().join("; ");
    Err(Failure::NotThere(format!("no peer for it: {reasons}")))
}
