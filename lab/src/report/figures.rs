//! The charts of a CPU's rows.

use super::{
    chart::{Chart, Point},
    cpus::{Cpu, rank},
    headline::{SCHEMES, is_plain, schemes},
};
use crate::{
    outcome::{Outcome, about_candidates},
    sweep::FIRST,
};

/// The charts of one CPU, and what it has no chart of.
pub(crate) fn figures(cpu: &Cpu) -> (Vec<Chart>, Vec<&'static str>) {
    let all: [(&str, Vec<Chart>); 8] = [
        ("calls in bulk (lists bulk and fma)", calls(cpu, false)),
        ("calls one at a time (list one-at-a-time)", calls(cpu, true)),
        ("sums of products (lists msm and study-msm)", sums(cpu)),
        ("batches by size (list batch-sizes)", batch_sizes(cpu)),
        ("commitments (list fixed-base)", fixed_base(cpu)),
        ("memory of tables against time (lab sweep)", [16, 256].into_iter().flat_map(|n| memory(cpu, n)).collect()),
        ("files (lab files)", files(cpu)),
        ("what each technique gives (list ablations)", ablations(cpu)),
    ];
    let missing = all.iter().filter(|(_, charts)| charts.is_empty()).map(|(what, _)| *what).collect();
    (all.into_iter().flat_map(|(_, charts)| charts).collect(), missing)
}

/// A name for our side in a chart.
pub(super) fn ours(backend: &str) -> String {
    format!("Phalanx, {backend}")
}

/// Adds a point, where the series has none at that place.
fn add(points: &mut Vec<Point>, series: &str, at: impl ToString, value: f64) {
    let at = at.to_string();
    if points.iter().all(|point| point.series != series || point.at != at) {
        points.push(Point { series: series.to_owned(), at, value });
    }
}

/// A chart with ours before peers, by backend; none without points.
fn chart(title: &str, note: String, unit: &str, across: Option<&str>, mut points: Vec<Point>) -> Vec<Chart> {
    let place = |name: &str| {
        name.strip_prefix("Phalanx, ").map_or(usize::MAX, |rest| rank(rest.split(',').next().unwrap_or(rest)))
    };
    points.sort_by_key(|point| place(&point.series));
    let across = across.map(str::to_owned);
    let chart = Chart { title: title.to_owned(), note, unit: unit.to_owned(), across, points };
    (!chart.points.is_empty()).then_some(chart).into_iter().collect()
}

/// Rows a second of the schemes, in the order of [`SCHEMES`].
fn calls(cpu: &Cpu, single: bool) -> Vec<Chart> {
    let mut points = Vec::new();
    for (op, words) in SCHEMES {
        let asked = |row: &&Outcome| row.op == op && row.single == single && (single || row.n == 4096);
        for row in schemes(cpu).filter(|row| is_plain(row) && row.keys.is_none()).filter(asked) {
            add(&mut points, &ours(&row.backend), words, 1e9 / row.ours_ns);
            add(&mut points, &row.peer, words, 1e9 / row.peer_ns);
        }
    }
    let (title, note) = if single {
        ("One at a time", "A call for each row, encoded bytes in and out.")
    } else {
        ("In bulk", "One call for 4,096 rows; libsecp256k1 has no such call and is called in a loop.")
    };
    let place = |point: &Point| SCHEMES.iter().position(|(_, words)| point.at == *words);
    let mut charts = chart(title, note.to_owned(), "operations a second, one thread", None, points);
    // Groups stand in the order of their first points.
    charts.iter_mut().for_each(|chart| chart.points.sort_by_key(place));
    charts
}

fn sums(cpu: &Cpu) -> Vec<Chart> {
    // The study has every library at most sizes, all measured by one process, so it goes first.
    let rows = || {
        cpu.rows("study-msm")
            .chain(cpu.rows(""))
            .filter(|row| row.op == "msm" && row.threads == 1 && row.without.is_none())
    };
    let mut points = Vec::new();
    for row in rows() {
        add(&mut points, &ours(&row.backend), row.n, row.ours_ns / 1e3);
        add(&mut points, &row.peer, row.n, row.peer_ns / 1e3);
        row.candidates.iter().for_each(|one| add(&mut points, &one.peer, row.n, one.ns / 1e3));
    }
    let about = about_candidates(rows());
    let note = format!("a_1 P_1 + ... + a_n P_n on one thread, scalars and affine points parsed.{about}");
    chart("Sums of products", note, "microseconds a product", Some("n, the number of products"), points)
}

