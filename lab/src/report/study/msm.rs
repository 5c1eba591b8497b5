//! Sums of products beside a naive loop, and affine additions that share an inversion.

use super::{here, not_here};
use crate::{
    outcome::{Outcome, about_candidates},
    report::{
        cpus::Cpu,
        table::{ABSENT, NOT_MEASURED, Table, number, of_cell},
    },
};
use std::collections::{BTreeMap, BTreeSet};

const SUMS: &str = include_str!("../../../published/sums.csv");
const ADDITIONS: &str = include_str!("../../../published/affine-additions.csv");

/// The study's libraries, by its names and the lab's.
const LIBRARIES: [(&str, &str); 4] = [
    ("p256k1", "p256k1"),
    ("ark-secp256k1", "arkworks"),
    ("gnark-crypto", "gnark-crypto"),
    ("halo2curves", "halo2curves"),
];

pub(super) fn tables(cpus: &[Cpu]) -> Vec<Table> {
    let mut published = Table::published(SUMS);
    add_quotients(&mut published);
    let mut tables = vec![published];
    tables.extend(cpus.iter().map(sums));
    tables.push(Table::published(ADDITIONS));
    tables.extend(cpus.iter().map(additions));
    tables
}

/// Speed-up over the naive loop, and microseconds a scalar.
fn add_quotients(table: &mut Table) {
    let [n, sum, naive] = ["n", "msm_us", "naive_us"].map(|name| table.column(name));
    let quotient = |row: &[String], above, below| {
        number(of_cell(row, above).zip(of_cell(row, below)).map(|(above, below): (f64, f64)| above / below), 2)
    };
    table.add_column("speed-up", |row| quotient(row, naive, sum));
    table.add_column("us_per_scalar", |row| quotient(row, sum, n));
}

/// The distinct numbers of a column, in order.
fn numbers(table: &Table, column: &str) -> Vec<usize> {
    let place = table.column(column);
    let numbers: BTreeSet<usize> = table.rows.iter().filter_map(|row| row[place].parse().ok()).collect();
    numbers.into_iter().collect()
}

/// A library of the lab by the study's name for it.
fn as_published(name: &str) -> &str {
    LIBRARIES.iter().find(|(_, lab)| *lab == name).map_or(name, |(study, _)| study)
}

/// Why a library of the study is absent.
fn absence<'a>(cpu: &'a Cpu, name: &str) -> Option<&'a str> {
    LIBRARIES.iter().find(|(study, _)| *study == name).and_then(|(_, lab)| cpu.absence(lab))
}

/// The rows of a CPU on one thread, those of the study last, so that they count.
fn rows(cpu: &Cpu) -> impl Iterator<Item = &Outcome> {
    let (study, others): (Vec<_>, Vec<_>) = cpu.lists.iter().partition(|(name, _)| *name == "study-msm");
    let lists = others.into_iter().chain(study);
    let plain = |row: &&Outcome| row.threads == 1 && row.row_class == "valid" && row.without.is_none();
    lists.flat_map(|(_, list)| &list.rows).filter(plain)
}

/// Names in the order of the study, then those that it has not; ours last.
fn order(names: BTreeSet<String>) -> Vec<String> {
    let published = LIBRARIES.map(|(study, _)| study.to_owned());
    let mut others: Vec<String> = names.into_iter().filter(|name| !published.contains(name)).collect();
    others.sort_by_key(|name| (name.starts_with("Phalanx"), name.clone()));
    published.into_iter().chain(others).collect()
}

/// The highest load average of some rows, in words.
fn load<'a>(rows: impl Iterator<Item = &'a Outcome>) -> String {
    let most = rows.filter_map(|row| row.load).max_by(f64::total_cmp);
    most.map_or_else(String::new, |load| format!(". The load average was at most {load}"))
}

