//! The newest record of each list, by CPU.

use crate::{
    Failure,
    outcome::{Absent, Outcome},
    presence::{Found, Presence},
    records::Record,
    sweep::Sweep,
};
use serde::Serialize;
use std::{collections::BTreeMap, fs, path::Path};

/// Records beside an earlier commit of ours have this in their names; they tell of changes, not of libraries.
const BESIDE: &str = "-beside-";

/// The rows of one CPU.
#[derive(Debug, Serialize)]
pub(crate) struct Cpu {
    /// The CPU as it names itself.
    pub(crate) name: String,
    /// The newest record of each list, by the list's name.
    pub(crate) lists: BTreeMap<String, List>,
    /// The newest sweep of tables over a fixed basis.
    pub(crate) sweep: Option<Sweep>,
    /// The newest list of peers, those that were not there with the reason.
    pub(crate) peers: Vec<Presence>,
}

/// The newest record of a list.
#[derive(Debug, Serialize)]
pub(crate) struct List {
    /// The day it was taken.
    pub(crate) date: String,
    pub(crate) rows: Vec<Outcome>,
    /// What could not be measured.
    pub(crate) absent: Vec<Absent>,
}

impl Cpu {
    /// The rows of all lists whose names begin so.
    pub(crate) fn rows<'a>(&'a self, list: &'a str) -> impl Iterator<Item = &'a Outcome> {
        let lists = self.lists.iter().filter(move |(name, _)| name.starts_with(list));
        lists.flat_map(|(_, list)| &list.rows)
    }

    /// The rows of all lists, each with its list.
    pub(crate) fn with_lists(&self) -> impl Iterator<Item = (&List, &Outcome)> {
        self.lists.values().flat_map(|list| list.rows.iter().map(move |row| (list, row)))
    }

    /// Why a peer is absent, where somebody looked for it in vain.
    pub(crate) fn absence(&self, peer: &str) -> Option<&str> {
        let looked = self.peers.iter().find(|presence| presence.peer == peer).map(|presence| &presence.found);
        let from_rows = || {
            let mut absent = self.rows("").flat_map(|row| &row.absent_peers);
            absent.find(|absent| absent.peer == peer).map(|absent| absent.reason.as_str())
        };
        match looked {
            Some(Found::Absent { absent }) => Some(absent),
            Some(Found::There { .. }) => None,
            None => from_rows(),
        }
    }

    /// The name without what all of its kind have in it.
    pub(crate) fn short_name(&self) -> String {
        let name = self.name.replace("(R)", "").replace(" Processor", "");
        // Processors of the cloud leave their generation out, and the numbers tell it.
        name.replace("AMD EPYC (family 26", "AMD EPYC, Zen 5 (family 26")
    }

    /// The backends that ran, the fastest kind first.
    pub(crate) fn backends(&self) -> Vec<&str> {
        let mut backends: Vec<&str> = Vec::new();
        for name in self.rows("").flat_map(|row| row.backend.split(", ")) {
            if !backends.contains(&name) {
                backends.push(name);
            }
        }
        backends.sort_by_key(|name| (rank(name), *name));
        backends
    }
}

/// Vector units in the order of their width, one lane last.
pub(super) fn rank(backend: &str) -> usize {
    let order = ["ifma", "fma", "neon"];
    order.iter().position(|name| *name == backend).unwrap_or(order.len())
}

/// Reads every record under `kept`: of each list and CPU the newest.
pub(crate) fn newest(kept: &Path) -> Result<Vec<Cpu>, Failure> {
    let entries = fs::read_dir(kept).map_err(|error| Failure::NotThere(format!("{}: {error}", kept.display())))?;
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    // Names begin with the day, so a later record takes the place of an earlier one.
    folders.sort();
    let mut cpus = Cpus::default();
    for folder in folders {
        cpus.add(&folder)?;
    }
    if cpus.0.is_empty() {
        return Err(Failure::NotThere(format!("there is no record in {}", kept.display())));
    }
    Ok(cpus.0.into_values().collect())
}

/// CPUs by their names.
#[derive(Default)]
struct Cpus(BTreeMap<String, Cpu>);

