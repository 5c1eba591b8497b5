//! The test programs of the copy: built once, run once a fault.

use crate::planted::VARIABLE;
use phalanx_testkit::faults::tree::{Program, Tree};
use phalanx_testkit::faults::{Fault, Test};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Longer than any of the tests takes.
const LIMIT: Duration = Duration::from_secs(600);

/// The packages of the copy are compiled for a few runs only.
const PACKAGES: [&str; 17] = [
    "phalanx-engine",
    "phalanx",
    "phalanx-banderwagon",
    "phalanx-ffi",
    "phalanx-go-image",
    "phalanx-capi",
    "phalanx-verkle-capi",
    "phalanx-ethereum",
    "phalanx-rows",
    "phalanx-bitcoin",
    "phalanx-bip32",
    "phalanx-frost",
    "phalanx-musig",
    "phalanx-silent",
    "phalanx-cli",
    "phalanx-testkit",
    "phalanx-tiers",
];

pub(crate) struct Programs {
    programs: BTreeMap<(String, Option<String>), Program>,
    /// Tests that were seen to pass without faults.
    sound: BTreeSet<(PathBuf, &'static str)>,
    log: PathBuf,
}

impl Programs {
    /// Builds what the faults' tests are in.
    pub(crate) fn build(tree: &Tree, faults: &[Fault]) -> Result<Programs, String> {
        let log = tree.root.with_file_name("log");
        let mut programs = Programs { programs: BTreeMap::new(), sound: BTreeSet::new(), log };
        let targets: BTreeSet<_> = faults.iter().filter_map(|fault| fault.test.target).collect();
        if !targets.is_empty() {
            // All of the workspace, so that dependencies have the features with which they were compiled for its tests.
            let targets = targets.into_iter().flat_map(|target| ["--test", target]);
            programs.build_some(tree, ["--workspace"].into_iter().chain(targets))?;
        }
        let libraries = faults.iter().filter(|fault| fault.test.target.is_none()).map(|fault| fault.test.package);
        for package in libraries.collect::<BTreeSet<_>>() {
            programs.build_some(tree, ["--package", package, "--lib"])?;
        }
        Ok(programs)
    }

    fn build_some<'a>(&mut self, tree: &Tree, which: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let built = tree.build(which, &PACKAGES)?.into_iter();
        self.programs.extend(built.map(|program| ((program.package.clone(), program.target.clone()), program)));
        Ok(())
    }

    /// Asserts once that the fault's tests pass as long as it is off.
    pub(crate) fn check_without_faults(&mut self, fault: &Fault) -> Result<(), String> {
        let program = self.program(&fault.test)?;
        let key = (program.path.clone(), fault.test.filter);
        if self.sound.contains(&key) {
            return Ok(());
        }
        if let (Some(test), _) = self.run(fault, None)? {
            return Err(format!("{test} fails without a fault"));
        }
        self.sound.insert(key);
        Ok(())
    }

    fn program(&self, test: &Test) -> Result<&Program, String> {
        let key = (test.package.to_owned(), test.target.map(str::to_owned));
        self.programs.get(&key).ok_or_else(|| format!("cargo built no tests for {key:?}"))
    }

    /// Runs the fault's tests, with this fault on or none. Gives the first that fails, and the seconds.
    pub(crate) fn run(&self, fault: &Fault, number: Option<u32>) -> Result<(Option<String>, f64), String> {
        let begin = Instant::now();
        let program = self.program(&fault.test)?;
        let log = File::create(&self.log).map_err(|error| format!("{}: {error}", self.log.display()))?;
        let errors = log.try_clone().map_err(|error| error.to_string())?;
        let mut child = Command::new(&program.path)
            .arg(fault.test.filter)
            .current_dir(&program.folder)
            .env(VARIABLE, number.unwrap_or(0).to_string())
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env_remove("PHALANX_TESTS")
            .stdout(log)
            .stderr(errors)
            .spawn()
            .map_err(|error| format!("{}: {error}", program.path.display()))?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            if begin.elapsed() > LIMIT {
                // Nothing is left to do where it cannot be ended.
                let _ = child.kill();
                return Err(format!("{}: the tests {} do not end", fault.name, fault.test.filter));
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = std::fs::read(&self.log).map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&said);
        let result = said.lines().find(|line| line.starts_with("test result: ")).unwrap_or_default();
        let failed = said.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
        let failed = match (status.code(), failed) {
            (Some(101), Some(test)) if result.starts_with("test result: FAILED") => Some(test.to_owned()),
            (Some(0), None) if !result.contains(" 0 passed") && !result.is_empty() => None,
            (Some(0), None) => return Err(format!("{}: no test is named {}", fault.name, fault.test.filter)),
            _ => return Err(format!("{}: the tests end with {status}:\n{said}", fault.name)),
        };
        Ok((failed, begin.elapsed().as_secs_f64()))
    }
}
