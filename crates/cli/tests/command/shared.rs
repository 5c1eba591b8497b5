//! Larger data of public chains from the folder `shared` beside the repository, if it is there.

use std::path::PathBuf;

use crate::running::phalanx;

/// The path of a file of the folder; without it, says what is not checked.
pub(crate) fn shared(name: &str, checks: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path.to_str().unwrap().to_owned());
    }
    phalanx_tiers::skipped(&format!("{name} is not in ../shared/data, for the command"), checks);
    None
}

/// The path of an input that once failed; without the folder, says what is not checked.
pub(crate) fn case(name: &str, checks: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases").join(name);
    if path.exists() {
        return Some(path.to_str().unwrap().to_owned());
    }
    phalanx_tiers::skipped(&format!("{name} is not in ../shared/cases, for the command"), checks);
    None
}

#[test]
fn counts_of_larger_files() {
    for (command, low_s, name, rows, valid) in [
        ("verify", "allow", "bitcoin-block-866342.parquet", 7429, 7429),
        ("verify", "allow", "bitcoin-block-300025.parquet", 1424, 1424),
        ("verify", "require", "bitcoin-block-300025.parquet", 1424, 900),
        ("verify", "allow", "nostr-events.jsonl", 360, 360),
        // Addresses are those of `from_address`.
        ("recover", "allow", "ethereum-senders.parquet", 2985, 2985),
    ] {
        let checks = format!("{command} --low-s {low_s}: {valid} valid of {rows}, the others high_s");
        let Some(file) = shared(name, &checks) else { continue };
        let high_s = rows - valid;
        let run = phalanx([command, "--json", "--low-s", low_s, &file]).expect(i32::from(high_s > 0));
        let summary = run.counts([rows, valid, high_s, 0]).summary();
        assert_eq!(summary["reasons"]["high_s"], high_s, "{name}");
        if name == "bitcoin-block-300025.parquet" {
            assert_eq!(summary["high_s_rows"], 524);
        }
    }
}
