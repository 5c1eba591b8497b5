//! What is asked of git.

use std::process::{Command, Stdio};

/// The change that is to land.
#[derive(Debug, PartialEq)]
pub(crate) enum Change {
    /// The paths that it touches, and where they come from, in words.
    Paths { paths: Vec<String>, since: String },
    /// Why nobody knows.
    Unknown(String),
}

/// What HEAD and the work tree have changed since the commit that the variable `PHALANX_BASE` names, or else since HEAD
/// left `origin/main`.
pub(crate) fn change() -> Change {
    let named = std::env::var("PHALANX_BASE").ok().filter(|base| !base.is_empty());
    let base = match &named {
        Some(base) => answer(&["rev-parse", "--verify", "--quiet", &format!("{base}^{{commit}}")])
            .ok_or(format!("PHALANX_BASE names no commit that is here: {base}")),
        // On main itself it would be HEAD, which has changed nothing.
        None => answer(&["merge-base", "HEAD", "origin/main"])
            .filter(|base| Some(base) != head().as_ref())
            .ok_or("PHALANX_BASE is not set, and HEAD has not left origin/main".to_owned()),
    };
    match base.and_then(|base| changed_since(&base).map(|paths| (paths, base))) {
        Ok((paths, base)) => Change::Paths { paths, since: format!("the work since {}", &base[..base.len().min(12)]) },
        Err(why) => Change::Unknown(why),
    }
}

fn changed_since(base: &str) -> Result<Vec<String>, String> {
    // Of a file that has moved both names count.
    let committed = list(&["diff", "-z", "--name-only", "--no-renames", &format!("{base}...HEAD")]);
    let uncommitted = list(&["diff", "-z", "--name-only", "--no-renames", "HEAD"]);
    let untracked = list(&["ls-files", "-z", "--others", "--exclude-standard"]);
    let parts = [committed, uncommitted, untracked].into_iter().collect::<Option<Vec<_>>>();
    let mut paths = parts.ok_or(format!("git cannot compare HEAD with {base}"))?.concat();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// All files that are tracked, or would be by `git add --all`; nothing without git.
pub(crate) fn files() -> Option<Vec<String>> {
    list(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
}

/// The commit that is checked out.
pub(crate) fn head() -> Option<String> {
    answer(&["rev-parse", "--verify", "HEAD"])
}

/// Whether the work tree is what HEAD says.
pub(crate) fn is_clean() -> bool {
    answer(&["status", "--porcelain"]).is_some_and(|changes| changes.is_empty())
}

/// Whether tracked files are not what HEAD says.
pub(crate) fn has_changed_files() -> bool {
    answer(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty())
}

/// A number that is another one with each commit, by its hash.
pub(crate) fn number_of_the_commit() -> u32 {
    head().and_then(|hash| u32::from_str_radix(hash.get(..6)?, 16).ok()).unwrap_or(0)
}

fn answer(arguments: &[&str]) -> Option<String> {
    let answer = Command::new("git").args(arguments).stderr(Stdio::null()).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

fn list(arguments: &[&str]) -> Option<Vec<String>> {
    let names = answer(arguments)?;
    Some(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}
