//! What is shown of a CPU's rows.

use super::{
    ablations,
    chart::{Axis, Bar, Chart, Group, Name, Series, Shape},
    cpus::{Cpu, rank},
    headline::{SCHEMES, is_plain, schemes},
    memory,
};
use crate::outcome::{Outcome, about_candidates};

use std::collections::BTreeSet;

/// The charts of one CPU, and what it has no chart of.
pub(crate) struct Figures {
    pub(crate) charts: Vec<Chart>,
    pub(crate) missing: Vec<&'static str>,
}

/// The charts for which a CPU has rows.
pub(crate) fn figures(cpu: &Cpu) -> Figures {
    let all: [(&str, Vec<Chart>); 8] = [
        ("calls in bulk (lists bulk and fma)", bulk(cpu).into_iter().collect()),
        ("calls one at a time (list one-at-a-time)", one_at_a_time(cpu).into_iter().collect()),
        ("sums of products (lists msm and study-msm)", sums(cpu).into_iter().collect()),
        ("batches by size (list batch-sizes)", batch_sizes(cpu).into_iter().collect()),
        ("commitments (list fixed-base)", fixed_base(cpu).into_iter().collect()),
        ("memory of tables against time (lab sweep)", memory::measured(cpu)),
        ("files (lab files)", files(cpu).into_iter().collect()),
        ("what each technique gives (list ablations)", ablations::waterfalls(cpu)),
    ];
    let missing = all.iter().filter(|(_, charts)| charts.is_empty()).map(|(what, _)| *what).collect();
    Figures { charts: all.into_iter().flat_map(|(_, charts)| charts).collect(), missing }
}

/// A name for a library in a chart.
pub(super) fn ours(backend: &str) -> String {
    format!("Phalanx, {backend}")
}

