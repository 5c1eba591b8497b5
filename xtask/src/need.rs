//! What a step needs of the machine, and whether it is there. `.ci/setup` installs it; nothing here does.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Need {
    /// A program on the path.
    Program(&'static str),
    /// A subcommand of cargo, such as `clippy`.
    Cargo(&'static str),
    /// Modules of Python 3, separated by commas.
    Python(&'static str),
    /// A feature of the CPU, as Linux names it.
    Cpu(&'static str),
    /// A compiled standard library for another target.
    Target(&'static str),
    /// A compiler that rustup has.
    Toolchain(&'static str),
    /// The compiler that the libraries call the oldest.
    OldestRust,
    /// The standard library's source, of a compiler that rustup has, or of the default one where no name is given.
    StandardSource(&'static str),
}

impl Need {
    /// In a few words.
    pub(crate) fn name(&self) -> String {
        match *self {
            Need::Program(name) => name.into(),
            Need::Cargo(name) => format!("cargo {name}"),
            Need::Python(modules) => format!("python3 with {modules}"),
            Need::Cpu(feature) => format!("a CPU with {feature}"),
            Need::Target(target) => format!("target {target}"),
            Need::Toolchain(name) => format!("Rust {name}"),
            Need::OldestRust => format!("Rust {}", oldest_rust()),
            Need::StandardSource("") => "rust-src".into(),
            Need::StandardSource(toolchain) => format!("rust-src of {toolchain}"),
        }
    }

    /// Why a step cannot run, if it is not there.
    pub(crate) fn missing(&self) -> Option<String> {
        let there = match *self {
            Need::Program(name) => on_the_path(name),
            Need::Cargo(name) => succeeds(Command::new("cargo").args([name, "--version"])),
            Need::Python(modules) => succeeds(Command::new("python3").args(["-c", &format!("import {modules}")])),
            Need::Cpu(feature) => cpu_has(feature),
            Need::Target(target) => sysroot("").is_some_and(|root| root.join("lib/rustlib").join(target).exists()),
            Need::Toolchain(name) => sysroot(name).is_some(),
            Need::OldestRust => sysroot(&oldest_rust()).is_some(),
            Need::StandardSource(toolchain) => {
                sysroot(toolchain).is_some_and(|root| root.join("lib/rustlib/src/rust/library/Cargo.lock").exists())
            }
        };
        let found_by = if matches!(self, Need::Cpu(_)) { "" } else { "; `.ci/setup --all` installs what it can" };
        (!there).then(|| format!("there is no {}{found_by}", self.name().trim_start_matches("a ")))
    }
}

/// The version that the library's manifest calls the oldest.
pub(crate) fn oldest_rust() -> String {
    let manifest = std::fs::read_to_string("crates/phalanx/Cargo.toml").unwrap_or_default();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    version.unwrap_or("without a number").to_owned()
}

fn on_the_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn cpu_has(feature: &str) -> bool {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    cpus.split_whitespace().any(|word| word == feature)
}

/// Where a compiler keeps its libraries: of the default one, or of one that rustup has by this name.
fn sysroot(toolchain: &str) -> Option<PathBuf> {
    let mut command = if toolchain.is_empty() {
        Command::new("rustc")
    } else {
        let mut command = Command::new("rustup");
        command.args(["run", toolchain, "rustc"]);
        command
    };
    // Rustup would fetch a compiler that is missing.
    let answer = command.args(["--print", "sysroot"]).env("RUSTUP_AUTO_INSTALL", "0").stderr(Stdio::null()).output();
    let answer = answer.ok().filter(|answer| answer.status.success())?;
    Some(Path::new(String::from_utf8_lossy(&answer.stdout).trim()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        assert_eq!(Need::Program("sh").missing(), None);
        let missing = Need::Program("no-program-has-this-name").missing().expect("it is missing");
        assert_eq!(missing, "there is no no-program-has-this-name; `.ci/setup --all` installs what it can");
        let missing = Need::Cpu("wings").missing().expect("no CPU has them");
        assert_eq!(missing, "there is no CPU with wings");
        assert!(Need::Toolchain("no-such-toolchain").missing().is_some());
    }
}