fn sums(cpu: &Cpu) -> Table {
    // By library and n: the sum and the naive loop, in microseconds in all.
    let mut times: BTreeMap<(String, usize), [Option<f64>; 2]> = BTreeMap::new();
    for row in rows(cpu).filter(|row| row.op == "msm" || row.op == "msm-naive") {
        let column = usize::from(row.op == "msm-naive");
        let ours = (format!("Phalanx, {}", row.backend), row.ours_ns);
        let candidates = row.candidates.iter().map(|candidate| (candidate.peer.clone(), candidate.ns));
        let peers = candidates.chain([(row.peer.clone(), row.peer_ns)]);
        for (name, time) in peers.chain([ours]) {
            let entry = times.entry((as_published(&name).to_owned(), row.n)).or_default();
            entry[column] = Some(time * row.n as f64 / 1e3);
        }
    }
    if times.is_empty() {
        return not_here(cpu, "sums of products and a naive loop");
    }
    // Our naive loop is on one lane; every backend is beside it.
    let ours = |n: usize| times.get(&("Phalanx, portable".to_owned(), n)).and_then(|both| both[1]);
    let of_sums = || rows(cpu).filter(|row| row.op == "msm" || row.op == "msm-naive");
    let what = "sums of products and a naive loop, one thread. Our naive loop is on one lane for every backend, so the \
                speed-up of ifma and fma is that of the method and of the lanes together. At n = 2 the first point is the \
                generator; libsecp256k1-internal then takes its path for a P + b G, and p256k1 its one function for sums";
    let title = here(cpu, &format!("{what}{}", load(of_sums()))) + &about_candidates(of_sums());
    let mut table = Table::new(title, &["library", "n", "msm_us", "naive_us"]);
    let published = numbers(&Table::published(SUMS), "n");
    for library in order(times.keys().map(|(name, _)| name.clone()).collect()) {
        for &n in &published {
            let [sum, naive] = times.get(&(library.clone(), n)).copied().unwrap_or_default();
            let naive = naive.or_else(|| ours(n).filter(|_| library.starts_with("Phalanx")));
            // The study's libraries have all of its rows, the others those that were measured.
            let of_study = LIBRARIES.iter().any(|(study, _)| *study == library);
            if !of_study && sum.is_none() && naive.is_none() {
                continue;
            }
            let cell = |time: Option<f64>| match (time, absence(cpu, &library)) {
                (None, Some(_)) => ABSENT.to_owned(),
                (time, _) => number(time, 2),
            };
            table.rows.push(vec![library.clone(), n.to_string(), cell(sum), cell(naive)]);
        }
    }
    add_quotients(&mut table);
    let absent = LIBRARIES.iter().filter_map(|(study, _)| Some((study, absence(cpu, study)?)));
    table.notes = absent.map(|(library, reason)| format!("{library} is absent: {reason}")).collect();
    table
}

fn additions(cpu: &Cpu) -> Table {
    let mut times: BTreeMap<(String, usize), f64> = BTreeMap::new();
    for row in rows(cpu).filter(|row| row.op == "affine-add") {
        times.insert((format!("Phalanx, {}", row.backend), row.n), row.ours_ns);
        times.insert((row.peer.clone(), row.n), row.peer_ns);
    }
    if times.is_empty() {
        return not_here(cpu, "affine additions that share an inversion");
    }
    let what = "k affine additions with k inversions and with one. The last rows are one mixed Jacobian addition, without an \
                inversion";
    let of_additions = rows(cpu).filter(|row| row.op == "affine-add" || row.op == "add-mixed");
    let title = here(cpu, &format!("{what}{}", load(of_additions)));
    let mut table = Table::new(title, &["library", "k", "naive_us", "batched_us"]);
    let libraries: BTreeSet<&String> = times.keys().map(|(library, _)| library).collect();
    for library in libraries {
        for k in numbers(&Table::published(ADDITIONS), "k") {
            let all = |each: &f64| each * k as f64 / 1e3;
            let [naive, batched] = [1, k].map(|n| times.get(&(library.clone(), n)).map(all));
            table.rows.push(vec![library.clone(), k.to_string(), number(naive, 2), number(batched, 2)]);
        }
    }
    let mut mixed = BTreeMap::new();
    for row in rows(cpu).filter(|row| row.op == "add-mixed" && row.lanes == 1 && row.shape.as_deref() == Some("stream"))
    {
        mixed.insert(row.peer.clone(), row.peer_ns);
        mixed.insert(format!("Phalanx, {}", row.backend), row.ours_ns);
    }
    for (name, time) in mixed {
        let name = format!("{name}, one mixed Jacobian addition");
        table.rows.push(vec![name, "1".into(), number(Some(time / 1e3), 3), String::new()]);
    }
    if table.rows.iter().all(|row| row[2..].iter().all(|cell| cell == NOT_MEASURED)) {
        return not_here(cpu, "affine additions that share an inversion");
    }
    table
}
