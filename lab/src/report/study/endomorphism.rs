//! Verification with and without the endomorphism, who uses it where, and which library serves whom.

use super::{
    calls::{Calls, WITHOUT, calls},
    here, not_here,
};
use crate::{
    outcome::Outcome,
    report::{
        cpus::Cpu,
        headline::SCHEMES,
        table::{NOT_MEASURED, Table, number},
    },
};
use std::collections::BTreeMap;

const PUBLISHED: &str = include_str!("../../../published/endomorphism.csv");
const USERS: &str = include_str!("../../../published/endomorphism-users.csv");
const COLUMNS: [&str; 6] =
    ["implementation", "curve", "endomorphism", "sign_per_second", "verify_per_second", "verify_us"];

/// A library of the lab without the endomorphism, and its code for another curve.
const OPENSSL: [&str; 2] = ["openssl", "openssl-p256"];

/// What the study measures.
const ECDSA: [&str; 2] = ["sign-ecdsa", "verify-ecdsa"];

/// Further users, by what their sources do.
const MORE_USERS: [[&str; 3]; 6] = [
    ["libsecp256k1", "yes", "no public function"],
    ["k256", "yes", "yes"],
    ["btcec, dcrec", "yes", "no function"],
    ["go-ethereum (libsecp256k1)", "yes", "no function"],
    ["OpenSSL", "no", "no function"],
    ["Phalanx", "yes", "yes"],
];

/// Which library serves whom.
const CHOICE: [[&str; 3]; 9] = [
    ["Phalanx", "many rows at once, sums, few keys that repeat, Rust without C", "young, and not audited from outside"],
    [
        "libsecp256k1",
        "single calls from C, consensus code that wants what Bitcoin runs",
        "no bulk calls, no public sums",
    ],
    ["rust-secp256k1", "the same from Rust", "wants a C compiler"],
    ["k256", "single calls in pure Rust with the traits of RustCrypto", "no bulk calls"],
    ["p256k1", "sums from Rust by the inside of libsecp256k1", "wants a C compiler and libclang"],
    ["arkworks, halo2curves", "proof systems that compute on many curves by one set of traits", "no signatures"],
    ["gnark-crypto", "proof systems in Go", "sums of few products are slow"],
    ["btcec, dcrec", "single calls in Go without cgo", "no bulk calls, no sums"],
    ["go-ethereum", "single calls in Go with cgo, senders of transactions", "wants a C compiler"],
];

pub(super) fn tables(cpus: &[Cpu]) -> Vec<Table> {
    let mut tables = vec![Table::published(PUBLISHED)];
    tables.extend(cpus.iter().map(measured));
    let mut users = Table::published(USERS);
    users.add_column("source", |_| "published".to_owned());
    users.rows.extend(
        MORE_USERS.map(|user| [&user[..], &["read in its source"]].concat().into_iter().map(str::to_owned).collect()),
    );
    users.title += " The rows below the published ones are read in the libraries' sources.";
    tables.push(users);
    let mut choice = Table::new("When to use which library".to_owned(), &["library", "it serves", "it lacks"]);
    choice.rows = CHOICE.map(|row| row.map(str::to_owned).to_vec()).to_vec();
    tables.push(choice);
    tables.extend(cpus.iter().map(fastest));
    tables
}

/// A row of the study.
struct Implementation<'a> {
    name: String,
    curve: &'a str,
    endomorphism: &'a str,
    calls: Option<&'a Calls>,
}

