//! The field's own studies: the tables that they published, typed in from them (`lab/published`), and below their rows
//! those that were measured here, in the same columns. The last column says whose machine a row is of.

use super::{
    cpus::{Cpu, List, rank},
    figures::ours,
    headline::SCHEMES,
    table::Table,
};
use crate::{
    outcome::Outcome,
    sweep::{FIRST, Row},
};
use clap::ValueEnum;
use std::collections::{BTreeMap, BTreeSet};

/// A study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Study {
    /// Sums of products and affine additions, by n
    Msm,
    /// Public keys, signatures and ECDH by signers in Go
    Signer,
    /// Commitments over the Verkle basis
    Verkle,
    /// Verification with and without the endomorphism
    Endomorphism,
    /// ppad-secp256k1
    Ppad,
}

/// The rows of a CPU in the columns of a published table, and behind them when they were measured.
type Rows = fn(&Cpu, &Table) -> Vec<Vec<String>>;

/// A published file, and our rows of it.
macro_rules! published {
    ($file:literal, $rows:expr) => {
        (include_str!(concat!("../../published/", $file, ".csv")), $rows as Rows)
    };
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

    /// What it published.
    fn published(self) -> Vec<(&'static str, Rows)> {
        match self {
            Self::Msm => vec![published!("sums", sums), published!("affine-additions", additions)],
            Self::Signer => vec![published!("signers", signers)],
            Self::Verkle => vec![
                published!("commitments", commitments),
                published!("table-builds", builds),
                published!("sweep", sizes),
            ],
            Self::Endomorphism => vec![published!("endomorphism", endomorphism)],
            Self::Ppad => vec![published!("haskell", haskell)],
        }
    }

    /// Its tables with the rows of these CPUs.
    pub(crate) fn tables(self, cpus: &[Cpu]) -> Vec<Table> {
        let table = |(text, rows): (&str, Rows)| {
            let mut table = read(text);
            for cpu in cpus {
                let mut rows = rows(cpu, &table);
                if rows.is_empty() {
                    table.notes.push(format!("Not measured on {}.", cpu.short_name()));
                }
                rows.iter_mut()
                    .flat_map(|row| row.last_mut())
                    .for_each(|when| *when = format!("{}, {when}", cpu.short_name()));
                let absent = LIBRARIES.iter().filter(|(name, _)| table.rows.iter().any(|row| row[0] == *name));
                let absent = absent.filter_map(|(name, peer)| Some((name, cpu.absence(peer)?)));
                let absent = absent.map(|(name, reason)| format!("{name} is absent on {}: {reason}", cpu.short_name()));
                table.notes.extend(absent.collect::<Vec<_>>());
                table.rows.extend(rows);
            }
            add_quotients(&mut table);
            table
        };
        self.published().into_iter().map(table).collect()
    }
}

/// A published table. The first line of the text says what it is. One without a column for libraries gets one.
fn read(text: &str) -> Table {
    let (about, figures) = text.split_once('\n').expect("a line says what it is");
    let mut lines = figures.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let mut table = Table::new(about.trim_start_matches(['#', ' ']), lines.next().expect("a line names the columns"));
    table.rows = lines.collect();
    if !["library", "implementation", "machine"].contains(&&*table.columns[0]) {
        table.columns.insert(0, "library".into());
        table.rows.iter_mut().for_each(|row| row.insert(0, "the study's".into()));
    }
    table.columns.push("measured".into());
    table.rows.iter_mut().for_each(|row| row.push("published, measured elsewhere".into()));
    table.is_folded = true;
    table
}

/// To a table of sums: how many times as fast as the naive loop they are, and microseconds a scalar.
fn add_quotients(table: &mut Table) {
    if table.columns[2..].iter().all(|column| column != "naive_us") || table.columns[1] != "n" {
        return;
    }
    table.columns.splice(4..4, ["speed-up".to_owned(), "us_per_scalar".to_owned()]);
    for row in &mut table.rows {
        let [n, sum, naive] = [1, 2, 3].map(|cell| row[cell].parse::<f64>().ok());
        let quotient =
            |above: Option<f64>, below| number(above.zip(below).map(|(above, below): (f64, f64)| above / below), 2);
        row.splice(4..4, [quotient(naive, sum), quotient(sum, n)]);
    }
}

