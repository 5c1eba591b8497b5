//! `lab study`: five published comparisons, each in its own tables, measured anew on this machine.
//!
//! [`declaration`] reads a file of `lab/studies`, [`grids`] makes its tables, [`verdict`] says what they show, [`page`]
//! writes them as HTML.

mod declaration;
mod grids;
mod page;
#[cfg(test)]
mod tests;
mod verdict;

use crate::{
    Failure, compare,
    library::{Sum, sweep, target},
    machine,
    outcome::{Absent, Outcome, builds, say},
    record::{self, not_written},
    revision::lab,
};
use clap::Args;
use declaration::{Ask, SWEEP, Study, Value};
use grids::{Figures, Grid};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// The studies, by their files in `lab/studies`, and the name of all.
const NAMES: [&str; 6] = ["msm", "signer", "verkle", "endomorphism", "ppad", ALL];
const ALL: &str = "all";

/// What to study.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// The study: sums of products, signers in Go, sums over the Verkle basis, verification with and without the
    /// endomorphism, constant time, or all five
    #[arg(value_parser = NAMES)]
    name: String,
    /// Takes short samples: at most two minutes a study, once the libraries are built
    #[arg(long)]
    quick: bool,
    /// Writes the tables to this file too
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Writes a page with tables and charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Writes the first chart to this file, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Keeps the rows in this folder; without this a full run keeps them in `lab/record/<date>-<cpu>`
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// Set by an interrupt: the tables of what is measured by then are printed.
static STOPPED: AtomicBool = AtomicBool::new(false);

fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// A study that was measured.
struct Section {
    name: &'static str,
    study: Study,
    grids: Vec<Grid>,
    answer: String,
    /// Where it was measured, and beside how much other work.
    conditions: String,
    /// How the libraries were built.
    builds: Vec<String>,
}

impl Section {
    fn markdown(&self) -> String {
        let Study { title, question, source: [write_up, address, about], .. } = &self.study;
        let tables: String = self.grids.iter().map(|grid| grid.markdown() + "\n").collect();
        let builds: String = self.builds.iter().map(|built| format!("- {built}\n")).collect();
        format!(
            "## {title}\n\n{question}\n\nSource: [{write_up}]({address}), {about}.\n\n{}\n\n{tables}Builds:\n\n\
             {builds}\n**{}**\n\n",
            self.conditions, self.answer
        )
    }
}

/// The declaration of a study.
fn declared(name: &str) -> Result<Study, Failure> {
    let path = lab().join("studies").join(name).with_extension("toml");
    let text = fs::read_to_string(&path).map_err(not_written(&path))?;
    Study::read(&text).map_err(|reason| Failure::Broken(format!("{}: {reason}", path.display())))
}

/// Measures, and prints the tables.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let failed = |error: ctrlc::Error| Failure::NotThere(error.to_string());
    ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed)).map_err(failed)?;
    let files = [&settings.markdown, &settings.html, &settings.picture];
    for path in files.into_iter().flatten() {
        // A file that cannot be written is known before the measurements.
        fs::OpenOptions::new().append(true).create(true).open(path).map_err(not_written(path))?;
    }
    let (mut sections, mut text, mut broken) = (Vec::new(), String::new(), Vec::new());
    let names = NAMES.iter().filter(|name| **name != ALL && [ALL, **name].contains(&&*settings.name));
    let declared = names.map(|name| Ok((declared(name)?, *name))).collect::<Result<Vec<_>, _>>()?;
    for (study, name) in declared {
        let section = run(study, name, settings, &mut broken)?;
        let part = section.markdown();
        say(&part)?;
        text += &part;
        sections.push(section);
        // What is measured is kept however the rest ends.
        let charts = || sections.iter().flat_map(|section| &section.grids).filter_map(|grid| grid.chart.as_ref());
        let picture = settings.picture.is_some().then(|| charts().next().map(|chart| chart.svg())).flatten();
        let html = settings.html.is_some().then(|| page::html(&sections));
        for (path, text) in files.into_iter().zip([Some(&text), html.as_ref(), picture.as_ref()]) {
            if let Some((path, text)) = path.as_ref().zip(text) {
                fs::write(path, text).map_err(not_written(path))?;
            }
        }
        if is_stopped() {
            break;
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(Failure::Broken(broken.join("\n"))) }
}

/// Measures all cells of a study and makes its tables.
fn run(study: Study, name: &'static str, settings: &Settings, broken: &mut Vec<String>) -> Result<Section, Failure> {
    let (seconds, pool) = if settings.quick { (0.1, 256) } else { (1.0, 4096) };
    let run = Run { name, seconds, pool };
    let (measured, rows, lines, load) = run.measure(&study, broken)?;
    let (grids, answer) = grids::grids(&study, &measured).map_err(Failure::Broken)?;
    let builds = builds(&rows).iter().map(ToString::to_string).collect();
    let is_record = !settings.quick && !is_stopped() && broken.is_empty();
    let folder = settings.into.clone().or_else(|| (!is_record).then(|| target().join("studies")));
    let conditions = conditions(&load, settings.quick);
    let section = Section { name, study, grids, answer, conditions, builds };
    record::keep(&format!("study-{name}.jsonl"), folder.as_deref(), lines)?;
    record::keep(&format!("study-{name}.md"), folder.as_deref(), [section.markdown()])?;
    Ok(section)
}

/// A run of a study.
struct Run<'a> {
    name: &'a str,
    seconds: f64,
    pool: usize,
}

