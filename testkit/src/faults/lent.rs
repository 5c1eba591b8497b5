//! Faults in what is computed by means of the caller's: memory, and the compression function of SHA-256.

use super::{Fault, integration};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "lent-batch-pieces",
        file: "crates/phalanx/src/batch/one_thread.rs",
        place: "first = «range.end»;",
        wrong: "range.start",
        // One that counts no allocations: to ask which fault is on takes one.
        test: integration("phalanx", "sums_in_memory", "batches_in_pieces"),
        why: "rows behind the first piece get the verdicts of the first ones",
        vectors: false,
    },
    Fault {
        name: "compression-of-the-caller",
        file: "crates/phalanx/src/hash/compress.rs",
        place: "self(state, «blocks»);",
        wrong: "&blocks[..1]",
        test: integration("phalanx", "compression", "the_callers_function_computes"),
        why: "of blocks that come together the caller's compression function gets the first one",
        vectors: false,
    },
];
