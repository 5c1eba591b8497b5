//! Where recovery ids stand: at the end of a signature, in front of it, in the highest bit of s, or in a column.

use serde_json::Value;

use crate::files::hex;
use crate::rows::{Recoverable, recoverable};
use crate::running::{Run, directory, path, phalanx, phalanx_on, place};
use crate::shared::case;

/// Rows of signatures with a header in front, as BIP-137 has it; `kind` is 0 to 3 for the four kinds of address.
fn header_first(rows: impl Iterator<Item = u32>, kind: u8) -> String {
    let line =
        |row: Recoverable| format!("{},{:02x}{}\n", hex(&row.digest), 27 + 4 * kind + row.id, hex(&row.signature));
    "msg_hash,sig\n".to_owned() + &rows.map(recoverable).map(line).collect::<String>()
}

fn id_last(rows: impl Iterator<Item = u32>, offset: u8) -> String {
    let line = |row: Recoverable| format!("{},{}{:02x}\n", hex(&row.digest), hex(&row.signature), row.id + offset);
    "msg_hash,sig\n".to_owned() + &rows.map(recoverable).map(line).collect::<String>()
}

/// Rows whose signature has a last byte that may be an id, so that a header in front of it does not show.
fn ambiguous() -> Vec<u32> {
    let last = |row: &u32| recoverable(*row).signature[63];
    (0..4000).filter(|row| matches!(last(row), 0..=3 | 27..=30)).take(60).collect()
}

fn recover(text: &str, options: &[&str]) -> Run {
    phalanx_on(text.as_bytes(), ["recover", "-", "--json"].iter().chain(options))
}

fn wrong_keys(run: &Run, rows: impl Iterator<Item = u32>) -> usize {
    let right = |(answer, row): (&Value, u32)| answer["public_key"] == hex(&recoverable(row).key);
    let answers = run.answers();
    let valid = answers.iter().zip(rows).filter(|(answer, _)| answer["valid"] == true);
    valid.filter(|pair| !right((pair.0, pair.1))).count()
}

#[test]
fn a_file_with_headers_in_front_is_refused() {
    for kind in 0..4 {
        let text = header_first(0..400, kind);
        let directory = directory();
        let (file, out) = (place(&directory, "messages.csv", text.as_bytes()), path(&directory, "out.csv"));
        // A row in 32 ends with a byte that may be an id: its key would be wrong, so nothing is written.
        let run = phalanx(["recover", &file, "--out", &out]).expect(2);
        assert!(run.stderr.contains("--v header") && run.stderr.contains("BIP-137"), "{}", run.stderr);
        assert!(!run.stderr.contains("--v eip155"), "{}", run.stderr);
        assert!(!std::path::Path::new(&out).exists() && run.stdout.is_empty());
        for block_rows in ["1", "7", "4096"] {
            phalanx(["recover", &file, "--block-rows", block_rows]).expect(2);
        }
        let run = recover(&text, &["--v", "header", "--out", "-"]).expect(0).counts([400, 400, 0, 0]);
        assert_eq!(wrong_keys(&run, 0..400), 0);
    }
}

#[test]
fn rows_that_can_be_read_both_ways_are_not_passed_over_in_silence() {
    let rows = ambiguous();
    assert!(rows.len() > 50, "as many as there should be");
    // Nothing tells: the rows are read with the id at the end, and the summary says so.
    let text = header_first(rows.iter().copied(), 1);
    let run = recover(&text, &["--out", "-"]);
    assert!(wrong_keys(&run, rows.iter().copied()) > 10, "signatures that are read in the wrong way have other keys");
    let hints = run.summary()["hints"].to_string();
    assert!(hints.contains("--v header") && hints.contains("--v last"), "{hints}");
    assert_eq!(recover(&text, &["--v", "last"]).summary()["hints"], serde_json::json!([]));
    let run = phalanx_on(text.as_bytes(), ["recover", "-", "-q"]);
    assert!(run.stdout.contains("--v header"), "{}", run.stdout);
    // One row that has a header without doubt, and the file is refused; not if most rows have the id at the end.
    let other = (0..).find(|row| !matches!(recoverable(*row).signature[63], 0..=3 | 27..=30)).unwrap();
    let lines = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    let mixed = text.clone() + &lines(&header_first([other].into_iter(), 1));
    let run = recover(&mixed, &[]).expect(2);
    assert!(run.stderr.contains("valid rows can be read both ways"), "{}", run.stderr);
    let plain = (0..4000).filter(|row| !matches!(recoverable(*row).signature[0], 27..=42)).take(3);
    let run = recover(&(mixed + &lines(&id_last(plain, 0))), &[]).expect(1);
    let hints = run.summary()["hints"].to_string();
    assert!(hints.contains("1 signature") && hints.contains("valid rows can be read both ways"), "{hints}");
    // A row that says whose key it expects is in no doubt.
    let expecting: String = text
        .lines()
        .skip(1)
        .zip(&rows)
        .map(|(line, row)| format!("{line},{}\n", hex(&recoverable(*row).key)))
        .collect();
    let run = recover(&format!("msg_hash,sig,pubkey\n{expecting}"), &[]).expect(1);
    assert_eq!((&run.summary()["valid"], &run.summary()["hints"]), (&Value::from(0), &serde_json::json!([])));
}

