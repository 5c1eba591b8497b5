//! `lab sweep`: tables over a fixed basis of every size, each with the time of a sum by it.
//!
//! The example `sweep` of `lab/ours` measures. The lab builds it for this machine's CPU, asks for the tables of the
//! published sweep and for those that have names, and keeps the answer with the machine's name in `sweep.json`. Tables with
//! names are measured for the first points and for those from the sixth on, by the fastest backend and by `fma`.

use crate::{
    Failure, files,
    machine::{self, Machine},
    outcome::say,
    record::{put, todays},
    revision::{self, lab},
    stats::Summary,
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
/// How the example is built.
const FLAGS: &str = "-C opt-level=3 -C target-cpu=native";
/// The columns and the bits of a window of the tables of the published sweep.
const SCHEMES: ([usize; 11], [usize; 3]) = ([1, 2, 4, 8, 11, 16, 23, 32, 64, 128, 256], [8, 10, 12]);
/// The tables that have names.
const NAMED: &str = "baseline,hybrid-144,hybrid-16,verkle";
/// Which points are summed, with the numbers of them that the study has; the points from the sixth on have smaller tables.
const POSITIONS: [[&str; 2]; 2] = [[FIRST, "1,2,4,8,16,32,64,128,256"], ["rest", "1,2,4,8,16,32,64,128"]];
/// The first points of the basis.
pub(crate) const FIRST: &str = "first";
/// The backend that is asked for besides the fastest, and what it wants of the CPU.
const OTHER: (&str, [&str; 3]) = ("fma", ["avx2", "fma", "bmi2"]);
/// How often the tables with names are built.
const BUILDS: usize = 3;

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

/// A sum of `msm_length` points by some tables, with the columns of the published sweep.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) msm_length: usize,
    /// Columns and bits of a window; none of tables with a name.
    pub(crate) t: Option<usize>,
    pub(crate) b: Option<usize>,
    /// The name of tables that have one.
    pub(crate) configuration: Option<String>,
    /// Which points are summed; records from before 2026-11-23 have the first ones only.
    #[serde(default = "first")]
    pub(crate) positions: String,
    pub(crate) backend: String,
    /// Of a sum, the median.
    pub(crate) ns_per_op: f64,
    /// Additions and doublings of a sum, counted, the mean over random vectors. Every entry that is added counts.
    pub(crate) add_plus_double: f64,
    /// By the published accounting: 96 bytes per entry and, in subsets and combs, 2^b entries per window.
    pub(crate) table_mib: f64,
    /// As the tables are: 64 bytes per entry.
    pub(crate) table_bytes: u64,
    /// To build the tables.
    pub(crate) build_ns: u64,
    /// The distance between the quartiles of several builds, as a fraction of their median; none of a single one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) build_spread: Option<f64>,
    /// How many times `ns_per_op` is the median of.
    pub(crate) samples: usize,
}

fn first() -> String {
    FIRST.to_owned()
}

/// Measures and keeps.
pub(crate) fn command(settings: &Settings) -> Result<(), Failure> {
    let machine = Machine::this();
    let folder = settings.into.clone().unwrap_or_else(|| todays(&lab().join("record"), &machine));
    let path = folder.join(FILE);
    let not_written = |error: std::io::Error| Failure::NotThere(format!("{}: {error}", path.display()));
    fs::create_dir_all(&folder).map_err(not_written)?;
    let program = files::sweep().map_err(|reason| Failure::NotThere(format!("the example is absent: {reason}")))?;
    let (columns, bits) = SCHEMES;
    let schemes: Vec<_> = bits.iter().flat_map(|b| columns.map(|t| format!("subsets:{t}:{b}"))).collect();
    // The schemes take half of the time, the tables with names the rest.
    let mut rows = run(&program, "fastest", POSITIONS[0], settings.seconds / 2.0, &schemes.join(","))?;
    let fastest = rows.first().map_or_else(String::new, |row| row.backend.clone());
    let (other, wants) = OTHER;
    let has_other = fastest != other && wants.iter().all(|feature| machine::has(feature));
    let backends = if has_other { vec![fastest.as_str(), other] } else { vec![fastest.as_str()] };
    let seconds = settings.seconds / 2.0 / (BUILDS * POSITIONS.len() * backends.len()) as f64;
    for backend in backends {
        for positions in POSITIONS {
            let run = |_| run(&program, backend, positions, seconds, NAMED);
            let runs = (0..BUILDS).map(run).collect::<Result<_, _>>()?;
            rows.extend(joined(runs));
        }
    }
    let sweep =
        Sweep { cpu: machine.cpu, commit: revision::commit(), flags: FLAGS.into(), load: machine::load(), rows };
    put(&folder, FILE, &sweep.text())?;
    say(&format!("{}: {} rows", path.display(), sweep.rows.len()))
}

/// The rows of one run of the example.
fn run(
    program: &Path,
    backend: &str,
    [positions, lengths]: [&str; 2],
    seconds: f64,
    tables: &str,
) -> Result<Vec<Row>, Failure> {
    let broken = |reason: String| Failure::Broken(format!("the example sweep: {reason}"));
    let mut command = Command::new(program);
    command.args(["banderwagon", backend, positions, lengths, &seconds.to_string(), tables]);
    let output = command.output().map_err(|error| broken(error.to_string()))?;
    if !output.status.success() {
        return Err(broken(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let rows = String::from_utf8_lossy(&output.stdout).lines().map(serde_json::from_str).collect();
    Result::map_err(rows, |error: serde_json::Error| broken(error.to_string()))
}

/// The rows of several runs that were asked for the same, with the medians of their times.
fn joined(runs: Vec<Vec<Row>>) -> Vec<Row> {
    let all = |place: usize, value: fn(&Row) -> f64| {
        Summary::of(&runs.iter().filter_map(|rows| rows.get(place)).map(value).collect::<Vec<_>>())
    };
    let first = runs.first().into_iter().flatten().enumerate();
    let row = |(place, row): (usize, &Row)| {
        let build = all(place, |row| row.build_ns as f64);
        Row {
            ns_per_op: all(place, |row| row.ns_per_op).median,
            build_ns: build.median as u64,
            build_spread: Some(build.spread),
            samples: runs.iter().filter_map(|rows| rows.get(place)).map(|row| row.samples).sum(),
            ..row.clone()
        }
    };
    first.map(row).collect()
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
        positions: first(),
        backend: "ifma".into(),
        ns_per_op,
        add_plus_double: 9.0,
        table_mib: 3.0,
        table_bytes: 2 << 20,
        build_ns: 1,
        build_spread: None,
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
    fn runs_of_the_same_are_joined_by_their_medians() {
        let run = |build_ns, ns_per_op| {
            let row = Row { build_ns, ns_per_op, ..sweep("one").rows[2].clone() };
            vec![row.clone(), Row { msm_length: 4, ..row }]
        };
        let joined = joined(vec![run(100, 5.0), run(300, 4.0), run(200, 9.0)]);
        let of = |row: &Row| (row.msm_length, row.build_ns, row.build_spread, row.ns_per_op, row.samples);
        assert_eq!(
            joined.iter().map(of).collect::<Vec<_>>(),
            [(256, 200, Some(0.5), 5.0, 9), (4, 200, Some(0.5), 5.0, 9)]
        );
    }

    #[test]
    fn a_row_of_an_older_record_is_of_the_first_points() {
        let mut row = serde_json::to_value(&sweep("one").rows[0]).unwrap();
        row.as_object_mut().unwrap().remove("positions");
        assert_eq!(serde_json::from_value::<Row>(row).unwrap().positions, FIRST);
    }

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
