//! One comparison: two libraries, one operation, the same rows.
//!
//! [`settings`] is what is asked, [`side`] finds the two libraries by their names, [`best`] the fastest of several,
//! [`checks`] compares results before anything is timed.

mod best;
mod checks;
mod settings;
mod side;

pub(crate) use best::INTERNAL;
pub(crate) use settings::Settings;
pub(crate) use side::ready;

use crate::{
    Failure,
    inputs::{Generator, Rows, Vectors, fresh_seed},
    library::Build,
    outcome::{Outcome, say},
    revision, sampling,
};
use best::Found;
use checks::{Judge, check_equal, check_signatures, count};
use lab_abi::{Inputs, Op, Request, Tables, op::Kind};
use settings::{number, request, row_class};
use side::Side;
use std::time::Duration;

/// The library whose peer makes the input rows.
const MAKER: &str = "libsecp256k1";
/// The name that stands for the fastest peer that a user can call.
const BEST_PUBLIC: &str = "best-public";

/// Runs and prints a comparison.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let outcome = compare(settings)?;
    if settings.json { say(&outcome.json()) } else { say(&format!("{}\n{}", Outcome::heading(), outcome.row())) }
}

/// Runs a comparison.
pub(crate) fn compare(settings: &Settings) -> Result<Outcome, Failure> {
    let request = request(settings)?;
    let seed = settings.seed.map_or_else(fresh_seed, Ok)?;
    // Both are looked for before anything is built, which takes long.
    let ours_side = Side::find(&settings.ours)?;
    let ours_inputs = if settings.parsed { Inputs::Parsed } else { ours_side.inputs };
    let peer_side = (settings.peer != BEST_PUBLIC).then(|| Side::find(&settings.peer)).transpose()?;
    let ours = ours_side.open(settings.build)?;
    let maker = Side::find(MAKER)?.open(Build::Native)?;
    let vectors = Vectors { nonzero: settings.nonzero, positions: settings.positions };
    let mut generator = Generator::new(&*maker, seed);
    (generator.keys, generator.vectors) = (settings.keys, vectors);
    let rows = generator.rows(request.op, request.rows, request.group, settings.rows).map_err(Failure::NotThere)?;

    if settings.without.is_some() && peer_side.is_none() {
        return Err(Failure::NotThere(format!("--without wants a peer by its name, not {BEST_PUBLIC}")));
    }
    let theirs = Request { backend: None, tables: Tables::Kept, ..request.clone() };
    let mut left = ours
        .prepare(&Request { inputs: ours_inputs, ..request.clone() }, &rows)
        .map_err(|reason| ours_side.refusal(&reason))?;
    let (peer_side, found) = match peer_side {
        Some(side) => (side, Found::default()),
        None => {
            let found = best::public(&theirs, &rows, (&ours_side.name, &mut *left), &Judge::Maker(&*maker))?;
            (Side::find(&found.best)?, found)
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
    let [ours_bytes, ours_allocations] = count(&mut *left, &request)?;
    let [peer_bytes, peer_allocations] = count(&mut *right, &request)?;
    let whole = if request.op.kind() == Kind::Arithmetic { request.rows } else { request.group };
    let length = Duration::try_from_secs_f64(settings.seconds)
        .map_err(|_| Failure::NotThere("--seconds is not a length of time".into()))?;
    let (times, pairs) = sampling::interleave([&mut *left, &mut *right], request.rows, whole, length)?;

    Ok(Outcome {
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
        backend: left.backend().to_owned(),
        ours_commit: ours_side.commit().or_else(|| ours_side.is_work_tree().then(revision::commit).flatten()),
        ours: ours_side.name,
        ours_version: ours.about().version.clone(),
        ours_flags: ours.about().flags.clone(),
        ours_inputs: ours_inputs.name().to_owned(),
        ours_bytes,
        ours_allocations,
        asked: settings.peer.clone(),
        peer_commit: peer_side.commit(),
        without: settings.without.clone(),
        peer_backend: peer_is_ours.then(|| right.backend().to_owned()),
        peer: peer_side.name,
        peer_version: peer.about().version.clone(),
        peer_flags: peer.about().flags.clone(),
        peer_inputs: peer_inputs.name().to_owned(),
        peer_bytes,
        peer_allocations,
        clock: request.clock.name().to_owned(),
        candidates: found.candidates,
        absent_peers: found.absent,
        ..Outcome::of_times(times, pairs, seed)
    })
}
