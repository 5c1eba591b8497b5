//! Records as they are kept: a file of JSON lines for each list, a folder of such files for each day and CPU.

use crate::{
    Failure,
    outcome::{Line, Outcome},
    revision::lab,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The ending of a record's rows.
const ENDING: &str = "jsonl";

/// A row of a record.
#[derive(Debug)]
pub(crate) struct Row {
    /// The list, in a folder of several.
    pub(crate) list: Option<String>,
    /// The comparison.
    pub(crate) outcome: Outcome,
}

/// A record that was read.
pub(crate) struct Record {
    /// The name that it was asked by.
    pub(crate) name: String,
    /// Whether it is a folder of lists.
    pub(crate) is_folder: bool,
    /// Its rows, those of a folder list by list.
    pub(crate) rows: Vec<Row>,
}

impl Record {
    /// Reads a record by its path or by its name under `lab/record`.
    pub(crate) fn read(name: &str) -> Result<Self, Failure> {
        let path = find(name, &lab().join("record"))?;
        let is_folder = path.is_dir();
        let files = if is_folder { lists(&path)? } else { vec![path.clone()] };
        let mut rows = Vec::new();
        for file in &files {
            let text = fs::read_to_string(file).map_err(|error| not_read(file, &error.to_string()))?;
            let list = is_folder.then(|| file.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            for line in parse(&text).map_err(|reason| not_read(file, &reason))? {
                // Nothing stands beside a sum by tables, or beside what is absent.
                if let Line::Row(outcome) = line {
                    rows.push(Row { list: list.clone(), outcome: *outcome });
                }
            }
        }
        if rows.is_empty() {
            return Err(not_read(&path, "it has no rows"));
        }
        Ok(Self { name: name.to_owned(), is_folder, rows })
    }

    /// Whether a folder has lists.
    pub(crate) fn has_lists(folder: &Path) -> bool {
        lists(folder).is_ok_and(|lists| !lists.is_empty())
    }

    /// The distinct values of a text among the rows.
    pub(crate) fn set<'a>(&'a self, text: impl Fn(&'a Outcome) -> Option<&'a String>) -> BTreeSet<&'a str> {
        self.rows.iter().filter_map(|row| text(&row.outcome)).map(String::as_str).collect()
    }
}

fn not_read(path: &Path, reason: &str) -> Failure {
    Failure::NotThere(format!("no record in {}: {reason}", path.display()))
}

/// The path that a name stands for: itself, or one under `kept`, with or without the ending of its file.
fn find(name: &str, kept: &Path) -> Result<PathBuf, Failure> {
    if name.is_empty() {
        return Err(Failure::NotThere("a record has no name".to_owned()));
    }
    for base in [PathBuf::from(name), kept.join(name)] {
        let ended = PathBuf::from(format!("{}.{ENDING}", base.display()));
        if let Some(path) = [base, ended].into_iter().find(|path| path.exists()) {
            return Ok(path);
        }
    }
    Err(Failure::NotThere(format!("no record named {name}, neither here nor in {}", kept.display())))
}

/// The files of a folder's lists, sorted.
fn lists(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| not_read(folder, &error.to_string()))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|ending| ending == ENDING)).collect();
    paths.sort();
    Ok(paths)
}

/// The lines of a file.
fn parse(text: &str) -> Result<Vec<Line>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(place, line)| {
        serde_json::from_str(line).map_err(|error| format!("line {} is no comparison: {error}", place + 1))
    };
    lines.map(parse).collect()
}

/// A row for tests.
#[cfg(test)]
pub(crate) fn row(op: &str, ratio: f64) -> Row {
    let outcome = serde_json::json!({
        "op": op, "n": 4096, "rows": 4096, "threads": 1, "lanes": 1, "single": false, "row_class": "valid",
        "keys": null, "backend": "ifma", "ours": "phalanx", "ours_version": "0.1.0", "ours_commit": "0123456789ab",
        "ours_flags": "-O3", "ours_inputs": "encoded", "ours_ns": 100.0, "ours_spread": 0.01, "ours_least_ns": 99.0,
        "asked": "k256", "peer": "k256", "peer_version": "1", "peer_flags": "-O3", "peer_inputs": "encoded",
        "peer_ns": 100.0 * ratio, "peer_spread": 0.01, "peer_least_ns": 99.0 * ratio, "ratio": ratio,
        "ratio_of_least": ratio, "noise": false, "samples": 100, "clock": "cpu", "seed": "0", "load": 0.1, "cpu": "one",
    });
    Row { list: None, outcome: serde_json::from_value(outcome).expect("a whole row") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Absent;

    fn refusal(name: &str) -> String {
        match Record::read(name) {
            Err(Failure::NotThere(said)) => said,
            _ => panic!("{name} is not refused"),
        }
    }

    #[test]
    fn every_committed_record_reads_by_every_name() {
        let kept = lab().join("record");
        let folders: Vec<_> = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!folders.is_empty());
        for folder in folders {
            let name = folder.file_name().unwrap().to_str().unwrap();
            let whole = Record::read(name).unwrap_or_else(|failure| panic!("{failure:?}"));
            assert!(whole.is_folder && whole.rows.iter().all(|row| row.list.is_some()));
            assert_eq!(Record::read(folder.to_str().unwrap()).ok().unwrap().rows.len(), whole.rows.len());
            let mut rows = 0;
            for list in lists(&folder).unwrap() {
                let stem = list.file_stem().unwrap().to_str().unwrap();
                for name in [format!("{name}/{stem}"), format!("{name}/{stem}.jsonl")] {
                    let record = Record::read(&name).unwrap_or_else(|failure| panic!("{failure:?}"));
                    assert!(!record.is_folder);
                    rows += record.rows.len();
                }
            }
            assert_eq!(rows, 2 * whole.rows.len());
        }
    }

    #[test]
    fn what_is_no_record_is_refused() {
        assert!(refusal("no-such-record").contains("no record named no-such-record"));
        assert!(refusal("").contains("no name"));
        let list = lab().join("lists/bulk.txt");
        assert!(refusal(list.to_str().unwrap()).contains("line 1 is no comparison"));
        let lists = lab().join("lists");
        assert!(refusal(lists.to_str().unwrap()).contains("has no rows"));
    }

    #[test]
    fn a_row_reads_back_as_it_was_written_and_a_cut_one_is_refused() {
        let mut outcome = row("recover", 2.5).outcome;
        (outcome.peer_commit, outcome.peer_backend) = (Some("0123456789ab".into()), Some("portable".into()));
        let line = outcome.json();
        let read = parse(&format!("{line}\n\n{line}\n")).unwrap();
        let [_, Line::Row(second)] = &read[..] else { panic!("two rows: {read:?}") };
        assert_eq!(second.json(), line);
        let absent = Absent { absent: "--op x".into(), reason: "it is not there".into(), cpu: "one".into() };
        let read = parse(&serde_json::to_string(&absent).unwrap()).unwrap();
        assert!(matches!(&read[..], [Line::Absent(read)] if *read == absent));
        let said = parse(&format!("{line}\n{}", &line[..40])).unwrap_err();
        assert!(said.starts_with("line 2"), "{said}");
        assert!(parse("{}").is_err());
    }
}
