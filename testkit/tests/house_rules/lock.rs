//! The lock file names no package that an advisory is about and that nothing here compiles: scanners read the file, and
//! not the features.

use crate::shipped::repository;

/// Packages with advisories that optional features of others lead to, and the feature that must stay off.
const ABSENT: [(&str, &str); 1] = [
    // RUSTSEC-2024-0388. `ruint/std` puts its optional dependencies `ark-ff` 0.3 and 0.4 into the file, which need it.
    ("derivative", "`std` of the crates alloy-*"),
];

#[test]
fn the_lock_file_names_no_package_that_only_scanners_find() {
    let lock = std::fs::read_to_string(repository().join("Cargo.lock")).expect("the lock file");
    let has = |name: &str| lock.lines().any(|line| line == format!("name = \"{name}\""));
    assert!(has("ruint"), "the file has the package that leads there");
    for (name, feature) in ABSENT {
        assert!(!has(name), "Cargo.lock names {name}: turn off {feature}");
    }
}
