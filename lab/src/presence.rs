//! Which peers are there, in which version and by which flags, or why they are absent.

use crate::{
    Failure,
    library::{self, Build},
    machine::Machine,
    outcome::say,
    record::put,
};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The file of a record's folder that the list is kept in.
const FILE: &str = "peers.json";

/// What to list.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Also keeps the list in this folder of a record, for the report
    #[arg(long, value_name = "FOLDER", conflicts_with = "names")]
    pub(crate) into: Option<PathBuf>,
    /// Only these peers
    pub(crate) names: Vec<String>,
}

/// A peer that was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Presence {
    pub(crate) peer: String,
    #[serde(flatten)]
    pub(crate) found: Found,
}

/// What was found of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Found {
    /// It is there.
    There { version: String, flags: String },
    /// It could not be built or opened, for this reason.
    Absent { absent: String },
}

/// The list of a record.
#[derive(Serialize, Deserialize)]
struct Kept {
    cpu: String,
    peers: Vec<Presence>,
}

/// Builds the peers, prints them and keeps them.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let all = library::peers();
    if let Some(unknown) = settings.names.iter().find(|name| !all.contains(name)) {
        return Err(Failure::NotThere(format!("no peer named {unknown}; there are {}", all.join(", "))));
    }
    let mut peers = Vec::new();
    for name in all.into_iter().filter(|name| settings.names.is_empty() || settings.names.contains(name)) {
        let presence = Presence::of(name);
        say(&if settings.json { presence.json() } else { presence.text() })?;
        peers.push(presence);
    }
    let Some(folder) = &settings.into else { return Ok(()) };
    let kept = serde_json::to_string_pretty(&Kept { cpu: Machine::this().cpu, peers }).expect("texts have a JSON form");
    put(folder, FILE, &(kept + "\n"))
}

impl Presence {
    /// Builds and opens a peer.
    fn of(peer: String) -> Self {
        let found = match library::open(&peer, Build::Native) {
            Ok(library) => {
                let about = library.about();
                Found::There { version: about.version.clone(), flags: about.flags.clone() }
            }
            Err(absent) => Found::Absent { absent },
        };
        Self { peer, found }
    }

    /// The list of a record's folder with its CPU, where it has one.
    pub(crate) fn read(folder: &Path) -> Result<Option<(String, Vec<Self>)>, Failure> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let failed = |error: String| Failure::NotThere(format!("no peers in {}: {error}", path.display()));
        let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        let kept: Kept = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        Ok(Some((kept.cpu, kept.peers)))
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("texts have a JSON form")
    }

    fn text(&self) -> String {
        match &self.found {
            Found::There { version, flags } => format!("{:<24} {version:<10} {flags}", self.peer),
            Found::Absent { absent } => format!("{:<24} absent: {absent}", self.peer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_and_what_is_absent_read_back() {
        let there = Found::There { version: "1".into(), flags: "-O3".into() };
        let absent = Found::Absent { absent: "does not build: no compiler".into() };
        for (found, text) in [
            (there, r#"{"peer":"a","version":"1","flags":"-O3"}"#),
            (absent, r#"{"peer":"a","absent":"does not build: no compiler"}"#),
        ] {
            let presence = Presence { peer: "a".into(), found };
            assert_eq!(presence.json(), text);
            assert_eq!(serde_json::from_str::<Presence>(text).unwrap(), presence);
        }
        assert!(serde_json::from_str::<Presence>(r#"{"peer":"a"}"#).is_err());
    }
}
