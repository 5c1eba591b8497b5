//! What a run came to, as text.

use crate::report::{Report, Verdict};
use std::fmt::Write;

/// A table of all steps, what was skipped, what failed, and the tests that passed and failed.
pub(crate) fn summary(reports: &[Report]) -> String {
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{}", line.trim_end()).expect("a string takes a line");
    let widest = reports.iter().map(|report| report.step.name.len()).max().unwrap_or(0);
    let (mut skipped, mut failed) = (Vec::new(), Vec::new());
    for report in reports {
        let name = report.step.name;
        let (verdict, why) = report.verdict.words();
        line(format!("{name:widest$}  {verdict:7}  {:5.0} s of CPU  {why}", report.cpu));
        match &report.verdict {
            Verdict::Failed(_) => failed.push(name),
            Verdict::Skipped(why) => skipped.push(format!("{name}: {why}")),
            Verdict::Passed | Verdict::PassedBefore | Verdict::NotRun(_) => (),
        }
        // What a step that was skipped says of itself is there already.
        if !matches!(report.verdict, Verdict::Skipped(_)) {
            skipped.extend(report.skips.iter().cloned());
        }
    }
    let cpu: f64 = reports.iter().map(|report| report.cpu).sum();
    line(format!("=== {cpu:.0} s of CPU"));
    let not_run = reports.iter().filter(|report| matches!(report.verdict, Verdict::NotRun(_))).count();
    line(format!("{not_run} not run"));
    line(format!("{} skipped", skipped.len()));
    skipped.iter().for_each(|skip| line(format!("skipped: {skip}")));
    failed.iter().for_each(|name| line(format!("FAILED: {name}")));
    let (passed, failed) = totals(reports);
    line(format!("{passed} passed, {failed} failed"));
    text
}

/// Tests that passed and failed: of the test command where it ran, or else of all steps.
fn totals(reports: &[Report]) -> (u64, u64) {
    let of_tests = reports.iter().find(|report| report.step.name == "tests" && report.tests.is_some());
    let counted = of_tests.map_or(reports, std::slice::from_ref).iter().filter_map(|report| report.tests);
    counted.fold((0, 0), |sum, tests| (sum.0 + tests.0, sum.1 + tests.1))
}

/// Whether nothing has failed.
pub(crate) fn passed(reports: &[Report]) -> bool {
    !reports.iter().any(|report| matches!(report.verdict, Verdict::Failed(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::Step;

    #[test]
    fn the_end_lists_skips_failures_and_tests() {
        let report = |name, verdict| Report::without_run(Step { name, ..Step::DEFAULT }, verdict);
        let mut tests = report("tests", Verdict::Passed);
        (tests.cpu, tests.tests) = (12.3, Some((1300, 0)));
        tests.skips.insert("zsh is not here: completions".into());
        let mut large = report("differential", Verdict::Failed("exit status: 101".into()));
        large.tests = Some((11, 1));
        let neon = report("neon", Verdict::Skipped("there is no qemu-aarch64".into()));
        let go = report("go", Verdict::NotRun("80 minutes had passed".into()));
        let reports = [tests, large, neon, go];
        let expected = "\
tests         ok          12 s of CPU
differential  FAILED       0 s of CPU  exit status: 101
neon          SKIPPED      0 s of CPU  there is no qemu-aarch64
go            not run      0 s of CPU  80 minutes had passed
=== 12 s of CPU
1 not run
2 skipped
skipped: zsh is not here: completions
skipped: neon: there is no qemu-aarch64
FAILED: differential
1300 passed, 0 failed
";
        assert_eq!(summary(&reports), expected);
        assert!(!passed(&reports));
        assert!(passed(&reports[2..]));
        assert_eq!(totals(&reports[1..]), (11, 1));
    }
}
