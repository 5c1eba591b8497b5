//! The test programs of the copy: built once, run once a fault.

use crate::tree::{Tree, VARIABLE};
use phalanx_testkit::faults::{Fault, Test};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any of the tests takes.
const LIMIT: Duration = Duration::from_secs(600);

/// The packages of the copy are compiled for a few runs only.
const QUICK: [&str; 3] = ["opt-level=1", "debug=false", "codegen-units=16"];
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

struct Program {
    path: PathBuf,
    /// The folder of its package.
    folder: PathBuf,
}

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
        let mut cargo = Command::new(env!("CARGO"));
        // Its own compiler: a crate's package may name another, which rustup would take in that crate's folder.
        let compiler = Path::new(env!("CARGO")).with_file_name("rustc");
        if compiler.exists() {
            cargo.env("RUSTC", compiler);
        }
        cargo.args(["test", "--no-run", "--locked", "--message-format", "json"]).args(which);
        for package in PACKAGES {
            for setting in QUICK {
                cargo.args(["--config", &format!("profile.test.package.\"{package}\".{setting}")]);
            }
        }
        cargo.current_dir(&tree.root).env("CARGO_TARGET_DIR", tree.target()?).env("CARGO_INCREMENTAL", "0");
        let built = cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
        let messages = String::from_utf8_lossy(&built.stdout);
        for message in messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
            if let Some(error) = message["message"]["rendered"].as_str().filter(|_| !built.status.success()) {
                eprint!("{error}");
            }
            let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
            let (Some(path), Some(manifest)) = (text(&message["executable"]), text(&message["manifest_path"])) else {
                continue;
            };
            if message["profile"]["test"] != true {
                continue;
            }
            let folder = PathBuf::from(manifest).parent().map(PathBuf::from).unwrap_or_default();
            let package = message["package_id"].as_str().unwrap_or_default().to_owned();
            let target = if message["target"]["kind"][0] == "test" { text(&message["target"]["name"]) } else { None };
            self.programs.insert((package_name(&package, &folder), target), Program { path: path.into(), folder });
        }
        if built.status.success() { Ok(()) } else { Err("the copy with its faults does not compile".into()) }
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

/// The name of a package, from its id: `path+file:///folder#name@version`, or without the name where the folder has it.
fn package_name(id: &str, folder: &std::path::Path) -> String {
    let last = id.rsplit('#').next().unwrap_or_default();
    match last.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    }
}
