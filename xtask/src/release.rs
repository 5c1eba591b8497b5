//! A release: its files, made from HEAD in two folders and compared. Nothing is published.

use crate::need::Need;
use crate::run::cpu_seconds;
use crate::{git, home, invocation};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The files that name the version.
const NAMES_VERSION: [&str; 4] =
    ["Cargo.toml", "bindings/python/pyproject.toml", "bindings/c/include/phalanx.h", "CHANGELOG.md"];

/// The programs that make the files.
pub(crate) const NEEDS: [Need; 6] = [
    Need::Program("cargo-cinstall"),
    Need::Program("cargo-cyclonedx"),
    Need::Program("cargo-zigbuild"),
    Need::Program("maturin"),
    Need::Program("objdump"),
    Need::Python("ziglang"),
];

/// What names end in while the changelog has no heading for the version.
const UNRELEASED: &str = "-unreleased";

/// Of names that differ in length, so that a path in a file also moves what follows it.
const FOLDERS: [&str; 2] = ["first", "second-folder"];

/// Makes the files of a release in a folder that is new or empty. An error is a sentence.
pub(crate) fn release(out: &Path) -> Result<(), String> {
    let missing: Vec<String> = NEEDS.iter().filter_map(Need::missing).collect();
    if !missing.is_empty() {
        return Err(missing.join("\n"));
    }
    let commit = git::head().ok_or("a release is made from a commit, and there is none")?;
    if git::has_changed_files() {
        return Err("a release is made from HEAD, and tracked files differ from it: commit or stash them".into());
    }
    if out.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(format!("{} is not empty", out.display()));
    }
    let read =
        |path| std::fs::read_to_string(path).map(|text| (path, text)).map_err(|error| format!("{path}: {error}"));
    let version = version(&NAMES_VERSION.map(read).into_iter().collect::<Result<Vec<_>, _>>()?)?;
    if !version.ends_with(UNRELEASED) && home::is_missing(Path::new("Cargo.toml")) {
        return Err("nothing is a release without a home: `cargo xtask home URL CONTACT`".into());
    }
    println!("release {version} of {commit}");

    let work = std::path::absolute(invocation::target().join("releasing")).map_err(|error| error.to_string())?;
    if work.exists() {
        std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    }
    for folder in FOLDERS.map(|folder| work.join(folder)) {
        let source = folder.join("source");
        run(Command::new("git").args(["clone", "--quiet", "--no-checkout", "."]).arg(&source))?;
        run(Command::new("git").current_dir(&source).args(["checkout", "--quiet", "--detach", &commit]))?;
        let mut make = Command::new(source.join("xtask/release"));
        run(make.arg(folder.join("files")).arg(&version).env("CARGO_TARGET_DIR", folder.join("target")))?;
    }
    let [first, second] = FOLDERS.map(|folder| work.join(folder).join("files"));
    let sums = |folder: &Path| std::fs::read_to_string(folder.join("SHA256SUMS")).map_err(|error| error.to_string());
    let (sums_of_first, sums_of_second) = (sums(&first)?, sums(&second)?);
    let differing = differing(&sums_of_first, &sums_of_second);
    if !differing.is_empty() {
        return Err(format!("{} and {} differ in {}", first.display(), second.display(), differing.join(", ")));
    }
    deliver(&first, out).map_err(|error| format!("{}: {error}", out.display()))?;
    std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    println!("equal: made twice, in two folders; {:.0} minutes of CPU", cpu_seconds() / 60.0);
    Ok(())
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", command.get_program().display())) }
}

/// Copies the files, and prints their names and sizes.
fn deliver(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    let mut files =
        from.read_dir()?.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<Vec<_>, _>>()?;
    files.sort();
    for name in files {
        println!("{:10}  {}", std::fs::copy(from.join(&name), to.join(&name))?, to.join(&name).display());
    }
    Ok(())
}

