//! No operation on secrets branches on them or uses them as addresses. The operations are listed in the package
//! `phalanx-constant-time`, which is built once for each of two checkers: `memcheck` shows the code as users get it,
//! on one lane and on AVX2 with FMA, and `sanitizer` the vector code.

mod memcheck;
mod sanitizer;

use phalanx::Backend;
use phalanx_tiers::skipped;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

/// What a checker makes the program exit with when it has found an error.
const LEAK: i32 = 99;

/// Runs each operation that the program lists, on each of these backends that the CPU has. Those named `planted` must be
/// found to leak, the others not. `command` is what runs the program, up to the operation's name.
fn check_all(program: &Path, backends: &[&str], would_check: &str, command: impl Fn() -> Command + Sync) {
    for backend in backends.iter().copied() {
        if Backend::available().iter().any(|available| available.name() == backend) {
            check_backend(program, backend, &command);
        } else {
            skipped(&format!("no {backend} on this CPU"), would_check);
        }
    }
}

fn check_backend(program: &Path, backend: &str, command: &(impl Fn() -> Command + Sync)) {
    let run = |name: &str| command().arg(name).env("PHALANX_BACKEND", backend).output().expect("the program runs");
    let list = Command::new(program).arg("list").env("PHALANX_BACKEND", backend).output().expect("the program runs");
    let names = String::from_utf8(list.stdout).expect("names are text");
    assert!(names.lines().count() > 30, "the list of operations is not whole");
    let in_vectors = names.lines().filter(|name| name.starts_with("planted_vector")).count();
    assert_eq!(in_vectors, if backend == "portable" { 0 } else { 6 }, "leaks planted in the vector code of {backend}");
    let check = |name| check(name, backend, &run(name));
    let next = Mutex::new(names.lines());
    let take = || next.lock().expect("no check panics while it holds the list").next();
    let check_some = || std::iter::from_fn(take).filter_map(|name| check(name).err()).collect::<Vec<_>>();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(check_some)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a check reports, it does not panic")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Judges the run of one operation; an error holds what the checker said.
fn check(name: &str, backend: &str, run: &Output) -> Result<(), String> {
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let clean = said.contains(&format!("{name}: 0 errors, backend {backend}"));
    let leaks = name.starts_with("planted");
    let found = said.contains("uninitialised value") || said.contains("use-of-uninitialized-value");
    let expected = if leaks { (LEAK, true, false) } else { (0, false, true) };
    if (run.status.code(), found, clean) == (Some(expected.0), expected.1, expected.2) {
        println!("{name}, {backend}: {}", if leaks { "leak found, as planted" } else { "no error" });
        Ok(())
    } else {
        Err(format!("{name}, {backend}: {}\n{said}", if leaks { "the planted leak was not found" } else { "leaks" }))
    }
}

/// Builds the program for a checker, by a `cargo build` that may have options already, in a folder of its own because
/// the flags differ: `declassify` tells the checker what becomes public. Gives the folder.
fn build(mut cargo: Command, checker: &str, flags: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(checker);
    let status = cargo
        .args(["--release", "--locked", "--package", "phalanx-constant-time"])
        // Where a user's workspace says nothing. This one's profile says another level.
        .args(
            ["phalanx", "phalanx-engine"]
                .into_iter()
                .flat_map(|package| ["--config".to_owned(), format!("profile.release.package.{package}.opt-level=3")]),
        )
        .arg("--manifest-path")
        .arg(manifest())
        .arg("--target-dir")
        .arg(&folder)
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the build for the checker failed");
    folder
}

fn manifest() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("constant_time/Cargo.toml")
}
