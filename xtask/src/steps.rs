//! All steps, in the order in which they run. Where not all have room, the first ones have it.

mod form;
mod large;
mod other_languages;
mod own_processes;

use crate::step::Step;

/// The test command of README.md, word for word.
pub(crate) const TESTS: &str = "cargo test --workspace --locked";

/// The library and what it is made of, in Rust.
const LIBRARY: &[&str] = &["crates/engine/src/", "crates/phalanx/src/"];

/// Everything that must hold, cheap steps first.
pub(crate) fn all() -> Vec<Step> {
    [form::QUICK, TESTED, form::COMPILED, large::STEPS, other_languages::STEPS, own_processes::STEPS].concat()
}

/// Compiled apart, so that what a step takes is what its tests take. From a clean clone, and on two cores.
const TESTED: &[Step] = &[
    Step {
        name: "build",
        shows: "the tests compile",
        minutes: 20.0,
        commands: &["cargo test --workspace --locked --no-run"],
        ..Step::DEFAULT
    },
    Step {
        name: "tests",
        shows: "every test passes at its short size",
        minutes: 12.0,
        paths: &[
            "crates/",
            "bindings/",
            "verkle/",
            "data/",
            "docs/",
            "fuzz/",
            "tablegen/",
            "testkit/",
            "README.md",
            ".github/",
        ],
        commands: &["cargo test --workspace --locked --no-fail-fast"],
        ..Step::DEFAULT
    },
];

/// What takes the place of `tests` before a commit. The whole workspace is named, so that dependencies have the
/// features that they have for the tests.
pub(crate) const SHORT_TESTS: Step = Step {
    name: "short-tests",
    shows: "unit tests, the engine, published vectors, the command and the rules of the house pass",
    minutes: 3.0,
    commands: &[
        "cargo test --workspace --locked --lib --bins --test engine --test command --test house_rules",
        "cargo test --workspace --locked --test answers -- wycheproof:: bips::",
    ],
    ..Step::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git;
    use crate::select::{ALWAYS, BUDGET, plan};
    use std::collections::BTreeSet;

    fn repository(path: &str) -> String {
        let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    #[test]
    fn the_tests_are_run_by_the_command_of_the_readme() {
        assert!(repository("README.md").lines().any(|line| line == TESTS));
        for (step, end) in [("build", " --no-run"), ("tests", " --no-fail-fast")] {
            let step = all().into_iter().find(|other| other.name == step).expect("a step");
            assert_eq!(step.commands, [format!("{TESTS}{end}")]);
        }
    }

    #[test]
    fn steps_are_whole() {
        let steps = all();
        let names: BTreeSet<_> = steps.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), steps.len(), "names are used once");
        for name in ALWAYS {
            assert!(names.contains(name), "{name}");
        }
        for step in &steps {
            assert!(!step.commands.is_empty() && !step.shows.is_empty() && step.minutes > 0.0, "{}", step.name);
            assert!(!step.paths.is_empty() || ALWAYS.contains(&step.name), "{}", step.name);
        }
    }

    /// A change that any single step covers leaves room for it.
    #[test]
    fn each_step_fits_beside_the_tests() {
        for step in all() {
            let steps: Vec<Step> =
                all().into_iter().filter(|other| ALWAYS.contains(&other.name)).chain([step]).collect();
            let plan = plan(&steps, &git::Change::Unknown(String::new()), BUDGET, |_| true);
            assert!(plan.no_room.is_empty(), "{}: {} minutes", step.name, step.minutes);
        }
    }

    /// The nightly run has each step in one of its jobs.
    #[test]
    fn every_step_runs_at_night() {
        let workflow = repository(".github/workflows/full.yml");
        let jobs = workflow.lines().filter_map(|line| line.trim().strip_prefix("- steps: "));
        let mut named: Vec<&str> = jobs.flat_map(str::split_whitespace).collect();
        named.sort_unstable();
        let steps: BTreeSet<_> = all().iter().map(|step| step.name).collect();
        assert_eq!(named, steps.into_iter().collect::<Vec<_>>());
    }
}
