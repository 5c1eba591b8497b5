//! Regenerates the tables under `crates/phalanx/src/tables`.
//!
//! ```text
//! cargo run -p phalanx-tablegen            writes the tables
//! cargo run -p phalanx-tablegen -- check   fails if a committed table differs from what would be written
//! ```
//!
//! An entry is an affine point in 64 bytes: x, then y, each as four 64-bit words, least significant first, little-endian.

mod multiples;

use std::{path::Path, process::ExitCode};

fn main() -> ExitCode {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("check") => true,
        Some(other) => {
            eprintln!("phalanx-tablegen: {other}: the only argument is `check`");
            return ExitCode::from(2);
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/phalanx/src/tables");
    let mut status = ExitCode::SUCCESS;
    for (name, table) in multiples::tables() {
        let path = folder.join(name);
        if !check {
            std::fs::write(&path, &table).unwrap_or_else(|error| panic!("{name}: {error}"));
            println!("{name}: {} bytes written", table.len());
        } else if std::fs::read(&path).is_ok_and(|committed| committed == table) {
            println!("{name}: {} bytes as committed", table.len());
        } else {
            println!("{name}: differs from the committed table");
            status = ExitCode::FAILURE;
        }
    }
    status
}
