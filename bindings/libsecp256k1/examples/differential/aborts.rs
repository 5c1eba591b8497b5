//! Misuse that ends the program: each case in a process of its own.

use crate::{library::Library, values::at};
use std::process::Command;

/// Each case by name.
pub(crate) const CASES: [&str; 16] = [
    "create without a type",
    "create for a key",
    "create for a memory checker",
    "size without a type",
    "preallocated create without a type",
    "clone the static context",
    "clone size of the static context",
    "destroy the static context",
    "preallocated destroy of the static context",
    "randomize the static context",
    "illegal callback of the static context",
    "error callback of the static context",
    "compression function of the static context",
    "sign with the static context",
    "key of the static context",
    "default callback restored",
];

/// Runs a case in this process, which ends it.
pub(crate) fn run(library: &Library, case: &str) {
    let fixed = library.word("secp256k1_context_static");
    let mut bytes = [0u64; 64];
    let memory = bytes.as_mut_ptr().expose_provenance();
    let key = at(&[1; 32]);
    let call = |name: &str, arguments: &[usize]| {
        library.call(name, arguments);
    };
    match case {
        "create without a type" => call("secp256k1_context_create", &[0]),
        "create for a key" => call("secp256k1_context_create", &[2]),
        "create for a memory checker" => call("secp256k1_context_create", &[1 | 1 << 10]),
        "size without a type" => call("secp256k1_context_preallocated_size", &[256]),
        "preallocated create without a type" => call("secp256k1_context_preallocated_create", &[memory, 3]),
        "clone the static context" => call("secp256k1_context_clone", &[fixed]),
        "clone size of the static context" => call("secp256k1_context_preallocated_clone_size", &[fixed]),
        "destroy the static context" => call("secp256k1_context_destroy", &[fixed]),
        "preallocated destroy of the static context" => call("secp256k1_context_preallocated_destroy", &[fixed]),
        "randomize the static context" => call("secp256k1_context_randomize", &[fixed, key]),
        "illegal callback of the static context" => call("secp256k1_context_set_illegal_callback", &[fixed, 0, 0]),
        "error callback of the static context" => call("secp256k1_context_set_error_callback", &[fixed, 0, 0]),
        "compression function of the static context" => call("secp256k1_context_set_sha256_compression", &[fixed, 0]),
        "sign with the static context" => call("secp256k1_ecdsa_sign", &[fixed, memory, key, key, 0, 0]),
        "key of the static context" => call("secp256k1_ec_pubkey_create", &[fixed, memory, key]),
        "default callback restored" => {
            let context = library.call("secp256k1_context_create", &[1]);
            call("secp256k1_context_set_illegal_callback", &[context, 0, 7]);
            call("secp256k1_ec_seckey_verify", &[context, 0]);
        }
        _ => panic!("no case {case}"),
    }
}

/// Compares how the processes end and what they print.
pub(crate) fn compare(paths: [&str; 2]) -> usize {
    let program = std::env::current_exe().expect("a program knows its path");
    for case in CASES {
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
