//! `phalanx fixed-base sweep`: every table and length asked for has a line. No test judges a time.

#[cfg(unix)]
use std::process::Stdio;

use phalanx::Backend;
use serde_json::Value;

use crate::running::{Run, command, phalanx};

fn sweep(more: &[&str]) -> Run {
    phalanx(["fixed-base", "sweep", "--seconds", "0.1"].iter().chain(more)).expect(0)
}

fn lines(more: &[&str]) -> Vec<Value> {
    let run = sweep(&[&["--json"][..], more].concat());
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Asserts what is so of every line, and returns n, t, b and the published MiB.
#[track_caller]
fn numbers(line: &Value) -> (u64, Option<u64>, Option<u64>, f64) {
    let number = |name: &str| line[name].as_f64().unwrap_or_else(|| panic!("{name}: {line}"));
    assert!(number("ns_per_op") > 0.0 && number("build_ns") > 0.0 && number("samples") >= 1.0, "{line}");
    assert_eq!(number("additions") + number("doublings"), number("add_plus_double"), "{line}");
    assert!(number("additions") > 0.0, "{line}");
    (line["msm_length"].as_u64().unwrap(), line["t"].as_u64(), line["b"].as_u64(), number("table_mib"))
}

/// Sizes and counts as published: 253 bits, 256 points.
#[test]
fn subsets_are_the_published_ones() {
    let lines = lines(&["--t", "128,256", "--b", "8", "--n", "4,256"]);
    let found: Vec<_> = lines.iter().map(numbers).collect();
    let expected = [(4, 128, 1.5), (256, 128, 1.5), (4, 256, 0.75), (256, 256, 0.75)];
    assert_eq!(found, expected.map(|(n, t, mebibytes)| (n, Some(t), Some(8), mebibytes)));
    for (line, published) in lines.iter().zip([255.0, 8281.0, 490.0, 8323.0]) {
        let counted = line["add_plus_double"].as_f64().unwrap();
        assert!((counted - published).abs() <= (0.05 * published).max(3.0), "{line}");
        // 64 bytes for 96.
        assert_eq!(line["table_bytes"].as_f64().unwrap() * 1.5 / f64::from(1 << 20), line["table_mib"]);
        assert_eq!(line["doublings"].as_f64().unwrap() + 1.0, line["t"].as_f64().unwrap());
        assert_eq!((&line["curve"], &line["basis"]), (&Value::from("banderwagon"), &Value::from(256)));
        assert_eq!((&line["scheme"], &line["configuration"]), (&Value::from("subsets"), &Value::Null));
    }
}

#[test]
fn every_scheme_curve_and_backend() {
    for curve in ["banderwagon", "secp256k1"] {
        for (scheme, t, columns) in
            [("subsets", "64", Some(64)), ("signed-windows", "1", Some(1)), ("signed-comb", "32", Some(32))]
        {
            for backend in Backend::available().iter().map(|backend| backend.name()) {
                let options = ["--curve", curve, "--scheme", scheme, "--t", t, "--b", "4-5", "--backend", backend];
                let lines = lines(&[&options[..], &["--basis", "20", "--n", "1,20"]].concat());
                let found: Vec<_> = lines.iter().map(|line| numbers(line)).map(|(n, t, b, _)| (n, t, b)).collect();
                let at = |n, b| (n, columns, Some(b));
                assert_eq!(found, [at(1, 4), at(20, 4), at(1, 5), at(20, 5)], "{options:?}");
                for line in &lines {
                    assert_eq!([&line["curve"], &line["scheme"], &line["backend"]], [curve, scheme, backend]);
                }
            }
        }
    }
    if Backend::available().len() == 1 {
        crate::running::skipped("there is no vector unit here; sweeps ran on one lane alone");
    }
}

#[test]
fn tables_with_a_name() {
    let lines = lines(&["--configuration", "verkle", "--n", "5"]);
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(numbers(line).0, 5);
    assert_eq!(
        [&line["configuration"], &line["scheme"], &line["t"], &line["b"]],
        [&Value::from("verkle"), &Value::Null, &Value::Null, &Value::Null]
    );
    // What else there is, but not within this memory; nothing is built.
    for (name, mebibytes) in [("baseline", 223), ("hybrid-144", 319), ("hybrid-16", 234)] {
        let run = phalanx(["fixed-base", "sweep", "--configuration", name, "--memory", "100"]).expect(2);
        let expected = format!("{name}: the tables take {mebibytes} MiB, and --memory allows 100");
        assert!(run.stderr.contains(&expected) && run.stdout.is_empty(), "{}", run.stderr);
    }
}

/// The tables of two of the three: positions decide which serve, and so what is counted.
#[test]
fn positions_and_files() {
    let of = |positions: &str, more: &[&str]| {
        let options = ["--configuration", "verkle", "--n", "2", "--positions", positions];
        let lines = lines(&[&options[..], more].concat());
        let [line] = &lines[..] else { panic!("{lines:?}") };
        numbers(line);
        assert_eq!(line["positions"], positions);
        (line["additions"].as_f64().unwrap(), line["read_ns"].clone())
    };
    // Windows of 14 bits, 18 or 19 for a scalar, without doublings; combs of 8 columns and 3 windows; one of each.
    let (first, read) = of("first", &["--check-files"]);
    assert!((36.0..=38.0).contains(&first) && read.as_u64() > Some(0), "{first} {read}");
    assert_eq!(of("rest", &[]), (48.0, Value::Null));
    let (spread, _) = of("spread", &[]);
    assert!((42.0..=43.0).contains(&spread), "{spread}");
}

#[test]
fn a_table_for_people() {
    let run = sweep(&["--t", "128", "--b", "4,5", "--basis", "16"]);
    assert!(run.stderr.is_empty() && run.stdout.is_ascii(), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.lines().all(|line| line.len() <= 80), "{}", run.stdout);
    // Lengths are powers of two up to the basis.
    let table: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("t=128")).collect();
    assert_eq!(table.len(), 10, "{}", run.stdout);
    assert!(table.iter().all(|line| line.len() == table[0].len()), "{}", run.stdout);
    for word in ["banderwagon, 16 points, subsets", "add+double", "MiB at 96", "MiB at 64", "build ms", "the median"] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
}

