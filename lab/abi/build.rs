//! Passes the compiler's version and the code-generation flags of this very build into the library, for its records, and
//! those of C.

use std::{env, process::Command};

fn main() {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(compiler)
        .arg("--version")
        .output()
        .ok()
        .and_then(|out| String::from_utf8(out.stdout).ok())
        .map_or_else(|| "rustc (version unknown)".into(), |text| text.trim().to_owned());
    let version = version.split(" (").next().unwrap_or(&version).to_owned();
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\u{1f}', " ");
    // The lab sets the profile of every library through these.
    let profile = [("lto", "CARGO_PROFILE_RELEASE_LTO"), ("codegen-units", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS")];
    let profile = profile.map(|(name, variable)| {
        println!("cargo:rerun-if-env-changed={variable}");
        env::var(variable).map_or_else(|_| String::new(), |value| format!(" -C {name}={value}"))
    });
    println!("cargo:rustc-env=LAB_RUSTC={version} -C opt-level={level}{} {flags}", profile.concat());
    // Crates that compile C take these besides cargo's level of optimisation.
    println!("cargo:rerun-if-env-changed=CFLAGS");
    let c = env::var("CFLAGS").unwrap_or_else(|_| format!("-O{level}"));
    println!("cargo:rustc-env=LAB_CFLAGS={c}");
    println!("cargo:rerun-if-changed=build.rs");
}
