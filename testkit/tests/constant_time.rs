//! No operation on secrets branches on them or uses them as addresses: the release build of the library, on secrets that
//! valgrind's memory checker takes for undefined. The operations are listed in the package `phalanx-constant-time`.
//!
//! valgrind shows the portable backend and the portable SHA-256 only, since it runs no AVX-512 and no SHA instructions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// What valgrind exits with when it has found an error.
const LEAK: i32 = 99;

#[test]
fn secrets_steer_no_branch_and_no_address() {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux"))
        || Command::new("valgrind").arg("--version").output().is_err()
    {
        // Straight to the stream, past the capture of passing tests.
        let line = b"!!! SKIPPED: constant-time runs need valgrind on x86-64 Linux, which is not here\n";
        std::io::stderr().write_all(line).expect("a log");
        return;
    }
    let program = build();
    let list = Command::new(&program).arg("list").output().expect("the program runs");
    let names = String::from_utf8(list.stdout).expect("names are text");
    assert!(names.lines().count() > 30, "the list of operations is not whole");
    let next = Mutex::new(names.lines());
    let take = || next.lock().expect("no check panics while it holds the list").next();
    let check_some = || std::iter::from_fn(take).filter_map(|name| check(&program, name).err()).collect::<Vec<_>>();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(check_some)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a check reports, it does not panic")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Runs one operation; an error holds what valgrind said.
fn check(program: &Path, name: &str) -> Result<(), String> {
    let run = Command::new("valgrind")
        .args(["--tool=memcheck", "--leak-check=no", "--num-callers=20", "--quiet"])
        .arg(format!("--error-exitcode={LEAK}"))
        .arg(program)
        .arg(name)
        .output()
        .expect("valgrind runs");
    let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let leaks = name.starts_with("planted");
    let expected = run.status.code() == Some(if leaks { LEAK } else { 0 })
        && said.contains("errors, backend portable")
        && said.contains(&format!("{name}: 0 errors")) != leaks;
    if expected {
        println!("{name}: {}", if leaks { "leak found, as planted" } else { "no error" });
        Ok(())
    } else {
        Err(format!("{name}: {}\n{said}", if leaks { "the planted leak was not found" } else { "leaks" }))
    }
}

/// The release build, in a folder of its own because its flags differ: `declassify` tells valgrind what becomes public.
fn build() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("constant-time");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--package", "phalanx-constant-time"])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("constant_time/Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        .env("RUSTFLAGS", "--cfg phalanx_valgrind")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the release build failed");
    folder.join("release/phalanx-constant-time")
}
