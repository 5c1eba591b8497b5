//! Tables as files: they come back and commit as they did; damaged, truncated and foreign ones are refused.

use crate::samples::Random;
use phalanx_banderwagon::{Basis, Commit, Lanes, Obvious, Scalar, Tables};
use phalanx_engine::fixed_base::{Configuration, ConfigurationError, SavedError, Scheme};

const POINTS: usize = 4;

fn basis() -> Basis {
    Basis::draw(Basis::VERKLE_SEED, POINTS)
}

fn configuration(points: usize) -> Configuration {
    Configuration::single(points, Scalar::ORDER, Scheme::SignedWindows { b: 5 })
}

fn file() -> Vec<u8> {
    let tables = Lanes::one().build(basis(), configuration(POINTS)).expect("a configuration of this basis");
    bytes_of(&tables)
}

fn bytes_of(tables: &Tables) -> Vec<u8> {
    let mut file = Vec::new();
    let sink = |piece: &[u8]| {
        file.extend_from_slice(piece);
        Ok::<(), ()>(())
    };
    tables.save(sink).expect("memory takes all of it");
    file
}

/// A way to read a file of tables.
type Reader<'a> = &'a dyn Fn(Basis, Configuration, &[u8]) -> Result<Tables, SavedError>;

fn with_every_reader(check: impl Fn(&str, Reader<'_>)) {
    check("read", &Tables::read);
    #[cfg(feature = "mmap")]
    check("mapped", &mapped::read);
    #[cfg(not(feature = "mmap"))]
    phalanx_tiers::skipped("the feature mmap", "files of tables that are mapped to memory");
}

#[cfg(feature = "mmap")]
mod mapped {
    use super::*;
    use phalanx_banderwagon::tables::MapError;
    use std::fs::File;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static FILES: AtomicUsize = AtomicUsize::new(0);

    #[allow(unsafe_code)]
    pub(super) fn read(basis: Basis, configuration: Configuration, bytes: &[u8]) -> Result<Tables, SavedError> {
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("phalanx-tables-{}-{number}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        // SAFETY: the name is this call's own, and what has no name any more nobody opens.
        let tables = unsafe { Tables::map(basis, configuration, &File::open(&path).unwrap()) };
        std::fs::remove_file(&path).unwrap();
        tables.map_err(|error| match error {
            MapError::Saved(error) => error,
            MapError::System(error) => panic!("{error}"),
        })
    }
}

#[test]
fn tables_come_back_from_files() {
    let (file, mut random) = (file(), Random::new("tables from files"));
    let scalars: Vec<Scalar> = (0..POINTS).map(|_| random.scalar()).collect();
    with_every_reader(|name, read| {
        let tables = read(basis(), configuration(POINTS), &file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(bytes_of(&tables) == file, "{name}");
        let commitment = Lanes::one().committer(&tables).commit_vartime(&scalars);
        assert_eq!(commitment, Obvious(&basis()).commit_vartime(&scalars), "{name}");
    });
}

#[test]
fn files_that_are_not_as_saved_are_refused() {
    let file = file();
    with_every_reader(|name, read| {
        let refused = |bytes: &[u8], expected: SavedError| {
            let found = read(basis(), configuration(POINTS), bytes).err();
            assert_eq!(found, Some(expected), "{name}, {} bytes", bytes.len());
        };
        let flipped = |bit: usize| {
            let mut bytes = file.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        };
        refused(&[], SavedError::Truncated);
        refused(&flipped(0), SavedError::NotTables);
        refused(&flipped(64), SavedError::Version);
        refused(&flipped(8 * 130), SavedError::Header);
        for row in [5, 6, 100, file.len() / 64 - 1] {
            refused(&flipped(512 * row + 77), SavedError::Rows);
        }
        for end in [1, 63, 64, 200, file.len() - 64, file.len() - 1] {
            refused(&file[..end], SavedError::Truncated);
        }
        refused(&[&file[..], &[0; 64]].concat(), SavedError::TrailingBytes);
        refused(&vec![7; file.len()], SavedError::NotTables);
    });
}

#[test]
fn foreign_files_are_refused() {
    let file = file();
    with_every_reader(|name, read| {
        let error = |basis, configuration| read(basis, configuration, &file).err();
        let other = Basis::draw(b"another seed", POINTS);
        assert_eq!(error(other, configuration(POINTS)), Some(SavedError::Basis), "{name}");
        let wider = Configuration::single(POINTS, Scalar::ORDER, Scheme::SignedWindows { b: 6 });
        assert_eq!(error(basis(), wider), Some(SavedError::Parameters), "{name}");
        // Configurations that are none over this basis.
        let points = SavedError::Configuration(ConfigurationError::Places(0));
        assert_eq!(error(basis(), configuration(POINTS + 1)), Some(points), "{name}");
        let order = Configuration { order: [3, 0, 0, 0], ..configuration(POINTS) };
        assert_eq!(error(basis(), order), Some(SavedError::Configuration(ConfigurationError::Order)), "{name}");
    });
}
