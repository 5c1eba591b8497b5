//! No circle of imports: of modules with one parent none needs, by whatever way, one that needs it.
//!
//! `names` is beside it because it reads the same source: one name, one type. `graph` says what a need is. Every
//! package of the repository is read, those of `lab/` too, and of each every target: library, programs, tests and
//! examples. Code under `cfg(test)` may look anywhere.

mod graph;
mod names;
mod planted;

use crate::shipped::{entries, is_rust, repository, rust_files};
use crate::source::Source;
use graph::{circles, needs};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of all packages, those out of the workspace too.
pub(crate) fn packages() -> BTreeSet<PathBuf> {
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

#[test]
fn no_circle_of_imports() {
    let repository = repository();
    let mut found = Vec::new();
    for package in packages() {
        // All source in the folders in which targets lie.
        let mut unread = rust_files(["src", "tests", "examples", "benches"].map(|folder| package.join(folder)));
        for root in roots(&package) {
            let source = Source::of_crate(&root);
            let needs = needs(&source);
            let name = root.strip_prefix(&repository).expect("a path of the repository").display();
            if source.modules.len() > 1 {
                println!("{name}: {} modules, {} needs", source.modules.len(), needs.len());
            }
            unread.retain(|file| !source.modules.values().any(|module| module.files.contains(file)));
            found.extend(circles(&needs).iter().map(|circle| format!("{name}: {}\n{}", circle.names(), circle.ways())));
        }
        assert!(unread.is_empty(), "no target has these files: {unread:?}");
    }
    assert!(found.is_empty(), "modules that need each other:\n{}", found.join("\n"));
}
