//! Every committed input is run through its target, without coverage and in seconds. The seeds among them are what
//! `encodings`, `texts` and `tables` make.
//!
//! `PHALANX_FUZZ_SEEDS=write cargo test -p phalanx-fuzz --test corpora` writes the seeds.

mod encodings;
mod tables;
mod texts;

use std::path::{Path, PathBuf};
use std::{env, fs};

use phalanx_cli::fuzzing::{Job, Place, Settings, run};
use phalanx_fuzz::TARGETS;

/// A seed: its target, its name, its bytes.
struct Seed(&'static str, String, Vec<u8>);

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder(target)).expect("each target has a corpus");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a listed file").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("a readable file"))).collect()
}

/// A failure names the input: the test's output is shown when it fails.
fn replay(target: &str) {
    let target = TARGETS.into_iter().find(|known| known.name == target).expect("a target");
    let inputs = inputs(target.name);
    assert!(inputs.len() >= 4, "{} inputs for {}", inputs.len(), target.name);
    for (path, bytes) in inputs {
        println!("{}", path.display());
        (target.check)(&bytes);
        if ["csv", "json", "parquet", "any"].contains(&target.name) {
            phalanx_fuzz::every_setting(&bytes);
        }
    }
}

macro_rules! replays {
    ($($target:ident)*) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target));
        })*

        #[test]
        fn every_target_is_replayed() {
            assert_eq!(TARGETS.map(|target| target.name), [$(stringify!($target)),*]);
        }
    };
}

mod replayed {
    use super::*;

    replays!(encodings rows cells csv json parquet any);
}

#[test]
fn seeds_are_committed() {
    let write = env::var_os("PHALANX_FUZZ_SEEDS").is_some();
    let made = encodings::seeds().into_iter().chain(texts::seeds()).map(|seed| (seed, true));
    // What a library packs may look otherwise in its next version.
    let packed = texts::packed().into_iter().chain(tables::seeds()).map(|seed| (seed, false));
    for (Seed(target, name, bytes), fixed) in made.chain(packed) {
        let path = folder(target).join(name);
        if write {
            fs::create_dir_all(folder(target)).expect("a writable folder");
            fs::write(&path, &bytes).expect("a writable file");
        }
        let committed = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!fixed || committed == bytes, "{} differs from what is made", path.display());
    }
}

#[test]
fn corpora_stay_small() {
    let bytes = TARGETS.iter().flat_map(|target| inputs(target.name)).map(|(_, bytes)| bytes.len()).sum::<usize>();
    assert!(bytes < 300_000, "{bytes} bytes: leave out what adds no coverage");
}

/// Checks of rows hold where none is read, so some must be.
#[test]
fn seeds_hold_valid_rows() {
    let verify = Settings {
        job: Job::VERIFY,
        lax_der: false,
        require_low_s: false,
        hybrid_keys: false,
        together: false,
        columns: &[],
        keep: &[],
    };
    for (target, name, valid) in [
        ("csv", "bitcoin", 3),
        ("csv", "schnorr", 4),
        ("json", "events", 3),
        ("parquet", "plain", 4),
        ("parquet", "text", 4),
        ("any", "csv.gz", 2),
        ("any", "json.zst", 3),
    ] {
        let bytes = fs::read(folder(target).join(name)).expect("a committed seed");
        let report = run(&bytes, Place::Stream(100), 3, &verify).expect("a run that comes to its end");
        assert_eq!(report.counts, [valid, 0, 0], "{target}/{name}: {report:?}");
    }
}