/// The machine, and its load average before and after the measurements.
fn conditions(load: &[Option<f64>; 2], is_quick: bool) -> String {
    let quick = if is_quick { ", by a quick run" } else { "" };
    let load = match load {
        [Some(before), Some(after)] => format!("load average {before} at the start and {after} at the end"),
        _ => "load average unknown".into(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Measured on {} with {cores} threads{quick}: {load}, where this program alone makes 1. Figures named as \
         published are of other machines.",
        machine::cpu()
    )
}

/// What is measured, the comparisons, the lines of the record, and the load average before and after.
type Results = (BTreeMap<Ask, Figures>, Vec<Outcome>, Vec<String>, [Option<f64>; 2]);

impl Run<'_> {
    fn measure(&self, study: &Study, broken: &mut Vec<String>) -> Result<Results, Failure> {
        let (sweeps, groups): (Vec<_>, Vec<_>) =
            study.asks().into_iter().partition(|(words, _)| words.starts_with(SWEEP));
        self.build(&groups);
        let (mut measured, mut rows, mut lines) = (BTreeMap::new(), Vec::new(), Vec::new());
        let (begun, before) = (Instant::now(), machine::load());
        for (done, (shared, peers)) in groups.iter().enumerate() {
            if is_stopped() {
                break;
            }
            self.say(done, groups.len(), begun, shared);
            let words = |peer| format!("{shared} {peer} --pool {}", self.pool);
            let asked = peers.iter().map(|peer| record::settings(&words(peer), self.seconds));
            let asked = asked.collect::<Result<Vec<_>, String>>().map_err(Failure::Broken)?;
            // All have the same reason where our side of them fails.
            let results = compare::together(&asked).unwrap_or_else(|failure| vec![Err(failure); peers.len()]);
            if let Some(Err(Failure::NotThere(reason) | Failure::Broken(reason))) = results.first()
                && !is_stopped()
            {
                measured.insert((shared.clone(), String::new()), Err(reason.clone()));
            }
            for (peer, result) in peers.iter().zip(results) {
                let (key, words) = ((shared.clone(), peer.clone()), format!("{shared} {peer}"));
                match result {
                    Ok(outcome) => {
                        measured.insert((shared.clone(), String::new()), Ok(side(&outcome, true)));
                        measured.insert(key, Ok(side(&outcome, false)));
                        lines.push(outcome.json());
                        rows.push(outcome);
                    }
                    // An interrupt ends the programs of peers too.
                    Err(_) if is_stopped() => {}
                    Err(failure) => {
                        let (Failure::NotThere(reason) | Failure::Broken(reason)) = failure.clone();
                        if matches!(failure, Failure::Broken(_)) {
                            broken.push(format!("{words}: {reason}"));
                        }
                        measured.insert(key, Err(reason.clone()));
                        lines.push(Absent { absent: words, reason, cpu: machine::cpu() }.json());
                    }
                }
            }
        }
        let sweeps: Vec<String> = sweeps.into_iter().map(|(words, _)| words).collect();
        if !sweeps.is_empty() && !is_stopped() {
            let begun = Instant::now();
            let swept = sweep(&sweeps, self.seconds, |done| {
                if done.is_multiple_of(40) {
                    self.say(done, sweeps.len(), begun, "sums by tables");
                }
                !is_stopped()
            });
            let sums = swept.map_err(Failure::Broken)?;
            lines.extend(sums.values().map(|sum| serde_json::to_string(sum).expect("numbers have a JSON form")));
            measured.extend(sums.iter().map(|(words, sum)| ((words.clone(), String::new()), Ok(swept_figures(sum)))));
        }
        Ok((measured, rows, lines, [before, machine::load()]))
    }

    /// Builds all libraries, so that the time left is that of measurements.
    fn build(&self, groups: &[(String, Vec<String>)]) {
        let words =
            groups.iter().flat_map(|(shared, peers)| peers.iter().chain([shared])).flat_map(|words| words.split(' '));
        let words: Vec<&str> = words.collect();
        let named = words.windows(2).filter(|pair| ["--peer", "--ours"].contains(&pair[0])).map(|pair| pair[1]);
        for library in named.collect::<BTreeSet<_>>() {
            eprintln!("lab: {}: building {library}", self.name);
            // Whoever asks for what is absent hears why.
            let _ = compare::ready(library);
        }
    }

    fn say(&self, done: usize, all: usize, begun: Instant, what: &str) {
        let left = begun.elapsed().as_secs_f64() / done.max(1) as f64 * (all - done) as f64;
        let left = if done == 0 { String::new() } else { format!(", {left:.0} s left") };
        eprintln!("lab: {}: {done} of {all} done{left}: {what}", self.name);
    }
}

/// The figures of a side of a comparison.
fn side(outcome: &Outcome, is_ours: bool) -> BTreeMap<Value, f64> {
    let of = |ours, peer| if is_ours { ours } else { peer };
    let figures = [
        (Value::Time, of(Some(outcome.ours_ns), Some(outcome.peer_ns))),
        (Value::Spread, of(Some(outcome.ours_spread), Some(outcome.peer_spread))),
        (Value::Mean, of(outcome.ours_mean_ns, outcome.peer_mean_ns)),
        (Value::Deviation, of(outcome.ours_deviation_ns, outcome.peer_deviation_ns)),
        (Value::Bytes, of(outcome.ours_bytes, outcome.peer_bytes)),
        (Value::Allocations, of(outcome.ours_allocations, outcome.peer_allocations)),
    ];
    figures.into_iter().filter_map(|(value, figure)| Some((value, figure?))).collect()
}

fn swept_figures(sum: &Sum) -> BTreeMap<Value, f64> {
    let Sum { ns_per_op, add_plus_double, table_mib, table_bytes, build_ns, .. } = *sum;
    let values = [Value::Time, Value::Additions, Value::Mebibytes, Value::Bytes, Value::Build];
    values.into_iter().zip([ns_per_op, add_plus_double, table_mib, table_bytes, build_ns]).collect()
}