#[test]
fn ids_at_the_end_are_read_without_a_word() {
    for offset in [0, 27] {
        let run = recover(&id_last(0..400, offset), &["--out", "-"]).expect(0).counts([400, 400, 0, 0]);
        assert_eq!((wrong_keys(&run, 0..400), &run.summary()["hints"]), (0, &serde_json::json!([])));
        let run = recover(&id_last(0..400, offset), &["--v", "eip2098"]).expect(0).counts([400, 400, 0, 0]);
        assert_eq!(run.summary()["hints"], serde_json::json!([]));
        let run = recover(&id_last(0..400, offset), &["--v", "header"]).expect(2);
        assert!(run.stderr.contains("--v last"), "{}", run.stderr);
    }
}

#[test]
fn the_last_byte_is_eip_155_if_asked_for() {
    let text = id_last(0..200, 37);
    let run = phalanx_on(text.as_bytes(), ["recover", "-"]).expect(1);
    assert!(run.stderr.contains("row 1: out_of_range: sig: the last byte, 3"), "{}", run.stderr);
    assert!(run.stderr.contains("--v eip155") && run.stdout.contains("--v eip155"), "{}{}", run.stdout, run.stderr);
    let run = recover(&text, &["--v", "eip155", "--out", "-"]).expect(0).counts([200, 200, 0, 0]);
    assert_eq!((wrong_keys(&run, 0..200), &run.summary()["hints"]), (0, &serde_json::json!([])));
    // Nearly every last byte would do then, so headers in front are looked for too.
    let run = recover(&header_first(0..200, 1), &["--v", "eip155"]).expect(2);
    assert!(run.stderr.contains("--v header"), "{}", run.stderr);
}

#[test]
fn a_column_has_headers_only_if_asked_for() {
    let lines = |v: &dyn Fn(u8) -> u32| {
        let line = |row: Recoverable| format!("{},{},{}\n", hex(&row.digest), hex(&row.signature), v(row.id));
        "msg_hash,sig,v\n".to_owned() + &(0..40).map(recoverable).map(line).collect::<String>()
    };
    for kind in 0..4 {
        let text = lines(&|id| 27 + 4 * kind + u32::from(id));
        recover(&text, &["--v", "header"]).expect(0).counts([40, 40, 0, 0]);
    }
    let run = recover(&lines(&|id| 31 + u32::from(id)), &[]).expect(1).counts([40, 0, 40, 0]);
    assert!(run.stderr.contains("v: 3") && run.stderr.contains("--v header"), "{}", run.stderr);
    // A number in a column of its own is what somebody wrote as one, so EIP-155 needs no option.
    for v in [0, 27, 37, 45, 2_000_001] {
        recover(&lines(&|id| v + u32::from(id)), &[]).expect(0).counts([40, 40, 0, 0]);
    }
    let run = recover(&lines(&u32::from), &["--v", "header"]).expect(1).counts([40, 0, 40, 0]);
    assert!(run.stderr.contains("try --v last"), "{}", run.stderr);
}

/// A signature as EIP-2098 has it.
fn with_parity_in_s(row: &Recoverable) -> Vec<u8> {
    let mut signature = row.signature.to_vec();
    signature[32] |= row.id << 7;
    signature
}

