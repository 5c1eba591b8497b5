//! Faults in the image of the Go module.

use super::edit::{RECEIVER, call, condition, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn ffi(filter: &'static str) -> Test {
    integration("phalanx-go-image", "ffi", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("go-output-width", "an output of another width gets bytes that are not there")
        .of("bindings/ffi/src/output.rs", "Output::try_write", ffi("calls_that_cannot_be_are_misused"))
        .edit(operation("!=").becomes("false")),
    fault("go-copy", "the last bytes of whatever is copied in an image are those of its beginning")
        .of("bindings/go-image/src/memory.rs", "copy", unit("phalanx-go-image", "memory_is_copied"))
        .edit(call("add").within(value("end")).keep(RECEIVER)),
    fault("go-fixed-base-infinity", "tables with infinity among their points give wrong sums")
        .of("bindings/go-image/src/fixed_base.rs", "sums", ffi("sums_over_points_that_never_change"))
        .edit(operation("!=").becomes("false")),
    fault("go-fixed-base-scalars", "a number that is no scalar counts as zero, and nobody is told")
        .of("bindings/go-image/src/fixed_base.rs", "sums", ffi("sums_over_points_that_never_change"))
        .edit(condition().becomes("false")),
    fault("go-senders-policy", "addresses are given for rows that the policy refuses")
        .of("bindings/go-image/src/rows.rs", "in_columns", ffi("senders_are_those_of_the_keys"))
        .edit(call("policy").becomes("phalanx::LowS::Allow")),
];
