//! The vector code, with MemorySanitizer compiled in: single calls spread over eight lanes, and bulk calls.
//!
//! The sanitizer wants the standard library compiled with it too, which a nightly compiler does from its `rust-src`
//! component. Nothing is downloaded here: what is missing is said, and this skipped.

use super::{LEAK, build, check_all, manifest};
use phalanx::Backend;
use phalanx_tiers::skipped;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Secrets cross function boundaries, so the check that only known values do is off. The SHA-256 of one lane is the
/// portable one: the sanitizer sees the SHA instructions word by word, which is not how they mix.
const FLAGS: &str =
    "-Zsanitizer=memory -Cllvm-args=-msan-eager-checks=0 --cfg phalanx_msan --cfg sha2_backend=\"soft\"";

#[test]
fn secrets_steer_no_branch_and_no_address_of_vector_code() {
    // The standard library and this one are compiled with the sanitizer, which takes longer than all of the short tier.
    if !phalanx_tiers::may_compile("constant time of vector code, under MemorySanitizer") {
        return;
    }
    if let Err(missing) = available() {
        skipped(&missing, "constant time of every secret operation in vector code, under MemorySanitizer");
        return;
    }
    let mut cargo = nightly();
    // Link-time optimisation would take long, and the vector code is whole without it.
    cargo.args(["build", "-Zbuild-std", "--offline", "--target", TARGET]);
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    let folder = build(cargo, "constant-time-vectors", FLAGS);
    let program = folder.join(TARGET).join("release/phalanx-constant-time");
    check_all(&program, &["fma", "fma512", "ifma"], "constant time of vector code, under MemorySanitizer", || {
        let mut command = Command::new(&program);
        command.env("MSAN_OPTIONS", format!("exit_code={LEAK}"));
        command
    });
}

fn nightly() -> Command {
    let mut cargo = Command::new("rustup");
    cargo.args(["run", "nightly", "cargo"]).env_remove("RUSTC").env_remove("RUSTDOC");
    cargo
}

/// Whether all is here that the run needs, or what to do about it.
fn available() -> Result<(), String> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) || !Backend::available().contains(&Backend::Fma) {
        return Err("they need a CPU with AVX2 and FMA, and x86-64 Linux".into());
    }
    let install = "rustup toolchain install nightly --profile minimal --component rust-src";
    let sysroot = Command::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]).output();
    let sysroot = sysroot.ok().filter(|answer| answer.status.success());
    let sysroot = sysroot.ok_or(format!("no nightly compiler; `{install}` gets one"))?;
    let rustlib = Path::new(String::from_utf8_lossy(&sysroot.stdout).trim()).join("lib/rustlib");
    if !rustlib.join("src/rust/library/Cargo.lock").exists() {
        return Err(format!("the nightly compiler is without the standard library's source; `{install}` gets it"));
    }
    let fetch = ["fetch", "--locked", "-Zbuild-std", "--target", TARGET, "--manifest-path"];
    let mut fetched = nightly();
    let fetched = fetched.args(fetch).arg(manifest()).arg("--offline").output();
    if !fetched.is_ok_and(|answer| answer.status.success()) {
        let (fetch, manifest) = (fetch.join(" "), "testkit/constant_time/Cargo.toml");
        return Err(format!("crates of the standard library; `cargo +nightly {fetch} {manifest}` gets them"));
    }
    Ok(())
}
