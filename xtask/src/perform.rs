//! Performs steps one after another. Each is performed even when another has failed.

use crate::clock::Clock;
use crate::invocation::Invocation;
use crate::notes::Notes;
use crate::report::{Report, Verdict};
use crate::run::{Ended, cpu_seconds, run};
use crate::said::Said;
use crate::step::{SKIPPED, Step};
use std::path::Path;
use std::time::Instant;

/// Performs the steps, and notes each that has ended. With a clock, stops by it.
pub(crate) fn all(steps: &[Step], clock: Option<Clock>, notes: &Notes) -> Vec<Report> {
    let one = |step: &Step| {
        if let Some(late) = clock.and_then(|clock| clock.too_late()) {
            return Report::without_run(*step, Verdict::NotRun(late));
        }
        let report = one(step, clock, notes.folder());
        if let Err(error) = notes.add(&report) {
            eprintln!("xtask: {} is not noted: {error}", step.name);
        }
        report
    };
    steps.iter().map(one).collect()
}

fn one(step: &Step, clock: Option<Clock>, folder: &Path) -> Report {
    println!("\n=== {}: {}", step.name, step.shows);
    if let Some(missing) = step.missing() {
        println!("!!! {}: SKIPPED: {missing}", step.name);
        return Report::without_run(*step, Verdict::Skipped(missing));
    }
    let (begin, cpu_before) = (Instant::now(), cpu_seconds());
    let (verdict, output) =
        commands(step, clock, folder).unwrap_or_else(|error| (Verdict::Failed(error), String::new()));
    let said = Said::of(&output);
    let cpu = cpu_seconds() - cpu_before;
    let (word, why) = verdict.words();
    let (mark, colon) = if verdict == Verdict::Passed { ("===", "") } else { ("!!!", ": ") };
    let seconds = begin.elapsed().as_secs();
    println!("{mark} {}: {word}{colon}{why}, {seconds} s, {cpu:.0} s of CPU, {} free", step.name, room(folder));
    Report { step: *step, verdict, cpu, tests: said.tests, skips: said.skips }
}

