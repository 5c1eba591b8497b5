//! The list of planted faults fits the source: each text stands where it is said to, and every kind of code has faults.
//! That the short tier catches them is shown by the example of the same name, of which the step `planted-faults` of `cargo xtask` runs ten.

use phalanx_testkit::faults::{all, repository};
use std::collections::BTreeSet;

#[test]
fn every_fault_can_be_planted() {
    for fault in all() {
        let source = std::fs::read_to_string(repository().join(fault.file)).expect("a file with a fault is there");
        let planted = fault.plant(&source, |right| format!("{right}, planted")).expect("the list fits the source");
        assert!(planted.contains(", planted") && planted.len() == source.len() + ", planted".len(), "{}", fault.name);
    }
}

#[test]
fn the_list_is_long_and_names_are_used_once() {
    let faults = all();
    let names: BTreeSet<_> = faults.iter().map(|fault| fault.name).collect();
    assert!(faults.len() >= 30 && names.len() == faults.len(), "{} faults", faults.len());
    for folder in ["field", "word", "safegcd", "curve", "lanes", "affine_add", "msm"] {
        let folder = format!("crates/engine/src/{folder}/");
        assert!(faults.iter().any(|fault| fault.file.starts_with(&folder)), "no fault in {folder}");
    }
    for folder in ["lanes", "mul", "batch", "encoding", "ecdsa", "schnorr", "hash", "group"] {
        let folder = format!("crates/phalanx/src/{folder}/");
        assert!(faults.iter().any(|fault| fault.file.starts_with(&folder)), "no fault in {folder}");
    }
    assert!(faults.iter().filter(|fault| fault.file.starts_with("crates/cli/src")).count() >= 5);
}

#[test]
fn a_text_that_is_gone_or_there_twice_is_an_error() {
    let fault = all()[0];
    let (text, _) = fault.marked();
    assert!(fault.plant("", str::to_owned).is_err());
    assert!(fault.plant(&text, str::to_owned).is_ok());
    assert!(fault.plant(&[text.clone(), text].concat(), str::to_owned).is_err());
}
