//! `lab peers`: which peers are there, in which version and by which flags, or why they are absent.

use crate::{
    Failure,
    library::{self, Build},
    outcome::say,
};
use clap::Args;

/// What to list.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// Only these peers
    names: Vec<String>,
}

/// Builds the peers and prints them.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let all = library::peers();
    if let Some(unknown) = settings.names.iter().find(|name| !all.contains(name)) {
        return Err(Failure::NotThere(format!("no peer named {unknown}; there are {}", all.join(", "))));
    }
    for name in all.iter().filter(|name| settings.names.is_empty() || settings.names.contains(name)) {
        say(&match library::open(name, Build::Native) {
            Ok(library) => format!("{name:<24} {:<10} {}", library.about().version, library.about().flags),
            Err(reason) => format!("{name:<24} absent: {reason}"),
        })?;
    }
    Ok(())
}
