//! Two records row by row.
//!
//! [`pairs`] says which rows of the two belong together.

mod pairs;

use crate::{
    Failure,
    outcome::{Outcome, say},
    records::{Record, Row},
    stats::{self, Summary},
};
use clap::Args;
use pairs::Pairs;
use std::collections::BTreeSet;

/// What to compare.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// A record: a file or a folder of files, by its path or its name under `lab/record`
    a: String,
    /// The record beside it: a folder for a folder, a file for a file
    b: String,
}

/// Compares and prints.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let (a, b) = (Record::read(&settings.a)?, Record::read(&settings.b)?);
    if a.is_folder != b.is_folder {
        return Err(Failure::NotThere("one record is a folder and the other a file".to_owned()));
    }
    same_cpu(&a, &b)?;
    let pairs = Pairs::of(&a.rows, &b.rows);
    print([&a, &b], &pairs)?;
    if pairs.both.is_empty() {
        return Err(Failure::NotThere("no row is in both records".to_owned()));
    }
    Ok(())
}

/// Refuses records that are not all of one CPU.
fn same_cpu(a: &Record, b: &Record) -> Result<(), Failure> {
    let cpus = [a.set(|row| Some(&row.cpu)), b.set(|row| Some(&row.cpu))];
    if cpus[0].union(&cpus[1]).count() < 2 {
        return Ok(());
    }
    let [a, b] = cpus.map(joined);
    Err(Failure::NotThere(format!("the records are of different CPUs, A of {a}, B of {b}")))
}

fn joined(set: BTreeSet<&str>) -> String {
    set.into_iter().collect::<Vec<_>>().join(" and ")
}

/// How much more the ratio of B is than that of A, as a fraction of A's.
fn change(a: &Outcome, b: &Outcome) -> f64 {
    b.ratio / a.ratio - 1.0
}

/// Whether the change is smaller than the widest of the four spreads, the rule by which one comparison is called noise.
fn is_noise(a: &Outcome, b: &Outcome) -> bool {
    let spread = |row: &Outcome| row.ours_spread.max(row.peer_spread);
    let summary = |row: &Outcome| Summary { median: row.ratio, spread: spread(row), ..Summary::default() };
    stats::is_noise(summary(a), summary(b))
}

/// The widest of the four spreads.
fn widest(a: &Outcome, b: &Outcome) -> f64 {
    [a.ours_spread, a.peer_spread, b.ours_spread, b.peer_spread].into_iter().fold(0.0, f64::max)
}

fn print(records: [&Record; 2], pairs: &Pairs<'_>) -> Result<(), Failure> {
    for (letter, record) in ["A", "B"].into_iter().zip(records) {
        let commits = record.set(|row| row.ours_commit.as_ref());
        let commits = if commits.is_empty() { "a commit unknown".to_owned() } else { joined(commits) };
        say(&format!("{letter}: {}, phalanx at {commits}, {}", record.name, joined(record.set(|row| Some(&row.cpu)))))?;
    }
    say("")?;
    let heading = ["operation", "rows", "backend", "peer", "A", "B", "change"].map(str::to_owned);
    let rows: Vec<_> = pairs.both.iter().map(|(a, b)| cells(a, b)).collect();
    let widths = [0, 1, 2, 3, 4, 5].map(|column| {
        let all = rows.iter().chain([&heading]).map(|cells: &[String; 7]| cells[column].chars().count());
        all.max().unwrap_or_default()
    });
    // A list that builds our side in several ways has rows that only the flags tell apart.
    let several = pairs.both.iter().map(|(a, _)| &a.outcome.ours_flags).collect::<BTreeSet<_>>().len() > 1;
    let (mut list, mut flags) = (&None, None);
    if !rows.is_empty() {
        say(&aligned(&heading, widths))?;
    }
    for ((a, _), cells) in pairs.both.iter().zip(&rows) {
        if a.list != *list {
            list = &a.list;
            say(&format!("{}:", list.as_deref().unwrap_or_default()))?;
        }
        if several && flags != Some(&a.outcome.ours_flags) {
            flags = Some(&a.outcome.ours_flags);
            say(&format!("ours by {}:", a.outcome.ours_flags))?;
        }
        say(&aligned(cells, widths))?;
    }
    for (letter, rows) in [("A", &pairs.only_a), ("B", &pairs.only_b)] {
        for (row, built_otherwise) in rows {
            let list = row.list.as_ref().map_or_else(String::new, |list| format!("{list}: "));
            let why = if *built_otherwise { " (the other record has it of other versions or flags)" } else { "" };
            say(&format!("only in {letter}: {list}{}{why}", names(row).join(", ")))?;
        }
    }
    let mut counts = [0; 3];
    for (a, b) in &pairs.both {
        let kind = if is_noise(&a.outcome, &b.outcome) { 2 } else { usize::from(b.outcome.ratio < a.outcome.ratio) };
        counts[kind] += 1;
    }
    say(&format!("\n{}", summary(counts)))
}

