//! An earlier commit of this repository as a library: our side of the lab as that commit has it.
//!
//! The commit's files are written to `commits/<hash>/tree` in the lab's build folder, and cargo builds the `lab/ours`
//! among them, with that commit's sources and lock file and with the present flags, into a folder beside the tree for
//! each [`Build`]. The files go through an index of their own: the user's work tree and index are never touched.

use super::{
    Build, OURS,
    folder::{self, Artifact},
};
use crate::revision::{git, git_with, short};
use std::{
    fs,
    path::{Path, PathBuf},
    process,
};

/// The package of our side in a commit's tree.
const PACKAGE: &str = "lab/ours";

/// A commit of this repository with a `lab/ours`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    /// The full hash.
    hash: String,
}

/// What `phalanx@COMMIT` names.
pub(super) fn revision_of(name: &str) -> Option<&str> {
    name.strip_prefix(OURS)?.strip_prefix('@')
}

impl Commit {
    /// The commit that a revision in git's words stands for, in the repository of which `lab` is a folder.
    pub(super) fn find(lab: &Path, revision: &str) -> Result<Self, String> {
        if revision.is_empty() {
            return Err(format!("no commit is named behind {OURS}@"));
        }
        let inside = git(lab, &["rev-parse", "--show-prefix"])
            .map_err(|reason| format!("the commits are not there: git says: {reason}"))?;
        if inside != "lab/" {
            return Err(format!("the commits are not there: the git repository around the lab has it as {inside}"));
        }
        let unknown = |reason: &str| format!("this repository has no commit named {revision}{reason}");
        // "Needed a single revision" is what git says of any name that it does not know.
        let why = |reason: &str| match reason {
            "fatal: Needed a single revision" => String::new(),
            reason => format!(" (git says: {reason})"),
        };
        if revision.starts_with('-') {
            return Err(unknown(""));
        }
        let hash = git(lab, &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])
            .map_err(|reason| unknown(&why(&reason)))?;
        git(lab, &["cat-file", "-e", &format!("{hash}:{PACKAGE}/Cargo.toml")])
            .map_err(|_| format!("commit {} has no {PACKAGE}", short(&hash)))?;
        Ok(Self { hash })
    }

    /// The name in records.
    pub(super) fn name(&self) -> String {
        format!("{OURS}@{}", self.short())
    }

    /// The hash as records show it.
    pub(crate) fn short(&self) -> &str {
        short(&self.hash)
    }

    /// Builds our side of this commit. Cargo decides what is still fresh, since the compiler may have changed.
    pub(super) fn build(&self, lab: &Path, build: Build) -> Result<Artifact, String> {
        let folder = folder::target().join("commits").join(&self.hash);
        let folder = std::path::absolute(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let tree = self.tree(lab, &folder)?;
        let target = folder.join(build.name());
        if !folder::object(OURS, &target).exists() {
            eprintln!("lab: builds {} as {}, which takes minutes the first time", self.name(), build.name());
        }
        folder::cargo(OURS, &tree.join(PACKAGE), &target, build)
    }

    /// The commit's files under `folder`, written when they are not there yet. They appear by a renaming, so that a
    /// tree that is there is whole.
    fn tree(&self, lab: &Path, folder: &Path) -> Result<PathBuf, String> {
        let tree = folder.join("tree");
        if tree.exists() {
            return Ok(tree);
        }
        let failed = |reason: String| format!("its files cannot be written: {reason}");
        let partial = folder.join(format!("partial-{}", process::id()));
        let index = partial.join("index");
        let files = partial.join("tree");
        fs::create_dir_all(&files).map_err(|error| failed(error.to_string()))?;
        let root = lab.parent().unwrap_or(lab);
        let with_index = |arguments: &[&str]| git_with(root, Some(&index), arguments);
        let written = with_index(&["read-tree", &self.hash])
            .and_then(|_| with_index(&["checkout-index", "--all", &format!("--prefix={}/", files.display())]))
            .map_err(failed)
            .and_then(|_| match fs::rename(&files, &tree) {
                // Another lab was faster.
                Err(_) if tree.exists() => Ok(()),
                renamed => renamed.map_err(|error| failed(error.to_string())),
            });
        // What is left of a failure is in nobody's way.
        let _ = fs::remove_dir_all(&partial);
        written.map(|()| tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    /// A folder outside any repository, with `lab/` in it, gone at the end of the test.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let place = env::temp_dir().join(format!("phalanx-lab-{}-{name}", process::id()));
            fs::create_dir_all(place.join(PACKAGE).join("src")).unwrap();
            Self(place)
        }

        fn lab(&self) -> PathBuf {
            self.0.join("lab")
        }

        fn git(&self, arguments: &[&str]) -> String {
            let author = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost", "-c", "commit.gpgsign=false"];
            git(&self.0, &[&author, arguments].concat()).unwrap()
        }

        /// A repository whose one commit has these files.
        fn with_commit(name: &str, files: &[(&str, &str)]) -> Self {
            let place = Self::new(name);
            place.git(&["init", "--quiet"]);
            for (path, text) in files {
                fs::write(place.0.join(path), text).unwrap();
            }
            place.git(&["add", "--all"]);
            place.git(&["commit", "--quiet", "--allow-empty", "--message=one"]);
            place
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn only_phalanx_has_commits() {
        assert_eq!(revision_of("phalanx@HEAD~3"), Some("HEAD~3"));
        assert_eq!(revision_of("phalanx@v0.1@{0}"), Some("v0.1@{0}"));
        assert_eq!(revision_of("phalanx@"), Some(""));
        assert_eq!(revision_of("phalanx"), None);
        assert_eq!(revision_of("k256@HEAD"), None);
    }

    #[test]
    fn what_is_no_commit_of_this_repository_is_refused() {
        let [copied, inside, without, place] = [
            Place::new("copied"),
            Place::with_commit("inside", &[]),
            Place::with_commit("without", &[("lab/README.md", "")]),
            Place::with_commit("unknown", &[("lab/ours/Cargo.toml", "")]),
        ];
        let inner = inside.0.join("phalanx/lab");
        fs::create_dir_all(&inner).unwrap();
        let mut refused = vec![
            (copied.lab(), "HEAD", "the commits are not there: git says: fatal: not a git repository".to_owned()),
            (
                inner,
                "HEAD",
                "the commits are not there: the git repository around the lab has it as phalanx/lab/".into(),
            ),
            (without.lab(), "HEAD", "has no lab/ours".to_owned()),
        ];
        let revisions = ["0123456789abcdef", "no-such-branch", "HEAD~1", "--all", "HEAD..HEAD", "HEAD:lab"];
        refused.extend(revisions.map(|name| (place.lab(), name, format!("no commit named {name}"))));
        for (lab, revision, reason) in refused {
            let said = Commit::find(&lab, revision).unwrap_err();
            assert!(said.contains(&reason), "{said}");
        }
    }

    #[test]
    fn a_commit_is_found_by_hash_tag_and_distance() {
        let place = Place::with_commit("found", &[("lab/ours/Cargo.toml", "")]);
        let hash = place.git(&["rev-parse", "HEAD"]);
        place.git(&["tag", "--annotate", "--message=one", "v1"]);
        place.git(&["commit", "--quiet", "--allow-empty", "--message=two"]);
        for revision in [&hash, &hash[..8], "v1", "HEAD~1", "HEAD^"] {
            let found = Commit::find(&place.lab(), revision).unwrap();
            assert_eq!((found.hash.as_str(), found.name()), (hash.as_str(), format!("phalanx@{}", &hash[..12])));
        }
    }

    #[test]
    fn the_tree_is_the_commit_and_the_users_index_and_files_stay() {
        let place = Place::with_commit("tree", &[("lab/ours/Cargo.toml", "then")]);
        let commit = Commit::find(&place.lab(), "HEAD").unwrap();
        fs::write(place.0.join("lab/ours/Cargo.toml"), "now").unwrap();
        fs::write(place.0.join("lab/new"), "").unwrap();
        place.git(&["add", "lab/new"]);
        let before = place.git(&["status", "--porcelain"]);
        let folder = place.0.join(".git/commits");
        for _ in 0..2 {
            let tree = commit.tree(&place.lab(), &folder).unwrap();
            assert_eq!(fs::read_to_string(tree.join("lab/ours/Cargo.toml")).unwrap(), "then");
            assert!(!tree.join("lab/new").exists());
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "only the tree is left");
        assert_eq!(place.git(&["status", "--porcelain"]), before);
        assert_eq!(fs::read_to_string(place.0.join("lab/ours/Cargo.toml")).unwrap(), "now");
    }

    #[test]
    fn a_commit_that_does_not_build_is_refused_with_the_reason() {
        let place = Place::with_commit("broken", &[("lab/ours/Cargo.toml", "[package]\nname = 1\n")]);
        let commit = Commit::find(&place.lab(), "HEAD").unwrap();
        let said = commit.build(&place.lab(), Build::Native).err().unwrap();
        let _ = fs::remove_dir_all(folder::target().join("commits").join(&commit.hash));
        assert!(said.contains("does not build: error"), "{said}");
    }
}