/// Libraries by the studies' names and the lab's.
const LIBRARIES: [(&str, &str); 5] = [
    ("p256k1", "p256k1"),
    ("ark-secp256k1", "arkworks"),
    ("gnark-crypto", "gnark-crypto"),
    ("halo2curves", "halo2curves"),
    ("btcec (pure Go)", "btcec"),
];

fn as_published(name: &str) -> String {
    LIBRARIES.iter().find(|(_, lab)| *lab == name).map_or(name, |(study, _)| study).to_owned()
}

/// A figure with so many decimals; nothing where nobody took it.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(String::new, |value| format!("{value:.decimals$}"))
}

/// When a row was measured, at which load, and how far the samples of a side lay apart.
fn measured(list: &List, row: &Outcome, spread: f64) -> String {
    let load = row.load.map_or_else(String::new, |load| format!(", load {load}"));
    format!("{}{load}, ±{:.0}%", list.date, spread * 100.0)
}

/// The times of sums or additions of a CPU on one thread, in microseconds in all, by library and n: of the first operation
/// and of the second. The study's list counts before the others.
fn by_size(cpu: &Cpu, ops: [&str; 2]) -> BTreeMap<(String, usize), [Option<f64>; 2]> {
    let mut times = BTreeMap::<_, [Option<f64>; 2]>::new();
    let plain = |row: &&Outcome| row.threads == 1 && row.row_class == "valid" && row.without.is_none();
    for row in cpu.rows("study-msm").chain(cpu.rows("")).filter(plain) {
        let candidates = row.candidates.iter().map(|one| (one.peer.clone(), one.ns));
        for (name, time) in candidates.chain([(row.peer.clone(), row.peer_ns), (ours(&row.backend), row.ours_ns)]) {
            for (place, _) in ops.iter().enumerate().filter(|(_, op)| **op == row.op) {
                let entry = times.entry((as_published(&name), row.n)).or_default();
                entry[place] = entry[place].or(Some(time * row.n as f64 / 1e3));
            }
        }
    }
    times
}

/// Our naive loop is on one lane for every backend. At n = 2 the first point is the generator.
fn sums(cpu: &Cpu, table: &Table) -> Vec<Vec<String>> {
    let times = by_size(cpu, ["msm", "msm-naive"]);
    let alone = |n| times.get(&(ours("portable"), n)).and_then(|both| both[1]);
    let rows = times.iter().filter(|((_, n), _)| table.rows.iter().any(|row| row[1] == n.to_string()));
    let row = |((library, n), [sum, naive]): (&(String, usize), &[Option<f64>; 2])| {
        let naive = naive.or_else(|| alone(*n).filter(|_| library.starts_with("Phalanx")));
        vec![library.clone(), n.to_string(), number(*sum, 2), number(naive, 2), "one thread".to_owned()]
    };
    rows.map(row).collect()
}

/// Additions with an inversion each, which a sum of one is, and with one for all.
fn additions(cpu: &Cpu, table: &Table) -> Vec<Vec<String>> {
    let times = by_size(cpu, ["affine-add"; 2]);
    let rows = times.iter().filter(|((_, k), _)| table.rows.iter().any(|row| row[1] == k.to_string()));
    let row = |((library, k), [all, _]): (&(String, usize), &[Option<f64>; 2])| {
        let alone = times.get(&(library.clone(), 1)).and_then(|[one, _]| Some((*one)? * *k as f64));
        vec![library.clone(), k.to_string(), number(alone, 2), number(*all, 2), "one thread".to_owned()]
    };
    rows.map(row).collect()
}

/// What a library takes for one item.
#[derive(Debug, Clone)]
struct Call {
    library: String,
    op: String,
    /// Whether a user can have it so: from bytes to bytes, with nothing left out.
    is_public: bool,
    nanoseconds: f64,
    bytes: Option<f64>,
    allocations: Option<f64>,
    measured: String,
}

/// A library with this in its name is code that no user can call.
const INTERNAL: &str = "-internal";

