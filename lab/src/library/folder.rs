//! Where libraries live and how they are built.
//!
//! `lab/ours` is our side, `lab/peers/<name>` a peer. A folder with a `Cargo.toml` holds the package `peer-<name>`, a
//! shared object that exports the functions of `lab_abi::export`; one with a `go.mod` a program that speaks
//! `lab_abi::frames`. Each has its own lock file, which a build must not change.

use super::OURS;
use crate::revision::lab;
use clap::ValueEnum;
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

/// What a build made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Artifact {
    /// A shared object.
    Object(PathBuf),
    /// A program.
    Program(PathBuf),
}

/// How a library is built: for which CPU, and how the optimiser joins units of compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Build {
    /// For this machine's CPU, one unit for all crates.
    Native,
    /// For this machine's CPU, sixteen units a crate, joined thinly.
    NativeThin,
    /// For the target's baseline, one unit for all crates: what runs faster was found at run time.
    Default,
    /// For the target's baseline, sixteen units a crate, joined thinly.
    DefaultThin,
    /// As it ships: no flag of ours, so that cargo, Go and a peer's own build choose all of them. A program that depends
    /// on our crates gets this.
    Shipped,
}

impl Build {
    /// The name on the command line, and of the folder with what was built.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::NativeThin => "native-thin",
            Self::Default => "default",
            Self::DefaultThin => "default-thin",
            Self::Shipped => "shipped",
        }
    }

    /// Link-time optimisation and units of compilation, where the lab sets them.
    const fn joining(self) -> Option<[&'static str; 2]> {
        match self {
            Self::Native | Self::Default => Some(["fat", "1"]),
            Self::NativeThin | Self::DefaultThin => Some(["thin", "16"]),
            Self::Shipped => None,
        }
    }
}

/// The folder of everything that the lab builds.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| lab().join("target"), PathBuf::from)
}

/// The names of the folders under `lab/peers`, sorted: all peers but the commits of this repository.
pub(crate) fn names() -> Vec<String> {
    let entries = fs::read_dir(lab().join("peers")).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// What was built already, or why it is absent. A process builds a library once, so that all rows of a list have the same.
static BUILT: Mutex<BTreeMap<(String, &str), Attempt>> = Mutex::new(BTreeMap::new());

/// What a build made, or why there is nothing.
type Attempt = Result<Artifact, String>;

/// Builds a library; the error says why it is absent.
pub(super) fn build(name: &str, build: Build) -> Result<Artifact, String> {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry((name.to_owned(), build.name())).or_insert_with(|| build_anew(name, build)).clone()
}

fn build_anew(name: &str, build: Build) -> Result<Artifact, String> {
    let folder = if name == OURS { lab().join("ours") } else { lab().join("peers").join(name) };
    if folder.join("Cargo.toml").exists() {
        cargo(name, &folder, &target().join("libraries").join(build.name()), build)
    } else if folder.join("go.mod").exists() {
        go(name, &folder, build)
    } else {
        Err("its folder has neither Cargo.toml nor go.mod".into())
    }
}

/// Builds the package `peer-<name>` of a folder with the flags of `build`.
pub(super) fn cargo(name: &str, folder: &Path, target: &Path, build: Build) -> Result<Artifact, String> {
    compile(folder, target, build, &[])?;
    Ok(Artifact::Object(object(name, target)))
}

/// Builds an example of our side for this machine's CPU, and says where it is.
pub(super) fn example(name: &str) -> Result<PathBuf, String> {
    let target = target().join("libraries").join(Build::Native.name());
    compile(&lab().join("ours"), &target, Build::Native, &["--example", name])?;
    Ok(target.join("release").join("examples").join(name))
}

/// Runs cargo in a folder with the flags of `build`.
fn compile(folder: &Path, target: &Path, build: Build, more: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "--locked", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    command.arg("--target-dir").arg(target).args(more);
    // The code-generation profile is set here, so that it is the same for every Rust library.
    if let Some([lto, units]) = build.joining() {
        command.env("CARGO_PROFILE_RELEASE_LTO", lto).env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", units);
    }
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    match build {
        Build::Native | Build::NativeThin => {
            command.env("RUSTFLAGS", "-C target-cpu=native");
            // For C that a peer's dependency compiles.
            command.env("CFLAGS", "-O3 -march=native");
        }
        Build::Default | Build::DefaultThin | Build::Shipped => {
            command.env_remove("RUSTFLAGS").env_remove("CFLAGS");
        }
    }
    if build == Build::Shipped {
        command.env(SHIPPED, "1");
    } else {
        command.env_remove(SHIPPED);
    }
    finish(command)
}

/// Where cargo puts the shared object of the package `peer-<name>`.
pub(super) fn object(name: &str, target: &Path) -> PathBuf {
    target.join("release").join(format!("libpeer_{}.so", name.replace('-', "_")))
}

/// Tells a build script that the lab compiles C as its makers do.
const SHIPPED: &str = "LAB_AS_SHIPPED";

/// What each level of GOAMD64 wants beyond the one before it, in the kernel's names: https://go.dev/wiki/MinimumRequirements.
const GO_LEVELS: [(&str, &[&str]); 3] = [
    ("v2", &["cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"]),
    ("v3", &["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"]),
    ("v4", &["avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"]),
];

/// The highest level of GOAMD64 for a CPU with these features; Go has no "native".
fn go_level(has: impl Fn(&str) -> bool) -> &'static str {
    let reached = GO_LEVELS.iter().take_while(|(_, features)| features.iter().all(|feature| has(feature)));
    reached.last().map_or("v1", |(level, _)| level)
}

