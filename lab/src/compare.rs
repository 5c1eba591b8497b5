//! One comparison: libraries, one operation, the same rows.
//!
//! [`settings`] is what is asked, [`side`] finds the libraries by their names, [`checks`] compares results before anything is timed.

mod checks;
mod settings;
mod side;

pub(crate) use settings::Settings;
pub(crate) use side::ready;

use crate::{
    Failure,
    inputs::{Generator, Rows, Vectors, fresh_seed},
    library::{Build, Library, Running},
    outcome::{Outcome, say},
    revision, sampling,
};
use checks::{check_signatures, count, results, same};
use lab_abi::{Inputs, Op, Request, Tables, op::Kind};
use settings::{apart, number, request, row_class};
use side::Side;
use std::time::Duration;

/// The library whose peer makes the input rows.
const MAKER: &str = "libsecp256k1";

/// Runs and prints a comparison.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let outcome = compare(settings)?;
    if settings.json { say(&outcome.json()) } else { say(&format!("{}\n{}", Outcome::heading(), outcome.row())) }
}

/// Runs a comparison.
pub(crate) fn compare(settings: &Settings) -> Result<Outcome, Failure> {
    together(std::slice::from_ref(settings))?.swap_remove(0)
}

/// A peer that is ready to be timed.
struct Peer<'a> {
    settings: &'a Settings,
    side: &'a Side,
    library: &'a dyn Library,
    inputs: Inputs,
    job: Box<dyn Running + 'a>,
    heap: [Option<f64>; 2],
}

