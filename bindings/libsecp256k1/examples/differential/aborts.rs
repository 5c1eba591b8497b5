//! Misuse that ends the program: each case in a process of its own.

use crate::{library::Library, values::at};
use std::process::Command;

/// Each case by name, and its calls: by a function's name, with a context where the first argument is one.
const CASES: [(&str, &str, &[Argument]); 16] = [
    ("create without a type", "secp256k1_context_create", &[Word(0)]),
    ("create for a key", "secp256k1_context_create", &[Word(2)]),
    ("create for a memory checker", "secp256k1_context_create", &[Word(1 | 1 << 10)]),
    ("size without a type", "secp256k1_context_preallocated_size", &[Word(256)]),
    ("preallocated create without a type", "secp256k1_context_preallocated_create", &[Memory, Word(3)]),
    ("clone the static context", "secp256k1_context_clone", &[Fixed]),
    ("clone size of the static context", "secp256k1_context_preallocated_clone_size", &[Fixed]),
    ("destroy the static context", "secp256k1_context_destroy", &[Fixed]),
    ("preallocated destroy of the static context", "secp256k1_context_preallocated_destroy", &[Fixed]),
    ("randomize the static context", "secp256k1_context_randomize", &[Fixed, Key]),
    ("illegal callback of the static context", "secp256k1_context_set_illegal_callback", &[Fixed, Word(0), Word(0)]),
    ("error callback of the static context", "secp256k1_context_set_error_callback", &[Fixed, Word(0), Word(0)]),
    ("compression function of the static context", "secp256k1_context_set_sha256_compression", &[Fixed, Word(0)]),
    ("sign with the static context", "secp256k1_ecdsa_sign", &[Fixed, Memory, Key, Key, Word(0), Word(0)]),
    ("key of the static context", "secp256k1_ec_pubkey_create", &[Fixed, Memory, Key]),
    ("default callback restored", "secp256k1_ec_seckey_verify", &[Restored, Word(0)]),
];

/// An argument: a number, the static context, a context whose callback was set to none, 32 bytes, and room.
enum Argument {
    Word(usize),
    Fixed,
    Restored,
    Key,
    Memory,
}
use Argument::{Fixed, Key, Memory, Restored, Word};

/// Runs a case in this process, which ends it.
pub(crate) fn run(library: &Library, case: &str) {
    let (_, function, arguments) = CASES.iter().find(|it| it.0 == case).expect("a case of this name");
    let mut room = [0u64; 64];
    let words = arguments.iter().map(|argument| match argument {
        Word(word) => *word,
        Fixed => library.word("secp256k1_context_static"),
        Restored => {
            let context = library.call("secp256k1_context_create", &[1]);
            library.call("secp256k1_context_set_illegal_callback", &[context, 0, 7]);
            context
        }
        Key => at(&[1; 32]),
        Memory => room.as_mut_ptr().expose_provenance(),
    });
    library.call(function, &words.collect::<Vec<_>>());
}

/// Compares how the processes end and what they print.
pub(crate) fn compare(paths: [&str; 2]) -> usize {
    let program = std::env::current_exe().expect("a program knows its path");
    for (case, ..) in CASES {
        let [expected, found] = paths.map(|path| {
            let output =
                Command::new(&program).args(["--abort", path, case]).output().expect("a program starts itself");
            assert!(!output.status.success(), "{path}: {case}: the program went on");
            (output.status.to_string(), String::from_utf8_lossy(&output.stderr).into_owned())
        });
        assert!(expected.1.starts_with("[libsecp256k1] illegal argument: "), "{case}: {}", expected.1);
        assert_eq!(expected, found, "{case}");
    }
    CASES.len()
}
