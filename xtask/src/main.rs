//! `cargo xtask`: what must hold, before a commit, before a change lands, and at night.
//!
//! What must hold is a list of steps (`steps`); the commands differ in which of them they take.

mod clock;
mod duckdb;
#[cfg(test)]
mod folder;
mod git;
mod home;
mod invocation;
mod links;
mod listing;
mod need;
mod notes;
mod page;
mod perform;
mod release;
mod report;
mod run;
mod said;
mod select;
mod slow;
mod step;
mod steps;
mod summary;

use git::Change;
use notes::{Notes, Tree};
use report::{Report, Verdict};
use select::Plan;
use std::io::Write;
use std::process::ExitCode;
use step::Step;

const HELP: &str = "\
cargo xtask check                     what one runs before a commit
cargo xtask full [--resume] [STEP...] every step, or those that are named
cargo xtask ci [--dry-run [PATH...]]  the tests, and the steps that a change touches; what CI runs
cargo xtask list                      the steps, with the minutes of CPU that each takes
cargo xtask slow                      the tests that take more than ten seconds of CPU, each run alone
cargo xtask links                     the links of the pages
cargo xtask duckdb [PROFILE]          the extension of DuckDB, in target/release or in another profile's folder
cargo xtask home URL CONTACT          fills in the repository, whom to tell of a weakness, and the Go module's path
cargo xtask release [--out FOLDER]    the files of a release, made from HEAD twice and compared

full --resume   leaves out what has passed on this commit, if no file differs from it
ci --dry-run    says what would run, what not, and why; for a change of the paths, if there are any
release --out   where the files go; without it, target/release-files
PHALANX_BASE    the commit that ci compares with; without it, where HEAD left origin/main

Logs and the summary are in target/xtask. The status is 1 if a step has failed.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let here = std::env::current_dir().unwrap_or_default();
    if let Err(error) = std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")) {
        return misused(&format!("the repository has gone: {error}"));
    }
    let passed = match words[..] {
        ["check"] => check(),
        ["full", ref rest @ ..] => match named(rest) {
            Ok((steps, resume)) => full(&steps, resume),
            Err(error) => return misused(&error),
        },
        ["ci"] => ci(),
        ["ci", "--dry-run"] => show(&listing::plan(&plan(&git::change()))),
        ["ci", "--dry-run", ref paths @ ..] => {
            let paths = paths.iter().map(|path| (*path).to_owned()).collect();
            let change = Change::Paths { paths, since: "the command".into() };
            show(&listing::plan(&plan(&change)))
        }
        ["list"] => show(&listing::steps(&steps::all())),
        ["slow"] => done(slow::slow()),
        ["links"] => match git::files() {
            Some(files) => links(&files),
            None => {
                println!("SKIPPED: links: git lists no files here");
                return ExitCode::from(step::SKIPPED);
            }
        },
        ["duckdb"] => duckdb("release"),
        ["duckdb", profile] => duckdb(profile),
        ["home", repository, contact] => done(home::Home::new(repository, contact).and_then(|home| home.settle())),
        ["release"] => done(release::release(&invocation::target().join("release-files"))),
        ["release", "--out", folder] => done(release::release(&here.join(folder))),
        ["help" | "--help" | "-h"] => show(HELP),
        _ => return misused(HELP.trim_end()),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn misused(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}

/// The steps that the arguments of `full` name, all without a name, and whether to resume.
fn named(arguments: &[&str]) -> Result<(Vec<Step>, bool), String> {
    let (options, names): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|word| word.starts_with('-'));
    if let Some(option) = options.iter().find(|option| **option != "--resume") {
        return Err(format!("full has no option {option}"));
    }
    let all = steps::all();
    if let Some(name) = names.iter().find(|name| !all.iter().any(|step| step.name == **name)) {
        return Err(format!("no step is named {name}; `cargo xtask list` lists them"));
    }
    let steps = all.into_iter().filter(|step| names.is_empty() || names.contains(&step.name)).collect();
    Ok((steps, !options.is_empty()))
}

