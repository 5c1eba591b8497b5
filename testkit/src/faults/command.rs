//! Faults in the command: files, counts, statuses.

use super::{Fault, Test, integration};

const fn command(filter: &'static str) -> Test {
    integration("phalanx-cli", "command", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        name: "exit-status",
        file: "crates/cli/src/summary.rs",
        place: "if «self.class(Class::Malformed) > 0» {",
        wrong: "false",
        test: command("statuses::the_worst_row_decides"),
        why: "a malformed row is told by the exit status alone where nobody reads the summary",
        vectors: false,
    },
    Fault {
        name: "counts",
        file: "crates/cli/src/summary.rs",
        place: "*count += «more»;",
        wrong: "more / 2",
        test: command("inputs::several_files"),
        why: "rows of later batches are lost from the summary",
        vectors: false,
    },
    Fault {
        name: "replacement",
        file: "crates/cli/src/output/file.rs",
        place: "if «!metadata.is_file()» {",
        wrong: "true",
        test: command("outputs::an_output_replaces"),
        why: "a run that fails must leave what was there",
        vectors: false,
    },
    Fault {
        name: "quotes-in-csv",
        file: "crates/cli/src/input/csv.rs",
        place: "«memchr::memchr(b'\"', text).is_none()» && memchr",
        wrong: "true",
        test: command("verdicts::malformed_csv"),
        why: "quoted fields are taken apart at their commas",
        vectors: false,
    },
    Fault {
        name: "keys-twice-in-json",
        file: "crates/cli/src/input/json.rs",
        place: "Some((_, known)) if «*known == rank» =>",
        wrong: "false",
        test: command("verdicts::malformed_json"),
        why: "an object may say one thing to us and another to its reader",
        vectors: false,
    },
    Fault {
        name: "stale-events",
        file: "crates/cli/src/input/json.rs",
        place: "if «!event.is_named» {",
        wrong: "false",
        test: command("nostr::tampered"),
        why: "an event whose content was changed is valid",
        vectors: false,
    },
    Fault {
        name: "forged-events",
        file: "crates/cli/src/event.rs",
        place: ".into_iter().any(|key| «self.get(key).is_some()»)",
        wrong: "false",
        test: command("forgeries"),
        why: "a line with an event's keys and a digest is judged by the digest",
        vectors: false,
    },
    Fault {
        name: "escapes-in-events",
        file: "crates/cli/src/input/nostr.rs",
        place: "None if «text.get(6..8)? == \"\\\\u\"» => {",
        wrong: "false",
        test: command("nostr::events_are_valid"),
        why: "characters beyond 16 bits are two escapes",
        vectors: false,
    },
    Fault {
        name: "columns-of-parquet",
        file: "crates/cli/src/input/parquet/mod.rs",
        place: "Some(column) => «Cells::new(role, table.column(column))»,",
        wrong: "Cells::new(role, table.column(0))",
        test: command("inputs::every_kind_of_file"),
        why: "values of one column are taken for another's",
        vectors: false,
    },
    Fault {
        name: "hexadecimal-recovery-ids",
        file: "crates/cli/src/recovery_id.rs",
        place: "i128::from_str_radix(digits, «16»)",
        wrong: "10",
        test: command("recovery::every_way"),
        why: "JSON-RPC writes v in hexadecimal digits",
        vectors: false,
    },
    Fault {
        name: "odd-hex",
        file: "crates/cli/src/cells.rs",
        place: "let number = «matches!(role, Role::R | Role::S)»;",
        wrong: "true",
        test: command("verdicts::each_bad_row"),
        why: "half a byte is no key",
        vectors: false,
    },
];
