//! What is fuzzed, and what must hold of every input. Each target is a function of bytes that panics where it does not;
//! `src/fuzz.rs` has libFuzzer call it, `tests/corpora.rs` replays the committed corpora in every `cargo test`.
//!
//! - `encodings`: parsers of the library, against their own output and against each other;
//! - `rows`: single calls, bulk calls on each backend and batches, against each other;
//! - `cells`: the same values in CSV and in JSON lines;
//! - `quotes`: CSV with quotes, against a strict reader;
//! - `files`: the command's readers, against themselves in other batches and from other places;
//! - `frost`: messages of threshold signatures, and shares one by one against shares together;
//! - `signers`: messages of MuSig2, and sessions in which some cheat;
//! - `wallets`, `silent`: extended keys, paths, children; addresses, proofs and scans of silent payments, against slow
//!   ones;
//! - `events`: Nostr events, against a reading of NIP-01 by way of `serde_json::Value`;
//! - `bitcoin`: blocks, what they spend, records that undo them, against a writer of bytes;
//! - `folder`: a node's folder, against the same with a key;
//! - `script`: scripts, against a run in which each signature is verified where it stands;
//! - `ethereum`: transactions against a writer of RLP; archives of blocks.

mod bitcoin;
mod cells;
mod encodings;
mod ethereum;
mod events;
mod files;
mod folder;
mod frost;
mod quotes;
mod rows;
mod script;
mod signers;
mod silent;
mod wallets;

pub use files::{PLAIN, every_setting};
pub use phalanx_cli::fuzzing::install;
pub use script::check_script;
pub use signers::check_session;
pub use silent::check_rows;

use phalanx::{Backend, Bulk};
use std::sync::LazyLock;

/// Bulk calls on each backend.
fn bulks() -> &'static [Bulk] {
    static BULKS: LazyLock<Vec<Bulk>> = LazyLock::new(|| {
        let make = |backend: &Backend| Bulk::builder().backend(*backend).threads(1).build().expect("it is available");
        Backend::available().iter().map(make).collect()
    });
    &BULKS
}

/// Something to fuzz.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Panics when what must hold does not.
    pub check: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 20] = [
    Target { name: "encodings", check: encodings::check },
    Target { name: "rows", check: rows::check },
    Target { name: "frost", check: frost::check },
    Target { name: "signers", check: signers::check },
    Target { name: "wallets", check: wallets::check },
    Target { name: "cells", check: cells::check },
    Target { name: "quotes", check: quotes::check },
    Target { name: "csv", check: |bytes| files::one_setting(bytes, ".csv") },
    Target { name: "json", check: |bytes| files::one_setting(bytes, ".jsonl") },
    Target { name: "parquet", check: |bytes| files::one_setting(bytes, ".parquet") },
    Target { name: "any", check: |bytes| files::one_setting(bytes, "") },
    Target { name: "block", check: bitcoin::check_block },
    Target { name: "undo", check: bitcoin::check_undo },
    Target { name: "folder", check: folder::check },
    Target { name: "spent", check: bitcoin::check_spent },
    Target { name: "script", check: script::check },
    Target { name: "transaction", check: ethereum::check_transaction },
    Target { name: "era1", check: ethereum::check_archive },
    Target { name: "rlp", check: |bytes| files::senders(bytes, ".rlp") },
    Target { name: "lines", check: |bytes| files::senders(bytes, ".jsonl") },
];
