//! Faults in the interface for C.

use super::{Fault, Test, integration};

/// C programs with bad input, which check good answers too.
const PROGRAMS: Test = integration("phalanx-capi", "c", "bad_input_gets_its_status");

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "c-fixed-base-rows",
        file: "crates/capi/src/fixed_base.rs",
        place: "out.write(«first + i», &sum.to_bytes())",
        wrong: "i",
        test: PROGRAMS,
        why: "sums of later vectors stand in the places of the first ones",
        vectors: false,
    },
    Fault {
        name: "c-fixed-base-infinity",
        file: "crates/capi/src/fixed_base.rs",
        place: "plan.tables(lines, «infinity == 1»)",
        wrong: "false",
        test: PROGRAMS,
        why: "tables with infinity among their points give wrong sums",
        vectors: false,
    },
    Fault {
        name: "c-overlap",
        file: "crates/capi/src/border.rs",
        place: "self.bytes > 0 && other.bytes > 0 && «self.address < other_end && other.address < end»",
        wrong: "self.address == other.address && end == other_end",
        test: PROGRAMS,
        why: "an output within an input is written while the input is read",
        vectors: false,
    },
    Fault {
        name: "c-verdicts-over-keys",
        file: "crates/capi/src/border.rs",
        place: "if «overlaps(|span| span.first)» {",
        wrong: "false",
        test: PROGRAMS,
        why: "a call that is refused writes verdicts over secret keys",
        vectors: false,
    },
    Fault {
        name: "c-impossible-span",
        file: "crates/capi/src/border.rs",
        place: "if «self.impossible» {",
        wrong: "false",
        test: PROGRAMS,
        why: "verdicts are written for more rows than memory has",
        vectors: false,
    },
];
