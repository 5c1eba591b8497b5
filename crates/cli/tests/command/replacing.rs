//! `--out` where something is already: its permissions, symbolic links, standard output by another name, an input.
#![cfg(unix)]

use std::fs::File;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::files::{csv, valid_rows};
use crate::rows::{GENERATOR, ONE, rows};
use crate::running::{Run, by_shell, command, directory, names, path, phalanx, place, skipped};

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
    place(&directory, "old.csv", b"what was there");
    for out in ["new.csv", "old.csv"] {
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

/// An input that is not read before the output is refused: each command would fail on it with another message.
const UNREAD: &[u8] = b"not to be read\n";

/// The commands that write a file, with `FILE` for an input, and their option that names the output.
fn writing() -> Vec<(Vec<&'static str>, &'static str)> {
    let scan = ["scan", "--spend-key", GENERATOR, "--scan-key"];
    vec![
        (vec!["verify", "FILE"], "--out"),
        (vec!["verify", "other.csv", "FILE"], "--out"),
        (vec!["recover", "FILE"], "--out"),
        (vec!["senders", "FILE"], "--out"),
        ([&scan[..], &["key", "FILE"]].concat(), "--out"),
        ([&scan[..], &["FILE", "other.csv"]].concat(), "--out"),
        (vec!["derive", "--range", "0..9", "FILE"], "--out"),
        (vec!["blocks", "FILE"], "--out"),
        (vec!["blocks", "FILE"], "--silent-index"),
    ]
}

/// A run in a folder that must be refused, and leave everything as it was.
fn refused(folder: &Path, arguments: &[String], stdin: Option<File>, names_of_both: [&str; 2]) {
    let mut run = command();
    run.current_dir(folder).args(arguments);
    if let Some(stdin) = stdin {
        run.stdin(stdin);
    }
    let run = Run::of(run.output().unwrap()).expect(2);
    assert!(run.stderr.contains("the output would replace an input"), "{arguments:?}: {}", run.stderr);
    for name in names_of_both {
        assert!(run.stderr.contains(name), "{arguments:?}: {}", run.stderr);
    }
    assert!(run.stdout.is_empty(), "{arguments:?}");
    assert_eq!(std::fs::read(folder.join("input.csv")).unwrap(), UNREAD, "{arguments:?}");
}

#[test]
fn no_command_replaces_an_input_by_whatever_name() {
    let directory = directory();
    let folder = directory.path();
    let input = place(&directory, "input.csv", UNREAD);
    place(&directory, "other.csv", UNREAD);
    place(&directory, "key", ONE.as_bytes());
    std::fs::create_dir(folder.join("folder")).unwrap();
    symlink("input.csv", folder.join("link.csv")).unwrap();
    symlink("link.csv", folder.join("chain.csv")).unwrap();
    symlink(folder, folder.join("there")).unwrap();
    std::fs::hard_link(&input, folder.join("hard.csv")).unwrap();
    let before = names(folder);
    let spellings = [
        "input.csv",
        "./input.csv",
        "folder/../input.csv",
        &input,
        "there/input.csv",
        "link.csv",
        "chain.csv",
        "hard.csv",
    ];
    for (arguments, option) in writing() {
        let of = |input: &str, output: &str| -> Vec<String> {
            let mut all: Vec<&str> = arguments.iter().map(|name| if *name == "FILE" { input } else { name }).collect();
            all.extend([option, output]);
            all.extend(if option == "--out" { &["--out-format", "csv"][..] } else { &[] });
            all.into_iter().map(str::to_owned).collect()
        };
        for other in spellings {
            refused(folder, &of("input.csv", other), None, [other, "input.csv"]);
            refused(folder, &of(other, "input.csv"), None, [other, "input.csv"]);
        }
        // Standard input is the file, and named as such or as a file.
        let stdin = || Some(File::open(&input).unwrap());
        for name in ["-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"] {
            if name.starts_with("/proc") && !Path::new(name).exists() || name == "-" && arguments[0] == "blocks" {
                continue;
            }
            let shown = if name == "-" { "standard input" } else { name };
            refused(folder, &of(name, "input.csv"), stdin(), [shown, "input.csv"]);
            if name != "-" && option == "--out" {
                refused(folder, &of("input.csv", name), stdin(), [shown, "input.csv"]);
            }
        }
    }
    assert_eq!(names(folder), before);
}

#[test]
fn standard_output_is_no_input_either() {
    let directory = directory();
    let input = place(&directory, "input.csv", UNREAD);
    let all = writing().into_iter().map(|(arguments, _)| arguments).chain([vec!["msm", "FILE"]]);
    for arguments in all {
        for more in [&[][..], &["--out", "-"]] {
            if arguments[0] == "msm" && !more.is_empty() {
                continue;
            }
            let arguments = arguments.iter().map(|argument| if *argument == "FILE" { "input.csv" } else { argument });
            let mut shell = by_shell("exec \"$@\" >> input.csv");
            let run = shell.current_dir(directory.path()).args(arguments.chain(more.iter().copied())).output().unwrap();
            let run = Run::of(run).expect(2);
            let expected = "standard output: the output would replace an input, input.csv";
            assert!(run.stderr.contains(expected), "{}", run.stderr);
            assert_eq!(std::fs::read(&input).unwrap(), UNREAD);
        }
    }
}

#[test]
fn two_outputs_are_two_files() {
    let directory = directory();
    let folder = directory.path();
    place(&directory, "old.csv", b"what was there");
    symlink("old.csv", folder.join("link.csv")).unwrap();
    symlink("new.csv", folder.join("dangling.csv")).unwrap();
    std::fs::hard_link(folder.join("old.csv"), folder.join("hard.csv")).unwrap();
    std::fs::create_dir(folder.join("blocks")).unwrap();
    let before = names(folder);
    for (out, index) in [
        ("new.csv", "new.csv"),
        ("new.csv", "./new.csv"),
        ("blocks/../new.csv", "dangling.csv"),
        ("old.csv", "link.csv"),
        ("hard.csv", "link.csv"),
    ] {
        let arguments = ["blocks", "none.raw", "--out", out, "--silent-index", index];
        let run = Run::of(command().current_dir(folder).args(arguments).output().unwrap()).expect(2);
        let expected = format!("--out and --silent-index are the same file: {out} and {index}");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
    assert_eq!(names(folder), before);
    assert_eq!(std::fs::read(folder.join("old.csv")).unwrap(), b"what was there");
}

#[test]
fn answers_about_a_secret_key_do_not_replace_it() {
    let directory = directory();
    let key = format!("{}\n", "07".repeat(32));
    let file = place(&directory, "key.txt", key.as_bytes());
    let public = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    for arguments in [&["pubkey"][..], &["sign", "--message", "a"], &["ecdh", "--public-key", public]] {
        for (redirections, secret) in [("1<> key.txt", Some("key.txt")), ("1<> key.txt < key.txt", None)] {
            let mut shell = by_shell(&format!("exec \"$@\" {redirections}"));
            let more = secret.into_iter().flat_map(|name| ["--secret-file", name]);
            let run = shell.current_dir(directory.path()).args(arguments.iter().copied().chain(more)).output().unwrap();
            let run = Run::of(run).expect(2);
            assert!(run.stderr.contains("the output would replace an input"), "{}", run.stderr);
            assert_eq!(std::fs::read(&file).unwrap(), key.as_bytes());
        }
    }
}
