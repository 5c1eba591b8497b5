//! The printed forms of a comparison.

mod build;

pub(crate) use build::builds;

use crate::{
    Failure,
    library::Sum,
    machine, sampling,
    stats::{Summary, is_noise},
};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// A comparison's result. Times are nanoseconds per row: a call, a point of a sum, a signature of a batch, a field or
/// point operation of one lane.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) op: String,
    pub(crate) n: usize,
    pub(crate) rows: usize,
    pub(crate) threads: usize,
    pub(crate) lanes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shape: Option<String>,
    pub(crate) single: bool,
    pub(crate) row_class: String,
    pub(crate) keys: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tables: Option<String>,
    pub(crate) backend: String,
    pub(crate) ours: String,
    pub(crate) ours_version: String,
    /// The commit of the work tree, with `+` behind it when files of the library differ from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_commit: Option<String>,
    pub(crate) ours_flags: String,
    pub(crate) ours_inputs: String,
    pub(crate) ours_ns: f64,
    pub(crate) ours_spread: f64,
    pub(crate) ours_least_ns: f64,
    /// The mean of the samples, and the standard deviation around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_mean_ns: Option<f64>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_deviation_ns: Option<f64>,
    /// What a row takes from the heap, where the library counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_bytes: Option<f64>,
    /// In so many calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ours_allocations: Option<f64>,
    pub(crate) asked: String,
    pub(crate) peer: String,
    /// A technique that the peer leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without: Option<String>,
    /// Whether the peer computes each row by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) apart: bool,
    pub(crate) peer_version: String,
    /// Where the peer is our side at an earlier commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_commit: Option<String>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_backend: Option<String>,
    pub(crate) peer_flags: String,
    pub(crate) peer_inputs: String,
    pub(crate) peer_ns: f64,
    pub(crate) peer_spread: f64,
    pub(crate) peer_least_ns: f64,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_mean_ns: Option<f64>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_deviation_ns: Option<f64>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_bytes: Option<f64>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peer_allocations: Option<f64>,
    pub(crate) ratio: f64,
    /// Of the least times, which tells what a busy machine hides.
    pub(crate) ratio_of_least: f64,
    pub(crate) noise: bool,
    pub(crate) samples: usize,
    pub(crate) clock: String,
    pub(crate) seed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<f64>,
    pub(crate) cpu: String,
}

/// A comparison that could not be made: what was asked, and why it is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Absent {
    /// The words of the list.
    pub(crate) absent: String,
    pub(crate) reason: String,
    pub(crate) cpu: String,
}

impl Absent {
    /// One line of JSON.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).expect("texts have a JSON form")
    }
}

/// A line of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Line {
    /// A comparison.
    Row(Box<Outcome>),
    /// One that could not be made.
    Absent(Absent),
    /// A sum by tables of the study `verkle`.
    Sum(Sum),
}

/// Prints a line. A reader that has gone away is no failure: a record is written all the same.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Broken(format!("cannot print: {error}")))
        }
        _ => Ok(()),
    }
}

/// A table in Markdown.
pub(crate) fn table(columns: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}|{}\n{rows}", line(columns), "---|".repeat(columns.len()))
}