/// Calls for single items on one thread, and operations modulo p on one lane as a stream: of each library and operation the
/// first, those of the lists of single calls before all others. A list of builds is left out.
fn calls(cpu: &Cpu) -> Vec<Call> {
    let mut lists: Vec<_> = cpu.lists.iter().filter(|(name, _)| *name != "one-at-a-time-builds").collect();
    lists.sort_by_key(|(name, _)| !["one-at-a-time", "one-at-a-time-portable"].contains(&name.as_str()));
    let mut calls: Vec<Call> = Vec::new();
    for (list, row) in lists.into_iter().flat_map(|(_, list)| list.rows.iter().map(move |row| (list, row))) {
        let is_scheme = row.single && SCHEMES.iter().any(|(op, _)| *op == row.op);
        let is_number = row.op.starts_with("field-") && row.lanes == 1 && row.shape.as_deref() == Some("stream");
        let is_plain = row.row_class == "valid" && row.threads == 1 && row.keys.is_none();
        let without = match row.without.as_deref() {
            None => "",
            Some("endomorphism") => ", without endomorphism",
            Some(_) => continue,
        };
        if !is_plain || !(is_scheme || is_number) {
            continue;
        }
        let peer =
            if row.peer == "phalanx" { ours(&row.backend) } else { row.peer.trim_end_matches("-parsed").to_owned() };
        let sides = [
            (
                ours(&row.backend),
                "",
                &row.ours_inputs,
                row.ours_ns,
                row.ours_spread,
                row.ours_bytes,
                row.ours_allocations,
            ),
            (peer, without, &row.peer_inputs, row.peer_ns, row.peer_spread, row.peer_bytes, row.peer_allocations),
        ];
        for (name, without, inputs, nanoseconds, spread, bytes, allocations) in sides {
            let parsed = if inputs == "parsed" { ", parsed inputs" } else { "" };
            let is_public = parsed.is_empty() && without.is_empty() && !name.contains(INTERNAL);
            let call = Call {
                library: name + parsed + without,
                op: row.op.clone(),
                is_public,
                nanoseconds,
                bytes,
                allocations,
                measured: measured(list, row, spread),
            };
            match calls.iter_mut().find(|kept| (&kept.library, &kept.op) == (&call.library, &call.op)) {
                // What a call allocates does not depend on the run, and lists from before it was counted lack it.
                Some(kept) => {
                    kept.bytes = kept.bytes.or(call.bytes);
                    kept.allocations = kept.allocations.or(call.allocations);
                }
                None => calls.push(call),
            }
        }
    }
    calls.sort_by(|a, b| (rank_of(&a.library), &a.library).cmp(&(rank_of(&b.library), &b.library)));
    calls
}

/// Ours before peers, by backend.
fn rank_of(library: &str) -> usize {
    library.strip_prefix("Phalanx, ").map_or(usize::MAX, |rest| rank(rest.split(',').next().unwrap_or(rest)))
}

/// The studies' operations, by their names and the lab's.
const OPERATIONS: [(&str, &str); 10] = [
    ("public_key", "public-key"),
    ("schnorr_sign", "sign-schnorr"),
    ("schnorr_verify", "verify-schnorr"),
    ("ecdh", "ecdh"),
    ("ecdsa_sign", "sign-ecdsa"),
    ("ecdsa_verify", "verify-ecdsa"),
    ("multiplication modulo p", "field-mul"),
    ("square modulo p", "field-sqr"),
    ("inversion modulo p", "field-invert"),
    ("square root modulo p", "field-sqrt"),
];

/// A row for each call of some of [`OPERATIONS`].
fn by_operation(cpu: &Cpu, chosen: std::ops::Range<usize>, cells: fn(&Call) -> Vec<String>) -> Vec<Vec<String>> {
    let row = |call: &Call| {
        let (words, _) = OPERATIONS[chosen.clone()].iter().find(|(_, op)| *op == call.op)?;
        Some(
            [vec![as_published(&call.library), (*words).to_owned()], cells(call), vec![call.measured.clone()]].concat(),
        )
    };
    let is_number = |call: &Call| call.op.starts_with("field-");
    calls(cpu).iter().filter(|call| call.is_public || is_number(call)).filter_map(row).collect()
}

