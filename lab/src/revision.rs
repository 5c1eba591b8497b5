//! Which source our side was built from.

use std::{path::Path, process::Command};

/// This package's folder.
pub(crate) fn lab() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Digits of a commit in names and records.
const DIGITS: usize = 12;

/// What git prints in a folder; the error is the line in which git says why not.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    git_with(folder, None, arguments)
}

/// The same with an index of the caller's.
pub(crate) fn git_with(folder: &Path, index: Option<&Path>, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).env("LC_ALL", "C");
    // A hook's environment names its repository, whatever the folder.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let output = command.output().map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(text.lines().find(|line| !line.trim().is_empty()).unwrap_or("git says nothing").trim().to_owned())
}

/// A full hash as names and records show it.
pub(crate) fn short(hash: &str) -> &str {
    &hash[..DIGITS.min(hash.len())]
}

/// The commit, with `+` behind it when files of the library differ from it; none outside a repository.
pub(crate) fn commit() -> Option<String> {
    let commit = git(lab(), &["rev-parse", "HEAD"]).ok()?;
    let changed = git(lab(), &["status", "--porcelain", "--", "../crates", "ours", "abi"]);
    let changed = changed.map_or(true, |text| !text.is_empty());
    Some(format!("{}{}", short(&commit), if changed { "+" } else { "" }))
}