/// Runs the commands of a step until one fails. Gives all that they said.
fn commands(step: &Step, clock: Option<Clock>, folder: &Path) -> Result<(Verdict, String), String> {
    let log = folder.join("logs").join(step.name);
    let write = |error: std::io::Error| format!("{}: {error}", log.display());
    std::fs::create_dir_all(folder.join("logs")).map_err(write)?;
    std::fs::write(&log, "").map_err(write)?;
    let read = || std::fs::read(&log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(write);
    let mut output = String::new();
    for line in step.commands {
        let invocation = Invocation::parse(line);
        println!("$ {}", invocation.text());
        let ended =
            run(&invocation, &log, clock.map(|clock| clock.left())).map_err(|error| format!("{line}: {error}"))?;
        let before = output.len();
        output = read()?;
        if let Some(verdict) = unless_passed(line, &invocation, &ended, output.get(before..).unwrap_or_default()) {
            return Ok((verdict, output));
        }
    }
    if !output.contains(step.says) {
        return Ok((Verdict::Failed(format!("its output lacks the text `{}`", step.says)), output));
    }
    Ok((Verdict::Passed, output))
}

/// The verdict on a command that has not passed.
fn unless_passed(line: &str, invocation: &Invocation, ended: &Ended, output: &str) -> Option<Verdict> {
    let said = Said::of(output);
    match ended {
        Ended::ByTime => Some(Verdict::Failed(format!("it was ended by time: {line}"))),
        Ended::With(status) if status.code() == Some(SKIPPED.into()) => {
            let skip = output.lines().rev().find_map(|line| line.split_once("SKIPPED: "));
            Some(Verdict::Skipped(skip.map_or("it does not say why", |(_, why)| why).to_owned()))
        }
        Ended::With(status) if !status.success() => Some(Verdict::Failed(format!("{line}: {status}"))),
        // A filter that matches no test would else pass for ever.
        Ended::With(_) if said.tests.map_or(invocation.runs_tests(), |(passed, _)| passed == 0) => {
            Some(Verdict::Failed(format!("it ran no test: {line}")))
        }
        Ended::With(_) => None,
    }
}

/// How much room is left where things are compiled. A full disk makes whatever comes next fail, with words of its own.
fn room(folder: &Path) -> String {
    let answer = std::process::Command::new("df").args(["-h", "--output=avail"]).arg(folder).output();
    let answer = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned()).unwrap_or_default();
    answer.lines().nth(1).map_or("unknown room", str::trim).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Temporary;
    use crate::notes::Tree;
    use std::time::Duration;

    fn verdict(commands: &'static [&'static str]) -> Verdict {
        let folder = Temporary::new(&format!("verdict-{}", commands.join("-").replace('/', "")));
        one(&Step { name: "a-step", commands, ..Step::DEFAULT }, None, folder.path()).verdict
    }

    #[test]
    fn a_step_ends_with_its_first_command_that_fails() {
        assert_eq!(verdict(&["true", "true"]), Verdict::Passed);
        assert!(matches!(verdict(&["true", "false", "true"]), Verdict::Failed(why) if why.contains("false")));
        assert!(matches!(verdict(&["./no-such-program"]), Verdict::Failed(_)));
    }

    #[test]
    fn a_command_that_could_check_nothing_says_why() {
        let line = Invocation::parse("fuzz/run 10");
        let status = |code: &str| std::process::Command::new("sh").args(["-c", code]).status().expect("a shell");
        let output = "SKIPPED: a part: no\n!!! fuzzing: SKIPPED: a C++ compiler is missing\n";
        let verdict = unless_passed("", &line, &Ended::With(status("exit 77")), output);
        assert_eq!(verdict, Some(Verdict::Skipped("a C++ compiler is missing".into())));
        assert_eq!(unless_passed("", &line, &Ended::With(status("exit 0")), output), None);
    }

    #[test]
    fn output_must_say_what_shows_that_it_ran() {
        let folder = Temporary::new("says");
        let step = Step { name: "a-step", commands: &["echo ran on words"], ..Step::DEFAULT };
        let with = |says| one(&Step { says, ..step }, None, folder.path()).verdict;
        assert_eq!(with("ran on words"), Verdict::Passed);
        assert!(matches!(with("ran on tracked words"), Verdict::Failed(_)));
    }

    #[test]
    fn no_test_is_a_failure() {
        let tests = Invocation::parse("cargo test --workspace nothing");
        let passed = Ended::With(std::process::Command::new("true").status().expect("it runs"));
        let none = "test result: ok. 0 passed; 0 failed; 0 ignored\n";
        let some = "test result: ok. 0 passed; 0 failed\ntest result: ok. 3 passed; 0 failed\n";
        assert!(matches!(unless_passed("", &tests, &passed, none), Some(Verdict::Failed(_))));
        assert!(matches!(unless_passed("", &tests, &passed, ""), Some(Verdict::Failed(_))));
        assert_eq!(unless_passed("", &tests, &passed, some), None);
        let script = Invocation::parse("xtask/steps/neon");
        assert!(matches!(unless_passed("", &script, &passed, none), Some(Verdict::Failed(_))));
        assert_eq!(unless_passed("", &script, &passed, ""), None);
    }

    #[test]
    fn the_clock_stops_what_runs_and_what_would_begin() {
        let folder = Temporary::new("clock");
        let notes = Notes::new(folder.path().to_owned(), || Tree { commit: "aaa".into(), clean: true });
        let begun = Step { name: "test-long", commands: &["sleep 60"], ..Step::DEFAULT };
        let late = Step { name: "test-late", commands: &["true"], ..Step::DEFAULT };
        let clock = Clock::with(Duration::from_millis(300), Duration::from_millis(600));
        let reports = all(&[begun, late], Some(clock), &notes);
        assert!(matches!(&reports[0].verdict, Verdict::Failed(why) if why.contains("by time")));
        assert!(matches!(&reports[1].verdict, Verdict::NotRun(_)));
    }
}
