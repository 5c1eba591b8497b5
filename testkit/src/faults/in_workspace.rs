//! Faults in what is computed in memory of the caller's.

use super::edit::value;
use super::{Fault, fault, integration};

pub(super) const FAULTS: &[Fault] =
    &[fault("workspace-batch-pieces", "rows behind the first piece get the verdicts of the first ones")
        // One that counts no allocations: to ask which fault is on takes one.
        .of(
            "crates/phalanx/src/batch/one_thread.rs",
            "BatchScheme::in_pieces",
            integration("phalanx", "allocations", "sums::batches_in_pieces"),
        )
        .edit(value("first").nth(2).becomes("range.start"))];
