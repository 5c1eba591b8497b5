//! Regenerates the tables under `crates/phalanx/src/tables`, with the arithmetic of `k256`.
//!
//! ```text
//! cargo run --release -p phalanx-tablegen            writes the tables
//! cargo run --release -p phalanx-tablegen -- check   fails if a committed table differs from what would be written
//! ```
//!
//! An entry is an affine point in 64 bytes: x, then y, each as four 64-bit words, least significant first,
//! little-endian. The tables for lookups in registers are made of the same entries, in the order that its generator states.

mod multiples;

use multiples::Table;
use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let check = match &arguments[..] {
        [] => false,
        [argument] if argument == "check" => true,
        _ => {
            eprintln!("phalanx-tablegen: the only argument is `check`");
            return ExitCode::from(2);
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/phalanx/src/tables");
    let tables = multiples::tables();
    if !check {
        for Table { name, bytes } in tables {
            if let Err(error) = std::fs::write(folder.join(name), &bytes) {
                eprintln!("phalanx-tablegen: {name}: {error}");
                return ExitCode::from(2);
            }
            println!("{name}: {} bytes written", bytes.len());
        }
        return ExitCode::SUCCESS;
    }
    let differences = differences(&tables, |name| std::fs::read(folder.join(name)));
    differences.iter().for_each(|difference| eprintln!("{difference}"));
    println!("{} of {} tables are as committed", tables.len() - differences.len(), tables.len());
    if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What differs between tables and what is read by their names, a line per table that does.
fn differences(tables: &[Table], read: impl Fn(&str) -> io::Result<Vec<u8>>) -> Vec<String> {
    let difference = |Table { name, bytes }: &Table| match read(name) {
        Err(error) => Some(format!("{name}: {error}")),
        Ok(committed) if committed.len() != bytes.len() => {
            Some(format!("{name}: {} bytes are committed, {} would be written", committed.len(), bytes.len()))
        }
        Ok(committed) => {
            let first = committed.iter().zip(bytes).position(|(committed, byte)| committed != byte)?;
            Some(format!("{name}: differs from what would be written, first at byte {first}"))
        }
    };
    tables.iter().filter_map(difference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed(name: &str) -> io::Result<Vec<u8>> {
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/phalanx/src/tables").join(name))
    }

    #[test]
    fn committed_tables_are_what_would_be_written() {
        assert_eq!(differences(&multiples::tables(), committed), [""; 0]);
    }

    #[test]
    fn a_changed_table_is_found() {
        let tables = multiples::tables();
        for table in &tables {
            let named = |name: &str| name == table.name;
            for at in [0, table.bytes.len() / 2, table.bytes.len() - 1] {
                let found = differences(&tables, |name| {
                    let mut bytes = committed(name)?;
                    if named(name) {
                        bytes[at] ^= 1;
                    }
                    Ok(bytes)
                });
                assert_eq!(found, [format!("{}: differs from what would be written, first at byte {at}", table.name)]);
            }
            // Cut short, and missing.
            let short = differences(&tables, |name| {
                let mut bytes = committed(name)?;
                bytes.truncate(bytes.len() - usize::from(named(name)));
                Ok(bytes)
            });
            assert!(matches!(&short[..], [line] if line.starts_with(table.name)), "{short:?}");
            let missing =
                differences(
                    &tables,
                    |name| {
                        if named(name) { Err(io::ErrorKind::NotFound.into()) } else { committed(name) }
                    },
                );
            assert!(matches!(&missing[..], [line] if line.starts_with(table.name)), "{missing:?}");
        }
    }

    #[test]
    fn every_committed_table_has_its_generator() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/phalanx/src/tables");
        let entries = std::fs::read_dir(folder).expect("the folder of the tables");
        let mut files: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
        files.retain(|name| name.ends_with(".bin"));
        files.sort();
        let mut names: Vec<&str> = multiples::tables().iter().map(|table| table.name).collect();
        names.sort_unstable();
        assert_eq!(files, names);
    }
}
