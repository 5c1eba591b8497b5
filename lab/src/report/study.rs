//! The field's own studies, in their own shape: what they published, and the same measured here.
//!
//! Published figures are of other machines. They stand in tables of their own, under a title that says so, and are typed
//! in from the studies (`lab/published`).

use super::cpus::Cpu;
use clap::ValueEnum;
use std::collections::BTreeMap;

/// A study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Study {
    /// Sums of products and affine additions, by n
    Msm,
    /// Public keys, signatures and ECDH by signers in Go
    Signer,
    /// Commitments over the Verkle basis
    Verkle,
    /// Verification with the endomorphism
    Endomorphism,
    /// ppad-secp256k1
    Ppad,
}

/// A table of a study.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// A published table: its figures as they were published.
    fn published(text: &str) -> Self {
        let (about, figures) = text.split_once('\n').expect("a line says what it is");
        let mut lines = figures.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let columns = lines.next().expect("a line names the columns");
        let about = about.trim_start_matches('#').trim();
        Self { title: format!("Published, measured elsewhere: {about}"), columns, rows: lines.collect() }
    }

    fn new(title: String, columns: &[&str]) -> Self {
        Self { title, columns: columns.iter().map(|column| (*column).to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a column that is computed from the others.
    fn add_column(&mut self, name: &str, value: impl Fn(&[String]) -> String) {
        self.columns.push(name.to_owned());
        for row in &mut self.rows {
            let value = value(row);
            row.push(value);
        }
    }

    /// The table as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}\n\n{}|{}\n{rows}", self.title, line(&self.columns), "---|".repeat(self.columns.len()))
    }
}

/// The title of a table of our own measurements.
fn here(cpu: &Cpu, what: &str) -> String {
    format!("Measured here: {what}, {}", cpu.name)
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.decimals$}"))
}

/// A cell as a number.
fn of_cell(row: &[String], cell: usize) -> Option<f64> {
    row.get(cell)?.parse().ok()
}

impl Study {
    /// Its name in titles.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Msm => "Sums of products",
            Self::Signer => "Signers",
            Self::Verkle => "Commitments for Verkle trees",
            Self::Endomorphism => "The endomorphism",
            Self::Ppad => "Constant time in Haskell",
        }
    }

    /// Its tables.
    pub(crate) fn tables(self, cpus: &[Cpu]) -> Vec<Table> {
        match self {
            Self::Msm => msm(cpus),
            Self::Signer => signer(cpus),
            Self::Verkle => verkle(cpus),
            Self::Endomorphism => endomorphism(cpus),
            Self::Ppad => ppad(cpus),
        }
    }
}

/// Speed-up over the naive loop, and microseconds a scalar.
fn add_quotients(table: &mut Table) {
    table.add_column("speed-up", |row| number(of_cell(row, 3).zip(of_cell(row, 2)).map(|(naive, sum)| naive / sum), 2));
    table.add_column("us_per_scalar", |row| number(of_cell(row, 2).zip(of_cell(row, 1)).map(|(sum, n)| sum / n), 2));
}

