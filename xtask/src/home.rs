//! The public home of the project: its repository, the contact for security reports, and the path of the Go module.
//! Placeholders stand for them until a maintainer fills them in; before that, nothing is a release.

use crate::git;
use std::path::Path;
use std::process::Command;

/// Part of every placeholder: a name that nobody can own, by RFC 2606. In two halves, so that this file has none.
const NOBODY: &str = concat!("phalanx", ".example");

/// The lines of a page that hold until there is a home.
const UNTIL: [&str; 2] = ["<!-- until there is a home -->\n", "<!-- until here -->\n"];

/// A home.
#[derive(Debug, PartialEq)]
pub(crate) struct Home {
    /// A URL.
    repository: String,
    /// An address for mail, or a URL.
    security: String,
    /// The Go module's, which lies in a folder of the repository.
    go_module: String,
}

impl Home {
    /// An error is a sentence.
    pub(crate) fn new(repository: &str, security: &str) -> Result<Home, String> {
        let path = repository.trim_end_matches('/').strip_prefix("https://").filter(|path| path.contains('/'));
        let path =
            path.ok_or(format!("{repository} is no repository's URL, such as https://forge.org/owner/phalanx"))?;
        if !security.contains('@') && !security.starts_with("https://") {
            return Err(format!("{security} is neither an address for mail nor a URL"));
        }
        let go_module = format!("{path}/bindings/go");
        Ok(Home { repository: format!("https://{path}"), security: security.into(), go_module })
    }

    /// The text with this home in place of placeholders, or nothing if it has no placeholder.
    fn fill(&self, text: &str) -> Option<String> {
        if !text.contains(NOBODY) {
            return None;
        }
        let mut filled = text
            .replace(&format!("https://{NOBODY}/source"), &self.repository)
            .replace(&format!("security@{NOBODY}"), &self.security)
            .replace(&format!("{NOBODY}/phalanx"), &self.go_module);
        if let Some((before, rest)) = filled.split_once(UNTIL[0])
            && let Some((_, after)) = rest.split_once(UNTIL[1])
        {
            filled = [before, after].concat();
        }
        Some(filled)
    }

    /// Fills it in, in every file that git tracks here. An error is a sentence.
    pub(crate) fn settle(&self) -> Result<(), String> {
        let (mut changed, mut go) = (0, Vec::new());
        for path in git::files().ok_or("git lists no files here")? {
            // What is no text has no placeholder.
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if let Some(filled) = self.fill(&text) {
                std::fs::write(&path, filled).map_err(|error| format!("{path}: {error}"))?;
                changed += 1;
                go.extend(path.ends_with(".go").then_some(path));
            }
        }
        println!("{changed} files changed");
        // Imports are sorted by path.
        let sorted = Command::new("gofmt").arg("-w").args(go).status();
        if !sorted.is_ok_and(|status| status.success()) {
            return Err("gofmt has not run: `gofmt -w bindings/go`".into());
        }
        Ok(())
    }
}

/// Whether a placeholder still stands in the file.
pub(crate) fn is_missing(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(NOBODY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_a_repository_and_somebody_to_tell() {
        let home = Home::new("https://forge.org/owner/phalanx/", "security@owner.org").expect("a home");
        assert_eq!(home.go_module, "forge.org/owner/phalanx/bindings/go");
        for (repository, security) in
            [("forge.org/owner/phalanx", "a@b"), ("https://forge.org", "a@b"), ("https://forge.org/owner", "me")]
        {
            assert!(Home::new(repository, security).is_err(), "{repository} {security}");
        }
    }

    #[test]
    fn placeholders_go_and_what_holds_until_then() {
        let home = Home::new("https://forge.org/owner/phalanx", "security@owner.org").expect("a home");
        let text = format!(
            "repository = \"https://{NOBODY}/source\"\nimport \"{NOBODY}/phalanx/internal/ffi\"\nsecurity@{NOBODY}\n{}no\n{}on\n",
            UNTIL[0], UNTIL[1]
        );
        let filled = "repository = \"https://forge.org/owner/phalanx\"\n\
                      import \"forge.org/owner/phalanx/bindings/go/internal/ffi\"\nsecurity@owner.org\non\n";
        assert_eq!(home.fill(&text).as_deref(), Some(filled));
        assert_eq!(home.fill(filled), None);
    }

    /// Crates inherit the repository. The other places have a home exactly when the workspace has one.
    #[test]
    fn all_places_have_a_home_or_none_has() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let missing = is_missing(&root.join("Cargo.toml"));
        for path in
            ["bindings/python/pyproject.toml", "verkle/python/pyproject.toml", "bindings/go/go.mod", "SECURITY.md"]
        {
            assert_eq!(is_missing(&root.join(path)), missing, "{path}");
        }
    }
}
