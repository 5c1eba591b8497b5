//! Faults in the image of the Go module.

use super::{Fault, integration, unit};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "go-output-width",
        file: "crates/go-image/src/border.rs",
        place: "if «value.len() != width» || row >= rows",
        wrong: "false",
        test: integration("phalanx-go-image", "border", "calls_that_cannot_be_are_misused"),
        why: "an output of another width gets bytes that are not there",
        vectors: false,
    },
    Fault {
        name: "go-copy",
        file: "crates/go-image/src/memory.rs",
        place: "let end: Block = «from.add(last)».cast",
        wrong: "from",
        test: unit("phalanx-go-image", "memory_is_copied"),
        why: "the last bytes of whatever is copied in an image are those of its beginning",
        vectors: false,
    },
    Fault {
        name: "go-fixed-base-infinity",
        file: "crates/go-image/src/fixed_base.rs",
        place: "«given.call().flags & FLAG_INFINITY != 0»",
        wrong: "false",
        test: integration("phalanx-go-image", "border", "sums_over_points_that_never_change"),
        why: "tables with infinity among their points give wrong sums",
        vectors: false,
    },
    Fault {
        name: "go-fixed-base-scalars",
        file: "crates/go-image/src/fixed_base.rs",
        place: "if «vectors.terms().iter().any(|term| scalar(term).is_none())» {",
        wrong: "false",
        test: integration("phalanx-go-image", "border", "sums_over_points_that_never_change"),
        why: "a number that is no scalar counts as zero, and nobody is told",
        vectors: false,
    },
];
