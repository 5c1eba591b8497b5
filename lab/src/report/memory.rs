//! Memory of tables over a fixed basis against the time of a sum by them.

use crate::sweep::{FIRST, Row};

use super::{
    chart::{Axis, Chart, Series, Shape},
    cpus::Cpu,
    study::{COMMITMENTS, SWEEP},
    table::{Table, of_cell},
};

/// The numbers of products that a chart is made for: a small sum and the whole basis.
const LENGTHS: [usize; 2] = [16, 256];
/// What the tables with names are.
const PUBLISHED_NAMES: &str = "baseline: windows of 16 bits for five points and of 8 bits for the others; hybrid-16 and \
                               hybrid-144: the study's newer tables, with so many MiB more.";
const NAMES: &str = "baseline: windows of 16 bits for five points and of 8 bits for the others; hybrid-16 and hybrid-144: \
                     the study's newer tables, with so many MiB more as it counts them; verkle: those that our library \
                     suggests.";
/// MiB of the published baseline; the hybrids were published by what they have more.
const BASELINE: f64 = 334.0;

/// A chart of tables by their size, each series by rising size.
fn chart(title: String, note: &str, bytes: &str, mut series: Vec<Series>) -> Chart {
    for one in &mut series {
        one.points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    }
    let axis = |label: &str| Axis { label: label.to_owned(), log: true };
    let (x, y) = (axis(bytes), axis("microseconds a sum"));
    Chart { title, note: note.to_owned(), shape: Shape::Lines { x, y, series } }
}

/// Adds a point to the series of this name.
fn add(series: &mut Vec<Series>, name: String, point: (f64, f64)) {
    match series.iter_mut().find(|series| series.name == name) {
        Some(series) => series.points.push(point),
        None => series.push(Series { name, points: vec![point] }),
    }
}

/// The published sweep and the published tables with names.
pub(super) fn published() -> Vec<Chart> {
    let (sweep, named) = (Table::published(SWEEP), Table::published(COMMITMENTS));
    let of = |length: usize| {
        let mut series = Vec::new();
        for row in &sweep.rows {
            let [n, time, size] = ["msm_length", "ns_per_op", "table_mib"].map(|name| of_cell(row, sweep.column(name)));
            if let (Some(n), Some(time), Some(size)) = (n, time, size)
                && n as usize == length
            {
                add(&mut series, format!("b = {}", row[sweep.column("b")]), (size, time / 1e3));
            }
        }
        let whole = |row: &&Vec<String>| row[0].starts_with("Ryzen") && row[2].contains("all_basis") && length == 256;
        for row in named.rows.iter().filter(whole) {
            let [extra, old, new] = [1, 3, 4].map(|cell| of_cell(row, cell));
            if let (Some(extra), Some(old), Some(new)) = (extra, old, new) {
                if series.iter().all(|series| series.name != "baseline") {
                    add(&mut series, "baseline".into(), (BASELINE, old));
                }
                add(&mut series, format!("hybrid-{extra}"), (BASELINE + extra, new));
            }
        }
        let title = format!("Published, measured elsewhere: memory against time, n = {length}");
        let note =
            format!("AMD Ryzen 7 3800XT, the (t, b) tables over Banderwagon, one mark for each t. {PUBLISHED_NAMES}");
        chart(title, &note, "MiB of tables, 96 bytes an entry", series)
    };
    LENGTHS.map(of).into()
}

/// The same by our tables on a CPU.
pub(super) fn measured(cpu: &Cpu) -> Vec<Chart> {
    let Some(sweep) = &cpu.sweep else { return Vec::new() };
    let backend = sweep.rows.first().map_or("", |row| &row.backend);
    let of = |length: usize| {
        let mut series = Vec::new();
        let plain = |row: &&Row| row.msm_length == length && row.positions == FIRST && row.backend == *backend;
        for row in sweep.rows.iter().filter(plain) {
            let name = row.configuration.clone().or_else(|| Some(format!("b = {}", row.b?)));
            if let Some(name) = name {
                add(&mut series, name, (row.table_bytes as f64 / f64::from(1 << 20), row.ns_per_op / 1e3));
            }
        }
        let load = sweep.load.map_or_else(String::new, |load| format!(", at a load average of {load}"));
        let title = format!("Memory of tables against time, n = {length}");
        let note = format!(
            "Sums of the first n points of the Verkle basis by our tables of every size, a mark for each t; {backend}, one \
             thread{load}. {NAMES}"
        );
        (!series.is_empty()).then(|| chart(title, &note, "MiB of tables, 64 bytes an entry", series))
    };
    LENGTHS.iter().filter_map(|length| of(*length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{report::cpus::cpu, sweep::sweep};

    fn series(chart: &Chart) -> Vec<(&str, usize)> {
        let Shape::Lines { series, .. } = &chart.shape else { panic!("a chart of lines") };
        series.iter().map(|series| (series.name.as_str(), series.points.len())).collect()
    }

    #[test]
    fn the_published_sweep_is_whole() {
        let charts = published();
        assert_eq!(series(&charts[0]), [("b = 8", 11), ("b = 10", 11), ("b = 12", 11)]);
        let named = [("baseline", 1), ("hybrid-144", 1), ("hybrid-16", 1)];
        assert_eq!(series(&charts[1]), [series(&charts[0]), named.into()].concat());
        assert!(charts.iter().all(|chart| chart.title.contains("measured elsewhere")));
    }

    #[test]
    fn ours_are_there_when_they_were_measured() {
        let mut cpu = cpu("one", Vec::new());
        assert!(measured(&cpu).is_empty());
        cpu.sweep = Some(sweep("one"));
        let charts = measured(&cpu);
        assert_eq!(series(&charts[0]), [("b = 8", 2), ("baseline", 1), ("hybrid-144", 1)]);
        assert_eq!(charts.len(), 1);
    }
}
