//! Faults in libsecp256k1's binary interface.

use super::edit::{LEFT, condition, literal, operation};
use super::{Fault, Test, fault, integration};

const fn contract(filter: &'static str) -> Test {
    integration("phalanx-libsecp256k1", "contract", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("interface-blinding", "signatures with a randomised context, which most programs have")
        .of(
            "bindings/libsecp256k1/src/context.rs",
            "Context::mul_generator",
            contract("signatures_are_those_of_the_library"),
        )
        .edit(operation("-").keep(LEFT)),
    fault("interface-invalid-key", "a key that is none signs as the key 1, and the caller is told that it signed")
        .of(
            "bindings/libsecp256k1/src/sign.rs",
            "Request::sign",
            contract("nonces_of_the_caller_are_asked_until_one_fits"),
        )
        .edit(operation("&").keep(LEFT)),
    fault("interface-off-curve", "a shared secret with a point of another curve")
        .of("bindings/libsecp256k1/src/ecdh.rs", "secp256k1_ecdh", contract("points_off_the_curve_are_refused"))
        .edit(literal("false").becomes("hash(&[0; 32], &[0; 32])")),
    fault("interface-der-negative", "a second encoding of the same signature")
        .of("bindings/libsecp256k1/src/der.rs", "integer", contract("der_numbers_out_of_range"))
        .edit(condition().nth(3).becomes("false")),
];
