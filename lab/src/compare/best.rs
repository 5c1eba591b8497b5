//! The fastest peer that a user can call.

use super::{Settings, together};
use crate::{
    Failure,
    library::{self, Build},
    outcome::{AbsentPeer, Candidate, How, Outcome},
};

/// A peer with this in its name is code that no user can call.
pub(crate) const INTERNAL: &str = "-internal";

/// Compares all peers that have the operation, in turn, and keeps the one with the fastest.
pub(super) fn public(settings: &Settings) -> Result<Outcome, Failure> {
    if settings.without.is_some() {
        return Err(Failure::NotThere(format!("--without wants a peer by its name, not {}", super::BEST_PUBLIC)));
    }
    let (mut absent, mut asked) = (Vec::new(), Vec::new());
    for peer in library::peers().into_iter().filter(|peer| !peer.ends_with(INTERNAL)) {
        match library::open(&peer, Build::Native) {
            Ok(library) if !library.has_other_curve() => asked.push(Settings { peer, ..settings.clone() }),
            Ok(_) => {}
            Err(reason) => absent.push(AbsentPeer { peer, reason }),
        }
    }
    let (mut measured, mut refusals) = (Vec::new(), Vec::new());
    for result in together(&asked)? {
        match result {
            Ok(outcome) => measured.push(outcome),
            Err(Failure::NotThere(reason)) => refusals.push(reason),
            Err(broken) => return Err(broken),
        }
    }
    measured.sort_by(|left, right| left.peer_ns.total_cmp(&right.peer_ns));
    let candidates = measured.iter().map(|outcome| {
        let Outcome { peer_version, peer_flags, .. } = outcome.clone();
        let how = How { runs: outcome.samples, spread: outcome.peer_spread, version: peer_version, flags: peer_flags };
        Candidate::Measured { peer: outcome.peer.clone(), ns: outcome.peer_ns, how }
    });
    let candidates = candidates.collect();
    if let Some(best) = measured.into_iter().next() {
        return Ok(Outcome { asked: settings.peer.clone(), candidates, absent_peers: absent, ..best });
    }
    let absent = absent.iter().map(|AbsentPeer { peer, reason }| format!("{peer} is absent: {reason}"));
    let reasons = refusals.into_iter().chain(absent).collect::<Vec<_>>().join("; ");
    Err(Failure::NotThere(format!("no peer for it: {reasons}")))
}
