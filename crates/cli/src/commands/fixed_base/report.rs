//! What was measured, for people and for machines.

use std::fmt::Write;

use clap::ValueEnum;
use phalanx::Backend;
use serde_json::json;

use super::measure::MeasuredSum;
use crate::args::{FixedCurve, Positions};
use crate::pipeline::grouped;

/// A completed sweep.
pub(super) struct SweepReport {
    pub(super) curve: FixedCurve,
    pub(super) points: usize,
    pub(super) positions: Positions,
    pub(super) backend: Backend,
    pub(super) rows: Vec<MeasuredSum>,
}

/// The value's name on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().into())
}

/// The heads of the text's columns.
const HEADS: [&str; 8] = ["tables", "n", "ns", "add+double", "MiB at 96", "MiB at 64", "build ms", "read ms"];

impl SweepReport {
    fn curve(&self) -> String {
        name(self.curve)
    }

    /// One JSON object a line; the help of the command describes them.
    pub(super) fn json(&self) -> String {
        let line = |row: &MeasuredSum| {
            let (scheme, t, b) = row.kind.scheme().map_or((None, None, None), |(s, t, b)| (Some(s), Some(t), Some(b)));
            let json = json!({
                "msm_length": row.length,
                "t": t,
                "b": b,
                "ns_per_op": row.nanoseconds,
                "add_plus_double": row.additions + row.doublings,
                "table_mib": row.published_bytes as f64 / f64::from(1 << 20),
                "curve": self.curve(),
                "basis": self.points,
                "positions": name(self.positions),
                "backend": self.backend.name(),
                "scheme": scheme,
                "configuration": row.kind.name(),
                "additions": row.additions,
                "doublings": row.doublings,
                "table_bytes": row.bytes,
                "build_ns": row.build.as_nanos() as u64,
                "read_ns": row.read.map(|read| read.as_nanos() as u64),
                "samples": row.samples,
            });
            format!("{json}\n")
        };
        self.rows.iter().map(line).collect()
    }

    /// An aligned table, and what its columns are.
    pub(super) fn text(&self) -> String {
        let cells = |row: &MeasuredSum| {
            let tables = row.kind.scheme().map(|(_, t, b)| format!("t={t} b={b}"));
            [
                tables.or(row.kind.name().map(String::from)).unwrap_or_default(),
                row.length.to_string(),
                grouped(row.nanoseconds.round() as u64),
                format!("{:.1}", row.additions + row.doublings),
                mebibytes(row.published_bytes),
                mebibytes(row.bytes),
                format!("{:.1}", row.build.as_secs_f64() * 1e3),
                row.read.map_or_else(|| "-".into(), |read| format!("{:.1}", read.as_secs_f64() * 1e3)),
            ]
        };
        let lines: Vec<[String; 8]> = self.rows.iter().map(cells).collect();
        let width = |column: usize| {
            let cells = lines.iter().map(|line| line[column].len());
            cells.chain([HEADS[column].len()]).max().unwrap_or(0)
        };
        let widths: [usize; 8] = std::array::from_fn(width);
        let scheme =
            self.rows.first().and_then(|row| row.kind.scheme()).map_or("tables with a name", |(name, ..)| name);
        let mut text = String::new();
        // Writing to memory does not fail.
        let (points, positions) = (self.points, name(self.positions));
        let _ = writeln!(text, "{}, {points} points, {scheme}, {positions}, backend {}\n", self.curve(), self.backend);
        for line in [HEADS.map(String::from)].iter().chain(&lines) {
            let _ = write!(text, "{:1$}", line[0], widths[0]);
            for (cell, width) in line.iter().zip(widths).skip(1) {
                let _ = write!(text, "  {cell:>width$}");
            }
            text.push('\n');
        }
        text.push_str(FOOT);
        text
    }
}

const FOOT: &str = "
ns          of one sum of n products, one at a time on one thread: the median
add+double  additions and doublings, counted, the mean over random vectors
MiB         of the tables: at 96 bytes per entry as published, at 64 as they are
build ms    to compute the tables, once
read ms     to read a file of them back, checked, once; by --check-files
";

/// MiB with four significant digits, as the published sweep prints them.
pub(super) fn mebibytes(bytes: usize) -> String {
    let value = bytes as f64 / f64::from(1 << 20);
    let decimals = if bytes == 0 { 0 } else { (3 - value.log10().floor() as i32).max(0) as usize };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mebibytes_as_published() {
        for (bytes, text) in
            [(786_432, "0.7500"), (8_650_752, "8.250"), (198_967_296, "189.8"), (2_122_579_968, "2024")]
        {
            assert_eq!(mebibytes(bytes), text);
        }
    }
}