fn signers(cpu: &Cpu, _: &Table) -> Vec<Vec<String>> {
    by_operation(cpu, 0..4, |call| {
        vec![number(Some(call.nanoseconds), 0), number(call.bytes, 0), number(call.allocations, 0)]
    })
}

/// Signatures, and the arithmetic below them. k256 has a field of its own and computes with crypto-bigint modulo n.
fn haskell(cpu: &Cpu, _: &Table) -> Vec<Vec<String>> {
    by_operation(cpu, 1..10, |call| {
        let note = if call.is_public { "fresh rows" } else { "code that no user can call" };
        vec![number(Some(call.nanoseconds / 1e3), if call.nanoseconds < 1e3 { 4 } else { 2 }), note.to_owned()]
    })
}

/// Libraries that verify with the endomorphism, by their sources.
const VERIFIES_WITH: [&str; 7] = ["Phalanx", "libsecp256k1", "rust-secp256k1", "k256", "btcec", "dcrec", "go-ethereum"];

/// ECDSA one at a time. Signing does not use the endomorphism.
fn endomorphism(cpu: &Cpu, _: &Table) -> Vec<Vec<String>> {
    let calls: Vec<_> = calls(cpu).into_iter().filter(|call| call.op.ends_with("-ecdsa")).collect();
    let names: BTreeSet<_> = calls.iter().map(|call| (rank_of(&call.library), &call.library)).collect();
    let row = |(_, name): (usize, &String)| {
        let call = |op: &str| calls.iter().find(|call| call.library == *name && call.op == op);
        let [sign, verify] = ["sign-ecdsa", "verify-ecdsa"].map(call);
        let is = |known: &&&str| {
            name.strip_prefix(**known).is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '-']))
        };
        let (curve, with) = match name.as_str() {
            "openssl-p256" => ("secp256r1", "n/a"),
            _ if name == "openssl" || name.ends_with("without endomorphism") => ("secp256k1", "no"),
            _ => ("secp256k1", VERIFIES_WITH.iter().find(is).map_or("not known", |_| "yes")),
        };
        let rate = |call: Option<&Call>| number(call.map(|call| 1e9 / call.nanoseconds), 0);
        let us = number(verify.map(|call| call.nanoseconds / 1e3), 1);
        let when = [("sign", sign), ("verify", verify)].map(|(what, call)| Some(format!("{what} {}", call?.measured)));
        let when = when.into_iter().flatten().collect::<Vec<_>>().join("; ");
        vec![name.clone(), curve.to_owned(), with.to_owned(), rate(sign), rate(verify), us, when]
    };
    names.into_iter().map(row).collect()
}

/// The rows of the sweep by tables with names, and at which load all of it was.
fn named(cpu: &Cpu) -> (Vec<&Row>, String) {
    let rows = cpu.sweep.iter().flat_map(|sweep| &sweep.rows).filter(|row| row.configuration.is_some()).collect();
    let load = cpu.sweep.as_ref().and_then(|sweep| sweep.load);
    (rows, load.map_or_else(|| "one thread".to_owned(), |load| format!("one thread, load {load}")))
}

/// A row for each backend and each row that was published of the study's first machine or another: the places of what tells
/// such rows apart, and the cells of a backend by its tables of two names: the study's old ones and its new ones.
fn by_tables(
    cpu: &Cpu,
    table: &Table,
    keys: &[usize],
    cell: impl Fn(&Row, &[String]) -> Option<String>,
) -> Vec<Vec<String>> {
    let (rows, load) = named(cpu);
    let backends: BTreeSet<_> = rows.iter().map(|row| &row.backend).collect();
    let asked: BTreeSet<Vec<String>> =
        table.rows.iter().map(|row| keys.iter().map(|key| row[*key].clone()).collect()).collect();
    let mut made = Vec::new();
    for backend in backends {
        for key in &asked {
            let of = |name: &str| {
                let mut rows =
                    rows.iter().filter(|row| row.backend == *backend && row.configuration.as_deref() == Some(name));
                rows.find_map(|row| cell(row, key))
            };
            if let (Some(old), Some(new)) = (of("baseline"), of(&format!("hybrid-{}", key[0]))) {
                made.push([vec![ours(backend)], key.clone(), vec![old, new, load.clone()]].concat());
            }
        }
    }
    made
}

