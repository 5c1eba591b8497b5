//! `lab all`: builds the peers, measures the lists, reports.
//!
//! Each part is measured by a process of its own, so that one that breaks does not take the others with it, and so that
//! lists of one lane get the environment that they want.

use crate::{
    Failure, files,
    library::{self, Build},
    machine::Machine,
    outcome::say,
    presence,
    record::todays,
    report,
    revision::lab,
};
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
const QUICK: [&str; 7] = ["bulk", "fma", "prepared", "one-at-a-time", "one-at-a-time-portable", "msm", "batch"];
const QUICK_SECONDS: f64 = 0.3;
/// How long a comparison of a full run is sampled, and a sweep of tables: some 380 comparisons in half an hour.
const FULL_SECONDS: f64 = 2.0;
const SWEEP_SECONDS: f64 = 60.0;

/// The builds of ours that the lists want.
const OURS_BUILDS: [Build; 4] = [Build::Native, Build::NativeThin, Build::Default, Build::DefaultThin];

/// The lists of calls for single items by the code for any CPU: such calls take their backend from the environment alone.
const PORTABLE: [&str; 2] = ["one-at-a-time-portable", "one-at-a-time-builds"];

/// A list for two records that `lab diff` sets side by side.
const FOR_DIFF: &str = "planted";

/// The names of all lists that tell of libraries.
fn lists() -> Result<Vec<String>, Failure> {
    let folder = lab().join("lists");
    let entries = fs::read_dir(&folder).map_err(|error| Failure::NotThere(format!("{}: {error}", folder.display())))?;
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut lists: Vec<String> = entries.flatten().filter_map(|entry| stem(entry.path())).collect();
    lists.retain(|list| list != FOR_DIFF);
    lists.sort();
    Ok(lists)
}

/// Runs another command of the lab in a process of its own; the error says how that ended.
fn run(arguments: &[&str], folder: &Path) -> Result<(), String> {
    let this = env::current_exe().map_err(|error| format!("no program to start: {error}"))?;
    let mut command = Command::new(this);
    command.args(arguments).arg("--into").arg(folder);
    if arguments.iter().any(|argument| PORTABLE.contains(argument)) {
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
    for peer in library::peers().iter().filter(|_| !quick) {
        // One that is absent has its reason in the list above, or in the rows that want it.
        let _ = library::open(peer, Build::Shipped);
    }
    let ours = if quick { &[Build::Native][..] } else { &OURS_BUILDS };
    for build in ours {
        library::open(library::OURS, *build)
            .map_err(|reason| Failure::NotThere(format!("phalanx is absent: {reason}")))?;
    }
    if !quick {
        files::build_all();
    }
    say(&format!("\n{:.0} s to build and open them and ours", begin.elapsed().as_secs_f64()))?;

    let begin = Instant::now();
    let (seconds, sweep) = (seconds.to_string(), SWEEP_SECONDS.to_string());
    let mut parts: Vec<Vec<&str>> = names.iter().map(|list| vec!["record", list, "--seconds", &seconds]).collect();
    if !quick {
        parts.extend([vec!["files"], vec!["sweep", "--seconds", &sweep]]);
    }
    let mut broken = Vec::new();
    for part in parts {
        let name = part[..part.len().min(2)].join(" ");
        say(&format!("\n{name}"))?;
        let begin = Instant::now();
        if let Err(reason) = run(&part, &folder) {
            broken.push(format!("{name}: {reason}"));
        }
        say(&format!("{:.0} s", begin.elapsed().as_secs_f64()))?;
    }
    say("")?;
    say(&format!("\n{}", report::page_of(&records, &folder)?))?;
    say(&format!("{:.0} s after everything was built", begin.elapsed().as_secs_f64()))?;
    if !quick && settings.into.is_none() {
        say("README.md is of earlier records now. `lab report --readme` writes it anew.")?;
    }
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