/// Compares one library with several, all in turn on the same rows. The settings differ in the peer and what it alone is
/// asked. A peer that is absent or differs has its reason, and the rest is timed.
pub(crate) fn together(all: &[Settings]) -> Result<Vec<Result<Outcome, Failure>>, Failure> {
    let settings = &all[0];
    let request = request(settings)?;
    let seed = settings.seed.map_or_else(fresh_seed, Ok)?;
    // All are looked for before anything is built, which takes long.
    let ours_side = Side::find(&settings.ours)?;
    let ours_inputs = if settings.parsed { Inputs::Parsed } else { ours_side.inputs };
    let sides: Vec<_> = all.iter().map(|settings| Side::find(&settings.peer)).collect();
    if sides.iter().all(Result::is_err) {
        return Ok(sides.into_iter().map(|side| side.and(Err(Failure::Broken(String::new())))).collect());
    }
    let ours = ours_side.open(settings.build)?;
    let maker = Side::find(MAKER)?.open(Build::Native)?;
    let vectors = Vectors { nonzero: settings.nonzero, positions: settings.positions };
    let mut generator = Generator::new(&*maker, seed);
    (generator.keys, generator.vectors) = (settings.keys, vectors);
    let rows = generator.rows(request.op, request.rows, request.group, settings.rows).map_err(Failure::NotThere)?;
    let mut left = ours
        .prepare(&Request { inputs: ours_inputs, ..request.clone() }, &rows)
        .map_err(|reason| ours_side.refusal(&reason))?;
    if let Some(asked) = &request.backend {
        ours_side.runs(left.backend(), asked)?;
    }
    let expected = results(&mut *left, &request)?;
    let [ours_bytes, ours_allocations] = count(&mut *left, &request)?;

    let opened: Vec<_> = sides
        .into_iter()
        .map(|side| side.and_then(|side| side.open_as_peer(settings.build).map(|library| (side, library))))
        .collect();
    let mut prepare = |place: usize| {
        let settings = &all[place];
        let (side, library) = opened[place].as_ref().map_err(Failure::clone)?;
        let library: &dyn Library = &**library;
        // An earlier commit of ours is asked for what our side is asked for, and so is ours without a technique.
        let is_ours = side.commit().is_some() || side.is_work_tree();
        let inputs = if is_ours && settings.parsed { Inputs::Parsed } else { side.inputs };
        let asked = if settings.apart { apart(&request)? } else { request.clone() };
        let theirs = Request { inputs, without: settings.without.clone(), ..asked };
        let theirs = if is_ours {
            Request { backend: settings.peer_backend.clone().or(theirs.backend), ..theirs }
        } else {
            Request { backend: None, tables: Tables::Kept, ..theirs }
        };
        // A peer on another curve makes its rows and verifies its signatures itself.
        let other_curve = library.has_other_curve();
        let judge = if other_curve { library } else { &*maker };
        if other_curve && (settings.rows != Rows::Valid || ![Op::SignEcdsa, Op::VerifyEcdsa].contains(&request.op)) {
            return Err(Failure::NotThere(format!("{} has valid rows of ECDSA only", side.name)));
        }
        let peer_rows = if other_curve {
            let made = Generator::new(library, seed).rows(request.op, request.rows, request.group, Rows::Valid);
            made.map_err(|reason| side.refusal(&reason))?
        } else {
            rows.clone()
        };
        let mut job = library.prepare(&theirs, &peer_rows).map_err(|reason| side.refusal(&reason))?;
        if let Some(asked) = theirs.backend.as_ref().filter(|_| settings.without.is_none()) {
            side.runs(job.backend(), asked)?;
        }
        if request.op == Op::SignEcdsa && library.draws_nonces() {
            check_signatures(&mut *left, &rows, &*maker, true, &ours_side.name)?;
            check_signatures(&mut *job, &peer_rows, judge, !other_curve, &side.name)?;
        } else {
            same([&expected, &results(&mut *job, &request)?], &request, [&ours_side.name, &side.name])?;
        }
        let heap = count(&mut *job, &request)?;
        Ok(Peer { settings, side, library, inputs, job, heap })
    };
    let mut peers: Vec<Result<Peer<'_>, Failure>> = (0..all.len()).map(&mut prepare).collect();

    let whole = if request.op.kind() == Kind::Arithmetic { request.rows } else { request.group };
    let length = Duration::try_from_secs_f64(settings.seconds)
        .map_err(|_| Failure::NotThere("--seconds is not a length of time".into()))?;
    let backend = left.backend().to_owned();
    let mut jobs: Vec<&mut dyn Running> = vec![&mut *left];
    jobs.extend(peers.iter_mut().flatten().map(|peer| &mut *peer.job as &mut dyn Running));
    let (times, rounds) = match jobs.len() {
        1 => (Vec::new(), 0),
        _ => sampling::interleave(&mut jobs, request.rows, whole, length)?,
    };
    let mut theirs = times.iter().skip(1);
    let mut outcome = |peer: Peer<'_>| {
        let Peer { settings, side, library, inputs, job, heap: [peer_bytes, peer_allocations] } = peer;
        Outcome {
            op: request.op.name().to_owned(),
            n: number(&request),
            rows: request.rows,
            threads: request.threads,
            lanes: request.lanes,
            shape: (request.op.kind() == Kind::Arithmetic).then(|| settings.shape.clone()),
            single: request.single,
            row_class: row_class(settings, request.op),
            keys: settings.keys,
            tables: (request.tables != Tables::Kept).then(|| settings.tables.clone()),
            backend: backend.clone(),
            ours_commit: ours_side.commit().or_else(|| ours_side.is_work_tree().then(revision::commit).flatten()),
            ours: ours_side.name.clone(),
            ours_version: ours.about().version.clone(),
            ours_flags: ours.about().flags.clone(),
            ours_inputs: ours_inputs.name().to_owned(),
            ours_bytes,
            ours_allocations,
            asked: settings.peer.clone(),
            peer_commit: side.commit(),
            without: settings.without.clone(),
            apart: settings.apart,
            peer_backend: (side.commit().is_some() || side.is_work_tree()).then(|| job.backend().to_owned()),
            peer: side.name.clone(),
            peer_version: library.about().version.clone(),
            peer_flags: library.about().flags.clone(),
            peer_inputs: inputs.name().to_owned(),
            peer_bytes,
            peer_allocations,
            clock: request.clock.name().to_owned(),
            ..Outcome::of_times([times[0], *theirs.next().expect("a peer has times")], rounds, seed)
        }
    };
    Ok(peers.into_iter().map(|peer| peer.map(&mut outcome)).collect())
}
