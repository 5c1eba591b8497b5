//! The library as C programs meet it: the header, the examples, bad input and allocations, by the system's compilers.

mod columns;
mod programs;
mod scans;
mod vectors;

use library::{Scalar, Verdict};
use programs::{Libraries, folder, is_there, root, run, run_test};
use std::{fs, path::Path, process::Command};

const LIBRARIES: Libraries = Libraries(&[("phalanx-capi", "phalanx", "include")]);

#[test]
fn the_header_is_c99_and_cpp() {
    LIBRARIES.header_is_c99_and_cpp("phalanx.h", "uint8_t");
}

#[test]
fn examples_run_with_either_library() {
    LIBRARIES.examples(&["verify_file", "sign", "recover", "sum", "scan", "musig"], &["columns"], run_examples);
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
    for example in ["sign", "recover", "sum", "scan", "musig"] {
        run(&mut Command::new(folder.join(example)));
    }
    let columns = folder.join("columns");
    if is_there("c++") || columns.exists() {
        let said = run(Command::new(columns).args(["9000", "1", "300"])).stdout;
        let said = String::from_utf8_lossy(&said);
        assert_eq!(said.matches(" million rows a second, the best of 1 calls\n").count(), 2, "{said}");
        assert!(said.starts_with("9000 rows, 300 of them different, on "), "{said}");
    } else {
        phalanx_tiers::skipped("a C++ compiler", "the example in C++");
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

/// The first block of a language in the page.
fn block(language: &str) -> String {
    let text = fs::read_to_string(root().join("../../docs/use/c.md")).unwrap();
    let text = text.split_once(&format!("```{language}\n")).unwrap().1;
    text.split_once("```").unwrap().0.to_owned()
}

#[test]
fn what_the_page_shows_compiles() {
    let folder = folder("pages");
    for (compiler, standard, language) in [("cc", "-std=c99", "c"), ("c++", "-std=c++20", "cpp")] {
        if language == "cpp" && !is_there(compiler) {
            phalanx_tiers::skipped("a C++ compiler", "what the page shows of C++");
            continue;
        }
        let (source, object) = (folder.join(format!("page.{language}")), folder.join("page.o"));
        fs::write(&source, block(language)).unwrap();
        run(LIBRARIES.compiler(compiler, standard).arg("-c").arg(&source).arg("-o").arg(object));
    }
}

#[test]
fn bad_input_gets_its_status() {
    for name in ["bad_arguments", "refused"] {
        let program = LIBRARIES.test(name, &[]);
        library::Backend::available().iter().for_each(|backend| run_test(&program, Some(backend.name())));
    }
}

/// A row that `tests/c/senders.c` reads: without an address where no verdict is good.
fn sender_row(numbers: [&[u8]; 3], parity: u8, address: &[u8], verdicts: [Verdict; 2]) -> Vec<u8> {
    let row = [&numbers.concat(), &[parity][..], address, &verdicts.map(|verdict| verdict as u8)].concat();
    assert_eq!(row.len(), 119);
    row
}

/// The rows of the sample's file, each behind itself in forms that are wrong.
fn sender_rows() -> Vec<u8> {
    use Verdict::{HighS, InvalidSignature, OutOfRange, Valid};
    let text = fs::read_to_string(root().join("../../data/sample/ethereum-64.csv")).unwrap();
    let bytes = |hex: &str| -> Vec<u8> {
        let pairs = hex.strip_prefix("0x").unwrap().as_bytes().as_chunks::<2>().0.iter();
        pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
    };
    let (none, zero, large) = ([0; 20], [0; 32], [0xff; 32]);
    // No point has this x.
    let mut five = zero;
    five[31] = 5;
    let mut rows = Vec::new();
    for line in text.lines().skip(1) {
        let [_, _, _, hash, r, s, v, address] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let [hash, r, s, address] = [hash, r, s, address].map(bytes);
        // 0 and 1, or the odd 27 and 35 + 2 * chain id and what follows them.
        let v: u8 = v.parse().unwrap();
        let parity = if v > 1 { 1 - v % 2 } else { v };
        let high = (-Scalar::from_bytes(s[..].try_into().unwrap()).unwrap()).to_bytes();
        for (r, s, parity, address, verdicts) in [
            (&r[..], &s[..], parity, &address[..], [Valid; 2]),
            (&r, &high, parity ^ 1, &address, [HighS, Valid]),
            (&five, &s, parity, &none, [InvalidSignature; 2]),
            (&five, &high, parity, &none, [HighS, InvalidSignature]),
            (&zero, &s, parity, &none, [OutOfRange; 2]),
            (&zero, &high, parity, &none, [OutOfRange; 2]),
            (&r, &large, parity, &none, [OutOfRange; 2]),
            (&r, &s, parity + 2, &none, [OutOfRange; 2]),
            (&r, &high, parity + 254, &none, [OutOfRange; 2]),
        ] {
            rows.extend(sender_row([&hash, r, s], parity, address, verdicts));
        }
    }
    assert_eq!(rows.len(), 64 * 9 * 119);
    rows
}

#[test]
fn senders_are_those_of_the_sample() {
    let program = LIBRARIES.test("senders", &[]);
    let file = folder("senders").join("rows.bin");
    fs::write(&file, sender_rows()).unwrap();
    for backend in library::Backend::available() {
        print!("{}", String::from_utf8_lossy(&run(Command::new(&program).arg(backend.name()).arg(&file)).stdout));
    }
}

#[test]
fn encodings_and_sessions_are_those_of_vectors() {
    let program = LIBRARIES.test("vectors", &[]);
    let file = folder("vectors").join("lines");
    fs::write(&file, vectors::lines()).unwrap();
    for backend in library::Backend::available() {
        let mut command = Command::new(&program);
        command.arg(backend.name()).arg(&file).env("PHALANX_BACKEND", backend.name());
        print!("{}", String::from_utf8_lossy(&run(&mut command).stdout));
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
