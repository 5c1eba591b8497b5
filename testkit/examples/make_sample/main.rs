//! Makes `data/sample/`: real signatures from public chains, and rows with errors of every class of verdict.
//!
//! The input arrives through the Go module proxy, pinned by version and checksum; nothing is read from a chain node.
//! Every row is checked with libsecp256k1 (crate `secp256k1`) before it is written, and two runs write the same bytes.
//!
//! ```text
//! cargo run --release -p phalanx-testkit --example make_sample [-- FOLDER]     (default data/sample)
//! ```

mod bitcoin_rows;
mod error_row;
mod error_rows;
mod ethereum_rows;
mod go_module;
mod manifest;
mod nostr_error_rows;
mod nostr_rows;
mod oracle;
mod parquet_file;
mod recover_error_rows;
mod rlp;
mod row;
mod text_file;
mod utxo;

use manifest::Counts;
use std::error::Error;
use std::path::{Path, PathBuf};

/// What any step may fail with; the program stops at the first failure and says why.
type Fallible<T> = Result<T, Box<dyn Error>>;

/// Rows of the small text versions: enough to look at, few enough to read.
const SHORT: usize = 64;

fn main() -> Fallible<()> {
    let folder = std::env::args_os().nth(1).map_or_else(default_folder, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    let mut manifest = manifest::Manifest::new(&folder);

    let btcd = go_module::BTCD.locate()?;
    let block = bitcoin_rows::block_277647(&btcd)?;
    oracle::check_verify_rows(&block)?;
    let file = manifest.add("bitcoin-block-277647.parquet", Counts::of_rows(&block));
    parquet_file::verify_rows(&file, &block, parquet_file::ZSTD)?;
    let short = &block[..SHORT];
    text_file::verify_csv(&manifest.add("bitcoin-64.csv", Counts::of_rows(short)), short)?;
    text_file::verify_json_lines(&manifest.add("bitcoin-64.jsonl", Counts::of_rows(short)), short)?;

    let large = bitcoin_rows::large_transaction(&btcd)?;
    oracle::check_verify_rows(&large)?;
    let file = manifest.add("bitcoin-transaction-bb41a757.parquet", Counts::of_rows(&large));
    parquet_file::verify_rows(&file, &large, parquet_file::SNAPPY)?;

    let senders = ethereum_rows::senders(&go_module::GO_ETHEREUM.locate()?)?;
    oracle::check_sender_rows(&senders)?;
    let file = manifest.add("ethereum-senders.parquet", Counts::all_valid(senders.len()));
    parquet_file::sender_rows(&file, &senders)?;
    text_file::sender_csv(&manifest.add("ethereum-64.csv", Counts::all_valid(SHORT)), &senders[..SHORT])?;

    let events = nostr_rows::events(&go_module::GO_NOSTR.locate()?)?;
    let schnorr: Vec<_> = events.iter().map(|event| event.row.clone()).collect();
    oracle::check_verify_rows(&schnorr)?;
    let file = manifest.add("nostr-events.jsonl", Counts::of_rows(&schnorr));
    text_file::lines(&file, events.iter().map(|event| event.json.as_str()))?;
    let short = &schnorr[..SHORT];
    text_file::verify_csv(&manifest.add("schnorr-64.csv", Counts::of_rows(short)), short)?;

    let event_errors = nostr_error_rows::rows(&events)?;
    let valid = event_errors.iter().filter(|row| row.expected == "valid").count();
    let file = manifest.add("nostr-errors.jsonl", Counts { rows: event_errors.len(), valid, high_s: 0 });
    text_file::lines(&file, event_errors.iter().map(nostr_error_rows::NostrErrorRow::json))?;

    let errors = error_rows::rows(&block, &schnorr)?;
    oracle::check_error_rows(&errors)?;
    text_file::error_json_lines(&manifest.add("errors.jsonl", Counts::of_error_rows(&errors)), &errors)?;
    let errors: Vec<_> = errors.into_iter().filter(|row| row.in_csv()).collect();
    text_file::error_csv(&manifest.add("errors.csv", Counts::of_error_rows(&errors)), &errors)?;

    let recover_errors = recover_error_rows::rows(&senders)?;
    oracle::check_recover_error_rows(&recover_errors)?;
    let valid = recover_errors.iter().filter(|row| row.expected == "valid").count();
    let file = manifest.add("recover-errors.csv", Counts { rows: recover_errors.len(), valid, high_s: 0 });
    text_file::recover_error_csv(&file, &recover_errors)?;

    print!("{}", manifest.write()?);
    Ok(())
}

/// `data/sample` of the repository this program was built from.
fn default_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sample")
}
