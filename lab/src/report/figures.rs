//! What is shown of a CPU's rows.

use super::{
    chart::{Axis, Bar, Chart, Group, Series, Shape},
    cpus::Cpu,
};
use crate::outcome::Outcome;

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
const LISTS: [&str; 5] = ["bulk", "fma", "prepared", "one-at-a-time", "one-at-a-time-portable"];

/// The rows of the lists of schemes.
fn schemes(cpu: &Cpu) -> impl Iterator<Item = &Outcome> {
    LISTS.iter().filter_map(|list| cpu.lists.get(*list)).flat_map(|list| &list.rows)
}

/// A row of a scheme with nothing special about it: valid, encoded, on one thread.
fn is_plain(row: &Outcome) -> bool {
    let encoded = row.ours_inputs == "encoded" && row.peer_inputs == "encoded";
    row.row_class == "valid" && encoded && row.threads == 1 && row.tables.is_none()
}

/// Where a ratio was measured and how.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    pub(crate) cpu: &'a Cpu,
    pub(crate) backend: &'a str,
    pub(crate) single: bool,
}

impl Column<'_> {
    /// Its heading.
    pub(crate) fn name(&self) -> String {
        let calls = if self.single { "one at a time" } else { "in bulk" };
        format!("{calls}, {}, {}", self.backend, self.cpu.short_name())
    }

    /// How many times as fast as libsecp256k1, where it was measured.
    pub(crate) fn ratio(&self, line: &Line) -> Option<f64> {
        let mut rows = schemes(self.cpu).filter(|row| is_plain(row) && row.peer == "libsecp256k1");
        let found = rows.find(|row| {
            let calls = row.single == self.single && (row.single || row.n == 4096);
            calls && row.op == line.op && row.keys == line.keys && row.backend == self.backend
        });
        found.map(|row| row.ratio)
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

/// The table in bars: calls in bulk.
pub(crate) fn headline_chart(cpus: &[Cpu]) -> Chart {
    let columns: Vec<_> = columns(cpus).into_iter().filter(|column| !column.single).collect();
    let group = |line: &Line| {
        let bars = columns.iter().enumerate();
        let bars = bars.filter_map(|(series, column)| Some(Bar { series, value: column.ratio(line)? }));
        Group { label: line.words.clone(), bars: bars.collect() }
    };
    let names = columns.iter().map(|column| (true, format!("{}, {}", column.backend, column.cpu.short_name())));
    Chart {
        title: "Times libsecp256k1, in bulk".to_owned(),
        note: "One thread, 4,096 rows a call.".to_owned(),
        shape: Shape::Bars {
            unit: "times as fast as libsecp256k1".to_owned(),
            names: names.collect(),
            groups: headlines().iter().filter(|line| line.keys.is_none()).map(group).collect(),
        },
    }
}

/// The charts of one CPU: those for which it has rows.
pub(crate) fn charts(cpu: &Cpu) -> Vec<Chart> {
    [bulk(cpu), one_at_a_time(cpu), sums(cpu), batch_sizes(cpu), fixed_base(cpu)].into_iter().flatten().collect()
}

/// A name for a library in a chart.
fn ours(backend: &str) -> String {
    format!("Phalanx, {backend}")
}

/// Rows a second of the schemes, by whoever has them: ours by backend, then peers.
fn throughput(cpu: &Cpu, title: &str, note: &str, chosen: impl Fn(&Outcome) -> bool) -> Option<Chart> {
    let rows: Vec<&Outcome> = schemes(cpu).filter(|row| is_plain(row) && row.keys.is_none() && chosen(row)).collect();
    let mut names: Vec<String> = cpu.backends().into_iter().map(ours).collect();
    for row in &rows {
        if !names.contains(&row.peer) {
            names.push(row.peer.clone());
        }
    }
    let group = |(op, words): &(&str, &str)| {
        let of_op = || rows.iter().filter(|row| row.op == *op);
        let bars = names.iter().enumerate().filter_map(|(series, name)| {
            let mine = of_op().find(|row| ours(&row.backend) == *name).map(|row| row.ours_ns);
            let time = mine.or_else(|| of_op().find(|row| row.peer == *name).map(|row| row.peer_ns))?;
            Some(Bar { series, value: 1e9 / time })
        });
        Group { label: (*words).to_owned(), bars: bars.collect() }
    };
    let groups: Vec<Group> = SCHEMES.iter().map(group).filter(|group| !group.bars.is_empty()).collect();
    let used = |series: usize| groups.iter().any(|group| group.bars.iter().any(|bar| bar.series == series));
    let names = names.iter().enumerate().map(|(series, name)| (used(series), name.clone())).collect::<Vec<_>>();
    (!groups.is_empty()).then(|| {
        let unit = "operations a second, one thread".to_owned();
        Chart { title: title.to_owned(), note: note.to_owned(), shape: Shape::Bars { unit, names, groups } }
    })
}

fn bulk(cpu: &Cpu) -> Option<Chart> {
    let note = "One call for 4,096 rows; libsecp256k1 has no such call and is called in a loop.";
    throughput(cpu, "In bulk", note, |row| !row.single && row.n == 4096)
}

fn one_at_a_time(cpu: &Cpu) -> Option<Chart> {
    throughput(cpu, "One at a time", "A call for each row, encoded bytes in and out.", |row| row.single)
}

/// Adds a point to the series of this name.
fn add(series: &mut Vec<Series>, name: &str, point: (f64, f64)) {
    let place = series.iter().position(|series| series.name == name).unwrap_or_else(|| {
        series.push(Series { name: name.to_owned(), points: Vec::new() });
        series.len() - 1
    });
    let points = &mut series[place].points;
    if points.iter().all(|(x, _)| *x != point.0) {
        points.push(point);
        points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    }
}

/// A chart of lines, ours first.
fn lines(title: &str, note: &str, [x, y]: [&str; 2], log: [bool; 2], mut series: Vec<Series>) -> Option<Chart> {
    series.retain(|series| series.points.len() > 1);
    series.sort_by_key(|series| !series.name.starts_with("Phalanx"));
    let axis = |label: &str, log| Axis { label: label.to_owned(), log };
    let shape = Shape::Lines { x: axis(x, log[0]), y: axis(y, log[1]), series };
    let Shape::Lines { series, .. } = &shape else { unreachable!("it was just made") };
    (!series.is_empty()).then(|| Chart { title: title.to_owned(), note: note.to_owned(), shape })
}

fn sums(cpu: &Cpu) -> Option<Chart> {
    let mut series = Vec::new();
    for row in cpu.rows("").filter(|row| row.op == "msm" && row.threads == 1) {
        let n = row.n as f64;
        add(&mut series, &ours(&row.backend), (n, row.ours_ns / 1e3));
        add(&mut series, &row.peer, (n, row.peer_ns / 1e3));
        for (name, time) in &row.candidates {
            add(&mut series, name, (n, time / 1e3));
        }
    }
    lines(
        "Sums of products",
        "a_1 P_1 + ... + a_n P_n on one thread, scalars and affine points parsed.",
        ["n, the number of products", "microseconds a product"],
        [true, true],
        series,
    )
}

fn batch_sizes(cpu: &Cpu) -> Option<Chart> {
    let mut series = Vec::new();
    let names = [("batch-schnorr", "a batch, one verdict"), ("verify-schnorr", "bulk, a verdict each")];
    for row in cpu.rows("batch-sizes").filter(|row| row.row_class == "valid") {
        if let Some((_, words)) = names.iter().find(|(op, _)| *op == row.op) {
            let n = row.n as f64;
            add(&mut series, &format!("Phalanx, {}, {words}", row.backend), (n, row.ours_ns / 1e3));
            add(&mut series, "libsecp256k1, one by one", (n, row.peer_ns / 1e3));
        }
    }
    lines(
        "BIP-340 by size",
        "Verification of n signatures, all valid.",
        ["n, the number of signatures", "microseconds a signature"],
        [true, true],
        series,
    )
}

fn fixed_base(cpu: &Cpu) -> Option<Chart> {
    let mut series = Vec::new();
    for row in cpu.rows("fixed-base").filter(|row| row.op == "msm-fixed") {
        let mut words = row.row_class.split([' ', ',']).filter(|word| !word.is_empty());
        let Some(nonzero) = words.next().and_then(|word| word.parse::<f64>().ok()) else { continue };
        if words.next_back() == Some("first") && nonzero < 256.0 {
            continue;
        }
        let calls = if row.single { "one at a time" } else { "in bulk" };
        add(&mut series, &format!("{}, {calls}", ours(&row.backend)), (nonzero, row.ours_ns / 1e3));
        if row.single {
            add(&mut series, &row.peer, (nonzero, row.peer_ns / 1e3));
        }
    }
    lines(
        "Commitments over the Verkle basis",
        "Vectors of 256 scalars, of which some are not zero, by tables; one thread.",
        ["scalars that are not zero", "microseconds a commitment"],
        [true, true],
        series,
    )
}
