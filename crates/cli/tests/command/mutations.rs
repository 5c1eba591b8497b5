//! Files with random damage: every run ends with a documented status, and every row that was read has a verdict.

use crate::files::{csv, json_lines, parquet, table};
use crate::rows::rows;
use crate::running::{directory, phalanx, place};

/// Damages bytes as a seed says.
fn damage(seed: u64, bytes: &mut Vec<u8>) {
    let mut draws = phalanx_tiers::Draws::of(seed);
    let mut below = |bound: usize| draws.below(bound);
    for _ in 0..=below(4) {
        let place = below(bytes.len());
        match below(5) {
            0 => bytes[place] ^= 1 << below(8),
            1 => bytes[place] = [0, 0xff, b'"', b',', b'\n', b'{', b'\\', b'-'][below(8)],
            2 => bytes.truncate(place + 1),
            3 => {
                bytes.remove(place);
            }
            _ => {
                let end = (place + below(40)).min(bytes.len());
                let copy = bytes[place..end].to_vec();
                let to = below(bytes.len());
                bytes.splice(to..to, copy);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
}

#[test]
fn damaged_files_end_in_a_documented_way() {
    let directory = directory();
    let rows = rows(24);
    let files = [
        ("rows.csv", csv(&rows).into_bytes()),
        ("rows.jsonl", json_lines(&rows).into_bytes()),
        ("rows.parquet", parquet(&table(&rows), 10)),
    ];
    let mut ends = [0; 4];
    for seed in 1..=120_u64 {
        for (name, whole) in &files {
            let mut bytes = whole.clone();
            damage(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), &mut bytes);
            let run = phalanx(["verify", "--json", "-q", &place(&directory, name, &bytes)]);
            let documented = (0..=3).contains(&run.status) && !run.stderr.contains("panicked");
            assert!(documented, "{name}, seed {seed}: status {}: {}", run.status, run.stderr);
            ends[run.status as usize] += 1;
            if run.status == 2 {
                assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{name}, seed {seed}");
            } else {
                let summary = run.summary();
                let [rows, counted @ ..] = ["rows", "valid", "invalid", "malformed"].map(|name| &summary[name]);
                let counted: u64 = counted.into_iter().filter_map(|count| count.as_u64()).sum();
                assert_eq!(*rows, counted, "{name}, seed {seed}");
            }
        }
    }
    assert!(ends.iter().all(|count| *count > 0), "damage of every kind: {ends:?}");
}