fn msm(cpus: &[Cpu]) -> Vec<Table> {
    let mut published = Table::published(include_str!("../../published/sums.csv"));
    add_quotients(&mut published);
    let mut tables = vec![published];
    for cpu in cpus {
        // By library and n: the sum and the naive loop, in microseconds in all.
        let mut times: BTreeMap<(String, usize), [Option<f64>; 2]> = BTreeMap::new();
        for row in cpu.rows("study-msm").filter(|row| row.op.starts_with("msm")) {
            let column = usize::from(row.op == "msm-naive");
            let ours = (format!("Phalanx, {}", row.backend), row.ours_ns);
            let peers = row.candidates.iter().cloned().chain([(row.peer.clone(), row.peer_ns)]);
            for (name, time) in peers.chain([ours]) {
                times.entry((name, row.n)).or_default()[column] = Some(time * row.n as f64 / 1e3);
            }
        }
        // Our naive loop is on one lane; every backend is beside it.
        let ours = |n: usize| times.get(&("Phalanx, portable".to_owned(), n)).and_then(|both| both[1]);
        let columns = ["library", "n", "msm_us", "naive_us"];
        let mut table = Table::new(here(cpu, "sums of products and a naive loop, one thread"), &columns);
        for ((library, n), [sum, naive]) in &times {
            let naive = naive.or_else(|| ours(*n).filter(|_| library.starts_with("Phalanx")));
            table.rows.push(vec![library.clone(), n.to_string(), number(*sum, 2), number(naive, 2)]);
        }
        add_quotients(&mut table);
        if !table.rows.is_empty() {
            tables.push(table);
        }
    }
    tables.push(Table::published(include_str!("../../published/affine-additions.csv")));
    for cpu in cpus {
        let mut times: BTreeMap<(String, usize), f64> = BTreeMap::new();
        for row in cpu.rows("study-msm").filter(|row| row.op == "affine-add") {
            times.insert((format!("Phalanx, {}", row.backend), row.n), row.ours_ns);
            times.insert((row.peer.clone(), row.n), row.peer_ns);
        }
        let columns = ["library", "k", "naive_us", "batched_us"];
        let mut table = Table::new(here(cpu, "k affine additions with k inversions and with one"), &columns);
        for ((library, k), time) in times.iter().filter(|((_, k), _)| *k > 1) {
            let all = |each: &f64| each * *k as f64 / 1e3;
            let naive = times.get(&(library.clone(), 1)).map(all);
            table.rows.push(vec![library.clone(), k.to_string(), number(naive, 2), number(Some(all(time)), 2)]);
        }
        for row in cpu.rows("study-msm").filter(|row| row.op == "add-mixed" && row.lanes == 1) {
            for (name, time) in [(format!("Phalanx, {}", row.backend), row.ours_ns), (row.peer.clone(), row.peer_ns)] {
                let name = format!("{name}: one mixed Jacobian addition");
                table.rows.push(vec![name, "1".into(), number(Some(time / 1e3), 3), String::new()]);
            }
        }
        if !table.rows.is_empty() {
            tables.push(table);
        }
    }
    tables
}

/// Times of single calls in microseconds, by library and operation.
fn single_calls(cpu: &Cpu) -> BTreeMap<String, BTreeMap<String, f64>> {
    let mut times: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    let lists = ["one-at-a-time", "one-at-a-time-portable", "study-signer"];
    let rows = lists.iter().filter_map(|list| cpu.lists.get(*list)).flat_map(|list| &list.rows);
    for row in rows.filter(|row| row.single && row.row_class == "valid") {
        if row.ours_inputs == "encoded" && row.peer_inputs == "encoded" {
            let mut keep = |name: String, time: f64| {
                times.entry(name).or_default().insert(row.op.clone(), time / 1e3);
            };
            keep(format!("Phalanx, {}", row.backend), row.ours_ns);
            keep(row.peer.clone(), row.peer_ns);
        }
    }
    times
}

fn signer(cpus: &[Cpu]) -> Vec<Table> {
    let mut tables = vec![Table::published(include_str!("../../published/signers.csv"))];
    let operations = [
        ("public_key", "public-key"),
        ("schnorr_sign", "sign-schnorr"),
        ("schnorr_verify", "verify-schnorr"),
        ("ecdh", "ecdh"),
    ];
    for cpu in cpus {
        let columns = ["implementation", "operation", "ns_per_op", "fastest"];
        let mut table = Table::new(here(cpu, "one at a time, one thread"), &columns);
        let times = single_calls(cpu);
        for (words, op) in operations {
            let least = times.values().filter_map(|of| of.get(op)).copied().fold(f64::INFINITY, f64::min);
            for (name, of) in &times {
                if let Some(time) = of.get(op) {
                    let fastest = if *time == least { "yes" } else { "" };
                    table.rows.push(vec![name.clone(), words.into(), number(Some(time * 1e3), 0), fastest.into()]);
                }
            }
        }
        tables.push(table);
    }
    tables
}

