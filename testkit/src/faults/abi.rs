//! Faults in libsecp256k1's binary interface.

use super::{Fault, Test, integration};

const fn contract(filter: &'static str) -> Test {
    integration("phalanx-libsecp256k1", "contract", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "interface-blinding",
        file: "crates/libsecp256k1/src/context.rs",
        place: "let product = «Point::mul_generator(&blinded) - point»;",
        wrong: "Point::mul_generator(&blinded)",
        test: contract("signatures_are_those_of_the_library"),
        why: "signatures with a randomised context, which most programs have",
        vectors: false,
    },
    Fault {
        name: "interface-invalid-key",
        file: "crates/libsecp256k1/src/sign.rs",
        place: "let valid = «made.valid & valid_key»;",
        wrong: "made.valid",
        test: contract("nonces_of_the_caller_are_asked_until_one_fits"),
        why: "a key that is none signs as the key 1, and the caller is told that it signed",
        vectors: false,
    },
    Fault {
        name: "interface-off-curve",
        file: "crates/libsecp256k1/src/ecdh.rs",
        place: "_ => «false»,",
        wrong: "hash(&[0; 32], &[0; 32])",
        test: contract("points_off_the_curve_are_refused"),
        why: "a shared secret with a point of another curve",
        vectors: false,
    },
    Fault {
        name: "interface-der-negative",
        file: "crates/libsecp256k1/src/der.rs",
        place: "if «digits[0] & 0x80 != 0» {",
        wrong: "false",
        test: contract("der_numbers_out_of_range"),
        why: "a second encoding of the same signature",
        vectors: false,
    },
];
