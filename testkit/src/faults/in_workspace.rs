//! Faults in what is computed by means of the caller's: memory, and the compression function of SHA-256.

use super::edit::{call, value};
use super::{Fault, fault, integration};

pub(super) const FAULTS: &[Fault] = &[
    fault("workspace-batch-pieces", "rows behind the first piece get the verdicts of the first ones")
        // One that counts no allocations: to ask which fault is on takes one.
        .of(
            "crates/phalanx/src/batch/one_thread.rs",
            "BatchScheme::in_pieces",
            integration("phalanx", "sums_in_memory", "batches_in_pieces"),
        )
        .edit(value("first").nth(2).becomes("range.start")),
    fault(
        "compression-of-the-caller",
        "of blocks that come together the caller's compression function gets the first one",
    )
    .of(
        "crates/phalanx/src/hash/compress.rs",
        "<F as Compression>::compress",
        integration("phalanx", "compression", "the_callers_function_computes"),
    )
    .edit(call("self").part(2).becomes("&blocks[..1]")),
];
