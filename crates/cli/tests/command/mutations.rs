//! Files with random damage: every run ends with a documented status, and every row that was read has a verdict.

use crate::files::{csv, json_lines, parquet, table};
use crate::rows::rows;
use crate::running::{directory, phalanx, place};

/// Xorshift, so that a failing seed can be run again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn damage(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[place] ^= 1 << random.below(8),
            1 => bytes[place] = [0, 0xff, b'"', b',', b'\n', b'{', b'\\', b'-'][random.below(8)],
            2 => bytes.truncate(place + 1),
            3 => {
                bytes.remove(place);
            }
            _ => {
                let end = (place + random.below(40)).min(bytes.len());
                let copy = bytes[place..end].to_vec();
                let to = random.below(bytes.len());
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
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let mut bytes = whole.clone();
            damage(&mut random, &mut bytes);
            let run = phalanx(["verify", "--json", "-q", &place(&directory, name, &bytes)]);
            assert!((0..=3).contains(&run.status), "{name}, seed {seed}: status {}: {}", run.status, run.stderr);
            assert!(!run.stderr.contains("panicked"), "{name}, seed {seed}: {}", run.stderr);
            ends[run.status as usize] += 1;
            if run.status == 2 {
                assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{name}, seed {seed}");
            } else {
                let summary = run.summary();
                let count = |name: &str| summary[name].as_u64().unwrap();
                assert_eq!(
                    count("rows"),
                    count("valid") + count("invalid") + count("malformed"),
                    "{name}, seed {seed}"
                );
            }
        }
    }
    assert!(ends.iter().all(|count| *count > 0), "damage of every kind: {ends:?}");
}