fn go(name: &str, folder: &Path, build: Build) -> Result<Artifact, String> {
    let shipped = build == Build::Shipped;
    let program = target().join("libraries").join(if shipped { "go-shipped" } else { "go" }).join(name);
    let mut command = Command::new("go");
    command.current_dir(folder).args(["build", "-mod=readonly", "-o"]).arg(&program);
    if shipped {
        command.env_remove("GOAMD64").env_remove("CGO_CFLAGS");
    } else {
        command.env("GOAMD64", go_level(crate::machine::has)).env("CGO_CFLAGS", "-O3 -march=native");
    }
    if folder.join("libsecp256k1.c").exists() {
        // The source is in the package that cargo unpacks for the peer of that name.
        let source = libsecp256k1_source::locate(&lab().join("peers/libsecp256k1"))?;
        let folders = env::join_paths(libsecp256k1_source::folders(&source)).map_err(|error| error.to_string())?;
        let version = format!("-X phalanx.lab/abi.Version={}", libsecp256k1_source::version(&source));
        command.env("CPATH", folders).args(["-ldflags", &version]);
    }
    command.env("GOTOOLCHAIN", "local");
    finish(command)?;
    Ok(Artifact::Program(program))
}

/// Runs a build; the error says why it failed.
fn finish(mut command: Command) -> Result<(), String> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {tool}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let root = lab().to_string_lossy();
    Err(format!("does not build: {}", complaint(&text).replace(&*root, "lab")))
}

/// The first error line of a build, with what a build script panicked at behind it: there the cause is.
fn complaint(text: &str) -> String {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().find(|line| line.contains("error")).or_else(|| lines().next_back()).unwrap_or("no message");
    let panic = lines().skip_while(|line| !(line.starts_with("thread ") && line.contains("panicked"))).nth(1);
    panic.map_or_else(|| first.to_owned(), |panic| format!("{first}: {panic}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_library_stays_absent() {
        let absent = Err("its folder has neither Cargo.toml nor go.mod".to_owned());
        assert_eq!([build("../lists", Build::Native), build("../lists", Build::Native)], [absent.clone(), absent]);
    }

    #[test]
    fn gos_level_is_the_highest_whose_features_are_all_there() {
        let upto =
            |levels: usize| move |feature: &str| GO_LEVELS[..levels].iter().any(|(_, all)| all.contains(&feature));
        assert_eq!([0, 1, 2, 3].map(|levels| go_level(upto(levels))), ["v1", "v2", "v3", "v4"]);
        assert_eq!(go_level(|feature| feature != "bmi2"), "v2", "a level wants those below it");
        assert_eq!(go_level(|feature| feature != "avx512vl"), "v3");
    }

    #[test]
    fn a_build_script_says_what_it_panicked_at() {
        let text = "error: failed to run custom build command for `x v1`\n\nCaused by:\n  --- stderr\n\n  \
                    thread 'main' (7) panicked at build.rs:3:5:\n  Unable to find libclang\n  note: run with";
        assert_eq!(complaint(text), "error: failed to run custom build command for `x v1`: Unable to find libclang");
        assert_eq!(complaint("warning\nerror[E0433]: no such\nmore"), "error[E0433]: no such");
        assert_eq!(complaint("go: no such module\n"), "go: no such module");
    }
}
