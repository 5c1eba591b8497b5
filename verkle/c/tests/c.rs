//! The library as C programs meet it, linked beside `libphalanx`: the header, the example, bad input and memory.

#[path = "../../../bindings/c/tests/programs/mod.rs"]
mod programs;

use phalanx_banderwagon::Lanes;
use programs::{Libraries, run, run_test};
use std::{path::Path, process::Command};

const LIBRARIES: Libraries = Libraries(&[
    ("phalanx-verkle-capi", "phalanx_verkle", "include"),
    ("phalanx-capi", "phalanx", "../../bindings/c/include"),
]);

/// The backends on which the CPU commits.
fn backends() -> impl Iterator<Item = &'static str> {
    ["portable", "fma", "fma512", "ifma", "neon"].into_iter().filter(|name| Lanes::named(name).is_some())
}

#[test]
fn the_header_is_c99_and_cpp() {
    LIBRARIES.header_is_c99_and_cpp("phalanx_verkle.h", "uint32_t");
}

#[test]
fn the_example_runs_with_either_library() {
    LIBRARIES.examples(&["commit"], &[], run_example);
}

#[test]
fn the_example_builds_by_cmake() {
    LIBRARIES.examples_by_cmake(run_example);
}

#[test]
fn the_example_builds_by_meson() {
    LIBRARIES.examples_by_meson(run_example);
}

fn run_example(folder: &Path) {
    run(&mut Command::new(folder.join("commit")));
}

#[test]
fn bad_input_gets_its_status() {
    for name in ["bad_arguments", "refused"] {
        let program = LIBRARIES.test(name, &[]);
        backends().for_each(|backend| run_test(&program, Some(backend)));
    }
}

#[test]
fn calls_take_little_stack() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a thread on a stack that the program gives it", "the stack that calls take");
    }
    let program = LIBRARIES.test("stack", &[]);
    backends().for_each(|backend| run_test(&program, Some(backend)));
}

#[test]
fn nothing_is_allocated_after_warm_up() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a linker with --wrap", "allocations of commitments from C");
    }
    run_test(&LIBRARIES.test("allocations", &programs::COUNTED), None);
}

#[test]
fn freed_memory_holds_no_secret_scalar() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a linker with --wrap", "the search through memory that commitments free");
    }
    run_test(&LIBRARIES.test("wiped", &["-Wl,--wrap=free", "-Wl,--wrap=realloc"]), None);
}
