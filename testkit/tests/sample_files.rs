//! The committed files of `data/sample` are those that `make_sample` writes: same bytes, same counts.
//!
//! To regenerate them is left to a person, because it fetches Go modules; `data/sample/README.md` says how.

use parquet::file::reader::{FileReader, SerializedFileReader};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One line of `manifest.csv`.
struct Listed {
    file: String,
    rows: usize,
    valid: usize,
    high_s: usize,
    sha256: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample")
}

fn manifest() -> Vec<Listed> {
    let mut reader = csv::Reader::from_path(folder().join("manifest.csv")).expect("data/sample/manifest.csv is there");
    let records = reader.records().map(|record| {
        let record = record.expect("the manifest is CSV");
        let count = |column: usize| record[column].parse().expect("a count");
        let [rows, valid, high_s] = [1, 2, 3].map(count);
        Listed { file: record[0].to_owned(), rows, valid, high_s, sha256: record[4].to_owned() }
    });
    records.collect()
}

/// The rows of a file by its ending.
fn count_rows(path: &Path) -> usize {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("parquet") => {
            let file = std::fs::File::open(path).expect("a listed file can be opened");
            let reader = SerializedFileReader::new(file).expect("a listed Parquet file can be read");
            usize::try_from(reader.metadata().file_metadata().num_rows()).expect("a count")
        }
        Some("csv") => csv::Reader::from_path(path).expect("a listed file can be opened").records().count(),
        Some("jsonl") => std::fs::read_to_string(path).expect("a listed file can be read").lines().count(),
        other => panic!("no reader for {other:?}"),
    }
}

#[test]
fn committed_files_match_the_manifest() {
    let manifest = manifest();
    assert_eq!(manifest.len(), 12);
    for listed in &manifest {
        let path = folder().join(&listed.file);
        let bytes = std::fs::read(&path).expect("a listed file is there");
        assert_eq!(hex::encode(Sha256::digest(&bytes)), listed.sha256, "{}", listed.file);
        assert!(bytes.len() < 1 << 20, "{} is larger than 1 MiB", listed.file);
        assert_eq!(count_rows(&path), listed.rows, "{}", listed.file);
    }
}

#[test]
fn nothing_else_lies_in_the_folder() {
    let listed = manifest().into_iter().map(|listed| listed.file);
    let expected: BTreeSet<String> = listed.chain(["README.md".to_owned(), "manifest.csv".to_owned()]).collect();
    let names = std::fs::read_dir(folder()).expect("data/sample is there");
    let found = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name")).collect();
    assert_eq!(expected, found);
}

#[test]
fn error_rows_cover_every_class_and_agree_with_the_manifest() {
    let listed = manifest().into_iter().find(|listed| listed.file == "errors.jsonl").expect("errors.jsonl is listed");
    let text = std::fs::read_to_string(folder().join("errors.jsonl")).expect("errors.jsonl is there");
    let rows: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let reasons = |column: &str| -> Vec<String> {
        rows.iter().map(|row| row[column].as_str().expect("a reason").to_owned()).collect()
    };
    let [allow, require] = ["expected_reason", "expected_low_s_require"].map(reasons);
    let every = [
        "valid",
        "malformed_row",
        "bad_public_key",
        "bad_signature_encoding",
        "out_of_range",
        "high_s",
        "invalid_signature",
    ];
    for reason in every {
        assert!(require.iter().any(|found| found == reason), "no row of class {reason}");
    }
    assert_eq!(allow.iter().filter(|reason| *reason == "valid").count(), listed.valid);
    assert_eq!(require.iter().filter(|reason| *reason == "high_s").count(), listed.high_s);
}
