//! How the libraries of a record were built.

use super::Outcome;
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

/// The libraries of some rows.
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
    }
    builds
}
