//! `lab all`: every list, then the report.

use crate::{
    Failure,
    machine::Machine,
    outcome::say,
    record::{self, todays},
    report,
    revision::lab,
};
use clap::Args;
use std::{fs, path::PathBuf, time::Instant};

/// What to run.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Settings {
    /// The main lists with short samples, in minutes; kept in `lab/target/quick`, because short samples are no record
    #[arg(long)]
    quick: bool,
    /// Every list; kept in `lab/record`
    #[arg(long)]
    full: bool,
}

/// The lists of a quick run, and for how long each of their comparisons is sampled.
const QUICK: [&str; 3] = ["bulk", "one-at-a-time", "msm"];
const QUICK_SECONDS: f64 = 0.3;
const FULL_SECONDS: f64 = 3.0;

/// The names of all lists.
fn lists() -> Result<Vec<String>, Failure> {
    let folder = lab().join("lists");
    let entries = fs::read_dir(&folder).map_err(|error| Failure::NotThere(format!("{}: {error}", folder.display())))?;
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut lists: Vec<String> = entries.flatten().filter_map(|entry| stem(entry.path())).collect();
    lists.sort();
    Ok(lists)
}

/// Measures and reports.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let begin = Instant::now();
    let (records, names, seconds) = if settings.quick {
        (lab().join("target/quick"), QUICK.map(str::to_owned).to_vec(), QUICK_SECONDS)
    } else {
        (lab().join("record"), lists()?, FULL_SECONDS)
    };
    let folder = todays(&records, &Machine::this());
    for list in names {
        say(&format!("\n{list}"))?;
        record::command(&record::Settings { list, seconds, peer: None, into: Some(folder.clone()), dry: false })?;
    }
    let settings = report::Settings { into: Some(folder), records: Some(records), readme: false, study: None };
    say("")?;
    report::command(&settings)?;
    say(&format!("{:.0} s in all", begin.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_run_is_of_lists_that_are_there() {
        let all = lists().unwrap();
        assert!(all.len() > QUICK.len() && QUICK.iter().all(|name| all.iter().any(|list| list == name)));
    }
}
