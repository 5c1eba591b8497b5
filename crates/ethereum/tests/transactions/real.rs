//! Real senders: the sample that ships, and the larger file of `../shared/data` where it is.

use phalanx::{Bulk, LowS};
use phalanx_ethereum::{SenderRow, senders};
use phalanx_testkit::chain_data;

fn check(path: &std::path::Path, count: usize) {
    let rows = chain_data::senders(path);
    assert_eq!(rows.len(), count);
    let row = |row: &chain_data::SenderRow| SenderRow {
        signing_hash: row.digest[..].try_into().unwrap(),
        signature: row.signature[..].try_into().unwrap(),
        odd_y: row.recovery_id == 1,
    };
    let asked: Vec<_> = rows.iter().map(row).collect();
    for threads in [1, 2] {
        let bulk = Bulk::builder().threads(threads).build().unwrap();
        let found = senders(&bulk, &asked, LowS::Allow);
        for (row, found) in rows.iter().zip(&found) {
            assert_eq!(found.as_ref().unwrap()[..], row.from_address);
        }
        // A few rows, and none.
        for few in [0, 1, 2, 3, 9] {
            assert_eq!(senders(&bulk, &asked[..few], LowS::Allow), found[..few]);
        }
    }
}

#[test]
fn every_sender_of_the_sample() {
    check(&chain_data::sample("ethereum-senders.parquet"), 422);
}

#[test]
fn every_sender_of_the_shared_file() {
    if let Some(path) = chain_data::shared("ethereum-senders.parquet", "2,985 senders") {
        check(&path, 2_985);
    }
}
