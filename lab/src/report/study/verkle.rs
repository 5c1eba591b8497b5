//! Commitments over the Verkle basis: tables with names beside go-ipa's, and tables of every size.

use super::{here, not_here};
use crate::{
    outcome::Outcome,
    report::{
        cpus::Cpu,
        table::{NOT_MEASURED, Table, number},
    },
    sweep::{FIRST, Row},
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COMMITMENTS: &str = include_str!("../../../published/commitments.csv");
const BUILDS: &str = include_str!("../../../published/table-builds.csv");
pub(crate) const SWEEP: &str = include_str!("../../../published/sweep.csv");

pub(super) fn tables(cpus: &[Cpu]) -> Vec<Table> {
    let mut tables = vec![Table::published(COMMITMENTS)];
    tables.extend(cpus.iter().map(commitments));
    tables.push(Table::published(BUILDS));
    tables.extend(cpus.iter().map(builds));
    tables.push(Table::published(SWEEP));
    tables.extend(cpus.iter().map(sizes));
    tables
}

/// What a workload of the study is: whether its points are the first of the basis, and how many.
fn workload(name: &str) -> Option<(bool, usize)> {
    match name.split_once("/msmLength=") {
        Some((place, count)) => Some((place == "MSM_in_the_basis[0:5]", count.parse().ok()?)),
        None => name.contains("all_basis").then_some((true, 256)),
    }
}

/// The rows of the sweep by tables of this name and a backend.
fn named<'a>(cpu: &'a Cpu, backend: &'a str, name: &'a str) -> impl Iterator<Item = &'a Row> {
    let rows = cpu.sweep.iter().flat_map(|sweep| &sweep.rows);
    rows.filter(move |row| row.backend == backend && row.configuration.as_deref() == Some(name))
}

/// Microseconds of a sum of the first points, or of those from the sixth on, by our tables of this name.
fn by_tables(cpu: &Cpu, backend: &str, name: &str, (first, count): (bool, usize)) -> Option<f64> {
    let mut rows = named(cpu, backend, name);
    let row = rows.find(|row| (row.positions == FIRST) == first && row.msm_length == count);
    row.map(|row| row.ns_per_op / 1e3)
}

/// The machines of the study that have these cells in a row, in words.
fn machines(published: &Table, cells: &[(usize, &str)]) -> String {
    let mut machines: Vec<&str> = Vec::new();
    for row in published.rows.iter().filter(|row| cells.iter().all(|(place, cell)| row[*place] == *cell)) {
        if !machines.contains(&row[0].as_str()) {
            machines.push(&row[0]);
        }
    }
    format!("this CPU, for {}", machines.join(" and "))
}

/// Microseconds of a commitment: by go-ipa, by ours one at a time, by ours in bulk.
type Times = [Option<f64>; 3];

/// The times of the lists of commitments, by backend and workload.
fn times(cpu: &Cpu) -> BTreeMap<&str, BTreeMap<(bool, usize), Times>> {
    let mut times: BTreeMap<&str, BTreeMap<(bool, usize), Times>> = BTreeMap::new();
    for row in cpu.rows("fixed-base").filter(|row| row.op == "msm-fixed") {
        let mut words = row.row_class.split(' ');
        let Some(count) = words.next().and_then(|word| word.parse::<usize>().ok()) else { continue };
        let first = words.next_back() == Some("first");
        let times = times.entry(&row.backend).or_default().entry((first, count)).or_default();
        times[1 + usize::from(!row.single)] = Some(row.ours_ns / 1e3);
        if row.single {
            times[0] = Some(row.peer_ns / 1e3);
        }
    }
    times
}

fn commitments(cpu: &Cpu) -> Table {
    let columns = [
        "machine",
        "extra_table_mib",
        "workload",
        "old_us",
        "new_us",
        "backend",
        "go_ipa_us",
        "ours_us",
        "ours_in_bulk_us",
    ];
    let what = "commitments, one thread. old_us and new_us: our code with the study's tables, which are its baseline (old) and \
                its hybrid with so many MiB more (new). go_ipa_us: go-ipa with its own tables. ours_us and ours_in_bulk_us: \
                our code with the tables that our library suggests, of 138 MiB. go-ipa and ours had the scalars of [5:256] \
                spread over all 256 places. A machine of the study has no row of its own: one row stands for each that \
                published it";
    let loads = cpu.sweep.as_ref().and_then(|sweep| sweep.load);
    let loads = loads.map_or_else(String::new, |load| format!(". The load average of old and new was {load}"));
    let mut table = Table::new(here(cpu, &format!("{what}{loads}")), &columns);
    let mut by_backend = times(cpu);
    for row in cpu.sweep.iter().flat_map(|sweep| &sweep.rows).filter(|row| row.configuration.is_some()) {
        by_backend.entry(&row.backend).or_default();
    }
    let published = Table::published(COMMITMENTS);
    let mut works: Vec<[&String; 2]> = Vec::new();
    for row in &published.rows {
        if !works.contains(&[&row[1], &row[2]]) {
            works.push([&row[1], &row[2]]);
        }
    }
    for (backend, times) in &by_backend {
        for [extra, words] in &works {
            let Some(work) = workload(words) else { continue };
            let of = |tables: &str| by_tables(cpu, backend, tables, work);
            let [go, ours, bulk] = times.get(&work).copied().unwrap_or_default();
            let cells = [of("baseline"), of(&format!("hybrid-{extra}"))].map(|time| number(time, 2));
            let more = [go, ours, bulk].map(|time| number(time, 2));
            let begin = vec![machines(&published, &[(1, extra), (2, words)]), (*extra).clone(), (*words).clone()];
            table.rows.push([begin, cells.into(), vec![(*backend).to_owned()], more.into()].concat());
        }
    }
    if table.rows.is_empty() { not_here(cpu, "commitments over the Verkle basis") } else { table }
}