impl Cpus {
    fn of(&mut self, name: &str) -> &mut Cpu {
        let empty = || Cpu { name: name.to_owned(), lists: BTreeMap::new(), sweep: None, peers: Vec::new() };
        self.0.entry(name.to_owned()).or_insert_with(empty)
    }

    /// Takes what a folder has in the place of what is older.
    fn add(&mut self, folder: &Path) -> Result<(), Failure> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let date = name.get(..10).unwrap_or_default().to_owned();
        // A folder may have a sweep or peers alone.
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        if files.into_iter().any(|file| Record::is_list(&file.path())) {
            self.add_lists(Record::read(&folder.to_string_lossy())?, &date);
        }
        if let Some(sweep) = Sweep::read(folder)? {
            let name = sweep.cpu.clone();
            self.of(&name).sweep = Some(sweep);
        }
        if let Some((cpu, peers)) = Presence::read(folder)? {
            self.of(&cpu).peers = peers;
        }
        Ok(())
    }

    fn add_lists(&mut self, record: Record, date: &str) {
        let mut lists: BTreeMap<(String, String), List> = BTreeMap::new();
        let kept = |list: &Option<String>| list.as_ref().is_some_and(|list| !list.contains(BESIDE));
        let empty = || List { date: date.to_owned(), rows: Vec::new(), absent: Vec::new() };
        for row in record.rows.into_iter().filter(|row| kept(&row.list)) {
            let place = (row.outcome.cpu.clone(), row.list.unwrap_or_default());
            lists.entry(place).or_insert_with(empty).rows.push(row.outcome);
        }
        for (list, absent) in record.absent.into_iter().filter(|(list, _)| kept(list)) {
            let place = (absent.cpu.clone(), list.unwrap_or_default());
            lists.entry(place).or_insert_with(empty).absent.push(absent);
        }
        for ((cpu, name), list) in lists {
            self.of(&cpu).lists.insert(name, list);
        }
    }
}

/// A CPU with these lists, for tests.
#[cfg(test)]
pub(crate) fn cpu(name: &str, lists: Vec<(&str, Vec<Outcome>)>) -> Cpu {
    let list = |rows| List { date: "2026-01-01".into(), rows, absent: Vec::new() };
    let lists = lists.into_iter().map(|(name, rows)| (name.to_owned(), list(rows))).collect();
    Cpu { name: name.to_owned(), lists, sweep: None, peers: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{outcome::AbsentPeer, records::row};

    #[test]
    fn a_peer_is_absent_by_the_list_of_peers_or_else_by_the_rows() {
        let mut outcome = row("msm", 2.0).outcome;
        let absent = |peer: &str, reason: &str| AbsentPeer { peer: peer.into(), reason: reason.into() };
        outcome.absent_peers = vec![absent("p256k1", "no libclang"), absent("k256", "no network")];
        let mut cpu = cpu("one", vec![("msm", vec![outcome])]);
        assert_eq!(
            ["p256k1", "k256", "btcec"].map(|peer| cpu.absence(peer)),
            [Some("no libclang"), Some("no network"), None]
        );
        let there = Found::There { version: "1".into(), flags: "-O3".into() };
        cpu.peers = vec![
            Presence { peer: "k256".into(), found: there },
            Presence { peer: "btcec".into(), found: Found::Absent { absent: "no Go".into() } },
        ];
        assert_eq!(
            ["p256k1", "k256", "btcec"].map(|peer| cpu.absence(peer)),
            [Some("no libclang"), None, Some("no Go")]
        );
    }

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
        let ratios = |cpu: usize, list| cpus[cpu].rows(list).map(|row| row.ratio).collect::<Vec<_>>();
        assert_eq!(
            (cpus.len(), ratios(0, "bulk"), ratios(0, "msm"), ratios(1, "")),
            (2, vec![2.0], vec![3.0], vec![4.0])
        );
        assert_eq!(cpus[0].lists["bulk"].date, "2026-01-02");
        assert_eq!(cpus[0].backends(), ["ifma"]);
    }
}
