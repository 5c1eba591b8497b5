//! The files in which guards are planted.

use phalanx_testkit::faults::edit::{Insertion, insert};
use phalanx_testkit::faults::guards::Guard;
use phalanx_testkit::faults::repository;
use std::collections::BTreeMap;

/// The variable by which a program is told which guard is off.
pub(crate) const VARIABLE: &str = "PHALANX_PLANTED";
/// The variable that names the file to which a program appends the numbers of the guards that fire.
pub(crate) const FIRED: &str = "PHALANX_PLANTED_FIRED";

/// What each crate with guards gets at the end of its root.
const SWITCH: &str = r#"
#[allow(warnings)]
pub(crate) mod planted {
    extern crate std;
    use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};
    use std::io::Write;

    static GUARD: AtomicU32 = AtomicU32::new(u32::MAX);
    static FIRED: [AtomicU8; COUNT] = [const { AtomicU8::new(0) }; COUNT];

    /// Whether a guard that fires is off.
    pub fn off(guard: u32) -> bool {
        if FIRED[guard as usize].load(Ordering::Relaxed) == 0 {
            note(guard);
        }
        let off = GUARD.load(Ordering::Relaxed);
        (if off == u32::MAX { read() } else { off }) == guard
    }

    /// A guard that fires panics if it is off.
    pub fn fires(guard: u32) {
        if off(guard) {
            panic!("guard {guard} fires");
        }
    }

    pub fn some<T>(guard: u32, value: Option<T>) -> Option<T> {
        if value.is_none() {
            fires(guard);
        }
        value
    }

    pub fn right<T, E>(guard: u32, value: Result<T, E>) -> Result<T, E> {
        if value.is_err() {
            fires(guard);
        }
        value
    }

    #[cold]
    fn read() -> u32 {
        let off = std::env::var("VARIABLE").map_or(0, |number| number.parse().unwrap_or(0));
        GUARD.store(off, Ordering::Relaxed);
        off
    }

    #[cold]
    fn note(guard: u32) {
        FIRED[guard as usize].store(1, Ordering::Relaxed);
        if let Ok(path) = std::env::var("FILE_OF_FIRED") {
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
            file.write_all(std::format!("{guard}\n").as_bytes()).unwrap();
        }
    }
}
"#;

/// The files with guards, by name. Guard i is off when the variable is i, from 1 on.
pub(crate) fn files(guards: &[Guard]) -> Result<BTreeMap<String, String>, String> {
    let mut insertions: BTreeMap<String, Vec<Insertion>> = BTreeMap::new();
    for (number, guard) in (1..).zip(guards) {
        insertions.entry(guard.file.clone()).or_default().extend(guard.insertions(number));
    }
    let switch = SWITCH.replace("FILE_OF_FIRED", FIRED).replace("VARIABLE", VARIABLE);
    let switch = switch.replace("COUNT", &(guards.len() + 1).to_string());
    let roots: Vec<String> = insertions.keys().filter_map(|file| root(file)).collect();
    for root in roots {
        insertions.entry(root).or_default();
    }
    let mut files = BTreeMap::new();
    for (file, insertions) in insertions {
        let source = std::fs::read_to_string(repository().join(&file)).map_err(|error| format!("{file}: {error}"))?;
        let is_root = root(&file).as_ref() == Some(&file);
        let planted = insert(&source, insertions) + if is_root { &switch } else { "" };
        files.insert(file, planted);
    }
    Ok(files)
}

/// The root of the crate that a file belongs to.
fn root(file: &str) -> Option<String> {
    file.split_once("/src/").map(|(folder, _)| format!("{folder}/src/lib.rs"))
}