/// The version, on which files must agree, given by path and text. With `-unreleased` where the changelog has no heading
/// for it yet.
fn version(files: &[(&str, String)]) -> Result<String, String> {
    let (mut agreed, mut unreleased) = (String::new(), "");
    for (path, text) in files {
        let stated = match path.rsplit_once('.') {
            Some((_, "h")) => header_version(text),
            Some((_, "md")) => between(text, "\n## [", "]"),
            // Maturin takes that of the crate.
            _ if text.contains("\ndynamic = [\"version\"]\n") => Some(agreed.clone()),
            _ => between(text, "\nversion = \"", "\""),
        };
        match stated.ok_or(format!("{path} names no version"))? {
            stated if stated == "Unreleased" => unreleased = UNRELEASED,
            stated if agreed.is_empty() => agreed = stated,
            stated if stated != agreed => {
                return Err(format!("{path} says {stated}, and {} says {agreed}", files[0].0));
            }
            _ => (),
        }
    }
    Ok(agreed + unreleased)
}

fn header_version(text: &str) -> Option<String> {
    let number = |part| between(text, &format!("_VERSION_{part} "), "\n");
    Some(["MAJOR", "MINOR", "PATCH"].map(number).into_iter().collect::<Option<Vec<_>>>()?.join("."))
}

/// What stands between the first place of `begin` and the next `end`.
fn between(text: &str, begin: &str, end: &str) -> Option<String> {
    Some(text.split_once(begin)?.1.split_once(end)?.0.to_owned())
}

/// The files whose sums are not the same in both lists of `sha256sum`.
fn differing<'a>(first: &'a str, second: &'a str) -> Vec<&'a str> {
    let [first, second] = [first, second].map(|sums| sums.lines().collect::<BTreeSet<_>>());
    let names = first.symmetric_difference(&second).map(|line| line.split_once("  ").map_or(*line, |(_, name)| name));
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(manifest: &str, header: &str, heading: &str) -> Result<String, String> {
        let manifest = format!("[workspace.package]\nversion = \"{manifest}\"\n");
        let python = "[project]\ndynamic = [\"version\"]\n".to_owned();
        let mut files = vec![("Cargo.toml", manifest), ("pyproject.toml", python)];
        let [major, minor, patch] = header.split('.').collect::<Vec<_>>()[..] else { panic!("three numbers") };
        let numbers = [("MAJOR", major), ("MINOR", minor), ("PATCH", patch)];
        let lines = numbers.map(|(part, number)| format!("#define PHALANX_VERSION_{part} {number}\n"));
        files.push(("phalanx.h", lines.concat()));
        files.push(("CHANGELOG.md", format!("# Changelog\n\n## [{heading}]\n\n## [0.0.9] - 2026-01-01\n")));
        version(&files)
    }

    #[test]
    fn files_agree_on_the_version() {
        assert_eq!(of("0.1.0", "0.1.0", "0.1.0"), Ok("0.1.0".into()));
        assert_eq!(of("0.1.0", "0.1.0", "Unreleased"), Ok("0.1.0-unreleased".into()));
        assert_eq!(of("0.1.0", "0.2.0", "0.1.0"), Err("phalanx.h says 0.2.0, and Cargo.toml says 0.1.0".into()));
        assert_eq!(of("0.1.0", "0.1.0", "0.0.9"), Err("CHANGELOG.md says 0.0.9, and Cargo.toml says 0.1.0".into()));
        assert_eq!(version(&[("phalanx.h", String::new())]), Err("phalanx.h names no version".into()));
    }

    /// The files of this repository, so that a move of one of them is seen before a release.
    #[test]
    fn this_repository_has_one_version() {
        let read = |path| std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).expect(path);
        let version = version(&NAMES_VERSION.map(|path| (path, read(path)))).expect("a version");
        assert!(version.starts_with(env!("CARGO_PKG_VERSION")), "{version}");
    }

    #[test]
    fn files_that_differ_are_named() {
        let first = "aa  phalanx.crate\nbb  phalanx.whl\ncc  go.zip\n";
        assert_eq!(differing(first, first), [""; 0]);
        assert_eq!(differing(first, "aa  phalanx.crate\nb0  phalanx.whl\n"), ["go.zip", "phalanx.whl"]);
    }
}