#[test]
fn the_highest_bit_of_s_is_an_id_only_if_asked_for() {
    let rows = || (0..40).map(recoverable);
    let line = |row: Recoverable| format!("{},{}\n", hex(&row.digest), hex(&with_parity_in_s(&row)));
    let compact = "msg_hash,sig\n".to_owned() + &rows().map(line).collect::<String>();
    let run = recover(&compact, &["--v", "eip2098", "--out", "-"]).expect(0).counts([40, 40, 0, 0]);
    assert_eq!(wrong_keys(&run, 0..40), 0);
    let run = recover(&compact, &[]).expect(2);
    assert!(run.stderr.contains("--v eip2098"), "{}", run.stderr);
    let mixed = id_last(0..1, 27) + compact.split_once('\n').unwrap().1;
    let run = recover(&mixed, &[]).expect(3).counts([41, 1, 0, 40]);
    assert!(run.stderr.contains("row 2: malformed_row: v: missing: a signature of 64 bytes"), "{}", run.stderr);
    assert!(run.stderr.contains("--v eip2098"), "{}", run.stderr);
    recover(&mixed, &["--v", "eip2098"]).expect(0).counts([41, 41, 0, 0]);
    // `verify` leaves the bit out of s too. Schnorr signatures are as they are.
    let line = |row: Recoverable| format!("{},{},{}\n", hex(&row.digest), hex(&row.key), hex(&with_parity_in_s(&row)));
    let text = "msg_hash,pubkey,sig\n".to_owned() + &rows().map(line).collect::<String>();
    let verify = |options: &[&str]| phalanx_on(text.as_bytes(), ["verify", "-", "--json"].iter().chain(options));
    verify(&["--v", "eip2098"]).expect(0).counts([40, 40, 0, 0]);
    let odd = rows().filter(|row| row.id == 1).count() as u64;
    let run = verify(&[]).expect(1).counts([40, 40 - odd, odd, 0]);
    assert!(run.stderr.contains("--v eip2098"), "{}", run.stderr);
    let schnorr: Vec<_> = (6..8).map(crate::rows::row).collect();
    let text = crate::files::csv(&schnorr);
    for v in ["last", "eip155", "header", "eip2098"] {
        phalanx_on(text.as_bytes(), ["verify", "-", "--json", "--v", v]).expect(0).counts([2, 2, 0, 0]);
    }
}

#[test]
fn verification_reads_headers_as_recovery_does() {
    let line = |row: Recoverable| {
        format!("{},{},{:02x}{}\n", hex(&row.digest), hex(&row.key), 31 + row.id, hex(&row.signature))
    };
    let text = "msg_hash,pubkey,sig\n".to_owned() + &(0..300).map(recoverable).map(line).collect::<String>();
    for batch in ["never", "always"] {
        let header = ["verify", "-", "--json", "--v", "header", "--batch", batch];
        phalanx_on(text.as_bytes(), header).expect(0).counts([300, 300, 0, 0]);
    }
    let run = phalanx_on(text.as_bytes(), ["verify", "-", "--json"]).expect(1).counts([300, 0, 300, 0]);
    assert!(run.summary()["hints"].to_string().contains("--v header"), "{}", run.stdout);
}

#[test]
fn the_shared_cases() {
    let Some(file) = case("v-first.csv", "headers in front") else { return };
    let run = phalanx(["recover", &file]);
    assert!(run.status != 0 && run.stderr.contains("--v header"), "{}", run.stderr);
    phalanx(["recover", "--json", "--v", "header", &file]).expect(0).counts([40, 40, 0, 0]);
    let Some(file) = case("eip2098-mixed.csv", "ids in s") else { return };
    assert!(phalanx(["recover", &file]).expect(3).stderr.contains("--v eip2098"));
    phalanx(["recover", "--json", "--v", "eip2098", &file]).expect(0).counts([8, 8, 0, 0]);
}

/// Neither a byte of s above 34 nor one that may be an id is taken for the id, where most ids stand in front.
#[test]
fn ids_in_front_are_no_ids_at_the_end() {
    let line = |row: Recoverable| format!("{},{:02x}{}\n", hex(&row.digest), row.id, hex(&row.signature));
    let text = "msg_hash,sig\n".to_owned() + &(0..400).map(recoverable).map(line).collect::<String>();
    for options in [&[][..], &["--v", "eip155"]] {
        let run = recover(&text, options).expect(2);
        assert!(run.stderr.contains("--v header"), "{}", run.stderr);
    }
    recover(&text, &["--v", "header"]).expect(0);
}
