//! How the libraries of a record were built.

use super::{AbsentPeer, Candidate, How, Outcome};
use std::{collections::BTreeSet, fmt};

/// A library as it was built.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Built<'a> {
    library: &'a str,
    version: &'a str,
    commit: Option<&'a str>,
    flags: &'a str,
}

impl fmt::Display for Built<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { library, version, commit, flags } = self;
        let commit = commit.map_or_else(String::new, |commit| format!(" at {commit}"));
        write!(f, "{library} {version}{commit}: {flags}")
    }
}

/// The libraries of some rows, candidates among them.
pub(crate) fn builds(rows: &[Outcome]) -> BTreeSet<Built<'_>> {
    let mut builds = BTreeSet::new();
    for row in rows {
        let sides = [
            (&row.ours, &row.ours_version, &row.ours_commit, &row.ours_flags),
            (&row.peer, &row.peer_version, &row.peer_commit, &row.peer_flags),
        ];
        for (library, version, commit, flags) in sides {
            builds.insert(Built { library, version, commit: commit.as_deref(), flags });
        }
        for candidate in &row.candidates {
            if let Candidate::Measured { peer, how: How { version, flags, .. }, .. } = candidate {
                builds.insert(Built { library: peer, version, commit: None, flags });
            }
        }
    }
    builds
}

/// The libraries that were no candidates because they are absent, each with the rows' reason.
pub(crate) fn absent_peers(rows: &[Outcome]) -> BTreeSet<&AbsentPeer> {
    rows.iter().flat_map(|row| &row.absent_peers).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    #[test]
    fn candidates_and_absent_libraries_are_named_with_the_rest() {
        let mut outcome = row("msm", 2.0).outcome;
        let how = How { runs: 3, spread: 0.0, version: "0.6".into(), flags: "-O2".into() };
        outcome.candidates = vec![Candidate::Measured { peer: "arkworks".into(), ns: 1.0, how }];
        let absent = AbsentPeer { peer: "p256k1".into(), reason: "no libclang".into() };
        outcome.absent_peers = vec![absent.clone()];
        let rows = [outcome];
        let builds: Vec<String> = builds(&rows).iter().map(Built::to_string).collect();
        assert_eq!(builds, ["arkworks 0.6: -O2", "k256 1: -O3", "phalanx 0.1.0 at 0123456789ab: -O3"]);
        assert_eq!(absent_peers(&rows).into_iter().collect::<Vec<_>>(), [&absent]);
    }
}
