//! Ratios beside libsecp256k1 by CPU, backend and kind of call, each from the newest record of its list.

use crate::{Failure, outcome::Outcome, records::Record};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// An operation of the table.
pub(super) struct Line {
    op: &'static str,
    pub(super) keys: Option<usize>,
    pub(super) words: &'static str,
}

const fn line(op: &'static str, words: &'static str) -> Line {
    Line { op, keys: None, words }
}

/// The operations.
pub(super) const LINES: [Line; 8] = [
    line("verify-ecdsa", "verify ECDSA"),
    Line { keys: Some(64), ..line("verify-ecdsa", "verify ECDSA under 64 keys, whose tables are kept") },
    line("verify-schnorr", "verify BIP-340"),
    line("recover", "recover"),
    line("ecdh", "ECDH"),
    line("sign-ecdsa", "sign ECDSA"),
    line("sign-schnorr", "sign BIP-340"),
    line("public-key", "public key"),
];

/// The lists that measure them as users call them; others measure builds or sizes.
const LISTS: [&str; 6] = ["bulk", "fma", "prepared", "one-at-a-time", "one-at-a-time-portable", "shipped"];

/// The rows of one CPU.
#[derive(Debug)]
pub(super) struct Cpu {
    /// The CPU as it names itself.
    name: String,
    /// The newest record of each list, by the list's name.
    pub(super) lists: BTreeMap<String, List>,
}

/// The newest record of a list.
#[derive(Debug)]
pub(super) struct List {
    /// The day it was taken.
    pub(super) date: String,
    rows: Vec<Outcome>,
}

impl Cpu {
    /// The name without what all of its kind have in it.
    pub(super) fn short_name(&self) -> String {
        let name = self.name.replace("(R)", "").replace(" Processor", "");
        // Processors of the cloud leave their generation out, and the numbers tell it.
        name.replace("AMD EPYC (family 26", "AMD EPYC, Zen 5 (family 26")
    }
}

/// Reads every record under `kept`: of each list and CPU the newest.
pub(super) fn newest(kept: &Path) -> Result<Vec<Cpu>, Failure> {
    let entries = fs::read_dir(kept).map_err(|error| Failure::NotThere(format!("{}: {error}", kept.display())))?;
    // Names begin with the day, so a later record takes the place of an earlier one.
    let folders: BTreeSet<_> = entries.flatten().map(|entry| entry.path()).collect();
    let mut cpus = BTreeMap::<String, Cpu>::new();
    for folder in folders.iter().filter(|path| Record::has_lists(path)) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        for row in Record::read(&folder.to_string_lossy())?.rows {
            let (cpu, name_of_list) = (row.outcome.cpu.clone(), row.list.unwrap_or_default());
            let cpu = cpus.entry(cpu.clone()).or_insert_with(|| Cpu { name: cpu, lists: BTreeMap::new() });
            let date = name.get(..10).unwrap_or_default();
            let list = cpu.lists.entry(name_of_list).or_insert_with(|| List { date: date.into(), rows: Vec::new() });
            if list.date != date {
                *list = List { date: date.into(), rows: Vec::new() };
            }
            list.rows.push(row.outcome);
        }
    }
    if cpus.is_empty() {
        return Err(Failure::NotThere(format!("there is no record in {}", kept.display())));
    }
    Ok(cpus.into_values().collect())
}

/// Where a ratio was measured and how.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    pub(super) cpu: &'a Cpu,
    pub(super) backend: &'a str,
    pub(super) single: bool,
}

impl<'a> Column<'a> {
    /// How it was called.
    pub(super) const fn calls(&self) -> &'static str {
        if self.single { "one at a time" } else { "in bulk" }
    }

    /// The row beside libsecp256k1, where it was measured, and its list: valid, encoded, on one thread.
    fn found(&self, line: &Line) -> Option<(&'a List, &'a Outcome)> {
        let lists = LISTS.iter().filter_map(|list| self.cpu.lists.get(*list));
        let mut rows = lists.flat_map(|list| list.rows.iter().map(move |row| (list, row)));
        rows.find(|(_, row)| {
            let encoded = row.ours_inputs == "encoded" && row.peer_inputs == "encoded";
            let plain = row.row_class == "valid" && row.tables.is_none() && row.without.is_none() && row.threads == 1;
            let calls = row.single == self.single && (row.single || row.n == 4096);
            let asked = row.op == line.op && row.keys == line.keys && row.backend == self.backend;
            calls && asked && plain && encoded && row.peer == "libsecp256k1"
        })
    }

    /// The days and commits of its rows, in words.
    pub(super) fn records(&self) -> String {
        let record = |(list, row): (&List, &Outcome)| {
            format!("{} at {}", list.date, row.ours_commit.as_deref().unwrap_or("a commit unknown"))
        };
        let records: BTreeSet<String> = LINES.iter().filter_map(|line| self.found(line)).map(record).collect();
        records.into_iter().collect::<Vec<_>>().join(" and ")
    }

    /// How many times as fast as libsecp256k1.
    pub(super) fn ratio(&self, line: &Line) -> Option<f64> {
        self.found(line).map(|(_, row)| row.ratio)
    }

    /// The same in words, nothing where it was not measured.
    pub(super) fn times(&self, line: &Line) -> String {
        self.ratio(line).map_or_else(String::new, |ratio| format!("{ratio:.1}x"))
    }
}

/// Each way in which the operations were measured: calls in bulk first, the fastest kind of backend first.
pub(super) fn columns(cpus: &[Cpu]) -> Vec<Column<'_>> {
    let every = |single| {
        let backends = ["ifma", "fma512", "fma", "neon", "portable"];
        cpus.iter().flat_map(move |cpu| backends.map(|backend| Column { cpu, backend, single }))
    };
    let is_there = |column: &Column<'_>| LINES.iter().any(|line| column.found(line).is_some());
    every(false).chain(every(true)).filter(is_there).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    #[test]
    fn the_newest_record_of_a_list_counts_and_cpus_stay_apart() {
        let kept = std::env::temp_dir().join(format!("lab-cpus-{}", std::process::id()));
        let write = |folder: &str, file: &str, cpu: &str, ratio: f64| {
            let row = Outcome { cpu: cpu.into(), peer: "libsecp256k1".into(), ..row("recover", ratio).outcome };
            fs::create_dir_all(kept.join(folder)).unwrap();
            fs::write(kept.join(folder).join(file), row.json()).unwrap();
        };
        write("2026-01-02-a", "bulk.jsonl", "a", 2.0);
        write("2026-01-01-a", "bulk.jsonl", "a", 1.0);
        write("2026-01-01-a", "msm.jsonl", "a", 3.0);
        write("2026-01-01-b", "bulk.jsonl", "b", 4.0);
        let cpus = newest(&kept).unwrap();
        fs::remove_dir_all(&kept).unwrap();
        let recover = line("recover", "recover");
        let ratios: Vec<_> = columns(&cpus).iter().map(|column| (column.records(), column.times(&recover))).collect();
        let expected = [("2026-01-02 at 0123456789ab", "2.0x"), ("2026-01-01 at 0123456789ab", "4.0x")];
        assert!(ratios.iter().map(|(records, times)| (&**records, &**times)).eq(expected), "{ratios:?}");
        assert_eq!(cpus[0].lists.len(), 2);
    }
}
