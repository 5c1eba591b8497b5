//! The library as C programs meet it: the header, the examples, bad input and allocations, by the system's compilers.

mod programs;

use programs::{Libraries, folder, is_there, root, run, run_test};
use std::{fs, path::Path, process::Command};

const LIBRARIES: Libraries = Libraries(&[("phalanx-capi", "phalanx", "include")]);

#[test]
fn the_header_is_c99_and_cpp() {
    LIBRARIES.header_is_c99_and_cpp("phalanx.h", "uint8_t");
}

#[test]
fn examples_run_with_either_library() {
    LIBRARIES.examples(&["verify_file", "sign", "recover", "sum"], run_examples);
}

#[test]
fn examples_build_by_cmake() {
    LIBRARIES.examples_by_cmake(run_examples);
}

#[test]
fn examples_build_by_meson() {
    LIBRARIES.examples_by_meson(run_examples);
}

/// Runs the programs of a folder.
fn run_examples(folder: &Path) {
    for example in ["sign", "recover", "sum"] {
        run(&mut Command::new(folder.join(example)));
    }
    let made = run(Command::new(folder.join("verify_file")).arg("make")).stdout;
    assert_eq!(made.len(), 129 * 1000);
    let rows = folder.join("rows.bin");
    fs::write(&rows, made).unwrap();
    let verified = Command::new(folder.join("verify_file")).arg(&rows).output().unwrap();
    let text = String::from_utf8_lossy(&verified.stdout);
    assert_eq!(verified.status.code(), Some(3), "{text}");
    assert!(text.contains("verdict 0: 990 rows") && text.contains("verdict 6: 10 rows"), "{text}");
}

/// The first block of C in a page, below a line.
fn block(page: &str, below: &str) -> String {
    let text = fs::read_to_string(root().join("../..").join(page)).unwrap();
    let text = text.split_once(below).and_then(|(_, text)| text.split_once("```c\n")).unwrap().1;
    text.split_once("```").unwrap().0.to_owned()
}

#[test]
fn what_the_page_shows_compiles() {
    let folder = folder("pages");
    let (source, object) = (folder.join("page.c"), folder.join("page.o"));
    fs::write(&source, block("docs/use/c.md", "# Phalanx from C and C++")).unwrap();
    run(LIBRARIES.compiler("cc", "-std=c99").arg("-c").arg(&source).arg("-o").arg(object));
}

#[test]
fn bad_input_gets_its_status() {
    for name in ["bad_arguments", "refused"] {
        let program = LIBRARIES.test(name, &[]);
        library::Backend::available().iter().for_each(|backend| run_test(&program, Some(backend.name())));
    }
}

/// What leaves a progress function ends the program, and does not go through the library; what comes after a call may
/// leave it as it likes.
#[test]
fn exceptions_out_of_callbacks_end_the_program() {
    if !is_there("c++") || !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a C++ compiler on Linux", "what leaves a progress function");
    }
    for extension in ["so", "a"] {
        let program = folder("callbacks").join(extension);
        let mut cc = LIBRARIES.compiler("c++", "-std=c++11");
        cc.arg("-O1");
        LIBRARIES.link(cc, "tests/c/callbacks.cpp", &program, extension);
        assert_eq!(run(Command::new(&program).arg("return")).stdout, b"left\n");
        for (way, says) in [("throw", "Rust cannot catch foreign exceptions"), ("exit", "exception not rethrown")] {
            let ended = Command::new(&program).arg(way).output().unwrap();
            let said = String::from_utf8_lossy(&ended.stderr);
            assert!(
                ended.status.code().is_none() && said.contains(says),
                "{extension}, {way}: {} {said}",
                ended.status
            );
            assert!(ended.stdout.is_empty(), "{extension}, {way}: {}", String::from_utf8_lossy(&ended.stdout));
        }
    }
}

#[test]
fn calls_take_little_stack() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a thread on a stack that the program gives it", "the stack that calls take");
    }
    let program = LIBRARIES.test("stack", &[]);
    library::Backend::available().iter().for_each(|backend| run_test(&program, Some(backend.name())));
}

#[test]
fn nothing_is_allocated_after_warm_up() {
    if !cfg!(target_os = "linux") {
        return phalanx_tiers::skipped("a linker with --wrap", "allocations of calls from C");
    }
    run_test(&LIBRARIES.test("allocations", &programs::COUNTED), None);
}
