//! `lab all`: builds the peers, measures the lists, reports.
//!
//! Each list is measured by a process of its own, so that one that breaks does not take the others with it, and so that
//! lists of one lane get the environment that they want.

use crate::{Failure, machine::Machine, outcome::say, presence, record::todays, report, revision::lab, sweep};
use clap::Args;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    #[command(flatten)]
    length: Length,
    /// Keeps the records in this folder, not in `lab/record`, or with --quick in `lab/target/quick`
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// How much of it.
#[derive(Debug, Clone, Copy, Args)]
#[group(required = true, multiple = false)]
struct Length {
    /// The main lists with short samples, in minutes; kept in `lab/target/quick`, because short samples are no record
    #[arg(long)]
    quick: bool,
    /// Every list; kept in `lab/record`
    #[arg(long)]
    full: bool,
}

/// The lists of a quick run, and for how long each of their comparisons is sampled.
const QUICK: [&str; 6] = ["bulk", "fma", "prepared", "one-at-a-time", "one-at-a-time-portable", "msm"];
const QUICK_SECONDS: f64 = 0.3;
/// How long a comparison of a full run is sampled, and a sweep of tables.
const FULL_SECONDS: f64 = 3.0;
const SWEEP_SECONDS: f64 = 60.0;

/// The lists of calls for single items by the code for any CPU: such calls take their backend from the environment alone.
const PORTABLE: [&str; 2] = ["one-at-a-time-portable", "one-at-a-time-builds"];

/// The names of all lists.
fn lists() -> Result<Vec<String>, Failure> {
    let folder = lab().join("lists");
    let entries = fs::read_dir(&folder).map_err(|error| Failure::NotThere(format!("{}: {error}", folder.display())))?;
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut lists: Vec<String> = entries.flatten().filter_map(|entry| stem(entry.path())).collect();
    lists.sort();
    Ok(lists)
}

/// Measures a list in a process of its own; the error says how that ended.
fn measure(list: &str, seconds: f64, folder: &Path) -> Result<(), String> {
    let this = env::current_exe().map_err(|error| format!("no program to start: {error}"))?;
    let mut command = Command::new(this);
    command.args(["record", list, "--seconds", &seconds.to_string(), "--into"]).arg(folder);
    if PORTABLE.contains(&list) {
        command.env("PHALANX_BACKEND", "portable");
    }
    let status = command.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}

/// Builds, measures and reports.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let quick = settings.length.quick;
    let (records, names, seconds) = if quick {
        (lab().join("target/quick"), QUICK.map(str::to_owned).to_vec(), QUICK_SECONDS)
    } else {
        (lab().join("record"), lists()?, FULL_SECONDS)
    };
    let records = settings.into.clone().unwrap_or(records);
    let folder = todays(&records, &Machine::this());
    let begin = Instant::now();
    say("The peers, each built where it has to be:\n")?;
    presence::command(&presence::Settings { json: false, into: Some(folder.clone()), names: Vec::new() })?;
    say(&format!("\n{:.0} s to build and open them", begin.elapsed().as_secs_f64()))?;

    let begin = Instant::now();
    let mut broken = Vec::new();
    for list in names {
        say(&format!("\n{list}"))?;
        let begin = Instant::now();
        if let Err(reason) = measure(&list, seconds, &folder) {
            broken.push(format!("{list}: {reason}"));
        }
        say(&format!("{:.0} s", begin.elapsed().as_secs_f64()))?;
    }
    if !quick {
        say("\nsweep")?;
        let asked = sweep::Settings { seconds: SWEEP_SECONDS, into: Some(folder.clone()) };
        if let Err(Failure::NotThere(reason) | Failure::Broken(reason)) = sweep::command(&asked) {
            broken.push(format!("sweep: {reason}"));
        }
    }
    say("")?;
    let asked = report::Settings { into: Some(folder), records: Some(records.clone()), readme: false, study: None };
    report::command(&asked)?;
    say(&format!(
        "\nTimes libsecp256k1, on one thread; in bulk is one call for 4,096 rows:\n\n{}",
        report::headline(&records)?
    ))?;
    say(&format!("{:.0} s after the peers were built", begin.elapsed().as_secs_f64()))?;
    if broken.is_empty() { Ok(()) } else { Err(Failure::Broken(broken.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_run_is_of_lists_that_are_there() {
        let all = lists().unwrap();
        assert!(all.len() > QUICK.len());
        assert!(QUICK.iter().chain(&PORTABLE).all(|name| all.iter().any(|list| list == name)));
    }
}