/// Whether the points of a workload of the study are the first of the basis, and how many they are.
fn workload(name: &str) -> Option<(bool, usize)> {
    match name.split_once("/msmLength=") {
        Some((place, count)) => Some((place == "MSM_in_the_basis[0:5]", count.parse().ok()?)),
        None => name.contains("all_basis").then_some((true, 256)),
    }
}

fn commitments(cpu: &Cpu, table: &Table) -> Vec<Vec<String>> {
    by_tables(cpu, table, &[1, 2], |row, key| {
        let asked = workload(&key[1]) == Some((row.positions == FIRST, row.msm_length));
        asked.then(|| number(Some(row.ns_per_op / 1e3), 2))
    })
}

fn builds(cpu: &Cpu, table: &Table) -> Vec<Vec<String>> {
    by_tables(cpu, table, &[1], |row, _| {
        let spread = row.build_spread.map_or_else(String::new, |spread| format!(" ±{:.0}%", spread * 100.0));
        Some(format!("{:.0}{spread}", row.build_ns as f64 / 1e6))
    })
}

/// Tables have 64 bytes an entry here; the published accounting has 96.
fn sizes(cpu: &Cpu, _: &Table) -> Vec<Vec<String>> {
    let (_, load) = named(cpu);
    let row = |row: &Row| {
        let cells = [row.ns_per_op, row.add_plus_double].map(|cell| number(Some(cell), 1));
        let place = [row.msm_length.to_string(), row.t?.to_string(), row.b?.to_string()];
        Some([&[ours(&row.backend)][..], &place, &cells, &[format!("{:.2}", row.table_mib), load.clone()]].concat())
    };
    cpu.sweep.iter().flat_map(|sweep| &sweep.rows).filter_map(row).collect()
}

/// The work of a row, sums by their size; none where a row is not of plain work from bytes to bytes.
fn work(row: &Outcome) -> Option<(usize, String)> {
    let is_plain = row.row_class == "valid" && row.threads == 1 && row.keys.is_none() && row.without.is_none();
    let is_encoded = row.ours_inputs == "encoded" && row.peer_inputs == "encoded";
    let is_scheme = SCHEMES.iter().any(|(scheme, _)| *scheme == row.op);
    match (row.op.as_str(), row.single) {
        _ if !is_plain || !is_encoded || row.peer.contains(INTERNAL) => None,
        ("msm", _) => Some((row.n, format!("a sum of {} products, a product", row.n))),
        (op, true) if is_scheme => Some((0, format!("{op}, one at a time"))),
        (op, false) if is_scheme && row.n == 4096 => Some((1, format!("{op}, 4,096 rows, a row"))),
        _ => None,
    }
}

/// For each kind of work the comparison of ours, by its fastest backend, with the library that came nearest to it or before
/// it, among those that a user can call.
pub(crate) fn fastest(cpu: &Cpu) -> Table {
    let columns = ["work", "fastest", "backend", "ours", "the best other", "its us", "its time over ours", "measured"];
    let mut table = Table::new("Who is fastest, one thread; both times of a row are of one comparison", columns);
    let mut best: BTreeMap<(usize, String), (&List, &Outcome)> = BTreeMap::new();
    for (list, row) in cpu.with_lists() {
        let Some(work) = work(row) else { continue };
        let kept = best.entry(work).or_insert((list, row));
        if (rank(&row.backend), row.ratio) < (rank(&kept.1.backend), kept.1.ratio) {
            *kept = (list, row);
        }
    }
    for ((_, work), (list, row)) in best {
        let fastest = match row.ratio {
            _ if row.noise => "as fast",
            ratio if ratio > 1.0 => "Phalanx",
            _ => &row.peer,
        };
        let [ours, theirs] = [row.ours_ns, row.peer_ns].map(|time| number(Some(time / 1e3), 2));
        let when = measured(list, row, row.ours_spread.max(row.peer_spread));
        let cells = [
            work,
            fastest.to_owned(),
            row.backend.clone(),
            ours,
            row.peer.clone(),
            theirs,
            number(Some(row.ratio), 2),
            when,
        ];
        table.rows.push(cells.into());
    }
    table.is_folded = true;
    table
}

#[cfg(test)]
mod tests;
