//! Every committed input is run through its target, without coverage and in seconds.

use std::fs;
use std::path::{Path, PathBuf};

use phalanx::Bulk;
use phalanx_cli::fuzzing::{Place, run};
use phalanx_fuzz::{PLAIN, TARGETS, check_rows, check_script, check_session};
use phalanx_musig::{Contribution::PartialSignature, Error};

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

    replays! {
        encodings rows frost signers wallets cells quotes csv json parquet any
        block undo folder spent script transaction era1 rlp lines
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
        let report = run(&bytes, Place::Stream(100), 3, &PLAIN).expect("a run that comes to its end");
        assert_eq!(report.counts, [valid, 0, 0], "{target}/{name}: {report:?}");
    }
}

/// Scripts must come to signatures that hold, of every kind, and to some that do not.
#[test]
fn seeds_hold_scripts_that_succeed() {
    for (name, succeeds) in [
        ("legacy", true),
        ("legacy-other-key", false),
        ("single-without-output", true),
        ("script-hash", true),
        ("witness", true),
        ("nested", true),
        ("multisig-0", true),
        ("multisig-witness-1", true),
        ("multisig-3", false),
        ("tapscript", true),
        ("tapscript-annex", true),
        ("key-path", true),
        ("key-path-type", true),
        ("key-path-other", false),
        ("separators", true),
        ("separators-tapscript", true),
        ("branch-on-result", true),
        ("not-signature", true),
        ("null-fail", false),
        ("lock-time", true),
    ] {
        let bytes = fs::read(folder("script").join(name)).expect("a committed seed");
        assert_eq!(check_script(&bytes), Some(succeeds), "{name}");
    }
}

/// Sessions must come to their end, with and without cheaters.
#[test]
fn seeds_hold_sessions() {
    let cheaters =
        |signers: &[usize]| Err(Error::BadContribution { contribution: PartialSignature, signers: signers.to_vec() });
    for (name, verdict) in [
        ("session-1", Ok(())),
        ("session-9", Ok(())),
        ("last-deterministic", Ok(())),
        ("partial-wrong", cheaters(&[4])),
        ("partials-cancel", Ok(())),
        // Nobody looks at nonces where the signature holds.
        ("nonce-other", Ok(())),
        ("nonce-and-partial-wrong", cheaters(&[2, 8])),
        ("sum-other", Err(Error::OtherNonces)),
        ("sum-infinity", Err(Error::OtherNonces)),
        ("tweaks", Ok(())),
    ] {
        let bytes = fs::read(folder("signers").join(name)).expect("a committed seed");
        assert_eq!(check_session(&bytes, &Bulk::new()), Some(verdict), "{name}");
    }
}

/// Scans must find outputs.
#[test]
fn seeds_hold_silent_payments() {
    for (name, found) in [
        ("rows-keys", 4),
        ("rows-prefixes", 3),
        ("rows-forms", 3),
        ("rows-no-point", 1),
        ("rows-same-output-twice", 2),
        ("rows-first-missing", 0),
        ("rows-seven", 7),
        ("rows-eleven", 11),
    ] {
        let bytes = fs::read(folder("wallets").join(name)).expect("a committed seed");
        assert_eq!(check_rows(&bytes), found, "{name}");
    }
}
