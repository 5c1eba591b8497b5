//! What is fuzzed, and what must hold of every input. Each target is a function of bytes that panics where it does not;
//! `src/fuzz.rs` has libFuzzer call it, `tests/corpora.rs` replays the committed corpora in every `cargo test`.
//!
//! - `encodings`: parsers of the library, against their own output and against each other;
//! - `rows`: single calls, bulk calls on each backend and batches, against each other;
//! - `cells`: the same values in CSV and in JSON lines;
//! - `files`: the command's readers, against themselves in other batches and from other places;
//! - `frost`: messages of threshold signatures, and shares one by one against shares together;
//! - `events`: Nostr events, against a reading of NIP-01 by way of `serde_json::Value`.

mod cells;
mod encodings;
mod events;
mod files;
mod frost;
mod rows;

pub use files::{PLAIN, every_setting};
pub use phalanx_cli::fuzzing::install;

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
pub const TARGETS: [Target; 8] = [
    Target { name: "encodings", check: encodings::check },
    Target { name: "rows", check: rows::check },
    Target { name: "frost", check: frost::check },
    Target { name: "cells", check: cells::check },
    Target { name: "csv", check: |bytes| files::one_setting(bytes, ".csv") },
    Target { name: "json", check: |bytes| files::one_setting(bytes, ".jsonl") },
    Target { name: "parquet", check: |bytes| files::one_setting(bytes, ".parquet") },
    Target { name: "any", check: |bytes| files::one_setting(bytes, "") },
];
