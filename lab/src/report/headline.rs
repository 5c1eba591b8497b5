//! What the page begins with: how many times as fast as libsecp256k1, and calls in bulk of every CPU and backend.

use super::{
    chart::{Chart, Point},
    cpus::{Cpu, List},
    table::Table,
};
use crate::outcome::Outcome;
use std::collections::BTreeSet;

/// The operations of schemes, with the words for them.
pub(crate) const SCHEMES: [(&str, &str); 7] = [
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

/// The rows of the lists of schemes, each with its list.
fn with_lists(cpu: &Cpu) -> impl Iterator<Item = (&List, &Outcome)> {
    let lists = LISTS.iter().filter_map(|list| cpu.lists.get(*list));
    lists.flat_map(|list| list.rows.iter().map(move |row| (list, row)))
}

/// The rows of the lists of schemes.
pub(crate) fn schemes(cpu: &Cpu) -> impl Iterator<Item = &Outcome> {
    with_lists(cpu).map(|(_, row)| row)
}

/// A row of a scheme with nothing special about it: valid, encoded, on one thread.
pub(crate) fn is_plain(row: &Outcome) -> bool {
    let encoded = row.ours_inputs == "encoded" && row.peer_inputs == "encoded";
    let plain = row.row_class == "valid" && row.tables.is_none() && row.without.is_none();
    plain && encoded && row.threads == 1
}

/// Where a ratio was measured and how.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    pub(crate) cpu: &'a Cpu,
    pub(crate) backend: &'a str,
    pub(crate) single: bool,
}

impl<'a> Column<'a> {
    /// How it was called.
    pub(crate) const fn calls(&self) -> &'static str {
        if self.single { "one at a time" } else { "in bulk" }
    }

    /// Its heading.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}, {}", self.calls(), self.backend, self.cpu.short_name())
    }

    /// The row beside libsecp256k1, where it was measured, and its list.
    fn found(&self, line: &Line) -> Option<(&'a List, &'a Outcome)> {
        let mut rows = with_lists(self.cpu).filter(|(_, row)| is_plain(row) && row.peer == "libsecp256k1");
        rows.find(|(_, row)| {
            let calls = row.single == self.single && (row.single || row.n == 4096);
            calls && row.op == line.op && row.keys == line.keys && row.backend == self.backend
        })
    }

    fn row(&self, line: &Line) -> Option<&'a Outcome> {
        self.found(line).map(|(_, row)| row)
    }

    /// The days and commits of its rows, in words.
    pub(crate) fn records(&self) -> String {
        let found: Vec<_> = headlines().iter().filter_map(|line| self.found(line)).collect();
        let of = |(list, row): &(&List, &Outcome)| {
            let commit = row.ours_commit.as_deref().unwrap_or("a commit unknown");
            format!("{} at {commit}", list.date)
        };
        let records: BTreeSet<String> = found.iter().map(of).collect();
        records.into_iter().collect::<Vec<_>>().join(" and ")
    }

    /// How many times as fast as libsecp256k1.
    pub(crate) fn ratio(&self, line: &Line) -> Option<f64> {
        self.row(line).map(|row| row.ratio)
    }
}

/// A line of the table that the page begins with.
pub(crate) struct Line {
    op: &'static str,
    keys: Option<usize>,
    pub(crate) words: String,
}

/// Its lines.
pub(crate) fn headlines() -> Vec<Line> {
    let line = |(op, words): &(&'static str, &str)| Line { op, keys: None, words: (*words).to_owned() };
    let mut lines: Vec<_> = SCHEMES.iter().map(line).collect();
    lines.insert(
        1,
        Line {
            keys: Some(64),
            words: "verify ECDSA under 64 keys, whose tables are kept".to_owned(),
            ..line(&SCHEMES[0])
        },
    );
    lines
}

/// Its columns: each way in which schemes were measured, calls in bulk first.
pub(crate) fn columns(cpus: &[Cpu]) -> Vec<Column<'_>> {
    let of = |single| {
        let backends = cpus.iter().flat_map(|cpu| cpu.backends().into_iter().map(move |backend| (cpu, backend)));
        backends.map(move |(cpu, backend)| Column { cpu, backend, single })
    };
    let lines = headlines();
    of(false).chain(of(true)).filter(|column| lines.iter().any(|line| column.ratio(line).is_some())).collect()
}