/// How many ratios rose, fell and stayed within the noise, and which share of all stayed.
fn summary([higher, lower, noise]: [usize; 3]) -> String {
    let all = higher + lower + noise;
    let share = noise as f64 / all.max(1) as f64 * 100.0;
    format!(
        "Rows in both: {all}. In B the ratio is higher in {higher}, lower in {lower}, within the noise in {noise}, which is \
         {share:.0}% of them."
    )
}

/// The printed cells of a pair.
fn cells(a: &Row, b: &Row) -> [String; 7] {
    let [operation, rows, backend, peer] = names(a);
    let spread = widest(&a.outcome, &b.outcome) * 100.0;
    let noise = if is_noise(&a.outcome, &b.outcome) { format!(" (noise: within {spread:.1}%)") } else { String::new() };
    let change = format!("{:+.1}%{noise}", change(&a.outcome, &b.outcome) * 100.0);
    [operation, rows, backend, peer, ratio(a), ratio(b), change]
}

fn ratio(row: &Row) -> String {
    format!("{:.3}x", row.outcome.ratio)
}

/// Operation, rows, backend, peer.
fn names(row: &Row) -> [String; 4] {
    let row = &row.outcome;
    [row.op.clone(), row.mode(), row.backends(), row.peer_in_words()]
}

/// The cells under one another; the last ends the line.
fn aligned(cells: &[String; 7], widths: [usize; 6]) -> String {
    let [.., last] = cells;
    let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
    padded.chain([last.clone()]).collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    fn record(rows: Vec<Row>) -> Record {
        Record { name: "record".into(), is_folder: false, rows }
    }

    #[test]
    fn a_change_is_noise_inside_the_widest_of_the_four_spreads() {
        let with = |ratio: f64, ours_spread: f64, peer_spread: f64| {
            let mut row = row("recover", 1.0).outcome;
            (row.ratio, row.ours_spread, row.peer_spread) = (ratio, ours_spread, peer_spread);
            row
        };
        let (a, b) = (with(2.0, 0.01, 0.01), with(2.1, 0.01, 0.02));
        assert!((change(&a, &b) - 0.05).abs() < 1e-9);
        assert!((change(&b, &a) + 0.047_619).abs() < 1e-6);
        assert!(!is_noise(&a, &b) && widest(&a, &b) == 0.02);
        for wide in [with(2.0, 0.06, 0.01), with(2.0, 0.01, 0.06)] {
            assert!(is_noise(&wide, &b) && is_noise(&b, &wide) && widest(&b, &wide) == 0.06);
        }
    }

    #[test]
    fn the_summary_has_the_share_within_the_noise() {
        assert!(summary([1, 2, 57]).ends_with("within the noise in 57, which is 95% of them."));
        assert!(summary([0; 3]).contains("Rows in both: 0."));
    }

    #[test]
    fn records_of_different_cpus_are_refused_by_name() {
        let on = |cpu: &str| {
            let mut row = row("recover", 1.0);
            row.outcome.cpu = cpu.to_owned();
            row
        };
        assert!(same_cpu(&record(vec![on("one"), on("one")]), &record(vec![on("one")])).is_ok());
        for other in [vec![on("two")], vec![on("one"), on("two")]] {
            match same_cpu(&record(vec![on("one")]), &record(other)) {
                Err(Failure::NotThere(said)) => {
                    assert!(said.contains("A of one, B of") && said.contains("two"), "{said}")
                }
                _ => panic!("different CPUs are not refused"),
            }
        }
    }
}