#[test]
fn what_is_refused() {
    for (options, why) in [
        (&["--t", "1", "--b", "12"][..], "t = 1, b = 12: the tables take 1350 MiB, and --memory allows 512"),
        (&["--t", "0"][..], "--t"),
        (&["--t", "257", "--memory", "1"][..], "a number out of its range"),
        (&["--b", "21", "--t", "256"][..], "a number out of its range"),
        (&["--b", "9-8"][..], "--b"),
        (&["--n", "257"][..], "--n 257: the basis has 256 points"),
        (&["--n", ""][..], "--n"),
        (&["--n", "252", "--positions", "rest"][..], "--n 252: the basis has 251 points from the sixth on"),
        (&["--basis", "5", "--positions", "rest"][..], "--positions: the basis has 5 points"),
        (&["--positions", "last"][..], "--positions"),
        (&["--basis", "0"][..], "--basis"),
        (&["--scheme", "signed-windows", "--t", "2"][..], "--t: signed windows have one column"),
        (&["--configuration", "baseline", "--b", "8"][..], "--configuration"),
        (&["--configuration", "baseline", "--curve", "secp256k1"][..], "--configuration"),
        (&["--configuration", "verkle", "--basis", "100"][..], "--configuration"),
        (&["--configuration", "best"][..], "--configuration"),
        (&["--backend", "abacus"][..], "there is no backend \"abacus\""),
        (&["--seconds", "0"][..], "--seconds"),
        (&["--memory", "0"][..], "--memory"),
        (&["10"][..], "10"),
    ] {
        let run = phalanx(["fixed-base", "sweep"].iter().chain(options)).expect(2);
        assert!(run.stdout.is_empty() && run.stderr.contains(why), "{options:?}: {}", run.stderr);
    }
    phalanx(["fixed-base"]).expect(2);
}

#[test]
fn the_environment_chooses() {
    let run = |backend: &str| {
        let options = ["fixed-base", "sweep", "--seconds", "0.1", "--json", "--t", "64", "--basis", "4", "--n", "4"];
        Run::of(command().args(options).env("PHALANX_BACKEND", backend).output().unwrap())
    };
    let json: Value = serde_json::from_str(&run("portable").expect(0).stdout).unwrap();
    assert_eq!(json["backend"], "portable");
    assert!(run("abacus").expect(2).stderr.contains("PHALANX_BACKEND"));
}

/// As with a summary, a reader that has gone away did not want it.
#[cfg(unix)]
#[test]
fn output_that_nobody_reads_or_nobody_can() {
    for more in [&["--json"][..], &[]] {
        let mut sweep = command();
        sweep.args(["fixed-base", "sweep", "--seconds", "0.1", "--t", "64", "--basis", "4"]).args(more);
        let run = Run::of(sweep.stdout(std::io::pipe().unwrap().1).stderr(Stdio::piped()).output().unwrap());
        assert_eq!(run.expect(0).stderr, "");
        if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
            let run = Run::of(sweep.stdout(full).stderr(Stdio::piped()).output().unwrap()).expect(2);
            assert!(run.stderr.contains("standard output"), "{}", run.stderr);
        } else {
            crate::running::skipped("there is no /dev/full here; no sweep was written to it");
        }
    }
}