/// The table that the page begins with.
pub(crate) fn table(cpus: &[Cpu]) -> Table {
    let columns = columns(cpus);
    let names = ["operation".to_owned()].into_iter().chain(columns.iter().map(Column::name));
    let mut table = Table::new("How many times as fast as libsecp256k1, on one thread", names);
    for line in headlines() {
        let ratio = |column: &Column<'_>| column.ratio(&line).map_or_else(String::new, |ratio| format!("{ratio:.1}x"));
        table.rows.push([line.words.clone()].into_iter().chain(columns.iter().map(ratio)).collect());
    }
    table.rows.push(["recorded".to_owned()].into_iter().chain(columns.iter().map(Column::records)).collect());
    table
        .notes
        .push("In bulk: one call for 4,096 rows. One at a time: a call a row. An empty place was not measured.".into());
    table
}

/// Calls in bulk as bars, a colour for each CPU and backend.
fn in_bulk(cpus: &[Cpu], [title, note, unit]: [&str; 3], value: impl Fn(&Outcome) -> f64) -> Chart {
    let brief = |cpu: &Cpu| cpu.short_name().split(" (").next().unwrap_or_default().to_owned();
    let name = |column: &Column<'_>| {
        // The numbers of family and model stand beside a bar only where CPUs have all else in common.
        let shared = cpus.iter().filter(|other| brief(other) == brief(column.cpu)).count() > 1;
        let cpu = if shared { column.cpu.short_name() } else { brief(column.cpu) };
        format!("{}, {cpu}", column.backend)
    };
    let columns: Vec<_> = columns(cpus).into_iter().filter(|column| !column.single).collect();
    let mut points = Vec::new();
    for line in headlines().iter().filter(|line| line.keys.is_none()) {
        for column in &columns {
            let point = |row| Point { series: name(column), at: line.words.clone(), value: value(row) };
            points.extend(column.row(line).map(point));
        }
    }
    Chart { title: title.to_owned(), note: note.to_owned(), unit: unit.to_owned(), across: None, points }
}

/// The table in bars: calls in bulk.
pub(crate) fn chart(cpus: &[Cpu]) -> Chart {
    let words = ["Times libsecp256k1, in bulk", "One thread, 4,096 rows a call.", "times as fast as libsecp256k1"];
    in_bulk(cpus, words, |row| row.ratio)
}

/// The same as operations a second.
pub(crate) fn rates(cpus: &[Cpu]) -> Chart {
    let note = "Ours by CPU and backend, one thread, 4,096 rows a call.";
    in_bulk(cpus, ["Operations a second, in bulk", note, "operations a second"], |row| 1e9 / row.ours_ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu};

    fn shorts(names: &[&str]) -> Vec<String> {
        let mut outcome = row("recover", 2.0).outcome;
        outcome.peer = "libsecp256k1".into();
        let cpus: Vec<Cpu> = names.iter().map(|name| cpu(name, vec![("bulk", vec![outcome.clone()])])).collect();
        chart(&cpus).points.into_iter().map(|point| point.series).collect()
    }

    #[test]
    fn bars_of_two_cpus_never_have_the_same_name() {
        let brief = shorts(&["a (family 1)", "b (family 2)"]);
        assert!(brief.iter().all(|name| !name.contains("family")), "{brief:?}");
        let whole = shorts(&["a (family 1)", "a (family 2)", "b (family 2)"]);
        assert!(whole[0].ends_with("a (family 1)") && whole[1].ends_with("a (family 2)"), "{whole:?}");
        assert!(whole[2].ends_with(", b"), "{whole:?}");
    }
}
