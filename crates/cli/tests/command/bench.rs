//! `phalanx bench`: every backend and every operation has a rate. No test judges one.

#[cfg(unix)]
use std::process::Stdio;
use std::thread::available_parallelism;

use phalanx::{Backend, Bulk};
use serde_json::Value;

use crate::running::{Run, command, phalanx};

/// The names for machines and for people, and whether there is a single call of it.
const OPERATIONS: [(&str, &str, bool); 12] = [
    ("verify-ecdsa", "verify ECDSA ", true),
    ("verify-schnorr", "verify Schnorr", true),
    ("recover", "recover", true),
    ("public-keys", "public keys", true),
    ("sign-ecdsa", "sign ECDSA", true),
    ("sign-schnorr", "sign Schnorr", true),
    ("shared-secrets", "shared secrets", true),
    ("tweak-add-public", "tweak add public", false),
    ("decompress", "decompress", false),
    ("derive-children", "derive children", false),
    ("verify-ecdsa-few-keys", "verify ECDSA, 16 keys", false),
    ("sum", "sum of 1,024 products", false),
];

fn bench(more: &[&str]) -> Run {
    phalanx(["bench", "--seconds", "0.2"].iter().chain(more)).expect(0)
}

fn json(run: &Run) -> Value {
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The ways with their numbers of threads.
fn ways() -> Vec<(&'static str, usize)> {
    let threads = available_parallelism().unwrap().get();
    let mut ways = vec![("single", 1), ("bulk", 1), ("bulk", threads)];
    ways.dedup();
    ways
}

/// Asserts that there is a rate for each of `backends` in each operation and way, and none besides.
#[track_caller]
fn has_rates(json: &Value, backends: &[Backend]) {
    let rates = json["rates"].as_array().unwrap();
    let measured = rates.iter().filter_map(|rate| rate["operation"].as_str());
    let new: Vec<_> = measured.filter(|name| OPERATIONS.iter().all(|(known, ..)| known != name)).collect();
    assert!(new.is_empty(), "OPERATIONS of this test lacks {new:?}");
    let mut expected = 0;
    for (way, threads) in ways() {
        for (operation, _, _) in OPERATIONS.iter().filter(|(_, _, single)| *single || way == "bulk") {
            for backend in backends {
                let what = format!("{operation}, {way}, {threads} threads, {backend}");
                let mut found = rates.iter().filter(|rate| {
                    rate["operation"] == *operation
                        && rate["way"] == way
                        && rate["threads"] == threads
                        && rate["backend"] == backend.name()
                });
                let rate = found.next().unwrap_or_else(|| panic!("no rate: {what} in {json}"));
                assert!(found.next().is_none(), "{what}");
                assert!(rate["rows_per_second"].as_f64().unwrap() > 0.0, "{what}");
                assert!(rate["spread"].as_f64().unwrap() >= 0.0 && rate["samples"].as_u64().unwrap() > 0, "{what}");
                assert_eq!(rate["rows_per_call"] == 1, way == "single", "{what}");
                expected += 1;
            }
        }
    }
    assert_eq!(rates.len(), expected);
}

#[test]
fn every_backend_has_every_rate() {
    let json = json(&bench(&["--json"]));
    let backends = Backend::available();
    has_rates(&json, backends);
    let names: Vec<&str> = backends.iter().map(|backend| backend.name()).collect();
    let chosen = Bulk::builder().build().unwrap().backend();
    assert_eq!((&json["backends"], &json["backend"]), (&Value::from(names), &Value::from(chosen.name())));
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["threads"], available_parallelism().unwrap().get());

    // A gain for each operation and way that both backends have.
    let rates = json["rates"].as_array().unwrap();
    let both = |rate: &&Value| rate["backend"] == chosen.name() && chosen != Backend::Portable;
    let gains = json["gains"].as_array().unwrap();
    assert_eq!(gains.len(), rates.iter().filter(both).count());
    assert!(gains.iter().all(|gain| gain["gain"].as_f64().unwrap() > 0.0));
}

#[test]
fn one_backend_alone_or_chosen() {
    for backend in Backend::available() {
        let json = json(&bench(&["--json", "--backend", backend.name()]));
        has_rates(&json, &[*backend]);
        assert_eq!((&json["backend"], &json["gains"]), (&Value::from(backend.name()), &Value::Array(vec![])));
    }
    let refused = phalanx(["bench", "--backend", "abacus"]).expect(2);
    assert!(refused.stderr.contains("there is no backend \"abacus\"") && refused.stdout.is_empty());
    // The environment chooses, and all are measured.
    let run = command().args(["bench", "--seconds", "0.1", "--json"]).env("PHALANX_BACKEND", "portable").output();
    let json = json(&Run::of(run.unwrap()).expect(0));
    has_rates(&json, Backend::available());
    assert_eq!((&json["backend"], &json["gains"]), (&Value::from("portable"), &Value::Array(vec![])));
}

#[test]
fn a_table_for_each_way() {
    let run = bench(&[]);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    // Standard output is no terminal.
    assert!(run.stdout.is_ascii() && !run.stdout.contains('\x1b'), "{}", run.stdout);
    assert!(run.stdout.lines().all(|line| line.len() <= 80), "{}", run.stdout);
    let tables = ways().len();
    for (_, label, single) in OPERATIONS {
        let lines = run.stdout.lines().filter(|line| line.starts_with(label)).count();
        assert_eq!(lines, if single { tables } else { tables - 1 }, "{label}: {}", run.stdout);
    }
    for backend in Backend::available() {
        assert!(run.stdout.contains(backend.name()), "{}", run.stdout);
    }
    for word in ["One at a time", "In bulk, one thread", "cpu", "version", "Rows per second", "Medians"] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
}

#[test]
fn lengths_that_are_none() {
    for length in ["", "0", "0.09", "-1", "3601", "1e9", "NaN", "inf", "ten", "1s"] {
        for arguments in [&["bench", "--seconds", length][..], &["bench", &format!("--seconds={length}")]] {
            let run = phalanx(arguments).expect(2);
            assert!(run.stdout.is_empty() && run.stderr.contains("--seconds"), "{length}: {}", run.stderr);
        }
    }
}

/// As with a summary, a reader that has gone away did not want it.
#[cfg(unix)]
#[test]
fn output_that_nobody_reads_or_nobody_can() {
    for more in [&["--json"][..], &[]] {
        let mut bench = command();
        bench.args(["bench", "--seconds", "0.1", "--backend", "portable"]).args(more);
        let run = Run::of(bench.stdout(std::io::pipe().unwrap().1).stderr(Stdio::piped()).output().unwrap());
        assert_eq!(run.expect(0).stderr, "");
        if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
            let run = Run::of(bench.stdout(full).stderr(Stdio::piped()).output().unwrap()).expect(2);
            assert!(run.stderr.contains("standard output"), "{}", run.stderr);
        } else {
            crate::running::skipped("there is no /dev/full here; no rates were written to it");
        }
    }
}
