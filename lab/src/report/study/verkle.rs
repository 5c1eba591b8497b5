//! Commitments over the Verkle basis: tables with names beside go-ipa's, and tables of every size.

use super::{here, not_here};
use crate::{
    report::{
        cpus::Cpu,
        table::{NOT_MEASURED, Table, number},
    },
    sweep::Row,
};
use std::collections::BTreeMap;

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

/// Microseconds of a sum of the first points by our tables of this name.
fn by_tables(cpu: &Cpu, name: &str, (first, count): (bool, usize)) -> Option<f64> {
    let mut rows = cpu.sweep.iter().flat_map(|sweep| &sweep.rows);
    let row = rows.find(|row| first && row.msm_length == count && row.configuration.as_deref() == Some(name));
    row.map(|row| row.ns_per_op / 1e3)
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
    let what = "old and new by our tables of the same kind (baseline, hybrid-144, hybrid-16), go-ipa by its own, ours by tables \
                of 138 MiB. Scalars for [5:256] are spread over all 256 places, by the lists of commitments; our tables of the \
                study's kinds were measured for first points only";
    let mut table = Table::new(here(cpu, what), &columns);
    let backend = cpu.sweep.iter().flat_map(|sweep| &sweep.rows).map(|row| row.backend.as_str()).next();
    let mut by_backend = times(cpu);
    if let Some(backend) = backend {
        by_backend.entry(backend).or_default();
    }
    let published = Table::published(COMMITMENTS);
    for (name, times) in &by_backend {
        // The machines of the study have the same workloads; this one stands for each of them.
        let one = published.rows.iter().filter(|row| row[0] == published.rows[0][0]);
        for row in one {
            let Some(work) = workload(&row[2]) else { continue };
            let of = |tables: &str| by_tables(cpu, tables, work).filter(|_| backend == Some(*name));
            let [go, ours, bulk] = times.get(&work).copied().unwrap_or_default();
            let cells = [of("baseline"), of(&format!("hybrid-{}", row[1]))].map(|time| number(time, 2));
            let more = [go, ours, bulk].map(|time| number(time, 2));
            let begin = vec!["this CPU".to_owned(), row[1].clone(), row[2].clone()];
            table.rows.push([begin, cells.into(), vec![(*name).to_owned()], more.into()].concat());
        }
    }
    if table.rows.is_empty() { not_here(cpu, "commitments over the Verkle basis") } else { table }
}

fn builds(cpu: &Cpu) -> Table {
    let columns = ["machine", "extra_table_mib", "old_build_ms", "new_build_ms", "go_ipa_ms", "ours_ms"];
    let what =
        "old and new our tables of the same kind, built once by the sweep; go-ipa its own, ours the tables of 138 MiB";
    let mut table = Table::new(here(cpu, what), &columns);
    let sweep = |name: &str| {
        let mut rows = cpu.sweep.iter().flat_map(|sweep| &sweep.rows);
        rows.find(|row| row.configuration.as_deref() == Some(name)).map(|row| row.build_ns as f64 / 1e6)
    };
    let listed = cpu.rows("").find(|row| row.op == "table-build" && row.peer == "go-ipa" && row.threads == 1);
    let [go, ours] = [listed.map(|row| row.peer_ns / 1e6), listed.map(|row| row.ours_ns / 1e6)];
    let cells = [sweep("baseline"), sweep("hybrid-144"), go, ours].map(|time| number(time, 0));
    if cells.iter().all(|cell| cell == NOT_MEASURED) {
        return not_here(cpu, "how long tables take to build");
    }
    table.rows.push([vec!["this CPU".to_owned(), "144".to_owned()], cells.into()].concat());
    table
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
