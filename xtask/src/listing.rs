//! Steps and plans as text.

use crate::need::Need;
use crate::select::{BUDGET, Plan};
use crate::step::Step;
use std::fmt::Write;

/// Each step with what it takes, shows, needs and covers.
pub(crate) fn steps(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        add(&mut text, &format!("{:26} {:4.1} min  {}", step.name, step.minutes, step.shows));
        let needs: Vec<String> = step.needs.iter().map(Need::name).collect();
        for (what, words) in [("needs", needs.join(", ")), ("paths", step.paths.join(", "))] {
            if !words.is_empty() {
                add(&mut text, &format!("{:37}{what}: {words}", ""));
            }
        }
    }
    add(&mut text, "Minutes are of CPU, compiling included, where the tests have been built.");
    text
}

/// What would run, what not, and why.
pub(crate) fn plan(plan: &Plan) -> String {
    let mut text = String::new();
    add(&mut text, &plan.reason);
    for step in &plan.run {
        let but = step.missing().map_or(String::new(), |missing| format!("SKIPPED: {missing}"));
        add(&mut text, &format!("run      {:26} {:4.1} min  {but}", step.name, step.minutes));
    }
    for step in &plan.no_room {
        add(&mut text, &format!("not run  {:26} {:4.1} min  {}", step.name, step.minutes, no_room(step)));
    }
    add(&mut text, &format!("{:.1} of {BUDGET:.0} minutes of CPU", plan.minutes));
    if !plan.untouched.is_empty() {
        let names: Vec<&str> = plan.untouched.iter().map(|step| step.name).collect();
        add(&mut text, &format!("not touched by the change: {}", names.join(" ")));
    }
    text
}

/// Why a step is left out that the change calls for.
pub(crate) fn no_room(step: &Step) -> String {
    format!("no room in {BUDGET:.0} minutes of CPU: `cargo xtask full {}`", step.name)
}

fn add(text: &mut String, line: &str) {
    writeln!(text, "{}", line.trim_end()).expect("a string takes a line");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_runs_and_what_not() {
        let step = |name| Step { name, minutes: 2.0, ..Step::DEFAULT };
        let neon = Step { needs: &[Need::Program("no-program-has-this-name")], ..step("neon") };
        let plan = plan(&Plan {
            reason: "all that has room: no base".into(),
            run: vec![step("tests"), neon],
            minutes: 2.0,
            no_room: vec![step("go")],
            untouched: vec![step("lab"), step("docs")],
        });
        let expected = "\
all that has room: no base
run      tests                       2.0 min
run      neon                        2.0 min  SKIPPED: there is no program; `.ci/setup --all` installs what it can
not run  go                          2.0 min  no room in 60 minutes of CPU: `cargo xtask full go`
2.0 of 60 minutes of CPU
not touched by the change: lab docs
";
        assert_eq!(plan.replace("no-program-has-this-name", "program"), expected);
    }
}
