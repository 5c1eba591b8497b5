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
];
