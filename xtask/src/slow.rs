//! Finds slow tests: runs each alone, and prints the CPU time of those that take long.

use crate::run::cpu_seconds;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds of CPU beyond which a test is named.
const SLOW: f64 = 10.0;

/// A program of tests, and the folder in which cargo runs it.
#[derive(Debug, Clone, PartialEq)]
struct Program {
    path: PathBuf,
    package: PathBuf,
}

/// Runs every test of the workspace alone, and prints those that take longer than [`SLOW`]. An error is a sentence.
pub(crate) fn slow() -> Result<(), String> {
    let build = ["test", "--workspace", "--locked", "--no-run", "--message-format=json-render-diagnostics"];
    let built =
        Command::new("cargo").args(build).stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    if !built.status.success() {
        return Err("the tests do not compile".into());
    }
    let mut all = Vec::new();
    for program in programs(&String::from_utf8_lossy(&built.stdout)) {
        for test in tests(&program)? {
            all.push((program.clone(), test));
        }
    }
    println!("{} tests one after another, about 20 minutes of CPU", all.len());
    let (mut slow, mut failed) = (0, Vec::new());
    for (program, test) in &all {
        let name = [&program.name(), test.as_str()].join(" ");
        let before = cpu_seconds();
        let status = run(program, test).stdout(Stdio::null()).stderr(Stdio::null()).status();
        let seconds = cpu_seconds() - before;
        if seconds > SLOW {
            println!("{seconds:6.1} s of CPU  {name}");
            slow += 1;
        }
        if !status.is_ok_and(|status| status.success()) {
            failed.push(name);
        }
    }
    println!("{slow} tests take more than {SLOW} s of CPU");
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

impl Program {
    /// As cargo calls it, without the number of the build.
    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        name.rsplit_once('-').map_or(name.as_ref(), |(name, _)| name).to_owned()
    }
}

/// The programs of tests among cargo's messages.
fn programs(messages: &str) -> Vec<Program> {
    let text = |line: &str, key: &str| Some(line.split_once(key)?.1.split_once('"')?.0.to_owned());
    let is_test = |line: &&str| line.contains("\"profile\":{") && line.contains("\"test\":true}");
    let program = |line: &str| {
        let manifest = PathBuf::from(text(line, "\"manifest_path\":\"")?);
        Some(Program { path: text(line, "\"executable\":\"")?.into(), package: manifest.parent()?.to_owned() })
    };
    messages.lines().filter(is_test).filter_map(program).collect()
}

/// The tests of a program. One without Rust's harness is a test as a whole, with an empty name.
fn tests(program: &Program) -> Result<Vec<String>, String> {
    let listed =
        Command::new(&program.path).args(["--list", "--format", "terse"]).current_dir(&program.package).output();
    let listed = listed.map_err(|error| format!("{}: {error}", program.path.display()))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<String> = listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect();
    let has_harness = listed.lines().all(|line| line.ends_with(": test") || line.ends_with(": benchmark"));
    Ok(if has_harness { names } else { vec![String::new()] })
}

fn run(program: &Program, test: &str) -> Command {
    let mut command = Command::new(&program.path);
    command.current_dir(&program.package).env("CARGO_MANIFEST_DIR", Path::new(&program.package));
    if !test.is_empty() {
        command.args(["--exact", test]);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_tests_are_found_among_messages() {
        let messages = "\
{\"reason\":\"compiler-artifact\",\"manifest_path\":\"/a/rows/Cargo.toml\",\"profile\":{\"opt_level\":\"2\",\"test\":true},\
\"executable\":\"/t/deps/phalanx_rows-0123\",\"fresh\":true}
{\"reason\":\"compiler-artifact\",\"manifest_path\":\"/a/cli/Cargo.toml\",\"profile\":{\"opt_level\":\"2\",\"test\":false},\
\"executable\":\"/t/phalanx\",\"fresh\":true}
{\"reason\":\"build-finished\",\"success\":true}";
        let expected = Program { path: "/t/deps/phalanx_rows-0123".into(), package: "/a/rows".into() };
        assert_eq!(programs(messages), [expected]);
        assert_eq!(programs(messages)[0].name(), "phalanx_rows");
    }

    /// The program of this test lists it.
    #[test]
    fn tests_are_listed_by_name() {
        let program = Program { path: std::env::current_exe().expect("a program"), package: ".".into() };
        let names = tests(&program).expect("a list");
        assert!(names.iter().any(|name| name.ends_with("slow::tests::tests_are_listed_by_name")), "{names:?}");
    }
}