fn batch_sizes(cpu: &Cpu) -> Vec<Chart> {
    let mut points = Vec::new();
    for row in cpu.rows("batch-sizes").filter(|row| row.row_class == "valid") {
        let words = match row.op.as_str() {
            "batch-schnorr" => "a batch, one verdict",
            "verify-schnorr" => "bulk, a verdict each",
            _ => continue,
        };
        add(&mut points, &format!("{}, {words}", ours(&row.backend)), row.n, row.ours_ns / 1e3);
        add(&mut points, "libsecp256k1, one by one", row.n, row.peer_ns / 1e3);
    }
    let note = "Verification of n signatures, all valid.".to_owned();
    chart("BIP-340 by size", note, "microseconds a signature", Some("n, the number of signatures"), points)
}

fn fixed_base(cpu: &Cpu) -> Vec<Chart> {
    let mut points = Vec::new();
    for row in cpu.rows("fixed-base").filter(|row| row.op == "msm-fixed") {
        let Some((nonzero, positions)) = row.row_class.split_once(" non-zero, ") else { continue };
        if positions == FIRST && nonzero != "256" {
            continue;
        }
        let calls = if row.single { "one at a time" } else { "in bulk" };
        add(&mut points, &format!("{}, {calls}", ours(&row.backend)), nonzero, row.ours_ns / 1e3);
        if row.single {
            add(&mut points, &row.peer, nonzero, row.peer_ns / 1e3);
        }
    }
    let note = "Vectors of 256 scalars, of which some are not zero, by tables; one thread.".to_owned();
    let unit = "microseconds a commitment";
    chart("Commitments over the Verkle basis", note, unit, Some("scalars that are not zero"), points)
}

/// Our tables of every size: their memory, and the time of a sum by them.
fn memory(cpu: &Cpu, n: usize) -> Vec<Chart> {
    let Some(sweep) = &cpu.sweep else { return Vec::new() };
    let backend = sweep.rows.first().map_or("", |row| &row.backend);
    let mut points = Vec::new();
    for row in sweep.rows.iter().filter(|row| row.msm_length == n && row.positions == FIRST && row.backend == backend) {
        let name = row.configuration.clone().or_else(|| Some(format!("b = {}", row.b?))).unwrap_or_default();
        let at = (row.table_bytes as f64 / f64::from(1 << 20)).to_string();
        points.push(Point { series: name, at, value: row.ns_per_op / 1e3 });
    }
    let load = sweep.load.map_or_else(String::new, |load| format!(", at a load average of {load}"));
    let note = format!(
        "Sums of the first n points of the Verkle basis by our tables of every size, a mark for each t; {backend}, one \
         thread{load}. baseline: windows of 16 bits for five points and of 8 bits for the others; hybrid-16 and hybrid-144: \
         the study's newer tables, with so many MiB more as it counts them; verkle: those that our library suggests."
    );
    let title = format!("Memory of tables against time, n = {n}");
    chart(&title, note, "microseconds a sum", Some("MiB of tables, 64 bytes an entry"), points)
}

/// The command beside loops over the same file.
fn files(cpu: &Cpu) -> Vec<Chart> {
    let rows = || cpu.rows("files").filter(|row| row.op == "file-verify");
    let mut points = Vec::new();
    for row in rows() {
        // Behind the form of the file the class has the clock.
        let form = if row.row_class.starts_with("parquet") { "Parquet" } else { "CSV" };
        let clock = if row.clock == "wall" { "time that passes" } else { "CPU time" };
        let threads = if row.threads == 1 { "one thread".to_owned() } else { format!("{} threads", row.threads) };
        let place = format!("{form}, {threads}, beside {}, {clock}", row.peer.trim_end_matches(", loop"));
        add(&mut points, "phalanx verify", &place, 1e9 / row.ours_ns);
        add(&mut points, &row.peer, &place, 1e9 / row.peer_ns);
    }
    let most = rows().map(|row| row.n).max().unwrap_or_default();
    let load = rows().filter_map(|row| row.load).fold(0.0, f64::max);
    let note = format!(
        "Whole programs over one file of {most} rows of ECDSA, with start, reading and parsing. The loops have one thread. CPU \
         time is that of all threads. The load average was at most {load}."
    );
    chart("Files", note, "rows of the file a second", None, points)
}

/// A technique in words. `width-5-for-4` leaves width 5 out and takes 4.
fn words(technique: &str) -> String {
    let spaced = |text: &str| text.replace('-', " ");
    let Some((left, taken)) = technique.split_once("-for-") else { return spaced(technique) };
    match left.rsplit_once('-').filter(|(_, last)| last.parse::<u32>().is_ok()) {
        Some((what, number)) => format!("{} {} for {number}", spaced(what), spaced(taken)),
        None => format!("{} {}", spaced(left), spaced(taken)),
    }
}

