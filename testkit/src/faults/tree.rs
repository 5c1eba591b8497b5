//! A copy of the repository that faults are planted in, and its test programs.

use super::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The copy.
#[derive(Debug)]
pub struct Tree {
    /// Its folder. What is compiled lies beside it.
    pub root: PathBuf,
    /// A number that all its files decide.
    pub digest: u64,
}

/// A test program of the copy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Program {
    /// The package.
    pub package: String,
    /// The name of an integration test. `None` for the unit tests of the library.
    pub target: Option<String>,
    /// The program.
    pub path: PathBuf,
    /// The folder of its package.
    pub folder: PathBuf,
}

impl Tree {
    /// Copies what git knows to this folder beside the builds, but for files that are planted. Files that are as they
    /// were the last time are left alone, so that crates are not compiled again for nothing.
    ///
    /// # Errors
    /// What fails, in words.
    pub fn with(folder: &str, planted: &BTreeMap<String, String>) -> Result<Tree, String> {
        let mut tree = Tree { root: build_folder()?.with_file_name(folder).join("tree"), digest: 0 };
        let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(repository()).output();
        let listed = listed.ok().filter(|output| output.status.success()).ok_or("git ls-files fails")?;
        let names = String::from_utf8(listed.stdout).map_err(|_| "the name of a file is not text")?;
        let names: BTreeSet<&str> = names.split('\0').filter(|name| repository().join(name).is_file()).collect();
        tree.remove_others(&tree.root, &names)?;
        let mut digest = DefaultHasher::new();
        for name in names {
            let from = repository().join(name);
            let bytes = match planted.get(name) {
                Some(source) => source.clone().into_bytes(),
                None => std::fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?,
            };
            (name, &bytes).hash(&mut digest);
            write(&tree.root.join(name), &bytes)?;
        }
        tree.digest = digest.finish();
        Ok(tree)
    }

    /// Builds tests: `which` says which, as arguments of `cargo test`. `quick` packages are compiled for a few runs only.
    ///
    /// # Errors
    /// What fails, in words. What the compiler says is printed.
    pub fn build<'a>(
        &self,
        which: impl IntoIterator<Item = &'a str>,
        quick: &[&str],
    ) -> Result<BTreeSet<Program>, String> {
        let mut cargo = Command::new(env!("CARGO"));
        // Its own compiler: a crate's package may name another, which rustup would take in that crate's folder.
        let compiler = Path::new(env!("CARGO")).with_file_name("rustc");
        if compiler.exists() {
            cargo.env("RUSTC", compiler);
        }
        cargo.args(["test", "--no-run", "--locked", "--message-format", "json"]).args(which);
        for package in quick {
            for setting in QUICK {
                cargo.args(["--config", &format!("profile.test.package.\"{package}\".{setting}")]);
            }
        }
        cargo.current_dir(&self.root).env("CARGO_TARGET_DIR", self.target()?).env("CARGO_INCREMENTAL", "0");
        let built = cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
        let messages = String::from_utf8_lossy(&built.stdout);
        let mut programs = BTreeSet::new();
        for message in messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
            if message["message"]["level"] == "error"
                && let Some(error) = message["message"]["rendered"].as_str()
            {
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
            let package = package_name(message["package_id"].as_str().unwrap_or_default(), &folder);
            let target = if message["target"]["kind"][0] == "test" { text(&message["target"]["name"]) } else { None };
            programs.insert(Program { package, target, path: path.into(), folder });
        }
        if built.status.success() { Ok(programs) } else { Err("the copy with its faults does not compile".into()) }
    }

    /// Removes files of an earlier copy that have gone or have another name now.
    fn remove_others(&self, folder: &Path, names: &BTreeSet<&str>) -> Result<(), String> {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.map_err(|error| error.to_string())?.path();
            let name = path.strip_prefix(&self.root).ok().and_then(Path::to_str);
            if path.is_dir() {
                self.remove_others(&path, names)?;
            } else if !name.is_some_and(|name| names.contains(name)) {
                std::fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Where it is compiled to: a folder of its own, which begins with the dependencies that are compiled already.
    fn target(&self) -> Result<PathBuf, String> {
        let target = self.root.with_file_name("target");
        let built = build_folder()?;
        let name = built.file_name().ok_or("the folder of builds has a name")?;
        if !target.join(name).exists() {
            for part in ["deps", "build", ".fingerprint"] {
                link(&built.join(part), &target.join(name).join(part)).map_err(|error| format!("{part}: {error}"))?;
            }
        }
        Ok(target)
    }
}

/// The folder of this program's own build.
fn build_folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    program.ancestors().nth(2).map(Path::to_owned).ok_or("this program lies in a folder of builds".into())
}

/// What is compiled for a few runs only.
const QUICK: [&str; 3] = ["opt-level=1", "debug=false", "codegen-units=16"];

/// The name of a package, from its id: `path+file:///folder#name@version`, or without the name where the folder has it.
fn package_name(id: &str, folder: &Path) -> String {
    let last = id.rsplit('#').next().unwrap_or_default();
    match last.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    }
}

/// Links what is compiled and not of this workspace.
fn link(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let (path, kind) = {
            let entry = entry?;
            (entry.path(), entry.file_type()?)
        };
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.contains("phalanx") {
            continue;
        }
        let to = to.join(name);
        if kind.is_dir() {
            link(&path, &to)?;
        } else if std::fs::hard_link(&path, &to).is_err() {
            std::fs::copy(&path, &to)?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
