//! What a step is.

use crate::need::Need;

/// Something that must hold, and how to see that it does. It passes if each command ends with status 0.
///
/// Tests may skip a part, which they say by a line `SKIPPED: what: why`. A command that could check nothing ends with
/// [`SKIPPED`]. Tests that find no test to run fail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// What one types.
    pub(crate) name: &'static str,
    /// What holds where it passes.
    pub(crate) shows: &'static str,
    /// Minutes of CPU, compiling included, in a tree where the tests have been built and nothing else.
    pub(crate) minutes: f64,
    /// What the machine must have. Where it is missing, the step is skipped aloud.
    pub(crate) needs: &'static [Need],
    /// The paths whose change can make it fail, by [`covers`](Step::covers).
    pub(crate) paths: &'static [&'static str],
    /// One command a line, as [`Invocation`](crate::invocation::Invocation) reads it.
    pub(crate) commands: &'static [&'static str],
    /// A text that the output must contain: what would be missing if the commands had checked something else.
    pub(crate) says: &'static str,
}

/// The exit status of a command that could check nothing, as with automake. Its last line `SKIPPED: ` says why.
pub(crate) const SKIPPED: u8 = 77;

impl Step {
    /// What fields are that a step does not state.
    pub(crate) const DEFAULT: Step =
        Step { name: "", shows: "", minutes: 0.1, needs: &[], paths: &[], commands: &[], says: "" };

    /// Whether a change of the path can make the step fail. A path of the step is what a changed path begins with;
    /// with a star it is what a changed path begins and ends with.
    pub(crate) fn covers(&self, changed: &str) -> bool {
        self.paths.iter().any(|path| match path.split_once('*') {
            Some((begin, end)) => changed.strip_prefix(begin).is_some_and(|rest| rest.ends_with(end)),
            None => changed.starts_with(path),
        })
    }

    /// Why it cannot run here, if the machine lacks something.
    pub(crate) fn missing(&self) -> Option<String> {
        self.needs.iter().find_map(Need::missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_beginning_or_a_beginning_and_an_end() {
        let step = Step { paths: &["bindings/go/", "docs/use/go.md", "crates/*.rs", "*.md"], ..Step::DEFAULT };
        for changed in
            ["bindings/go/bulk.go", "docs/use/go.md", "crates/rows/src/lib.rs", "README.md", "docs/README.md"]
        {
            assert!(step.covers(changed), "{changed}");
        }
        for changed in ["gopher", "crates/rows/Cargo.lock", "docs/use/go.txt", "testkit/src/lib.rs"] {
            assert!(!step.covers(changed), "{changed}");
        }
        assert!(!Step::DEFAULT.covers("README.md"));
    }
}
