//! Which source our side was built from.

use crate::library::lab;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(lab()).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The commit, with `+` behind it when files of the library differ from it; none outside a repository.
pub(crate) fn commit() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--", "../crates", "ours", "abi"]).is_none_or(|text| !text.is_empty());
    Some(if changed { commit + "+" } else { commit })
}