fn builds(cpu: &Cpu) -> Table {
    let columns =
        ["machine", "extra_table_mib", "old_build_ms", "new_build_ms", "backend", "go_ipa_ms", "ours_ms", "loads"];
    let what = "how long tables take to build on one thread, ± the distance between the quartiles of several builds. old and \
                new: the study's baseline and its hybrid, built by our code. go-ipa: its own tables, of 334 MiB. ours: the \
                tables that our library suggests, of 138 MiB";
    let mut table = Table::new(here(cpu, what), &columns);
    let published = Table::published(BUILDS);
    let listed = || {
        let of = |row: &&Outcome| row.op == "table-build" && row.peer == "go-ipa" && row.threads == 1;
        cpu.rows("").filter(of)
    };
    let swept = cpu.sweep.iter().flat_map(|sweep| &sweep.rows).filter(|row| row.configuration.is_some());
    let backends: BTreeSet<&str> = swept.map(|row| &*row.backend).chain(listed().map(|row| &*row.backend)).collect();
    let with_spread = |nanoseconds: f64, spread: Option<f64>| {
        let spread = spread.map_or_else(|| ", built once".to_owned(), |spread| format!(" ±{:.0}%", spread * 100.0));
        format!("{:.0}{spread}", nanoseconds / 1e6)
    };
    let not_measured = || NOT_MEASURED.to_owned();
    for backend in backends {
        let sweep = |name: &str| {
            let row = named(cpu, backend, name).next();
            row.map_or_else(not_measured, |row| with_spread(row.build_ns as f64, row.build_spread))
        };
        let row = listed().find(|row| row.backend == backend);
        let go = row.map_or_else(not_measured, |row| with_spread(row.peer_ns, Some(row.peer_spread)));
        let ours = row.map_or_else(not_measured, |row| with_spread(row.ours_ns, Some(row.ours_spread)));
        let load = |what: &str, load: Option<f64>| load.map(|load| format!("{what} at {load}"));
        let loads = [
            load("old and new", cpu.sweep.as_ref().and_then(|sweep| sweep.load)),
            load("the others", row.and_then(|row| row.load)),
        ];
        for line in &published.rows {
            let loads = loads.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
            let hybrid = sweep(&format!("hybrid-{}", line[1]));
            let of = machines(&published, &[(1, &line[1])]);
            let cells =
                [of, line[1].clone(), sweep("baseline"), hybrid, backend.to_owned(), go.clone(), ours.clone(), loads];
            if table.rows.iter().all(|row| row[..] != cells) {
                table.rows.push(cells.into());
            }
        }
    }
    if table.rows.is_empty() { not_here(cpu, "how long tables take to build") } else { table }
}

fn sizes(cpu: &Cpu) -> Table {
    let Some(sweep) = &cpu.sweep else { return not_here(cpu, "sums by tables of every size") };
    let at = |load: Option<f64>| load.map_or_else(String::new, |load| format!(", load average {load}"));
    let mut table = Table::published(SWEEP);
    let key = |row: &Row| Some([row.msm_length.to_string(), row.t?.to_string(), row.b?.to_string()]);
    let rows: BTreeMap<_, _> = sweep.rows.iter().filter_map(|row| Some((key(row)?, row))).collect();
    for row in &mut table.rows {
        let found = rows.get(&[0, 1, 2].map(|cell| row[cell].clone()));
        let cells = [found.map(|row| row.ns_per_op), found.map(|row| row.add_plus_double)].map(|cell| number(cell, 1));
        let sizes = found.map_or([NOT_MEASURED.to_owned(), NOT_MEASURED.to_owned()], |row| {
            [format!("{:.2}", row.table_mib), format!("{:.2}", row.table_bytes as f64 / f64::from(1 << 20))]
        });
        row.truncate(3);
        row.extend(cells.into_iter().chain(sizes));
    }
    table.columns.push("mib_here".to_owned());
    let backend = sweep.rows.first().map_or("", |row| &row.backend);
    table.title = here(
        cpu,
        &format!(
            "the same by our tables, backend {backend}, one thread{}; table_mib counts 96 bytes an entry as published, mib_here \
             the 64 that it has",
            at(sweep.load)
        ),
    );
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_are_first_points_and_others() {
        assert_eq!(workload("MSM_in_the_basis[0:5]/msmLength=4"), Some((true, 4)));
        assert_eq!(workload("MSM_in_the_basis[5:256]/msmLength=16"), Some((false, 16)));
        assert_eq!(workload("MSM_length_all_basis_(256)"), Some((true, 256)));
        assert_eq!(workload("something else"), None);
    }
}
