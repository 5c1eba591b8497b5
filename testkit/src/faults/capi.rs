//! Faults in the interfaces for C.

use super::edit::{RIGHT, answer, call, condition, operation};
use super::{Fault, Test, fault, integration};

/// C programs with bad input, which check good answers too.
const PROGRAMS: Test = integration("phalanx-capi", "c", "bad_input_gets_its_status");

/// A program that scans for silent payments.
const SCANS: Test = integration("phalanx-capi", "c", "scans_are_those");

pub(super) const FAULTS: &[Fault] = &[
    fault("c-fixed-base-rows", "sums of later vectors stand in the places of the first ones")
        .of("bindings/c/src/fixed_base.rs", "phalanx_fixed_base_sums", PROGRAMS)
        .edit(operation("+").within(call("write")).keep(RIGHT)),
    fault("c-senders-rows", "addresses of later chunks stand in the places of the first ones")
        .of("bindings/c/src/rows.rs", "in_columns", integration("phalanx-capi", "c", "senders_are_those"))
        .edit(operation("+").within(call("write")).keep(RIGHT)),
    fault("c-scan-capacity", "matches are written where the program has no memory for them")
        .of("bindings/c/src/silent.rs", "phalanx_scan_silent_payments", SCANS)
        .edit(operation(">").nth(2).becomes("false")),
    fault("c-scan-rows", "payments in later rows are told of the first ones")
        .of("bindings/c/src/silent.rs", "phalanx_scan_silent_payments", SCANS)
        .edit(operation("+").within(call("extend")).keep(RIGHT)),
    fault("c-fixed-base-infinity", "tables with infinity among their points give wrong sums")
        .of("bindings/c/src/fixed_base.rs", "opened", PROGRAMS)
        .edit(operation("==").within(call("tables")).becomes("false")),
    fault("c-overlap", "an output within an input is written while the input is read")
        .of("bindings/ffi/src/given.rs", "Span::meets", PROGRAMS)
        .edit(
            answer().becomes("self.bytes > 0 && other.bytes > 0 && self.address == other.address && end == other_end"),
        ),
    fault("c-verdicts-over-keys", "a call that is refused writes verdicts over secret keys")
        .of("bindings/ffi/src/given.rs", "Given::check", PROGRAMS)
        .edit(call("overlaps").nth(1).becomes("false")),
    fault("c-impossible-span", "verdicts are written for more rows than memory has")
        .of("bindings/ffi/src/given.rs", "Given::check", PROGRAMS)
        .edit(condition().nth(1).becomes("false")),
    fault("c-foreign-handle", "what is no handle is read as one by another library")
        .of(
            "bindings/ffi/src/bulk_head.rs",
            "BulkHead::of",
            integration("phalanx-verkle-capi", "c", "bad_input_gets_its_status"),
        )
        .edit(condition().becomes("true")),
];
