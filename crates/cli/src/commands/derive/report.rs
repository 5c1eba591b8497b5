//! What a run over extended keys did, for people and for machines.

use std::time::Duration;

use super::super::summary::{counts, speed};
use crate::exit::{ALL_VALID, RunError, SOME_INVALID, SOME_MALFORMED};

/// Faults that the summary lists. All have been said on standard error by then.
const LISTED: usize = 100;

/// A run over extended keys.
pub(super) struct DeriveReport {
    keys: u64,
    pub(super) children: u64,
    missing: u64,
    /// What is wrong with keys: the first ones, and how many there are.
    faults: Vec<String>,
    fault_count: u64,
    pub(super) failed: Vec<RunError>,
    pub(super) elapsed: Duration,
    threads: usize,
    backend: &'static str,
}

impl DeriveReport {
    pub(super) fn new(failed: Vec<RunError>, threads: usize, backend: &'static str) -> DeriveReport {
        let (faults, elapsed) = (Vec::new(), Duration::ZERO);
        DeriveReport { keys: 0, children: 0, missing: 0, faults, fault_count: 0, failed, elapsed, threads, backend }
    }

    /// Counts children of so many more keys, and indexes that have none.
    pub(super) fn add(&mut self, keys: u64, children: u64, missing: u64) {
        self.keys += keys;
        self.children += children;
        self.missing += missing;
    }

    pub(super) fn add_fault(&mut self, fault: String) {
        self.fault_count += 1;
        if self.faults.len() < LISTED {
            self.faults.push(fault);
        }
    }

    pub(super) fn status(&self) -> u8 {
        match (self.fault_count, self.missing) {
            (0, 0) => ALL_VALID,
            (0, _) => SOME_INVALID,
            _ => SOME_MALFORMED,
        }
    }

    fn children_per_second(&self) -> f64 {
        self.children as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// One JSON object on one line.
    pub(super) fn json(&self) -> String {
        let failed = self.failed.iter().filter_map(RunError::of_file);
        let failed: Vec<_> = failed.map(|(file, error)| serde_json::json!({ "file": file, "error": error })).collect();
        let object = serde_json::json!({
            "keys": self.keys,
            "children": self.children,
            "indexes_without_child": self.missing,
            "fault_count": self.fault_count,
            "faults": self.faults,
            "failed": failed,
            "seconds": self.elapsed.as_secs_f64(),
            "children_per_second": self.children_per_second(),
            "threads": self.threads,
            "backend": self.backend,
        });
        format!("{object}\n")
    }

    /// A few lines of text.
    pub(super) fn text(&self) -> String {
        let lines = [
            (self.keys, "keys"),
            (self.children, "children"),
            (self.missing, "indexes without a child"),
            (self.fault_count, "keys with an error"),
            (self.failed.len() as u64, "keys and files that could not be read"),
        ];
        counts(&lines) + &speed(self.elapsed, self.children_per_second(), "children", self.threads, self.backend)
    }
}
