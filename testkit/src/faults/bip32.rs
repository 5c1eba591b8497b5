//! Faults in children of extended keys: sums that are exceptional, what is refused, text, secret keys as arguments.

use super::edit::{answer, condition, operation};
use super::{Fault, Test, fault, integration, unit};

const fn of_keys(filter: &'static str) -> Test {
    integration("phalanx-bip32", "bip32", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("exceptional-tweaks", "a lane whose points were equal or opposite has no result")
        .of("crates/phalanx/src/bulk/eight_lanes/tweaks.rs", "TweakedKeys::get", unit("phalanx", "sums_are_right"))
        .edit(condition().becomes("true")),
    fault("parents-in-columns", "a child of one parent would have the chain code of another's")
        .of(
            "crates/phalanx/src/bulk/operations/children_in_columns.rs",
            "Parents::of",
            unit("phalanx", "children_are_those_of_the_parents"),
        )
        .edit(operation("!=").becomes("self.bytes[0] != bytes[0]")),
    fault("hardened-of-public", "an address would be shown that the secret key does not unlock")
        .of("crates/phalanx/src/children.rs", "Parent::message", of_keys("hostile::the_last_index"))
        .edit(operation(">=").becomes("false")),
    fault("checksums-of-extended-keys", "a wrong digit would lead to addresses that nobody can spend from")
        .of("crates/bip32/src/text.rs", "decode", of_keys("hostile::text_that_is_no_key"))
        .edit(operation("==").becomes("true")),
    fault("masters", "a key of depth zero has no parent")
        .of("crates/bip32/src/origin.rs", "Origin::of_bytes", of_keys("vectors::"))
        .edit(operation("==").becomes("false")),
    fault("checksums-of-descriptors", "a descriptor with a wrong digit would be read as another account")
        .of("crates/bip32/src/descriptor.rs", "holds", of_keys("expressions::the_checksum"))
        .edit(answer().becomes("true")),
    fault("kinds-of-keys", "addresses that no wallet with the account looks for")
        .of("crates/bip32/src/expression.rs", "KeyExpression::parent", of_keys("expressions::every_form"))
        .edit(operation("!=").becomes("false")),
    fault("payloads-of-another-kind", "a script of one kind would hold what is of another")
        .of("crates/bip32/src/address.rs", "LockingScript::of_child", of_keys("ranges::a_child_with_another"))
        .edit(operation("==").becomes("true")),
    fault("secret-keys-as-arguments", "other users of the machine see the command line")
        .of(
            "crates/cli/src/commands/derive/source.rs",
            "refuse",
            integration("phalanx-cli", "command", "derive::a_secret_key"),
        )
        .edit(condition().nth(1).becomes("false")),
];