/// Three significant digits, with a unit.
pub(crate) fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        value if value < 1e3 => (value, "ns"),
        value if value < 1e6 => (value / 1e3, "us"),
        value => (value / 1e6, "ms"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

/// What a row takes from the heap, in words.
fn heap(bytes: Option<f64>, allocations: Option<f64>) -> String {
    let number = |value: f64| match value {
        0.0 => "0".to_owned(),
        value if value < 0.01 => "<0.01".to_owned(),
        value if value < 10.0 && value.fract() >= 0.005 => format!("{value:.2}"),
        value => format!("{value:.0}"),
    };
    match bytes.zip(allocations) {
        Some((_, 0.0)) => "none".to_owned(),
        Some((bytes, allocations)) => format!("{} B in {}", number(bytes), number(allocations)),
        None => "not counted".to_owned(),
    }
}

impl Outcome {
    /// Of so many samples of both sides, taken on this machine just now.
    pub(crate) fn of_times([ours, peer]: [Summary; 2], samples: usize, seed: u64) -> Self {
        Self {
            ours_ns: ours.median,
            ours_spread: ours.spread,
            ours_least_ns: ours.least,
            ours_mean_ns: Some(ours.mean),
            ours_deviation_ns: Some(ours.deviation),
            peer_ns: peer.median,
            peer_spread: peer.spread,
            peer_least_ns: peer.least,
            peer_mean_ns: Some(peer.mean),
            peer_deviation_ns: Some(peer.deviation),
            ratio: peer.median / ours.median,
            ratio_of_least: peer.least / ours.least,
            noise: is_noise(ours, peer),
            samples,
            seed: format!("{seed:016x}"),
            load: machine::load(),
            cpu: machine::cpu(),
            ..Self::default()
        }
    }

    /// One line of JSON.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers have a JSON form")
    }

    /// How the rows were given to the libraries, in a few words.
    pub(crate) fn mode(&self) -> String {
        let mut words = Vec::new();
        if let Some(shape) = &self.shape {
            words.push(format!("{shape}, lanes {}", self.lanes));
        } else if self.single {
            words.push("one at a time".into());
        } else {
            words.push(format!("n = {}", self.n));
        }
        if self.threads > 1 {
            words.push(format!("{} threads", self.threads));
        }
        if self.ours_inputs == "parsed" {
            words.push("parsed".into());
        }
        if self.row_class != "valid" {
            words.push(self.row_class.clone());
        }
        if let Some(keys) = self.keys {
            words.push(format!("{keys} keys"));
        }
        if let Some(tables) = &self.tables {
            words.push(format!("tables {tables}"));
        }
        words.join(", ")
    }

    /// The backend, and the peer's behind it where an earlier commit chose another.
    pub(crate) fn backends(&self) -> String {
        match &self.peer_backend {
            Some(theirs) if *theirs != self.backend => format!("{}, {theirs}", self.backend),
            _ => self.backend.clone(),
        }
    }

    /// The row of a table, under [`Self::HEADING`].
    pub(crate) fn cells(&self) -> [String; 9] {
        [
            self.op.clone(),
            self.mode(),
            self.backends(),
            format!("{} ±{:.1}%", time(self.ours_ns), self.ours_spread * 100.0),
            self.peer_in_words(),
            format!("{} ±{:.1}%", time(self.peer_ns), self.peer_spread * 100.0),
            format!("{:.2}x{}{}", self.ratio, if self.noise { " (noise)" } else { "" }, self.few_samples()),
            heap(self.ours_bytes, self.ours_allocations),
            heap(self.peer_bytes, self.peer_allocations),
        ]
    }

    /// How many samples there are, where they take so long that there are fewer than usual.
    fn few_samples(&self) -> String {
        if self.samples < sampling::FEWEST { format!(" ({} samples)", self.samples) } else { String::new() }
    }

    /// The peer, its version, what it leaves out, and whether it computes each row by itself.
    pub(crate) fn peer_in_words(&self) -> String {
        let without = self.without.as_ref().map(|technique| format!(", without {technique}"));
        let apart = if self.apart { ", apart" } else { "" };
        format!("{} {}{}{apart}", self.peer, self.peer_version, without.unwrap_or_default())
    }

    /// What the cells of a row are.
    pub(crate) const HEADING: [&'static str; 9] =
        ["operation", "rows", "backend", "ours", "peer", "peer's", "ratio", "heap a row, ours", "heap a row, peer's"];

    /// The heading of [`Self::row`].
    pub(crate) fn heading() -> String {
        aligned(&Self::HEADING.map(str::to_owned))
    }

    /// A row for the terminal.
    pub(crate) fn row(&self) -> String {
        aligned(&self.cells())
    }
}

fn aligned(cells: &[String; 9]) -> String {
    let widths = [20, 22, 9, 16, 30, 16, 13, 18, 0];
    let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
    padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heap_in_words() {
        for (bytes, allocations, text) in [
            (Some(0.0), Some(0.0), "none"),
            (Some(1120.0), Some(18.0), "1120 B in 18"),
            (Some(160.25), Some(0.004), "160 B in <0.01"),
            (Some(4.125), Some(0.0625), "4.12 B in 0.06"),
            (None, None, "not counted"),
        ] {
            assert_eq!(heap(bytes, allocations), text);
        }
    }

    #[test]
    fn a_row_says_that_its_samples_are_few() {
        let few = Outcome { ratio: 12.0, samples: 3, ..Outcome::default() };
        assert_eq!(few.cells()[6], "12.00x (3 samples)");
        assert_eq!(Outcome { samples: 5, ..few }.cells()[6], "12.00x");
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let texts = ["2.20 ns", "27.5 ns", "454 ns", "45.1 us", "2.50 ms"];
        assert_eq!([2.2, 27.53, 454.4, 45_123.0, 2.5e6].map(time), texts);
    }
}