fn verkle(cpus: &[Cpu]) -> Vec<Table> {
    let mut tables = vec![Table::published(include_str!("../../published/commitments.csv"))];
    for cpu in cpus {
        // By positions and number of scalars: go-ipa, ours one at a time, ours in bulk.
        let mut times: BTreeMap<(&str, String, usize), [Option<f64>; 3]> = BTreeMap::new();
        for row in cpu.rows("fixed-base").filter(|row| row.op == "msm-fixed") {
            let mut words = row.row_class.split(' ');
            let Some(count) = words.next().and_then(|word| word.parse::<usize>().ok()) else { continue };
            let place = words.next_back().unwrap_or_default().to_owned();
            let times = times.entry((&row.backend, place, count)).or_default();
            times[1 + usize::from(!row.single)] = Some(row.ours_ns / 1e3);
            if row.single {
                times[0] = Some(row.peer_ns / 1e3);
            }
        }
        let columns = ["backend", "workload", "go_ipa_us", "ours_us", "ours_in_bulk_us"];
        let mut table =
            Table::new(here(cpu, "tables of go-ipa, the published baseline of 334 MiB, and ours of 138 MiB"), &columns);
        for ((backend, place, count), [go, ours, bulk]) in &times {
            let workload = match (place.as_str(), count) {
                (_, 256) => "MSM_length_all_basis_(256)".to_owned(),
                ("first", count) => format!("MSM_in_the_basis[0:5]/msmLength={count}"),
                (_, count) => format!("MSM_spread_over_the_basis/msmLength={count}"),
            };
            let cells = [go, ours, bulk].map(|time| number(*time, 2));
            table.rows.push([vec![(*backend).to_owned(), workload], cells.to_vec()].concat());
        }
        if !table.rows.is_empty() {
            tables.push(table);
        }
    }
    tables
}

fn endomorphism(cpus: &[Cpu]) -> Vec<Table> {
    let mut tables = vec![Table::published(include_str!("../../published/endomorphism.csv"))];
    for cpu in cpus {
        let columns = ["implementation", "curve", "endomorphism", "sign_per_second", "verify_per_second", "verify_us"];
        let mut table = Table::new(here(cpu, "ECDSA one at a time, one thread"), &columns);
        for (name, of) in single_calls(cpu) {
            let rate = |op: &str| number(of.get(op).map(|time| 1e6 / time), 0);
            let verify = number(of.get("verify-ecdsa").copied(), 1);
            // Every library that the lab measures here verifies by it.
            table.rows.push(vec![
                name,
                "secp256k1".into(),
                "yes".into(),
                rate("sign-ecdsa"),
                rate("verify-ecdsa"),
                verify,
            ]);
        }
        tables.push(table);
    }
    let mut users = Table::published(include_str!("../../published/endomorphism-users.csv"));
    users.rows.push(["Phalanx", "yes", "yes"].map(str::to_owned).to_vec());
    users.title += " The last row is of this repository.";
    tables.push(users);
    tables
}

fn ppad(cpus: &[Cpu]) -> Vec<Table> {
    let mut tables = vec![Table::published(include_str!("../../published/haskell.csv"))];
    let operations = [
        ("schnorr_sign", "sign-schnorr"),
        ("schnorr_verify", "verify-schnorr"),
        ("ecdsa_sign", "sign-ecdsa"),
        ("ecdsa_verify", "verify-ecdsa"),
    ];
    for cpu in cpus {
        let times = single_calls(cpu);
        let mut columns = vec!["operation".to_owned()];
        columns.extend(times.keys().map(|name| format!("{name}, us")));
        let rows = operations.iter().map(|(words, op)| {
            let cells = times.values().map(|of| number(of.get(*op).copied(), 2));
            [(*words).to_owned()].into_iter().chain(cells).collect()
        });
        tables.push(Table { title: here(cpu, "one at a time, one thread"), columns, rows: rows.collect() });
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_has_its_published_table_whole() {
        let rows = |text: &str| text.lines().skip(2).count();
        for (study, first, text) in [
            (Study::Msm, 40, include_str!("../../published/sums.csv")),
            (Study::Signer, 12, include_str!("../../published/signers.csv")),
            (Study::Verkle, 36, include_str!("../../published/commitments.csv")),
            (Study::Endomorphism, 4, include_str!("../../published/endomorphism.csv")),
            (Study::Ppad, 4, include_str!("../../published/haskell.csv")),
        ] {
            let tables = study.tables(&[]);
            assert_eq!((tables[0].rows.len(), rows(text)), (first, first), "{study:?}");
            let width = tables[0].columns.len();
            assert!(tables[0].rows.iter().all(|row| row.len() == width), "{study:?}");
            assert!(tables[0].title.contains("measured elsewhere"), "{study:?}");
        }
    }

    #[test]
    fn quotients_are_of_the_published_figures() {
        let tables = Study::Msm.tables(&[]);
        let last = tables[0].rows.last().unwrap();
        assert_eq!(last.join(","), "halo2curves,1024,12951.051,136053.208,10.51,12.65");
    }
}
