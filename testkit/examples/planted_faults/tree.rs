//! The copy of the repository that faults are planted in.

use phalanx_testkit::faults::edit::{Replacement, replace};
use phalanx_testkit::faults::{Fault, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable by which a program is told which of the planted faults is on.
pub(crate) const VARIABLE: &str = "PHALANX_PLANTED";

/// What each crate with faults gets at the end of its root, with the variable's name put in.
const SWITCH: &str = r#"
#[allow(missing_docs, unreachable_pub, dead_code)]
pub(crate) mod planted {
    extern crate std;
    use core::sync::atomic::{AtomicU32, Ordering};

    static FAULT: AtomicU32 = AtomicU32::new(u32::MAX);

    #[inline(always)]
    pub fn is(fault: u32) -> bool {
        let on = FAULT.load(Ordering::Relaxed);
        (if on == u32::MAX { read() } else { on }) == fault
    }

    #[cold]
    #[inline(never)]
    fn read() -> u32 {
        let on = std::env::var("VARIABLE").map_or(0, |number| number.parse().unwrap_or(0));
        FAULT.store(on, Ordering::Relaxed);
        on
    }
}
"#;

/// The copy.
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
}

impl Tree {
    /// Copies what git knows, with the expression of each fault made a choice: fault i is on when the variable is i,
    /// from 1 on. Files that are as they were the last time are left alone, so that crates are not compiled again for
    /// nothing.
    pub(crate) fn with(faults: &[Fault]) -> Result<Tree, String> {
        let tree = Tree { root: build_folder()?.with_file_name("planted-faults").join("tree") };
        let planted = planted(faults)?;
        let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(repository()).output();
        let listed = listed.ok().filter(|output| output.status.success()).ok_or("git ls-files fails")?;
        let names = String::from_utf8(listed.stdout).map_err(|_| "the name of a file is not text")?;
        let names: BTreeSet<&str> = names.split('\0').filter(|name| repository().join(name).is_file()).collect();
        tree.remove_others(&tree.root, &names)?;
        for name in names {
            let path = tree.root.join(name);
            match planted.get(name) {
                Some(source) => write(&path, source.as_bytes())?,
                None => {
                    let from = repository().join(name);
                    write(&path, &std::fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?)?;
                }
            }
        }
        Ok(tree)
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
    pub(crate) fn target(&self) -> Result<PathBuf, String> {
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

/// The files that faults change, by name.
fn planted(faults: &[Fault]) -> Result<BTreeMap<String, String>, String> {
    let mut edits: BTreeMap<String, Vec<(Range<usize>, String)>> = BTreeMap::new();
    let mut roots = BTreeSet::new();
    for (number, fault) in (1u32..).zip(faults) {
        let source = read(fault.file)?;
        let Replacement { at, wrong } = fault.replacement(&source)?;
        let right = &source[at.clone()];
        let choice = format!("(if crate::planted::is({number}) {{ {wrong} }} else {{ {right} }})");
        edits.entry(fault.file.to_owned()).or_default().push((at, if fault.constant { wrong } else { choice }));
        let (folder, _) = fault.file.split_once("/src/").ok_or("a fault stands in the source of a crate")?;
        roots.insert(format!("{folder}/src/lib.rs"));
    }
    for root in roots {
        let end = read(&root)?.len();
        edits.entry(root).or_default().push((end..end, SWITCH.replace("VARIABLE", VARIABLE)));
    }
    let edited = |(name, edits): (String, _)| {
        let source = replace(&read(&name)?, edits)?;
        Ok((name, source))
    };
    edits.into_iter().map(edited).collect()
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

fn read(name: &str) -> Result<String, String> {
    std::fs::read_to_string(repository().join(name)).map_err(|error| format!("{name}: {error}"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}
