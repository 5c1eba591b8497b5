//! What became of a step.

use crate::step::Step;
use std::collections::BTreeSet;

/// In one word, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    Passed,
    /// In an earlier run on the same commit.
    PassedBefore,
    Failed(String),
    /// It could check nothing here.
    Skipped(String),
    /// It was not begun.
    NotRun(String),
}

impl Verdict {
    /// The word, and the reason if there is one.
    pub(crate) fn words(&self) -> (&'static str, &str) {
        match self {
            Verdict::Passed => ("ok", ""),
            Verdict::PassedBefore => ("ok", "in an earlier run on this commit"),
            Verdict::Failed(why) => ("FAILED", why),
            Verdict::Skipped(why) => ("SKIPPED", why),
            Verdict::NotRun(why) => ("not run", why),
        }
    }
}

/// A step and what became of it.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) step: Step,
    pub(crate) verdict: Verdict,
    pub(crate) cpu: f64,
    /// Tests that passed and that failed.
    pub(crate) tests: Option<(u64, u64)>,
    /// What its tests say that they skipped.
    pub(crate) skips: BTreeSet<String>,
}

impl Report {
    pub(crate) fn without_run(step: Step, verdict: Verdict) -> Report {
        Report { step, verdict, cpu: 0.0, tests: None, skips: BTreeSet::new() }
    }
}
