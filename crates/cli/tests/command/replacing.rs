//! `--out` where something is already: its permissions, symbolic links, standard output by another name.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::files::{csv, valid_rows};
use crate::rows::rows;
use crate::running::{Run, by_shell, directory, names, path, phalanx, place, skipped};

fn mode(path: impl AsRef<Path>) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_replaced_file_hands_on_its_permissions() {
    let (directory, file) = valid_rows(8);
    for ending in ["csv", "parquet"] {
        let out = place(&directory, &format!("out.{ending}"), b"what was there");
        for expected in [0o600, 0o640, 0o666, 0o755] {
            std::fs::set_permissions(&out, PermissionsExt::from_mode(expected)).unwrap();
            phalanx(["verify", &file, "--out", &out]).expect(0);
            assert_eq!(mode(&out), expected, "{:o} instead of {expected:o}", mode(&out));
            assert_ne!(std::fs::read(&out).unwrap(), b"what was there");
        }
    }
}

#[test]
fn a_new_file_follows_the_umask() {
    let (directory, file) = valid_rows(8);
    for (umask, expected) in [("022", 0o644), ("027", 0o640), ("077", 0o600), ("000", 0o666)] {
        let out = path(&directory, &format!("out-{umask}.csv"));
        let mut shell = by_shell(&format!("umask {umask}; exec \"$@\""));
        Run::of(shell.args(["verify", &file, "--out", &out]).output().unwrap()).expect(0);
        assert_eq!(mode(&out), expected);
    }
}

#[test]
fn symbolic_links_are_followed() {
    let (here, there) = (directory(), directory());
    let file = place(&here, "rows.csv", csv(&rows(8)).as_bytes());
    let reference = path(&here, "reference.csv");
    phalanx(["verify", &file, "--out", &reference]).expect(0);
    let reference = std::fs::read(&reference).unwrap();

    let target = place(&there, "target.csv", b"what was there");
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o600)).unwrap();
    let new = path(&there, "new.csv");
    // To a file, by two steps and a relative path; and to a file that is yet to come.
    symlink("near.csv", here.path().join("far.csv")).unwrap();
    symlink(&target, here.path().join("near.csv")).unwrap();
    symlink(&new, here.path().join("dangling.csv")).unwrap();
    for (link, target) in [("far.csv", &target), ("dangling.csv", &new)] {
        let link = path(&here, link);
        phalanx(["verify", &file, "--out", &link]).expect(0);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink(), "{link} is no longer a link");
        assert_eq!(std::fs::read(target).unwrap(), reference);
    }
    assert_eq!(mode(&target), 0o600);
    assert_eq!(names(there.path()), ["new.csv", "target.csv"]);

    symlink("circle.csv", here.path().join("circle.csv")).unwrap();
    let circle = path(&here, "circle.csv");
    assert!(phalanx(["verify", &file, "--out", &circle]).expect(2).stderr.contains("circle.csv: "));
}

#[test]
fn places_for_no_file_are_refused_at_once() {
    let (directory, file) = valid_rows(8);
    // Standard output takes the summary. By its own name, `-`, that goes to standard error.
    for to in [format!(">{}/out.csv", directory.path().display()), String::new()] {
        let mut shell = by_shell(&format!("exec \"$@\" {to}"));
        let run = shell.args(["verify", &file, "--out", "/dev/stdout", "--out-format", "csv"]).output().unwrap();
        let run = Run::of(run).expect(2);
        assert!(run.stderr.contains("`-`") && run.stdout.is_empty(), "{}", run.stderr);
    }
    std::fs::remove_file(directory.path().join("out.csv")).unwrap();
    let slash = format!("{}/out.csv/", directory.path().display());
    for out in ["", &slash, &"x".repeat(300), directory.path().to_str().unwrap()] {
        let run = phalanx(["verify", &file, "--out", out, "--out-format", "csv"]).expect(2);
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{out}");
    }
    assert_eq!(names(directory.path()), ["rows.csv"]);
}

#[test]
fn the_name_is_made_durable_too() {
    let (directory, file) = valid_rows(8);
    let log = path(&directory, "log");
    for out in ["new.csv", "rows.csv"] {
        let out = path(&directory, out);
        let traced = Command::new("strace")
            .args(["-f", "-y", "-e", "trace=fsync,linkat,rename,renameat,renameat2", "-o", &log])
            .args([env!("CARGO_BIN_EXE_phalanx"), "verify", &file, "--out", &out])
            .output();
        if !traced.is_ok_and(|output| output.status.success()) {
            skipped("strace cannot be used here; that the directory is synced was not seen");
            return;
        }
        let log = std::fs::read_to_string(&log).unwrap();
        let calls: Vec<&str> = log.lines().collect();
        // A call that another thread's stands in is told in two lines, of which the first has the names.
        let named =
            calls.iter().rposition(|call| call.contains("link") && call.contains(&out) || call.contains("rename"));
        let named = named.unwrap_or_else(|| panic!("{log}"));
        assert!(calls[named].contains(&out), "{log}");
        let folder = format!("<{}>", directory.path().canonicalize().unwrap().display());
        assert!(calls[named..].iter().any(|call| call.contains("fsync(") && call.contains(&folder)), "{log}");
    }
}