fn implementations(calls: &BTreeMap<String, Calls>) -> Vec<Implementation<'_>> {
    let row = |name: &str, library: &str, endomorphism| Implementation {
        name: name.to_owned(),
        curve: "secp256k1",
        endomorphism,
        calls: calls.get(library),
    };
    // Its public functions cannot leave the endomorphism out; its inside can.
    let without = &format!("libsecp256k1-internal{WITHOUT}");
    let mut all = vec![
        row("OpenSSL", OPENSSL[0], "no"),
        Implementation { curve: "secp256r1", ..row("OpenSSL", OPENSSL[1], "n/a") },
        row("libsecp256k1", without, "no"),
        row("libsecp256k1", "libsecp256k1", "yes"),
    ];
    let shown = |name: &str| OPENSSL.contains(&name) || name == "libsecp256k1" || name == without;
    let has_any = |of: &Calls| ECDSA.iter().any(|op| of.contains_key(*op));
    for (name, _) in calls.iter().filter(|(name, of)| !shown(name) && has_any(of)) {
        let (short, endomorphism) = name.strip_suffix(WITHOUT).map_or((&**name, "yes"), |short| (short, "no"));
        all.push(row(short, name, endomorphism));
    }
    all
}

fn measured(cpu: &Cpu) -> Table {
    let calls = calls(cpu);
    let mut table = Table::new(here(cpu, "ECDSA one at a time, one thread"), &COLUMNS);
    for row in implementations(&calls) {
        let time = |op: &str| row.calls.and_then(|calls| calls.get(op)).map(|call| call.nanoseconds);
        let [sign, verify] = ECDSA.map(time);
        let [signs, verifies] = [sign, verify].map(|time| number(time.map(|time| 1e9 / time), 0));
        let cells = [signs, verifies, number(verify.map(|time| time / 1e3), 1)];
        table.rows.push([vec![row.name, row.curve.into(), row.endomorphism.into()], cells.into()].concat());
    }
    if table.rows.iter().all(|row| row[3..].iter().all(|cell| cell == NOT_MEASURED)) {
        return not_here(cpu, "ECDSA one at a time");
    }
    table
}

/// What a CPU's records say of the choice: the fastest of each kind of work that a user can call.
fn fastest(cpu: &Cpu) -> Table {
    let columns = ["work", "fastest", "us", "next", "us of the next"];
    let mut table = Table::new(here(cpu, "who is fastest, one thread, among what a user can call"), &columns);
    // By work, sums by their size: each library with the least time that it had, in microseconds.
    let mut times: BTreeMap<(usize, String), BTreeMap<&str, f64>> = BTreeMap::new();
    let of_all = |row: &&Outcome| row.row_class == "valid" && row.threads == 1 && row.keys.is_none();
    for row in cpu.rows("").filter(of_all).filter(|row| row.without.is_none()) {
        let is_scheme = SCHEMES.iter().any(|(scheme, _)| *scheme == row.op);
        let work = match (row.op.as_str(), row.single) {
            ("msm", _) => (row.n, format!("a sum of {} products, a product", row.n)),
            (op, true) if is_scheme && row.peer_inputs == "encoded" => (0, format!("{op}, one at a time")),
            (op, false) if is_scheme && row.n == 4096 => (1, format!("{op}, 4,096 rows, a row")),
            _ => continue,
        };
        let of = times.entry(work).or_default();
        let mut keep = |name, time: f64| {
            let least = of.entry(name).or_insert(f64::INFINITY);
            *least = least.min(time / 1e3);
        };
        keep("Phalanx", row.ours_ns);
        let peers = row.candidates.iter().map(|(name, time)| (name.as_str(), *time));
        let peers = peers.chain([(row.peer.as_str(), row.peer_ns)]).filter(|(name, _)| !name.ends_with("-internal"));
        peers.for_each(|(name, time)| keep(name, time));
    }
    for ((_, work), of) in times.into_iter().filter(|(_, of)| of.len() > 1) {
        let mut of: Vec<_> = of.into_iter().collect();
        of.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        let cells = of[..2].iter().flat_map(|(name, time)| [(*name).to_owned(), format!("{time:.2}")]);
        table.rows.push([work].into_iter().chain(cells).collect());
    }
    if table.rows.is_empty() { not_here(cpu, "who is fastest") } else { table }
}