/// How many times as long it takes without each technique, by kind of operation, the most first.
fn ablations(cpu: &Cpu) -> Vec<Chart> {
    let kinds = [
        ("verification and hashes", &["verify", "batch", "recover", "challenge"][..]),
        ("signing", &["sign"]),
        ("sums", &["msm", "affine"]),
    ];
    let of_kind = |(kind, parts): (&str, &[&str])| {
        let left_out = |row: &&Outcome| row.peer == "phalanx" && row.without.is_some();
        let rows = cpu.rows("ablations").filter(left_out).filter(|row| parts.iter().any(|part| row.op.contains(part)));
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        let mut points = Vec::new();
        for row in rows {
            let verdict = match row.ratio {
                _ if row.noise => "no difference but noise",
                ratio if ratio < 1.0 => "faster without it",
                _ => "slower without it",
            };
            let rows = row.mode().replace("one at a time", "single");
            let technique = words(row.without.as_deref().unwrap_or_default());
            add(&mut points, verdict, format!("{technique}: {}, {}, {rows}", row.op, row.backend), row.ratio);
        }
        let note = "Our own code without one technique, beside the same code with it. A difference smaller than the spread of the \
                    samples is noise.";
        chart(
            &format!("What each technique gives: {kind}"),
            note.to_owned(),
            "times the time with everything",
            None,
            points,
        )
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu, sweep::sweep};

    #[test]
    fn the_study_of_sums_goes_before_other_lists() {
        let sum = |ours_ns: f64, n: usize| Outcome { ours_ns, n, ..row("msm", 2.0).outcome };
        let lists = vec![("msm", vec![sum(5e3, 64), sum(4e3, 128)]), ("study-msm", vec![sum(3e3, 64)])];
        let points = &sums(&cpu("one", lists))[0].points;
        let ours: Vec<_> = points.iter().filter(|point| point.series == "Phalanx, ifma").collect();
        assert_eq!(ours.iter().map(|point| (&*point.at, point.value)).collect::<Vec<_>>(), [("64", 3.0), ("128", 4.0)]);
    }

    #[test]
    fn files_say_each_thing_once_and_no_two_groups_are_alike() {
        let file = |clock: &str, peer: &str| Outcome {
            clock: clock.into(),
            row_class: format!("csv, {clock}"),
            peer: peer.into(),
            ..row("file-verify", 2.0).outcome
        };
        let loops = ["rust-secp256k1, loop", "coincurve, loop"];
        let rows = loops.iter().flat_map(|peer| ["wall", "cpu"].map(|clock| file(clock, peer))).collect();
        let chart = &files(&cpu("one", vec![("files", rows)]))[0];
        assert_eq!(chart.points.len(), 8);
        assert!(chart.points.iter().any(|point| point.at == "CSV, one thread, beside coincurve, time that passes"));
        assert!(chart.note.contains("4096 rows of ECDSA") && chart.note.ends_with("at most 0.1."), "{}", chart.note);
    }

    #[test]
    fn techniques_stand_by_kind_the_most_first_and_noise_is_told() {
        let without = |op: &str, technique: Option<&str>, ratio: f64, noise: bool| Outcome {
            without: technique.map(str::to_owned),
            peer: "phalanx".into(),
            noise,
            ..row(op, ratio).outcome
        };
        let rows = vec![
            without("verify-ecdsa", Some("key-tables"), 1.5, false),
            without("verify-ecdsa", Some("threads"), 0.9, false),
            without("batch-ecdsa", Some("lanes"), 5.0, false),
            without("recover", Some("lanes"), 1.1, true),
            without("sign-ecdsa", Some("lanes"), 2.0, false),
            without("verify-ecdsa", None, 7.0, false),
        ];
        let charts = ablations(&cpu("one", vec![("ablations", rows.clone())]));
        let points: Vec<_> = charts[0].points.iter().map(|point| (&*point.series, point.value)).collect();
        let [slower, faster, noise] = ["slower without it", "faster without it", "no difference but noise"];
        assert_eq!((charts.len(), points), (2, vec![(slower, 5.0), (slower, 1.5), (noise, 1.1), (faster, 0.9)]));
        assert_eq!(charts[0].points[1].at, "key tables: verify-ecdsa, ifma, n = 4096");
        let words = ["point-width-5-for-4", "width-for-2-narrower"].map(words);
        assert_eq!(words, ["point width 4 for 5", "width 2 narrower"]);
        assert!(ablations(&cpu("one", vec![("bulk", rows)])).is_empty());
    }

    #[test]
    fn memory_is_shown_when_it_was_measured() {
        let mut cpu = cpu("one", Vec::new());
        assert!(memory(&cpu, 256).is_empty());
        cpu.sweep = Some(sweep("one"));
        let names: Vec<_> = memory(&cpu, 256)[0].points.iter().map(|point| point.series.clone()).collect();
        assert_eq!(names, ["b = 8", "b = 8", "baseline", "hybrid-144"]);
    }
}
