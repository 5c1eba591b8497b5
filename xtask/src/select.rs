//! Which steps a change calls for, within the CPU time that a run may take.

use crate::git::Change;
use crate::step::Step;

/// Minutes of CPU that a run before a change lands may take.
pub(crate) const BUDGET: f64 = 60.0;

/// The steps that every change calls for.
pub(crate) const ALWAYS: [&str; 4] = ["links", "rustfmt", "build", "tests"];

/// What is to be done.
pub(crate) struct Plan {
    /// Why it is these steps.
    pub(crate) reason: String,
    pub(crate) run: Vec<Step>,
    /// Minutes of CPU of what runs.
    pub(crate) minutes: f64,
    /// What the change calls for, and has no room.
    pub(crate) no_room: Vec<Step>,
    /// What the change does not call for.
    pub(crate) untouched: Vec<Step>,
}

/// Chooses by the change. Steps that it calls for are taken in their order as long as they fit into the budget. A step
/// for which the machine lacks something takes no time, and runs to say so.
pub(crate) fn plan(steps: &[Step], change: &Change, budget: f64, can_run: impl Fn(&Step) -> bool) -> Plan {
    let (touched, reason) = touched(steps, change);
    let calls = |step: &Step| touched.is_none_or(|paths| paths.iter().any(|path| step.covers(path)));
    let always = |step: &Step| ALWAYS.contains(&step.name);
    let minutes = steps.iter().filter(|step| always(step)).map(|step| step.minutes).sum();
    let mut plan = Plan { reason, run: Vec::new(), minutes, no_room: Vec::new(), untouched: Vec::new() };
    for step in steps {
        if always(step) {
            plan.run.push(*step);
        } else if !calls(step) {
            plan.untouched.push(*step);
        } else if !can_run(step) {
            plan.run.push(*step);
        } else if plan.minutes + step.minutes > budget {
            plan.no_room.push(*step);
        } else {
            plan.minutes += step.minutes;
            plan.run.push(*step);
        }
    }
    plan
}

/// The paths that decide, if not all steps are called for, and the reason in words.
fn touched<'a>(steps: &[Step], change: &'a Change) -> (Option<&'a [String]>, String) {
    let (paths, since) = match change {
        Change::Unknown(why) => return (None, format!("all that has room: {why}")),
        Change::Paths { paths, since } => (paths, since),
    };
    for path in paths {
        if reaches_everything(path) {
            return (None, format!("all that has room: {path} reaches everything"));
        }
        if !steps.iter().any(|step| step.covers(path)) {
            return (None, format!("all that has room: no step covers {path}"));
        }
    }
    (Some(paths), format!("steps that cover the {} paths that {since} changes", paths.len()))
}

/// Whether a change of the path can break any step. Such paths say what is compiled and how, or are of the engine under
/// all crates, or of the gate.
fn reaches_everything(path: &str) -> bool {
    // It is a workspace of its own.
    if path.starts_with("lab/") {
        return false;
    }
    let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
    ["Cargo.toml", "Cargo.lock", "build.rs", "rust-toolchain", "rust-toolchain.toml"].contains(&name)
        || [".cargo/", ".ci/", "xtask/", "crates/engine/"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn step(name: &'static str, minutes: f64, paths: &'static [&'static str]) -> Step {
        Step { name, minutes, paths, ..Step::DEFAULT }
    }

    /// A list for these tests alone.
    const STEPS: [Step; 7] = [
        step("links", 1.0, &["*.md"]),
        step("build", 20.0, &[]),
        step("tests", 12.0, &["crates/"]),
        step("large", 20.0, &["crates/phalanx/"]),
        step("python", 8.0, &["bindings/python/", "crates/phalanx/"]),
        step("go", 6.0, &["bindings/go/", "docs/use/go.md"]),
        step("lab", 4.0, &["lab/"]),
    ];

    fn chosen(paths: &[&str]) -> Vec<&'static str> {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let plan = plan(&STEPS, &Change::Paths { paths, since: "abc".into() }, BUDGET, |_| true);
        assert_eq!(plan.run.len() + plan.no_room.len() + plan.untouched.len(), STEPS.len());
        plan.run.iter().map(|step| step.name).collect()
    }

    #[test]
    fn a_change_calls_for_what_covers_it() {
        assert_eq!(chosen(&[]), ["links", "build", "tests"]);
        assert_eq!(chosen(&["docs/README.md"]), ["links", "build", "tests"]);
        assert_eq!(chosen(&["docs/use/go.md"]), ["links", "build", "tests", "go"]);
        assert_eq!(
            chosen(&["bindings/go/bulk.go", "bindings/python/src/lib.rs"]),
            ["links", "build", "tests", "python", "go"]
        );
        assert_eq!(chosen(&["lab/Cargo.lock"]), ["links", "build", "tests", "lab"]);
    }

    /// 33 minutes are for what always runs. Of the 27 others `large` takes 20, `python` finds no room, and `go` does.
    #[test]
    fn what_does_not_fit_gives_way_to_what_does() {
        let all = ["links", "build", "tests", "large", "go"];
        for path in ["crates/engine/src/lib.rs", "Cargo.lock", "crates/rows/Cargo.toml", ".ci/run", "xtask/src/main.rs"]
        {
            assert_eq!(chosen(&[path]), all, "{path}");
        }
        assert_eq!(chosen(&["a-folder-that-is-new/file"]), all);
        assert_eq!(chosen(&["crates/phalanx/src/lib.rs"]), ["links", "build", "tests", "large"]);
        let unknown = plan(&STEPS, &Change::Unknown("no base".into()), BUDGET, |_| true);
        assert_eq!(unknown.run.iter().map(|step| step.name).collect::<Vec<_>>(), all);
        assert_eq!(unknown.no_room.iter().map(|step| step.name).collect::<Vec<_>>(), ["python", "lab"]);
        assert!(unknown.minutes <= BUDGET);
    }

    #[test]
    fn what_always_runs_does_so_without_room() {
        let plan = plan(&STEPS, &Change::Unknown("no base".into()), 5.0, |_| true);
        assert_eq!(plan.run.len(), 3);
    }
    #[test]
    fn what_cannot_run_takes_no_room() {
        let plan = plan(&STEPS, &Change::Unknown("no base".into()), BUDGET, |step| step.name != "large");
        let run: Vec<_> = plan.run.iter().map(|step| step.name).collect();
        assert_eq!(run, ["links", "build", "tests", "large", "python", "go", "lab"]);
        assert_eq!(plan.minutes, 33.0 + 8.0 + 6.0 + 4.0);
    }
}
