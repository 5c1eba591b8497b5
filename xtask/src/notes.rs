//! Which steps have ended on which commit, so that a run that was broken off can go on.

use crate::git;
use crate::report::{Report, Verdict};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What is checked out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree {
    pub(crate) commit: String,
    /// Whether the files are what the commit says.
    pub(crate) clean: bool,
}

impl Tree {
    pub(crate) fn now() -> Tree {
        Tree { commit: git::head().unwrap_or_else(|| "no-commit".into()), clean: git::is_clean() }
    }
}

/// A file with a line for each step that has ended: commit, `clean` or `changed`, step, verdict and seconds of CPU.
pub(crate) struct Notes {
    folder: PathBuf,
    now: fn() -> Tree,
    tree: Tree,
}

impl Notes {
    /// In the folder, of the tree that is there now.
    pub(crate) fn new(folder: PathBuf, now: fn() -> Tree) -> Notes {
        Notes { folder, now, tree: now() }
    }

    /// The folder of logs, notes and the summary.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    fn file(&self) -> PathBuf {
        self.folder.join("notes.tsv")
    }

    /// Adds a step that has ended.
    pub(crate) fn add(&self, report: &Report) -> std::io::Result<()> {
        if matches!(report.verdict, Verdict::PassedBefore | Verdict::NotRun(_)) {
            return Ok(());
        }
        let (verdict, _) = report.verdict.words();
        // A tree that was changed while the step ran is no longer the one that was checked.
        let clean = self.tree.clean && (self.now)() == self.tree;
        let state = if clean { "clean" } else { "changed" };
        let line = format!("{}\t{state}\t{}\t{verdict}\t{:.0}\n", self.tree.commit, report.step.name, report.cpu);
        std::fs::create_dir_all(&self.folder)?;
        std::fs::File::options().create(true).append(true).open(self.file())?.write_all(line.as_bytes())
    }

    /// The steps that have passed on this tree: none where files differ from the commit, for nothing says by how much.
    pub(crate) fn passed(&self) -> BTreeSet<String> {
        let mut passed = BTreeSet::new();
        if !self.tree.clean {
            return passed;
        }
        for line in std::fs::read_to_string(self.file()).unwrap_or_default().lines() {
            match line.split('\t').collect::<Vec<_>>()[..] {
                [commit, "clean", step, "ok", _] if commit == self.tree.commit => passed.insert(step.to_owned()),
                // It passed before, and then failed.
                [commit, "clean", step, "FAILED", _] if commit == self.tree.commit => passed.remove(step),
                _ => false,
            };
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Temporary;
    use crate::step::Step;

    fn add(notes: &Notes, name: &'static str, verdict: Verdict) {
        let report = Report::without_run(Step { name, ..Step::DEFAULT }, verdict);
        notes.add(&report).expect("it can be written");
    }

    #[test]
    fn a_run_goes_on_with_what_has_not_passed_on_this_commit() {
        let folder = Temporary::new("resumed");
        let at = |now| Notes::new(folder.path().to_owned(), now);
        let clean = || Tree { commit: "aaa".into(), clean: true };
        let changed = || Tree { commit: "aaa".into(), clean: false };
        let other = || Tree { commit: "bbb".into(), clean: true };
        assert!(at(clean).passed().is_empty());
        add(&at(clean), "tests", Verdict::Passed);
        add(&at(clean), "clippy", Verdict::Failed("a warning".into()));
        add(&at(clean), "neon", Verdict::Skipped("no emulator".into()));
        add(&at(changed), "docs", Verdict::Passed);
        add(&at(other), "go", Verdict::Passed);
        assert_eq!(at(clean).passed(), BTreeSet::from(["tests".to_owned()]));
        assert_eq!(at(other).passed(), BTreeSet::from(["go".to_owned()]));
        assert!(at(changed).passed().is_empty());
        add(&at(clean), "tests", Verdict::Failed("now and then".into()));
        assert!(at(clean).passed().is_empty());
    }

    #[test]
    fn what_passed_while_the_tree_changed_does_not_count() {
        let folder = Temporary::new("changed");
        let mut notes = Notes::new(folder.path().to_owned(), || Tree { commit: "aaa".into(), clean: true });
        notes.now = || Tree { commit: "aaa".into(), clean: false };
        add(&notes, "tests", Verdict::Passed);
        assert!(notes.passed().is_empty());
    }
}
