//! Real signatures: the sample that ships, and the larger files of `../shared/data`. Single calls get every row, and every
//! other surface a sample of a long file.

use phalanx::{LowS, Verdict};
use phalanx_testkit::chain_data::{self, SignedRow, shared};
use phalanx_testkit::surface::{Single, surfaces, verifiers};
use phalanx_tiers::sample;

/// So many rows of a file are asked of every surface in the short tier, and all of them as single calls.
const ROWS: usize = 1_000;

/// Checks how many rows are valid under either policy; the others must be high-S.
fn check_signed(name: &str, rows: &[SignedRow], count: usize, high_s: usize) {
    assert_eq!(rows.len(), count, "{name}");
    assert_eq!(chain_data::verdicts(&Single, rows, LowS::Allow), vec![Verdict::Valid; count], "{name}");
    let single = chain_data::verdicts(&Single, rows, LowS::Require);
    let taken = sample(&format!("rows of {name}"), count, ROWS);
    for surface in verifiers() {
        let taken: Vec<_> = surface.share().of_cases(taken.iter().copied()).collect();
        let rows: Vec<_> = taken.iter().map(|row| rows[*row].clone()).collect();
        let verdicts = |low_s| chain_data::verdicts(&*surface, &rows, low_s);
        assert_eq!(verdicts(LowS::Allow), vec![Verdict::Valid; rows.len()], "{name}, {}", surface.name());
        let expected: Vec<_> = taken.iter().map(|row| single[*row]).collect();
        assert_eq!(verdicts(LowS::Require), expected, "{name}, {}", surface.name());
        println!("{name}: {} valid of {}, {}", rows.len(), rows.len(), surface.name());
    }
    let of = |verdict| single.iter().filter(|found| **found == verdict).count();
    assert_eq!((of(Verdict::Valid), of(Verdict::HighS)), (count - high_s, high_s), "{name}");
}

/// Checks that every row recovers to its address.
fn check_senders(name: &str, path: &std::path::Path, count: usize) {
    let senders = chain_data::senders(path);
    assert_eq!(senders.len(), count, "{name}");
    let rows: Vec<_> = senders.iter().map(chain_data::SenderRow::row).collect();
    for surface in surfaces() {
        let share = surface.share();
        let rows: Vec<_> = share.of_cases(rows.iter().copied()).collect();
        let keys = surface.recover(&rows);
        assert_eq!(keys.len(), rows.len());
        for (index, (sender, key)) in share.of_cases(&senders).zip(keys).enumerate() {
            let address = key.as_ref().map(chain_data::address);
            assert_eq!(address.as_ref(), Ok(&sender.from_address), "{name} row {index}, {}", surface.name());
        }
        println!("{name}: {} senders of {count}, {}", rows.len(), surface.name());
    }
}

#[test]
fn the_sample_is_valid() {
    for (name, count, high_s) in
        [("bitcoin-block-277647.parquet", 732, 366), ("bitcoin-transaction-bb41a757.parquet", 5_569, 0)]
    {
        check_signed(name, &chain_data::signed_parquet(&chain_data::sample(name)), count, high_s);
    }
    for (name, count, high_s) in [("bitcoin-64.csv", 64, 41), ("schnorr-64.csv", 64, 0)] {
        let rows: Vec<_> = chain_data::signed_csv(&chain_data::sample(name)).into_iter().map(|(row, _)| row).collect();
        check_signed(name, &rows, count, high_s);
    }
    check_signed("nostr-events.jsonl", &chain_data::nostr_events(&chain_data::sample("nostr-events.jsonl")), 185, 0);
    check_senders("ethereum-senders.parquet", &chain_data::sample("ethereum-senders.parquet"), 422);
}

#[test]
fn error_rows_of_the_sample_get_their_reasons() {
    let rows = chain_data::signed_csv(&chain_data::sample("errors.csv"));
    // What the file calls malformed is, but for the length of an ECDSA digest, nothing a row of the library can hold;
    // BIP-340 takes a message of any length.
    let (rows, expected): (Vec<_>, Vec<_>) =
        rows.into_iter().filter(|(row, _)| !row.schnorr || row.message.len() == 32).unzip();
    assert_eq!(rows.len(), 80);
    for surface in verifiers() {
        for (low_s, column) in [(LowS::Allow, "expected_reason"), (LowS::Require, "expected_low_s_require")] {
            let verdicts = chain_data::verdicts(&*surface, &rows, low_s);
            for (fields, verdict) in expected.iter().zip(verdicts) {
                assert_eq!(verdict.reason(), fields[column], "{}, {}", fields["id"], surface.name());
            }
        }
        println!("errors.csv: 80 of 80 rows with their reasons under both policies, {}", surface.name());
    }
}

#[test]
fn shared_files_are_valid() {
    for (name, count, high_s) in
        [("bitcoin-block-866342.parquet", 7_429, 0), ("bitcoin-block-300025.parquet", 1_424, 524)]
    {
        if let Some(path) = shared(name, &format!("{count} rows, {high_s} of them high-S")) {
            check_signed(name, &chain_data::signed_parquet(&path), count, high_s);
        }
    }
    if let Some(path) = shared("nostr-events.jsonl", "360 events") {
        check_signed("shared nostr-events.jsonl", &chain_data::nostr_events(&path), 360, 0);
    }
    if let Some(path) = shared("ethereum-senders.parquet", "2,985 senders") {
        check_senders("shared ethereum-senders.parquet", &path, 2_985);
    }
}
