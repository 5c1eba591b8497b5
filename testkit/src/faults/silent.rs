//! Faults in silent payments: which inputs count, hashes, labels, and the scan in bulk.

use super::edit::{call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn silent(filter: &'static str) -> Test {
    integration("phalanx-silent", "silent", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("labels-of-a-scan", "an output with a label is another's")
        .of("crates/silent/src/outputs_of.rs", "with_label", silent("scans::random"))
        .edit(call("map").becomes("Ok(tweak)")),
    fault("smallest-outpoint", "sender and receiver hash different outpoints")
        .of("crates/silent/src/hash.rs", "input_hash", silent("vectors"))
        .edit(call("min").becomes("outpoints.map(bytes).max()")),
    fault("keys-that-nobody-has", "an output without a key makes the sum of the keys")
        .of("crates/silent/src/inputs.rs", "taproot_key", unit("phalanx-silent", "inputs::tests::taproot"))
        .edit(operation("==").nth(2).becomes("false")),
    fault("outputs-for-one-scan-key", "a sender pays what no receiver looks for")
        .of("crates/silent/src/send.rs", "outputs_uncleared", silent("limits::no_more"))
        .edit(condition().nth(1).becomes("false")),
    fault("points-without-a-chord", "one whose spend key was made from the tweak does not see the payment")
        .of("crates/phalanx/src/bulk/operations/silent_outputs.rs", "OutputSearch::in_lanes", sums_without_a_chord())
        .edit(call("declassify").becomes("Mask8::NONE"))
        .on_vectors(),
    fault("padding-of-an-address", "two texts are one address")
        .of(
            "crates/silent/src/address.rs",
            "<Address as FromStr>::from_str",
            unit("phalanx-silent", "address::tests::padding"),
        )
        .edit(value("padded").becomes("padding < 5")),
    fault("one-label-more", "a receiver has more labels than the limit")
        .of("crates/silent/src/scanner.rs", "numbered", unit("phalanx-silent", "scanner::tests::labels_are"))
        .edit(operation(">").becomes("numbers.len() > MAX_LABELS + 1")),
    fault("first-of-two-outputs", "of two outputs for one k the last one counts")
        .of("crates/silent/src/outputs_of.rs", "Payment::own", silent("scans::what_two"))
        .edit(call("min").becomes("candidates.keys().filter_map(output).max()")),
    fault("outputs-behind-a-gap", "outputs behind a k that is not there are found")
        .of("crates/silent/src/outputs_of.rs", "Payment::take", silent("scans::random"))
        .edit(condition().becomes("false")),
    fault("numbers-of-outputs-in-lanes", "the number of the output goes into its tweak")
        .of("crates/phalanx/src/lanes/sha256.rs", "output_tweaks", unit("phalanx", "silent_tests::tweaks_are"))
        .edit(literal("8").becomes("9"))
        .on_vectors(),
];

const fn sums_without_a_chord() -> Test {
    unit("phalanx", "silent_tests::sums_without")
}
