//! What the page begins with: how many times as fast as libsecp256k1, by CPU, backend and kind of call.

use super::{
    cpus::{Cpu, List},
    table::Table,
};
use crate::outcome::Outcome;
use std::collections::BTreeSet;

/// The operations of schemes, with the words for them.
pub(super) const SCHEMES: [(&str, &str); 7] = [
    ("verify-ecdsa", "verify ECDSA"),
    ("verify-schnorr", "verify BIP-340"),
    ("recover", "recover"),
    ("ecdh", "ECDH"),
    ("sign-ecdsa", "sign ECDSA"),
    ("sign-schnorr", "sign BIP-340"),
    ("public-key", "public key"),
];

/// The lists of schemes; others measure builds or sizes.
const LISTS: [&str; 6] = ["bulk", "fma", "prepared", "one-at-a-time", "one-at-a-time-portable", "shipped"];

/// A row with nothing special about it: valid, encoded, on one thread.
pub(super) fn is_plain(row: &Outcome) -> bool {
    let encoded = row.ours_inputs == "encoded" && row.peer_inputs == "encoded";
    let plain = row.row_class == "valid" && row.tables.is_none() && row.without.is_none();
    plain && encoded && row.threads == 1
}

/// Where a ratio was measured and how.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    cpu: &'a Cpu,
    pub(super) backend: &'a str,
    pub(super) single: bool,
}

impl<'a> Column<'a> {
    /// How it was called.
    pub(super) const fn calls(&self) -> &'static str {
        if self.single { "one at a time" } else { "in bulk" }
    }

    /// The row beside libsecp256k1, where it was measured, and its list.
    fn found(&self, line: &Line) -> Option<(&'a List, &'a Outcome)> {
        let lists = LISTS.iter().filter_map(|list| self.cpu.lists.get(*list));
        let mut rows = lists.flat_map(|list| list.rows.iter().map(move |row| (list, row)));
        rows.find(|(_, row)| {
            let calls = row.single == self.single && (row.single || row.n == 4096);
            let asked = row.op == line.op && row.keys == line.keys && row.backend == self.backend;
            calls && asked && is_plain(row) && row.peer == "libsecp256k1"
        })
    }

    /// The days and commits of its rows, in words.
    pub(super) fn records(&self) -> String {
        let of = |(list, row): (&List, &Outcome)| {
            let commit = row.ours_commit.as_deref().unwrap_or("a commit unknown");
            format!("{} at {commit}", list.date)
        };
        let records: BTreeSet<String> = headlines().iter().filter_map(|line| self.found(line)).map(of).collect();
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

/// A line of the table that the page begins with.
pub(super) struct Line {
    op: &'static str,
    pub(super) keys: Option<usize>,
    pub(super) words: &'static str,
}

/// Its lines.
pub(super) fn headlines() -> Vec<Line> {
    let mut lines: Vec<_> = SCHEMES.map(|(op, words)| Line { op, keys: None, words }).into();
    let words = "verify ECDSA under 64 keys, whose tables are kept";
    lines.insert(1, Line { op: SCHEMES[0].0, keys: Some(64), words });
    lines
}

/// Its columns: each way in which schemes were measured, calls in bulk first.
pub(super) fn columns(cpus: &[Cpu]) -> Vec<Column<'_>> {
    let of = |single| {
        let backends = cpus.iter().flat_map(|cpu| cpu.backends().into_iter().map(move |backend| (cpu, backend)));
        backends.map(move |(cpu, backend)| Column { cpu, backend, single })
    };
    let lines = headlines();
    of(false).chain(of(true)).filter(|column| lines.iter().any(|line| column.ratio(line).is_some())).collect()
}

/// The table that the page begins with.
pub(super) fn table(cpus: &[Cpu]) -> Table {
    let columns = columns(cpus);
    let name = |column: &Column<'_>| format!("{}, {}, {}", column.calls(), column.backend, column.cpu.short_name());
    let line = |first: &str, cell: &dyn Fn(&Column<'_>) -> String| {
        [first.to_owned()].into_iter().chain(columns.iter().map(cell)).collect::<Vec<_>>()
    };
    let mut table = Table::new("How many times as fast as libsecp256k1, on one thread", line("operation", &name));
    for asked in headlines() {
        table.rows.push(line(asked.words, &|column| column.times(&asked)));
    }
    table.rows.push(line("recorded", &|column| column.records()));
    let about = "In bulk: one call for 4,096 rows. One at a time: a call a row. An empty place was not measured.";
    table.notes.push(about.into());
    table
}
