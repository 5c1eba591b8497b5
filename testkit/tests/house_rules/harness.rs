//! Every unit test runs: none stands in a target that its manifest excepts from tests.

use crate::circles::packages;
use crate::shipped::{repository, rust_files};
use std::path::Path;

/// The source files of a package with unit tests that cargo is told not to run.
fn unheard(package: &Path) -> Vec<String> {
    let read = |path: &Path| std::fs::read_to_string(path).expect("source is text");
    if !read(&package.join("Cargo.toml")).lines().any(|line| line == "test = false") {
        return Vec::new();
    }
    // Where one of two targets is excepted, that is the program.
    let excepted = match (package.join("src/main.rs"), package.join("src/lib.rs")) {
        (main, library) if main.exists() && library.exists() => [main].into(),
        _ => rust_files([package.join("src")]),
    };
    let tested = excepted.iter().filter(|file| has_tests(&read(file)));
    tested.map(|file| file.strip_prefix(repository()).unwrap_or(file).display().to_string()).collect()
}

fn has_tests(source: &str) -> bool {
    source.lines().any(|line| line.trim() == "#[test]")
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
    write("src/lib.rs", "mod tests {\n    #[test]\n    fn runs() {}\n}\n");
    write("Cargo.toml", "[lib]\ntest = false\n");
    assert_eq!(unheard(&folder).len(), 1);
    write("Cargo.toml", "[lib]\ndoctest = false\n");
    assert_eq!(unheard(&folder).len(), 0);
    write("Cargo.toml", "[lib]\ntest = false\n");
    write("src/lib.rs", "// Without #[test].\n");
    assert_eq!(unheard(&folder).len(), 0);
}
