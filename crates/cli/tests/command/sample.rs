//! The sample that ships with the project: its counts, and the verdicts that its rows expect.

use std::path::PathBuf;

use crate::running::{phalanx, phalanx_on};

pub(crate) fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn counts_as_the_manifest_states_them() {
    let mut reader = csv::Reader::from_path(sample("manifest.csv")).unwrap();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert!(records.len() >= 8, "the manifest is complete");
    for record in records {
        let (name, number) = (&record[0], |place: usize| record[place].parse::<u64>().unwrap());
        let (rows, valid, high_s) = (number(1), number(2), number(3));
        let recover = name.starts_with("ethereum") || name.starts_with("recover");
        let command = if recover { "recover" } else { "verify" };
        let summary = phalanx([command, "--json", "-q", &sample(name)]).summary();
        assert_eq!((summary["rows"].as_u64(), summary["valid"].as_u64()), (Some(rows), Some(valid)), "{name}");
        if recover {
            continue;
        }
        let summary = phalanx(["verify", "--json", "-q", "--low-s", "require", &sample(name)]).summary();
        assert_eq!(summary["reasons"]["high_s"].as_u64(), Some(high_s), "{name}");
    }
}

#[test]
fn verdicts_as_the_rows_expect_them() {
    for (command, name, column, options) in [
        ("verify", "errors.csv", "expected_reason", &[][..]),
        ("verify", "errors.csv", "expected_low_s_require", &["--low-s", "require"]),
        ("verify", "errors.jsonl", "expected_reason", &[]),
        ("verify", "errors.jsonl", "expected_low_s_require", &["--low-s", "require"]),
        ("verify", "nostr-errors.jsonl", "expected_reason", &[]),
        ("verify", "nostr-errors.jsonl", "expected_reason", &["--low-s", "require"]),
        ("recover", "recover-errors.csv", "expected_reason", &[]),
    ] {
        let file = sample(name);
        let arguments = [command, &file, "-q", "--keep", column, "--out", "-"];
        let lines = phalanx(arguments.iter().chain(options)).expect(3).answers();
        assert!(lines.len() > 10);
        for line in lines {
            assert_eq!(line["reason"], line[column], "{name}: {line}");
        }
    }
}

#[test]
fn an_event_with_another_id_is_invalid_and_the_id_is_named() {
    let file = sample("nostr-errors.jsonl");
    let lines = phalanx(["verify", "-q", &file, "--keep", "expected_column", "--out", "-"]).expect(3).answers();
    let named = lines.iter().filter(|line| line["reason"] == "invalid_signature" && line["column"] == "id").count();
    assert_eq!(named, 6);
    for line in lines {
        assert_eq!(line["column"], line["expected_column"], "{line}");
    }
    let events = std::fs::read_to_string(file).unwrap();
    let run = phalanx_on(events.lines().next_back().unwrap().as_bytes(), ["verify", "-"]).expect(1);
    assert_eq!(run.stderr, "standard input: row 1: invalid_signature: id: not the hash of the event\n");
}