fn notes() -> Notes {
    Notes::new(invocation::target().join("xtask"), Tree::now)
}

fn check() -> bool {
    let names = ["links", "rustfmt", "clippy"];
    let mut steps: Vec<Step> = steps::all().into_iter().filter(|step| names.contains(&step.name)).collect();
    steps.push(steps::SHORT_TESTS);
    announce(&steps);
    let notes = notes();
    conclude(&notes, &perform::all(&steps, None, &notes))
}

/// Says first how long it will take.
fn announce(steps: &[Step]) {
    let minutes: f64 = steps.iter().map(|step| step.minutes).sum();
    println!("{}: about {minutes:.1} minutes of CPU", steps.iter().map(|step| step.name).collect::<Vec<_>>().join(" "));
}

fn full(steps: &[Step], resume: bool) -> bool {
    let notes = notes();
    if resume && !notes.tree().clean {
        println!("files differ from {}: nothing counts as passed", notes.tree().commit);
    }
    let passed = if resume { notes.passed() } else { Default::default() };
    let (done, left): (Vec<Step>, Vec<Step>) = steps.iter().partition(|step| passed.contains(step.name));
    announce(&left);
    let before = done.into_iter().map(|step| Report::without_run(step, Verdict::PassedBefore));
    let reports: Vec<Report> = before.chain(perform::all(&left, None, &notes)).collect();
    conclude(&notes, &reports)
}

fn ci() -> bool {
    let plan = plan(&git::change());
    println!("{}", listing::plan(&plan));
    let notes = notes();
    let mut reports = perform::all(&plan.run, Some(clock::Clock::of_this_run()), &notes);
    let no_room = |step: &Step| Report::without_run(*step, Verdict::NotRun(listing::no_room(step)));
    reports.extend(plan.no_room.iter().map(no_room));
    let readme = std::fs::read_to_string("README.md").unwrap_or_default();
    let stated = readme.lines().any(|line| line == steps::TESTS);
    if !stated {
        println!("!!! README.md does not state the test command: {}", steps::TESTS);
    }
    // Where time was short from the beginning, nothing has failed, and nothing was tested either.
    let tested = reports.iter().any(|report| report.step.name == "tests" && report.verdict == Verdict::Passed);
    if !tested {
        println!("!!! the tests have not passed");
    }
    conclude(&notes, &reports) && stated && tested
}

/// Prints the summary and keeps it.
fn conclude(notes: &Notes, reports: &[Report]) -> bool {
    let text = summary::summary(reports);
    let file = notes.folder().join("summary.txt");
    if let Err(error) = std::fs::create_dir_all(notes.folder()).and_then(|()| std::fs::write(&file, &text)) {
        eprintln!("xtask: {}: {error}", file.display());
    }
    print!("\n{text}");
    summary::passed(reports)
}

/// Prints a text, which must not fail because its reader has seen enough and gone.
fn show(text: &str) -> bool {
    let _ = std::io::stdout().write_all(text.as_bytes());
    true
}

fn plan(change: &Change) -> Plan {
    select::plan(&steps::all(), change, select::BUDGET, |step| step.missing().is_none())
}

fn duckdb(profile: &str) -> bool {
    match duckdb::extension(profile) {
        Ok(path) => println!("{}", path.display()),
        Err(why) => {
            eprintln!("{why}");
            return false;
        }
    }
    true
}

/// Says why something was not done.
fn done(result: Result<(), String>) -> bool {
    if let Err(why) = &result {
        eprintln!("{why}");
    }
    result.is_ok()
}

fn links(files: &[String]) -> bool {
    let (broken, followed) = links::broken(files, |path| std::fs::read_to_string(path));
    broken.iter().for_each(|line| println!("{line}"));
    println!("{followed} links, {} broken", broken.len());
    broken.is_empty()
}