/// Rows a second of the schemes, by whoever has them: ours by backend, then peers.
fn throughput(cpu: &Cpu, title: &str, note: &str, chosen: impl Fn(&Outcome) -> bool) -> Option<Chart> {
    let rows: Vec<&Outcome> = schemes(cpu).filter(|row| is_plain(row) && row.keys.is_none() && chosen(row)).collect();
    let mut names: Vec<String> = Vec::new();
    let ours_first =
        cpu.backends().into_iter().filter(|backend| rows.iter().any(|row| row.backend == *backend)).map(ours);
    for name in ours_first.chain(rows.iter().map(|row| row.peer.clone())) {
        if !names.contains(&name) {
            names.push(name);
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
    let names = names.iter().map(|name| Name::new(name)).collect();
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

/// The command beside loops over the same file.
fn files(cpu: &Cpu) -> Option<Chart> {
    let mut names = vec![Name::new("phalanx verify")];
    let mut groups = Vec::new();
    let rows = || cpu.rows("files").filter(|row| row.op == "file-verify");
    for row in rows() {
        let series = names.iter().position(|name| name.text == row.peer).unwrap_or_else(|| {
            names.push(Name::new(&row.peer));
            names.len() - 1
        });
        // Behind the form of the file the class has the clock.
        let form = match row.row_class.split(',').next() {
            Some("parquet") => "Parquet",
            _ => "CSV",
        };
        let clock = if row.clock == "wall" { "time that passes" } else { "CPU time" };
        let threads = if row.threads == 1 { "one thread".to_owned() } else { format!("{} threads", row.threads) };
        let bars = [(0, row.ours_ns), (series, row.peer_ns)].map(|(series, time)| Bar { series, value: 1e9 / time });
        let label = format!("{form}, {threads}, beside {}, {clock}", row.peer.trim_end_matches(", loop"));
        groups.push(Group { label, bars: bars.into() });
    }
    let sizes: BTreeSet<usize> = rows().map(|row| row.n).collect();
    let sizes = sizes.into_iter().map(thousands).collect::<Vec<_>>().join(" or ");
    let load = rows().filter_map(|row| row.load).max_by(f64::total_cmp);
    let load = load.map_or_else(String::new, |load| format!(" The load average was at most {load}."));
    let note = format!(
        "Whole programs over one file of {sizes} rows of ECDSA, with start, reading and parsing. The loops have one thread. CPU \
         time is that of all threads.{load}"
    );
    let unit = "rows of the file a second".to_owned();
    let shape = |groups| Shape::Bars { unit, names, groups };
    (!groups.is_empty()).then(|| Chart { title: "Files".to_owned(), note, shape: shape(groups) })
}

/// A whole number with a comma before each three digits.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
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

/// Ours before peers, by backend.
fn place(name: &str) -> usize {
    name.strip_prefix("Phalanx, ").map_or(usize::MAX, |rest| rank(rest.split(',').next().unwrap_or(rest)))
}

/// A chart of lines, ours first; a line has two points or more.
fn lines(title: &str, note: &str, [x, y]: [&str; 2], log: [bool; 2], mut series: Vec<Series>) -> Option<Chart> {
    series.retain(|series| series.points.len() > 1);
    series.sort_by_key(|series| place(&series.name));
    let axis = |label: &str, log| Axis { label: label.to_owned(), log };
    let shape = Shape::Lines { x: axis(x, log[0]), y: axis(y, log[1]), series };
    let Shape::Lines { series, .. } = &shape else { unreachable!("it was just made") };
    (!series.is_empty()).then(|| Chart { title: title.to_owned(), note: note.to_owned(), shape })
}

fn sums(cpu: &Cpu) -> Option<Chart> {
    let mut series = Vec::new();
    // The study has every library at most sizes, all measured by one process, so it goes first.
    let (study, others): (Vec<_>, Vec<_>) = cpu.lists.iter().partition(|(name, _)| *name == "study-msm");
    let lists: Vec<_> = study.into_iter().chain(others).flat_map(|(_, list)| &list.rows).collect();
    let plain = |row: &&Outcome| row.op == "msm" && row.threads == 1 && row.without.is_none();
    let rows = || lists.iter().copied().filter(plain);
    for row in rows() {
        let n = row.n as f64;
        add(&mut series, &ours(&row.backend), (n, row.ours_ns / 1e3));
        add(&mut series, &row.peer, (n, row.peer_ns / 1e3));
        for candidate in &row.candidates {
            add(&mut series, &candidate.peer, (n, candidate.ns / 1e3));
        }
    }
    let about = about_candidates(rows());
    lines(
        "Sums of products",
        &format!("a_1 P_1 + ... + a_n P_n on one thread, scalars and affine points parsed.{about}"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu};

    #[test]
    fn the_study_of_sums_goes_before_other_lists() {
        let sum = |ours_ns: f64, n: usize| {
            let mut outcome = row("msm", 2.0).outcome;
            (outcome.ours_ns, outcome.n) = (ours_ns, n);
            outcome
        };
        let lists = vec![("msm", vec![sum(5e3, 64), sum(4e3, 128)]), ("study-msm", vec![sum(3e3, 64)])];
        let chart = sums(&cpu("one", lists)).unwrap();
        let Shape::Lines { series, .. } = &chart.shape else { panic!("a chart of lines") };
        assert_eq!(series[0].points, [(64.0, 3.0), (128.0, 4.0)]);
    }

    #[test]
    fn whole_numbers_have_commas() {
        assert_eq!([7, 999, 4096, 100_000, 1_048_576].map(thousands), ["7", "999", "4,096", "100,000", "1,048,576"]);
    }

    #[test]
    fn files_say_each_thing_once_and_no_two_groups_are_alike() {
        let file = |clock: &str, peer: &str| {
            let mut outcome = row("file-verify", 2.0).outcome;
            (outcome.clock, outcome.row_class, outcome.peer) = (clock.into(), format!("csv, {clock}"), peer.into());
            outcome
        };
        let loops = ["rust-secp256k1, loop", "coincurve, loop"];
        let rows = loops.iter().flat_map(|peer| ["wall", "cpu"].map(|clock| file(clock, peer))).collect();
        let chart = files(&cpu("one", vec![("files", rows)])).unwrap();
        let Shape::Bars { groups, .. } = &chart.shape else { panic!("a chart of bars") };
        let labels: BTreeSet<&str> = groups.iter().map(|group| group.label.as_str()).collect();
        assert_eq!(labels.len(), 4);
        assert!(labels.contains("CSV, one thread, beside coincurve, time that passes"), "{labels:?}");
        assert!(chart.note.contains("4,096 rows of ECDSA") && chart.note.ends_with("at most 0.1."), "{}", chart.note);
    }
}
