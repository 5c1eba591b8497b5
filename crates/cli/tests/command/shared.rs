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

#[test]
fn bitcoin_block_866342() {
    if let Some(file) = shared("bitcoin-block-866342.parquet", "7,429 valid of 7,429") {
        phalanx(["verify", "--json", &file]).expect(0).counts([7429, 7429, 0, 0]);
    }
}

#[test]
fn bitcoin_block_300025() {
    let checks = "1,424 valid of 1,424, and under --low-s require 900 valid and 524 high_s";
    if let Some(file) = shared("bitcoin-block-300025.parquet", checks) {
        let allowed = phalanx(["verify", "--json", &file]).expect(0).counts([1424, 1424, 0, 0]);
        assert_eq!(allowed.summary()["high_s_rows"], 524);
        let refused = phalanx(["verify", "--json", "--low-s", "require", &file]).expect(1).counts([1424, 900, 524, 0]);
        assert_eq!(refused.summary()["reasons"]["high_s"], 524);
    }
}

#[test]
fn nostr_events() {
    if let Some(file) = shared("nostr-events.jsonl", "360 valid of 360") {
        phalanx(["verify", "--json", &file]).expect(0).counts([360, 360, 0, 0]);
    }
}

#[test]
fn ethereum_senders() {
    if let Some(file) = shared("ethereum-senders.parquet", "2,985 addresses of 2,985 equal to from_address") {
        phalanx(["recover", "--json", &file]).expect(0).counts([2985, 2985, 0, 0]);
    }
}
