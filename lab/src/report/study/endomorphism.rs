//! Verification with and without the endomorphism, who uses it where, and which library serves whom.

use super::{
    calls::{Call, Calls, WITHOUT, calls, is_public, measured as when},
    here, not_here,
};
use crate::{
    outcome::Outcome,
    report::{
        cpus::{Cpu, List, rank},
        headline::SCHEMES,
        table::{NOT_MEASURED, Table, number},
    },
};
use std::collections::BTreeMap;

const PUBLISHED: &str = include_str!("../../../published/endomorphism.csv");
const USERS: &str = include_str!("../../../published/endomorphism-users.csv");
const COLUMNS: [&str; 7] =
    ["implementation", "curve", "endomorphism", "sign_per_second", "verify_per_second", "verify_us", "measured"];

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
    ["OpenSSL", "no", "no (EC_POINTs_mul, deprecated since 3.0)"],
    ["Phalanx", "yes", "yes"],
];

/// Whether a library of the lab verifies with the endomorphism, by its source. A name may say more behind it.
const VERIFIES_WITH: [(&str, &str); 9] = [
    ("Phalanx", "yes"),
    ("libsecp256k1-internal", "yes"),
    ("libsecp256k1", "yes"),
    ("rust-secp256k1", "yes"),
    ("k256", "yes"),
    ("btcec", "yes"),
    ("dcrec", "yes"),
    ("go-ethereum", "yes"),
    ("openssl", "no"),
];

/// Which library serves whom.
const CHOICE: [[&str; 3]; 12] = [
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
    [
        "OpenSSL",
        "ECDSA and ECDH where a system library is to do it, beside certificates",
        "no endomorphism, no BIP-340, no recovery; slow on this curve",
    ],
    ["go-ipa", "commitments and proofs of Verkle trees in Go", "another curve: Banderwagon alone; tables of 334 MiB"],
    [
        "phalanx-banderwagon",
        "commitments and keys of Verkle trees in Rust, in bulk too",
        "no proofs; young, and not audited from outside",
    ],
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
    let verifies_with = |name: &str| {
        let is =
            |known: &str| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '-']));
        VERIFIES_WITH.iter().find(|(known, _)| is(known)).map_or("not known", |(_, whether)| *whether)
    };
    let shown = |name: &str| OPENSSL.contains(&name) || name == "libsecp256k1" || name == without;
    let has_any = |of: &Calls| ECDSA.iter().any(|op| of.contains_key(*op));
    for (name, _) in calls.iter().filter(|(name, of)| !shown(name) && has_any(of)) {
        let with = || (name.as_str(), verifies_with(name));
        let (short, endomorphism) = name.strip_suffix(WITHOUT).map_or_else(with, |short| (short, "no"));
        all.push(row(short, name, endomorphism));
    }
    all
}

fn measured(cpu: &Cpu) -> Table {
    let calls = calls(cpu);
    let what = "ECDSA one at a time, one thread. Signing does not use the endomorphism: libsecp256k1 signs by the same code in \
                both of its rows";
    let mut table = Table::new(here(cpu, what), &COLUMNS);
    let shipped = calls.get("libsecp256k1").and_then(|calls| calls.get(ECDSA[0]));
    for row in implementations(&calls) {
        let call = |op: &str| row.calls.and_then(|calls| calls.get(op));
        let sign = call(ECDSA[0]).or(shipped.filter(|_| row.name == "libsecp256k1" && row.calls.is_some()));
        let verify = call(ECDSA[1]);
        let time = |call: Option<&Call>| call.map(|call| call.nanoseconds);
        let [signs, verifies] = [sign, verify].map(|call| number(time(call).map(|time| 1e9 / time), 0));
        let when = [("sign", sign), ("verify", verify)].map(|(what, call)| Some(format!("{what} {}", call?.measured)));
        let when = when.into_iter().flatten().collect::<Vec<_>>().join("; ");
        let cells = [signs, verifies, number(time(verify).map(|time| time / 1e3), 1), when];
        table.rows.push([vec![row.name, row.curve.into(), row.endomorphism.into()], cells.into()].concat());
    }
    if table.rows.iter().all(|row| row[3..6].iter().all(|cell| cell == NOT_MEASURED)) {
        return not_here(cpu, "ECDSA one at a time");
    }
    let signing =
        |library: &str| calls.get(library).and_then(|calls| calls.get(ECDSA[0])).map(|call| call.nanoseconds / 1e3);
    if let (Some(flagged), Some(shipped)) = (signing("k256"), signing("k256-as-shipped")) {
        table.notes.push(format!(
            "k256 takes {flagged:.0} us to sign with the lab's flags for this CPU and {shipped:.0} us as it ships; \
             the lab's README says why, under \"As it ships\"."
        ));
    }
    table
}

/// The work of a row, sums by their size; none where a row is not of plain work from bytes to bytes.
fn work(row: &Outcome) -> Option<(usize, String)> {
    let is_plain = row.row_class == "valid" && row.threads == 1 && row.keys.is_none() && row.without.is_none();
    if !is_plain || row.ours_inputs != "encoded" || row.peer_inputs != "encoded" {
        return None;
    }
    let is_scheme = SCHEMES.iter().any(|(scheme, _)| *scheme == row.op);
    match (row.op.as_str(), row.single) {
        ("msm", _) => Some((row.n, format!("a sum of {} products, a product", row.n))),
        (op, true) if is_scheme => Some((0, format!("{op}, one at a time"))),
        (op, false) if is_scheme && row.n == 4096 => Some((1, format!("{op}, 4,096 rows, a row"))),
        _ => None,
    }
}

