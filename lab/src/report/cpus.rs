//! The newest record of each list, by CPU.

use crate::{
    Failure,
    outcome::{Absent, Outcome},
    records::Record,
};
use std::{collections::BTreeMap, fs, path::Path};

/// Records beside an earlier commit of ours have this in their names; they tell of changes, not of libraries.
const BESIDE: &str = "-beside-";

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
    pub(super) rows: Vec<Outcome>,
    /// What could not be measured.
    pub(super) absent: Vec<Absent>,
}

impl Cpu {
    /// The rows of all lists, each with its list.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&List, &Outcome)> {
        self.lists.values().flat_map(|list| list.rows.iter().map(move |row| (list, row)))
    }

    /// The name without what all of its kind have in it.
    pub(super) fn short_name(&self) -> String {
        let name = self.name.replace("(R)", "").replace(" Processor", "");
        // Processors of the cloud leave their generation out, and the numbers tell it.
        name.replace("AMD EPYC (family 26", "AMD EPYC, Zen 5 (family 26")
    }

    /// The backends that ran, the fastest kind first.
    pub(super) fn backends(&self) -> Vec<&str> {
        let mut backends: Vec<&str> = self.rows().flat_map(|(_, row)| row.backend.split(", ")).collect();
        backends.sort_by_key(|name| (rank(name), *name));
        backends.dedup();
        backends
    }
}

/// Vector units in the order of their width, one lane last.
pub(super) fn rank(backend: &str) -> usize {
    let order = ["ifma", "fma512", "fma", "neon"];
    order.iter().position(|name| *name == backend).unwrap_or(order.len())
}

/// Reads every record under `kept`: of each list and CPU the newest.
pub(super) fn newest(kept: &Path) -> Result<Vec<Cpu>, Failure> {
    let entries = fs::read_dir(kept).map_err(|error| Failure::NotThere(format!("{}: {error}", kept.display())))?;
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| Record::has_lists(path));
    // Names begin with the day, so a later record takes the place of an earlier one.
    folders.sort();
    let mut cpus = BTreeMap::<String, Cpu>::new();
    for folder in folders {
        for ((name, list), record) in lists(&folder)? {
            let cpu = cpus.entry(name.clone()).or_insert_with(|| Cpu { name, lists: BTreeMap::new() });
            cpu.lists.insert(list, record);
        }
    }
    if cpus.is_empty() {
        return Err(Failure::NotThere(format!("there is no record in {}", kept.display())));
    }
    Ok(cpus.into_values().collect())
}

/// The lists of a folder, by CPU and name.
fn lists(folder: &Path) -> Result<BTreeMap<(String, String), List>, Failure> {
    let record = Record::read(&folder.to_string_lossy())?;
    let date = folder.file_name().and_then(|name| name.to_str()?.get(..10)).unwrap_or_default();
    let empty = || List { date: date.to_owned(), rows: Vec::new(), absent: Vec::new() };
    let kept = |list: &Option<String>| list.as_ref().is_some_and(|list| !list.contains(BESIDE));
    let mut lists = BTreeMap::new();
    for row in record.rows.into_iter().filter(|row| kept(&row.list)) {
        let place = (row.outcome.cpu.clone(), row.list.unwrap_or_default());
        lists.entry(place).or_insert_with(empty).rows.push(row.outcome);
    }
    for (list, absent) in record.absent.into_iter().filter(|(list, _)| kept(list)) {
        let place = (absent.cpu.clone(), list.unwrap_or_default());
        lists.entry(place).or_insert_with(empty).absent.push(absent);
    }
    Ok(lists)
}

/// A CPU with these lists, for tests.
#[cfg(test)]
pub(super) fn cpu(name: &str, lists: Vec<(&str, Vec<Outcome>)>) -> Cpu {
    let list = |rows| List { date: "2026-01-01".into(), rows, absent: Vec::new() };
    let lists = lists.into_iter().map(|(name, rows)| (name.to_owned(), list(rows))).collect();
    Cpu { name: name.to_owned(), lists }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::row;

    #[test]
    fn the_newest_record_of_a_list_counts_and_cpus_stay_apart() {
        let kept = std::env::temp_dir().join(format!("lab-cpus-{}", std::process::id()));
        let write = |folder: &str, file: &str, cpu: &str, ratio: f64| {
            let mut row = row("recover", ratio).outcome;
            row.cpu = cpu.into();
            fs::create_dir_all(kept.join(folder)).unwrap();
            fs::write(kept.join(folder).join(file), row.json()).unwrap();
        };
        write("2026-01-02-a", "bulk.jsonl", "a", 2.0);
        write("2026-01-01-a", "bulk.jsonl", "a", 1.0);
        write("2026-01-01-a", "msm.jsonl", "a", 3.0);
        write("2026-01-01-b", "bulk.jsonl", "b", 4.0);
        write("2026-01-03-b", "bulk-beside-phalanx@0.jsonl", "b", 5.0);
        let cpus = newest(&kept).unwrap();
        fs::remove_dir_all(&kept).unwrap();
        let ratios = |cpu: &Cpu| cpu.rows().map(|(list, row)| (list.date.clone(), row.ratio)).collect::<Vec<_>>();
        let [first, second] = ["2026-01-01", "2026-01-02"].map(str::to_owned);
        assert_eq!(ratios(&cpus[0]), [(second, 2.0), (first.clone(), 3.0)]);
        assert_eq!((ratios(&cpus[1]), cpus.len()), (vec![(first, 4.0)], 2));
        assert_eq!(cpus[0].backends(), ["ifma"]);
    }
}
