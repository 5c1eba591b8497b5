//! Rows that are verified by one sum have the verdicts that each has alone.

use phalanx::Backend;

use crate::files;
use crate::rows::{Signed, recoverable, row, secret, with_high_s};
use crate::running::{directory, path, phalanx, place};

/// A row and its `v`.
fn hinted(number: u32) -> (Signed, String) {
    if number.is_multiple_of(2) {
        // Any eight in a row hold every kind; the last two are Schnorr.
        return (row(number / 16 * 8 + 6 + number / 2 % 2), String::new());
    }
    let found = recoverable(number);
    let full = secret(number).public_key().to_bytes_uncompressed();
    let signed = Signed {
        id: number.to_string(),
        scheme: "ecdsa",
        digest: found.digest.to_vec(),
        key: if number % 4 == 1 { found.key.to_vec() } else { full.to_vec() },
        signature: found.signature.to_vec(),
    };
    (signed, (u32::from(found.id) + 27 * (number % 3 % 2)).to_string())
}

fn rows(count: u32) -> Vec<(Signed, String)> {
    (0..count).map(hinted).collect()
}

fn csv(rows: &[(Signed, String)]) -> String {
    let signed: Vec<Signed> = rows.iter().map(|(row, _)| row.clone()).collect();
    let further = ["v"].into_iter().chain(rows.iter().map(|(_, v)| v.as_str()));
    files::csv(&signed).lines().zip(further).map(|(line, v)| format!("{line},{v}\n")).collect()
}

/// What is wrong with a row, now and then, and what of it is wrong with its verdict.
fn spoil(rows: &mut [(Signed, String)], every: usize) {
    for (place, (row, v)) in rows.iter_mut().enumerate().filter(|(place, _)| place % every == 5) {
        match place / every % 11 {
            0 => row.digest[31] ^= 1,
            1 => row.signature[5] ^= 0x10,
            2 => row.signature[63] ^= 1,
            3 => row.key[7] ^= 2,
            4 => row.key.truncate(31),
            5 => row.signature[32..64].fill(0xff),
            6 => row.digest.truncate(31),
            // The other of two points is the hint now: valid all the same.
            7 if row.scheme == "ecdsa" => row.signature = with_high_s(&row.signature),
            8 => "3".clone_into(v),
            9 => "no number".clone_into(v),
            _ => v.clear(),
        }
    }
}

/// The answers and the counts by each choice, on each backend and by one thread and two.
#[track_caller]
fn agree(rows: &[(Signed, String)], options: &[&str], status: i32) {
    let directory = directory();
    let file = place(&directory, "rows.csv", csv(rows).as_bytes());
    let out = path(&directory, "out.csv");
    let mut expected = None;
    for backend in Backend::available() {
        for (batch, threads) in [("never", "1"), ("auto", "1"), ("always", "1"), ("always", "2")] {
            let arguments = ["verify", &file, "--json", "-q", "--out", &out, "--batch", batch, "--threads", threads];
            let backend = ["--backend", backend.name()];
            let run = phalanx(arguments.into_iter().chain(backend).chain(options.iter().copied())).expect(status);
            let answers = (std::fs::read_to_string(&out).unwrap(), run.summary()["high_s_rows"].clone());
            let expected = expected.get_or_insert_with(|| answers.clone());
            assert!(answers == *expected, "{batch}, {backend:?}, {threads} threads");
        }
    }
}

#[test]
fn valid_rows() {
    agree(&rows(1200), &[], 0);
    agree(&rows(33), &["--block-rows", "1"], 0);
    agree(&[], &[], 0);
}

#[test]
fn bad_rows_among_good_ones() {
    for every in [7, 31, 400] {
        let mut rows = rows(1200);
        spoil(&mut rows, every);
        agree(&rows, &[], if every == 400 { 1 } else { 3 });
        agree(&rows, &["--low-s", "require", "--block-rows", "500"], if every == 400 { 1 } else { 3 });
    }
}

#[test]
fn recovery_ids_that_are_all_wrong() {
    let mut rows = rows(1200);
    for (_, v) in &mut rows {
        if let Ok(id) = v.parse::<u32>() {
            *v = ((id % 27) ^ 1).to_string();
        }
    }
    agree(&rows, &[], 0);
}

#[test]
fn many_rows_under_few_keys() {
    let few: Vec<_> = (0..1500).map(|number| hinted(number % 40)).collect();
    agree(&few, &[], 0);
}
