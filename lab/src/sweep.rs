//! `lab sweep`: tables over a fixed basis of every size, each with the time of a sum by it.
//!
//! `phalanx fixed-base sweep` measures. The lab builds that command for this machine's CPU, asks for the tables of the
//! published sweep and for those that have names, and keeps the answer with the machine's name in `sweep.json`.

use crate::{
    Failure, files,
    machine::{self, Machine},
    outcome::say,
    record::todays,
    revision::{self, lab},
};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The file of a record's folder that a sweep is kept in.
const FILE: &str = "sweep.json";
/// How the command is built.
const FLAGS: &str = "-C opt-level=3 -C target-cpu=native";
/// The tables that are asked for: those of the published sweep, and those with names.
const ASKED: [&[&str]; 2] = [
    &["--t", "1,2,4,8,11,16,23,32,64,128,256", "--b", "8,10,12", "--memory", "2048"],
    &["--configuration", "baseline,hybrid-144,hybrid-16,verkle"],
];

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// About how long to time sums in all; tables are built besides
    #[arg(long, default_value_t = 60.0)]
    pub(crate) seconds: f64,
    /// Keeps the sweep in this folder, not in `lab/record/<date>-<cpu>`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
}

/// A sweep and where it was measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sweep {
    pub(crate) cpu: String,
    pub(crate) commit: Option<String>,
    pub(crate) flags: String,
    /// The load average afterwards.
    pub(crate) load: Option<f64>,
    pub(crate) rows: Vec<Row>,
}

/// A sum of the first `msm_length` points by some tables, in the words of `phalanx help fixed-base sweep`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) msm_length: usize,
    pub(crate) t: Option<usize>,
    pub(crate) b: Option<usize>,
    pub(crate) configuration: Option<String>,
    pub(crate) backend: String,
    pub(crate) ns_per_op: f64,
    pub(crate) add_plus_double: f64,
    pub(crate) table_mib: f64,
    pub(crate) table_bytes: u64,
    pub(crate) build_ns: u64,
    pub(crate) samples: usize,
}

/// Measures and keeps.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let machine = Machine::this();
    let folder = settings.into.clone().unwrap_or_else(|| todays(&lab().join("record"), &machine));
    let path = folder.join(FILE);
    let not_written = |error: std::io::Error| Failure::NotThere(format!("{}: {error}", path.display()));
    fs::create_dir_all(&folder).map_err(not_written)?;
    let program =
        files::phalanx().map_err(|reason| Failure::NotThere(format!("the command phalanx is absent: {reason}")))?;
    let mut rows = Vec::new();
    for asked in ASKED {
        let seconds = (settings.seconds / ASKED.len() as f64).to_string();
        let mut command = Command::new(&program);
        command.args(["fixed-base", "sweep", "--json", "--seconds", &seconds]).args(asked);
        let broken = |reason: String| Failure::Broken(format!("phalanx fixed-base sweep: {reason}"));
        let output = command.output().map_err(|error| broken(error.to_string()))?;
        if !output.status.success() {
            return Err(broken(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        let read = String::from_utf8_lossy(&output.stdout).lines().map(serde_json::from_str).collect();
        let read: Vec<Row> = Result::map_err(read, |error: serde_json::Error| broken(error.to_string()))?;
        rows.extend(read);
    }
    let sweep =
        Sweep { cpu: machine.cpu, commit: revision::commit(), flags: FLAGS.into(), load: machine::load(), rows };
    fs::write(&path, sweep.text()).map_err(not_written)?;
    say(&format!("{}: {} rows", path.display(), sweep.rows.len()))
}

impl Sweep {
    /// The sweep of a record's folder, where it has one.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, Failure> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let failed = |error: String| Failure::NotThere(format!("no sweep in {}: {error}", path.display()));
        let text = fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
        serde_json::from_str(&text).map(Some).map_err(|error| failed(error.to_string()))
    }

    /// The file's text: JSON with a line for each row.
    fn text(&self) -> String {
        let rows = self.rows.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        let head = serde_json::to_string(&Self { rows: Vec::new(), ..self.clone() });
        let (rows, head) = rows.and_then(|rows| Ok((rows, head?))).expect("texts and numbers have a JSON form");
        let none = "\"rows\":[]}";
        let head = head.strip_suffix(none).expect("the rows come last");
        format!("{head}\"rows\":[\n{}\n]}}\n", rows.join(",\n"))
    }
}

/// A sweep for tests.
#[cfg(test)]
pub(crate) fn sweep(cpu: &str) -> Sweep {
    let row = |msm_length, name: Option<&str>, bits: [Option<usize>; 2], ns_per_op| Row {
        msm_length,
        t: bits[0],
        b: bits[1],
        configuration: name.map(str::to_owned),
        backend: "ifma".into(),
        ns_per_op,
        add_plus_double: 9.0,
        table_mib: 3.0,
        table_bytes: 2 << 20,
        build_ns: 1,
        samples: 3,
    };
    let rows = vec![
        row(256, None, [Some(128), Some(8)], 1e6),
        row(256, None, [Some(256), Some(8)], 2e6),
        row(256, Some("baseline"), [None; 2], 3e6),
        row(256, Some("hybrid-144"), [None; 2], 4e6),
        row(1, Some("baseline"), [None; 2], 5e3),
    ];
    Sweep { cpu: cpu.into(), commit: None, flags: "-O3".into(), load: Some(1.0), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_reads_back_as_it_was_written() {
        let folder = std::env::temp_dir().join(format!("lab-sweep-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        assert!(Sweep::read(&folder).unwrap().is_none());
        let sweep = sweep("one");
        assert_eq!(sweep.text().lines().count(), sweep.rows.len() + 2);
        fs::write(folder.join(FILE), sweep.text()).unwrap();
        let read = Sweep::read(&folder).unwrap().unwrap();
        fs::write(folder.join(FILE), "{}").unwrap();
        let refused = Sweep::read(&folder).is_err();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(read.text(), sweep.text());
        assert!(refused);
    }
}
