//! One name, one type: a search for a type's name finds one place of its crate.
//!
//! Types, traits and aliases count, of every crate's library or program. Those of tests do not.

use super::roots;
use crate::shipped::{entries, repository};
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Names that two types of a crate share on purpose.
const TWINS: &[(&str, &str, &str)] = &[
    ("engine", "Eight", "eight numbers in doubles, by the registers of an architecture"),
    ("engine", "State", "the floating-point state, by the architecture"),
    ("phalanx", "Columns", "columns of rows, by the signature scheme"),
    ("phalanx", "Fe", "the same type, in two rooms of which neither knows the other"),
    ("phalanx", "Nonce", "a nonce, by the signature scheme"),
    ("phalanx", "Row", "a row, by the signature scheme"),
    ("phalanx", "Rows", "the trait, and the sealed one that it stands on"),
    ("phalanx", "Signature", "a signature, by the scheme"),
];

/// `PascalCase`: a type, a trait or an alias.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// The names that more than one module outside of tests defines, with the modules.
fn shared(source: &Source) -> BTreeMap<&str, BTreeSet<String>> {
    let mut places: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (path, module) in source.modules.iter().filter(|(_, module)| !module.test) {
        for name in module.defined.iter().filter(|name| is_type(name)) {
            // A module with a source for each of several targets counts once.
            places.entry(name).or_default().insert(path.join("::"));
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}

#[test]
fn one_name_one_type() {
    let (mut new, mut unused) = (Vec::new(), TWINS.to_vec());
    let packages = ["crates", "bindings", "verkle"].map(|folder| entries(&repository().join(folder))).concat();
    for package in packages.iter().filter(|package| package.join("Cargo.toml").exists()) {
        let name = package.file_name().expect("a name").to_string_lossy();
        for root in roots(package).iter().filter(|root| root.starts_with(package.join("src"))) {
            for (shared, places) in shared(&Source::of_crate(root)) {
                unused.retain(|(of, twin, _)| (*of, *twin) != (&*name, shared));
                if !TWINS.iter().any(|(of, twin, _)| (*of, *twin) == (&*name, shared)) {
                    new.push(format!("{name}: {shared} in\n  {}", places.into_iter().collect::<Vec<_>>().join("\n  ")));
                }
            }
        }
    }
    assert!(new.is_empty(), "names of several types:\n{}", new.join("\n"));
    assert!(unused.is_empty(), "twins that are no more, and are to be struck from the list: {unused:?}");
}

#[test]
fn a_planted_second_type_is_found() {
    let text = "mod a { struct Row; struct Other; } mod b { enum Row {} const ROW: u8 = 1; } #[cfg(test)] mod c { struct Other; }";
    let source = Source::of_text(text);
    assert_eq!(shared(&source).into_keys().collect::<Vec<_>>(), ["Row"]);
}
