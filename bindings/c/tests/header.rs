//! `include/phalanx.h` is what this crate's source says: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_HEADER=1 cargo test -p phalanx-capi --test header` writes it.

mod declarations;

use declarations::Header;
use library::bindings::{ColumnKind, SharedKind};
use phalanx_ffi::operations::Operation;

const HEADER: Header = Header {
    name: "phalanx.h",
    includes: &["stddef.h", "stdint.h"],
    files: &[
        "version",
        "../../ffi/src/columns",
        "types",
        "../../ffi/src/status",
        "status",
        "handle",
        "rows",
        "silent",
        "sums",
        "fixed_base",
        "ellswift",
        "musig",
        "musig_session",
    ],
    expanded: |file| if file == "rows" { Operation::ALL.map(row_function).concat() } else { String::new() },
};

#[test]
fn the_header_is_the_source() {
    HEADER.is_the_source();
}

#[test]
fn every_outward_name_is_in_the_header() {
    HEADER.has_every_function(20, 1);
}

#[test]
fn every_function_is_refused() {
    HEADER.every_function_is_refused();
}

/// The source of an operation's function, as the macro of `rows` makes it.
fn row_function(operation: Operation) -> String {
    let declared = operation.declaration();
    let needed = declared.outputs.len() - declared.optional_outputs;
    let number = |kind: &ColumnKind| if *kind == ColumnKind::Number { ", a uint32_t" } else { "" };
    let reads = declared.inputs.iter().map(|(name, kind)| format!("{name} ({kind}{})", number(kind)));
    let writes = declared
        .outputs
        .iter()
        .enumerate()
        .map(|(i, (name, kind))| format!("{name} ({kind}{})", if i < needed { "" } else { ", or NULL" }));
    let [reads, writes] =
        [reads.collect(), writes.chain(["verdicts to out".to_owned()]).collect()].map(|names: Vec<_>| names.join(", "));
    let said = |(_, kind): &(&str, SharedKind)| match kind {
        SharedKind::LowS => " Flags: 0 or PHALANX_ALLOW_HIGH_S.",
        SharedKind::PayloadKind => {
            " Payload: one of PHALANX_PAYLOAD_...; with PHALANX_PAYLOAD_NONE the payloads are NULL."
        }
        SharedKind::Randomness => {
            " Randomness: 32 bytes that nobody could know when the rows were chosen, or NULL for those of the operating \
             system. With a workspace it must be given; without one, memory is allocated."
        }
        SharedKind::SecretKey => " Secret key: 32 bytes.",
    };
    let said: String = declared.shared.iter().map(said).collect();
    let about = format!("{}\n\nReads: {reads}.{said}\nWrites: {writes}.", declared.about.trim());
    let about = wrapped(&about).lines().fold(String::new(), |all, line| all + "/// " + line + "\n");
    let parameters = declared.inputs.iter().map(|(name, _)| format!("{name}: *const phalanx_column, "));
    let shared = declared.shared.iter().map(|(name, kind)| match kind {
        SharedKind::LowS | SharedKind::PayloadKind => format!("{name}: u32, "),
        SharedKind::Randomness | SharedKind::SecretKey => format!("{name}: *const u8, "),
    });
    let parameters = parameters.chain(shared);
    let outputs = declared.outputs.iter().map(|(name, _)| format!("{name}: *const phalanx_output, "));
    let parameters: String = parameters.chain(outputs).collect();
    let name = declared.name;
    format!(
        "{about}pub unsafe extern \"C\" fn phalanx_{name}(
            bulk: *const phalanx_bulk, {parameters}out: *mut u8, rows: usize, call: *const phalanx_call) -> i32 {{}}\n"
    )
}

/// The text in lines of the header's width.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut width = 0;
        for word in paragraph.split_whitespace() {
            let fits = width > 0 && width + 1 + word.len() <= 114;
            out += if width == 0 {
                ""
            } else if fits {
                " "
            } else {
                "\n"
            };
            width = if fits { width + 1 + word.len() } else { word.len() };
            out += word;
        }
        out += "\n";
    }
    out
}
