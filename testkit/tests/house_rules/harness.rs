//! Every unit test runs: none stands in a target that its manifest excepts from tests.

use crate::circles::packages;
use crate::shipped::repository;
use crate::source::Source;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The source files of a package with unit tests that cargo is told not to run.
fn unheard(package: &Path) -> Vec<String> {
    let read = |path: &Path| std::fs::read_to_string(path).expect("source is text");
    let roots = excepted(&read(&package.join("Cargo.toml")));
    let files = roots.iter().flat_map(|root| Source::of_crate(&package.join(root)).modules.into_values());
    let files: BTreeSet<PathBuf> = files.flat_map(|module| module.files).collect();
    let tested = files.iter().filter(|file| has_tests(&read(file)));
    tested.map(|file| file.strip_prefix(repository()).unwrap_or(file).display().to_string()).collect()
}

/// The root files of the targets that a manifest excepts from tests.
fn excepted(manifest: &str) -> Vec<String> {
    let bare = |line: &str| line.split('#').next().unwrap_or_default().replace(char::is_whitespace, "");
    let manifest: Vec<String> = manifest.lines().map(bare).collect();
    let sections = manifest.chunk_by(|_, line| !line.starts_with('['));
    let excepted = sections.filter(|section| section.iter().any(|line| line == "test=false"));
    let root = |section: &[String]| {
        let path = section.iter().find_map(|line| line.strip_prefix("path=")).map(|path| path.trim_matches('"'));
        let library = (section[0] == "[lib]").then_some("src/lib.rs");
        path.or(library).expect("a target that tests leave out says where it lies").to_owned()
    };
    excepted.map(root).collect()
}

fn has_tests(source: &str) -> bool {
    source.lines().any(|line| line.split("//").next().is_some_and(|code| code.contains("#[test]")))
}

#[test]
fn no_unit_test_is_left_out() {
    let packages = packages();
    let unheard: Vec<String> = packages.iter().flat_map(|package| unheard(package)).collect();
    assert!(unheard.is_empty(), "`test = false` leaves out the unit tests of {}", unheard.join(", "));
}

#[test]
fn a_planted_unit_test_is_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harness");
    std::fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file can be written");
    let found = |manifest: &str| {
        write("Cargo.toml", manifest);
        let files = unheard(&folder);
        files.iter().map(|file| file.rsplit('/').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    write("src/lib.rs", "mod tests {\n    #[test]\n    fn runs() {}\n}\n");
    write("src/main.rs", "mod inner;\nfn main() {}\n");
    write("src/inner.rs", "#[test] fn runs() {}\n");
    let program = "[[bin]]\npath = \"src/main.rs\"\n";
    assert_eq!(found("[lib]\ntest = false\n"), ["lib.rs"]);
    assert_eq!(found(&format!("[lib]\ntest=false # As it is.\n\n{program}")), ["lib.rs"]);
    assert_eq!(found(&format!("[lib]\ndoctest = false\n\n{program}test = false\n")), ["inner.rs"]);
    assert_eq!(found(&format!("[lib]\ntest = false\n{program}test = false\n")), ["inner.rs", "lib.rs"]);
    assert_eq!(found(&format!("[lib]\ndoctest = false\n# test = false\n{program}")), [""; 0]);
    write("src/lib.rs", "// Without #[test].\n");
    assert_eq!(found("[lib]\ntest = false\n"), [""; 0]);
}
