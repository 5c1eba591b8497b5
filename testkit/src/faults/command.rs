//! Faults in the command: files, counts, statuses.

use super::edit::{answer, call, condition, literal, operation, value};
use super::{Fault, Test, fault, integration, unit};

const fn command(filter: &'static str) -> Test {
    integration("phalanx-cli", "command", filter)
}

pub(super) const FAULTS: &[Fault] = &[
    fault("exit-status", "a malformed row is told by the exit status alone where nobody reads the summary")
        .of("crates/rows/src/tally.rs", "Tally::status", command("statuses::the_worst_row_decides"))
        .edit(condition().becomes("false")),
    fault("counts", "rows of later batches are lost from the summary")
        .of("crates/rows/src/tally.rs", "Tally::add", command("inputs::several_files"))
        .edit(value("count").becomes("{} / 2")),
    fault("replacement", "a run that fails must leave what was there")
        .of("crates/cli/src/output/file.rs", "Target::create", command("outputs::an_output_replaces"))
        .edit(condition().nth(4).becomes("true")),
    fault("outputs-over-inputs", "an input is gone for good")
        .of("crates/cli/src/output/replacing.rs", "WrittenPlace::has", command("replacing::no_command_replaces"))
        .edit(answer().becomes("false")),
    fault("secrets-in-messages", "messages end up in logs")
        .of("crates/cli/src/process/secrets.rs", "is_secret", command("secrets::no_message"))
        .edit(answer().becomes("false")),
    fault("echo", "who looks over a shoulder reads the secret")
        .of("crates/cli/src/process/echo.rs", "turn_off", command("terminal::a_secret_is_not_shown"))
        .edit(condition().becomes("false")),
    fault("quotes-in-csv", "quoted fields are taken apart at their commas")
        .of("crates/cli/src/input/csv.rs", "is_plain", command("verdicts::malformed_csv"))
        .edit(operation("&&").becomes("text[at] == b'\"' || ends_line(at)")),
    fault("quotes-left-open", "a quote that is never closed swallows the rows behind it")
        .of("crates/cli/src/input/quoted.rs", "Parser::next", command("quotes::a_quote_that_does_not_fit"))
        .edit(call("Err").nth(1).becomes("Ok(Record::End)")),
    fault("text-behind-quotes", "text behind a closing quote joins two rows")
        .of("crates/cli/src/input/quoted.rs", "Parser::next", command("quotes::every_command"))
        .edit(condition().nth(11).becomes("true")),
    fault("two-names-in-json", "one of two digests is verified, and a reader takes the other")
        .of("crates/cli/src/input/json.rs", "agreed", command("columns::two_names"))
        .edit(operation("==").nth(3).becomes("true")),
    fault("keys-twice-in-json", "an object may say one thing to us and another to its reader")
        .of("crates/cli/src/input/json.rs", "Line::take", command("verdicts::malformed_json"))
        .edit(operation("==").becomes("false")),
    fault("stale-events", "an event whose content was changed is valid")
        .of("crates/cli/src/input/json.rs", "Columns::push_event", command("nostr::tampered"))
        .edit(condition().becomes("false")),
    fault("forged-events", "a line with an event's keys and a digest is judged by the digest")
        .of("crates/cli/src/input/tokens.rs", "Tokens::are_an_event", command("forgeries"))
        .edit(call("is_some").becomes("false")),
    fault("escapes-in-events", "an event is hashed with other escapes than NIP-01's")
        .of("crates/cli/src/input/nostr.rs", "string", command("nostr::events_are_valid"))
        .edit(condition().nth(1).becomes("false")),
    fault("row-groups-of-parquet", "values of one row group stand beside those of another")
        .of("crates/cli/src/input/parquet/plan.rs", "plan", command("hostile::row_groups"))
        .edit(operation("!=").becomes("false")),
    fault("columns-of-parquet", "values of one column are taken for another's")
        .of("crates/cli/src/input/parquet/mod.rs", "decode", command("inputs::every_kind_of_file"))
        .edit(call("column").nth(2).part(1).becomes("0")),
    fault("blocks-without-answer", "a file some of whose rows were never looked at would have a summary")
        .of(
            "crates/cli/src/pipeline/mod.rs",
            "collect_in_order",
            unit("phalanx-cli", "pipeline::tests::a_block_or_a_worker"),
        )
        .edit(operation("||").becomes("false")),
    fault("rows-without-outcome", "a row that was forgotten would be valid")
        .of(
            "crates/rows/src/outcome.rs",
            "Outcomes::finish",
            unit("phalanx-rows", "outcome::tests::a_row_that_was_not_checked"),
        )
        .edit(call("unwrap_or_else").becomes("outcome.unwrap_or(Outcome::from(Verdict::Valid))")),
    fault("order-of-failures", "of several checks that fail the first is the verdict")
        .of("crates/rows/src/outcome.rs", "first_failure", command("recovery"))
        .edit(call("min_by_key").rename("max_by_key")),
    fault("hexadecimal-recovery-ids", "JSON-RPC writes v in hexadecimal digits")
        .of("crates/rows/src/recovery_id.rs", "from_text", command("recovery::every_way"))
        .edit(literal("16").becomes("10")),
    fault("odd-hex", "half a byte is no key")
        .of("crates/rows/src/packed.rs", "Packed::push_digits", command("verdicts::malformed_csv"))
        .edit(value("number").becomes("true")),
];
