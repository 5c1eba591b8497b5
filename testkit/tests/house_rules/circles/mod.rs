//! No circle of imports: of modules with one parent none needs, by whatever way, one that needs it.
//!
//! `names` is beside it because it reads the same source: one name, one type. `graph` says what a need is. Every
//! package of the repository is read, those of `lab/` too, and of each every target: library, programs, tests and
//! examples. Code under `cfg(test)` may look anywhere.

mod graph;
mod names;
mod planted;
mod source;

use crate::shipped::repository;
use graph::{circles, needs};
use source::Source;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Circles that are there and are to go, by root file and members: none. One that has gone must go from here too.
const KNOWN: &[(&str, &[&str])] = &[];

/// The entries of a folder; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry can be read").path()).collect()
}

/// The folders of all packages, those out of the workspace too.
fn packages() -> BTreeSet<PathBuf> {
    let mut packages = BTreeSet::new();
    let mut folders = vec![repository()];
    while let Some(folder) = folders.pop() {
        let built = |path: &Path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            name == "target" || name.starts_with('.')
        };
        folders.extend(entries(&folder).into_iter().filter(|path| path.is_dir() && !path.is_symlink() && !built(path)));
        if folder.join("Cargo.toml").exists() {
            packages.insert(folder);
        }
    }
    packages
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Where the source of a package's targets begins: where cargo looks for it, and where the manifest says.
fn roots(package: &Path) -> BTreeSet<PathBuf> {
    let mut roots: BTreeSet<PathBuf> = ["src/lib.rs", "src/main.rs"].map(|root| package.join(root)).into();
    for targets in ["src/bin", "tests", "examples", "benches"] {
        for path in entries(&package.join(targets)) {
            roots.insert(if is_rust(&path) { path } else { path.join("main.rs") });
        }
    }
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).expect("a manifest is text");
    roots.extend(manifest.split('"').map(|text| package.join(text)).filter(|path| is_rust(path)));
    roots.retain(|root| root.exists());
    roots
}

/// All source in the folders of a package in which targets lie.
fn files(package: &Path) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut waiting: Vec<PathBuf> = ["src", "tests", "examples", "benches"].map(|folder| package.join(folder)).into();
    while let Some(path) = waiting.pop() {
        waiting.extend(entries(&path));
        if is_rust(&path) {
            files.insert(path);
        }
    }
    files
}

#[test]
fn no_circle_of_imports() {
    let repository = repository();
    let mut found = BTreeSet::new();
    let mut new = Vec::new();
    let known = |root: &str, members: &[String]| {
        KNOWN.iter().position(|(known_root, known)| *known_root == root && *known == members)
    };
    for package in packages() {
        let mut unread = files(&package);
        for root in roots(&package) {
            let source = Source::of_crate(&root);
            let needs = needs(&source);
            let name = root.strip_prefix(&repository).expect("a path of the repository").display().to_string();
            if source.modules.len() > 1 {
                println!("{name}: {} modules, {} needs", source.modules.len(), needs.len());
            }
            unread.retain(|file| !source.modules.values().any(|module| module.files.contains(file)));
            for circle in circles(&needs) {
                let members: Vec<String> = circle.members.iter().map(|member| member.join("::")).collect();
                match known(&name, &members) {
                    Some(place) => {
                        found.insert(place);
                    }
                    None => new.push(format!("{name}: {}\n{}", members.join(", "), circle.ways())),
                }
            }
        }
        assert!(unread.is_empty(), "no target has these files: {unread:?}");
    }
    let gone: Vec<_> = (0..KNOWN.len()).filter(|place| !found.contains(place)).map(|place| KNOWN[place]).collect();
    assert!(new.is_empty(), "modules that need each other:\n{}", new.join("\n"));
    assert!(gone.is_empty(), "circles that are no more, and are to be struck from the list: {gone:?}");
}
