//! Faults in MuSig2.

use super::edit::{LEFT, RIGHT, condition, operation, value};
use super::{Fault, Test, fault, unit};

const fn musig(filter: &'static str) -> Test {
    unit("phalanx-musig", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("second-key", "every key is multiplied by its hash")
        .of("crates/musig/src/keys.rs", "coefficient", musig("beside_libsecp256k1::"))
        .edit(condition().becomes("false")),
    fault("sign-of-tweaks", "an x-only tweak negates the key of even y too")
        .of("crates/musig/src/keys.rs", "Tweaks::apply", musig("beside_libsecp256k1::"))
        .edit(operation("&&").within(value("negates")).keep(LEFT)),
    fault("parity-of-tweaks", "the sum of the tweaks has one sign, whatever the parity of the key")
        .of("crates/musig/src/keys.rs", "Tweaks::total", musig("cheaters::signatures_of_any_number"))
        .edit(condition().becomes("false")),
    fault("nonce-of-another-key", "a secret nonce signs for a key that it was not made for")
        .of("crates/musig/src/session.rs", "Session::sign", musig("cheaters::misuse_is_refused"))
        .edit(condition().becomes("false")),
    fault("tweaked-coefficient", "the sign of a signer's share does not depend on the parity of the key")
        .of("crates/musig/src/keys.rs", "Tweaks::signed", musig("cheaters::signatures_of_any_number"))
        .edit(operation("!=").keep(RIGHT)),
    fault("unverified-aggregate", "a signature that does not hold is given out")
        .of("crates/musig/src/session.rs", "Session::aggregate", musig("cheaters::signers_whose_nonces_cancel"))
        .edit(value("verdict").becomes("Ok::<(), phalanx::Error>(())")),
];