/// What a CPU's records say of the choice: for each kind of work the comparison of ours, by its fastest backend, with the
/// library that came nearest to it or before it.
fn fastest(cpu: &Cpu) -> Table {
    let columns =
        ["work", "fastest", "Phalanx's backend", "us", "the best other", "its us", "its time over ours", "measured"];
    let what = "who is fastest, one thread, among what a user can call. The best other is the library with the least time over \
                ours; both times of a row are of one comparison";
    let mut table = Table::new(here(cpu, what), &columns);
    let mut best: BTreeMap<(usize, String), (&List, &Outcome)> = BTreeMap::new();
    for (list, row) in cpu.with_lists().filter(|(_, row)| is_public(&row.peer)) {
        let Some(work) = work(row) else { continue };
        let place = |row: &Outcome| (rank(&row.backend), row.ratio);
        let kept = best.entry(work).or_insert((list, row));
        if place(row) < place(kept.1) {
            *kept = (list, row);
        }
    }
    for ((_, work), (list, row)) in best {
        let fastest = if row.noise {
            "as fast".to_owned()
        } else if row.ratio > 1.0 {
            "Phalanx".to_owned()
        } else {
            row.peer.clone()
        };
        let times = [row.ours_ns, row.peer_ns].map(|time| format!("{:.2}", time / 1e3));
        let [ours, theirs] = times;
        let when = when(list, row, row.ours_spread.max(row.peer_spread));
        let ratio = format!("{:.2}", row.ratio);
        table.rows.push([work, fastest, row.backend.clone(), ours, row.peer.clone(), theirs, ratio, when].into());
    }
    if table.rows.is_empty() { not_here(cpu, "who is fastest") } else { table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{records::row, report::cpus::cpu};

    /// A single call of a peer beside ours.
    fn single(op: &str, peer: &str, ratio: f64) -> Outcome {
        let mut outcome = row(op, ratio).outcome;
        (outcome.peer, outcome.single) = (peer.into(), true);
        outcome
    }

    #[test]
    fn a_library_that_nobody_read_is_not_called_a_user_of_the_endomorphism() {
        let rows = ["btcec", "openssl-p384", "newlib"].map(|peer| single("verify-ecdsa", peer, 2.0));
        let table = measured(&cpu("one", vec![("one-at-a-time", rows.into())]));
        let of = |name: &str| table.rows.iter().find(|row| row[0] == name).unwrap()[2].clone();
        assert_eq!(["btcec", "openssl-p384", "newlib", "Phalanx, ifma"].map(of), ["yes", "no", "not known", "yes"]);
    }

    #[test]
    fn signing_of_libsecp256k1_is_that_of_both_its_rows() {
        let mut without = single("verify-ecdsa", "libsecp256k1-internal", 3.0);
        without.without = Some("endomorphism".into());
        let rows =
            vec![without, single("sign-ecdsa", "libsecp256k1", 2.0), single("verify-ecdsa", "libsecp256k1", 2.0)];
        let table = measured(&cpu("one", vec![("one-at-a-time", rows)]));
        let rows: Vec<_> =
            table.rows.iter().filter(|row| row[0] == "libsecp256k1").map(|row| row[2..5].join(" ")).collect();
        assert_eq!(rows, ["no 5000000 3333333", "yes 5000000 5000000"]);
    }

    #[test]
    fn what_our_flags_do_to_k256_is_said_where_both_builds_were_measured() {
        let rows = |peers: &[&str]| peers.iter().map(|peer| single("sign-ecdsa", peer, 2.0)).collect();
        let notes = |peers: &[&str]| measured(&cpu("one", vec![("shipped", rows(peers))])).notes.len();
        assert_eq!([notes(&["k256"]), notes(&["k256", "k256-as-shipped"])], [0, 1]);
    }

    #[test]
    fn the_choice_is_made_by_one_comparison_with_encoded_rows() {
        let bulk = |peer: &str, ratio: f64, ours_ns: f64, inputs: &str| {
            let mut outcome = row("recover", ratio).outcome;
            (outcome.peer, outcome.peer_inputs) = (peer.into(), inputs.into());
            (outcome.ours_ns, outcome.peer_ns) = (ours_ns, ours_ns * ratio);
            outcome
        };
        let rows = vec![
            bulk("k256", 4.0, 1000.0, "encoded"),
            bulk("btcec", 3.0, 9000.0, "encoded"),
            bulk("libsecp256k1-parsed", 1.5, 1000.0, "parsed"),
            bulk("libsecp256k1-internal", 1.2, 1000.0, "encoded"),
        ];
        let table = fastest(&cpu("one", vec![("bulk", rows)]));
        let [line] = &table.rows[..] else { panic!("{table:?}") };
        let expected = ["recover, 4,096 rows, a row", "Phalanx", "ifma", "9.00", "btcec", "27.00", "3.00"];
        assert_eq!(line[..7], expected.map(str::to_owned));
    }
}
