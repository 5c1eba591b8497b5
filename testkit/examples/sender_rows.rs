//! Writes real senders as lines, for the tests of the Go module, which read no Parquet: those of the sample, and those
//! of `../shared/data` where that folder is. A line is as the example `go_peer` of the crate `phalanx-go-image` writes
//! it.

use phalanx_testkit::chain_data::{sample, senders, shared};

const NAME: &str = "ethereum-senders.parquet";

fn main() {
    let files = [Some(sample(NAME)), shared(NAME, "2,985 senders by the Go module")];
    for row in files.iter().flatten().flat_map(|path| senders(path)) {
        let [hash, signature, address] = [&row.digest, &row.signature, &row.from_address].map(hex::encode);
        println!("senders_low {hash} {signature} {:02x} {address} valid", row.recovery_id);
    }
}
