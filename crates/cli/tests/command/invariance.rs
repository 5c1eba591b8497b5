//! The bytes of an output do not depend on threads, on the size of batches or on how often a run was killed before.

use crate::files::{csv, gzip, json_lines, parquet, table};
use crate::rows::{Signed, rows, with_high_s};
use crate::running::{directory, path, phalanx, place};

/// Rows of which some are invalid and some malformed.
fn mixed() -> Vec<Signed> {
    let mut rows = rows(500);
    for (number, row) in rows.iter_mut().enumerate() {
        match number % 11 {
            3 => row.digest[0] ^= 1,
            5 => row.digest.truncate(9),
            7 if row.signature.len() == 64 && row.scheme == "ecdsa" => row.signature = with_high_s(&row.signature),
            8 => row.key.truncate(7),
            _ => {}
        }
    }
    rows
}

#[test]
fn outputs_do_not_depend_on_threads_and_batches() {
    let directory = directory();
    let rows = mixed();
    let valid: Vec<Signed> = rows.iter().filter(|row| row.digest.len() == 32).cloned().collect();
    let inputs = [
        place(&directory, "rows.csv", csv(&rows[..200]).as_bytes()),
        place(&directory, "rows.jsonl.gz", &gzip(json_lines(&rows[200..]).as_bytes())),
        place(&directory, "rows.parquet", &parquet(&table(&valid), 77)),
    ];
    let backends = phalanx::Backend::available();
    println!("backends: {}", backends.iter().map(|backend| backend.name()).collect::<Vec<_>>().join(" "));
    for ending in ["csv", "jsonl", "parquet"] {
        let mut first: Option<(Vec<u8>, serde_json::Value)> = None;
        for (threads, batch) in [(1, 4096), (1, 1), (2, 64), (3, 7), (5, 333), (2, 4096)] {
            for backend in backends {
                let out = path(&directory, &format!("out.{ending}"));
                let (threads, batch) = (threads.to_string(), batch.to_string());
                let options =
                    ["--threads", &threads, "--block-rows", &batch, "--backend", backend.name(), "--out", &out];
                let arguments = ["verify", "--json", "--low-s", "require"].into_iter().chain(options);
                let run = phalanx(arguments.chain(inputs.iter().map(String::as_str))).expect(3);
                assert_eq!(run.summary()["backend"], backend.name());
                let bytes = std::fs::read(&out).unwrap();
                let reasons = run.summary()["reasons"].clone();
                match &first {
                    None => first = Some((bytes, reasons)),
                    Some((expected, counts)) => {
                        assert_eq!(&reasons, counts);
                        assert!(bytes == *expected, "{ending} with {threads} threads, {batch} rows a batch");
                    }
                }
            }
        }
    }
}
