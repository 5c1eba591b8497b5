//! `include/phalanx.h` is what this crate's source says: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_HEADER=1 cargo test -p phalanx-capi --test header` writes it.

mod declarations;

use declarations::Header;
use library::Operation;

const HEADER: Header = Header {
    name: "phalanx.h",
    comment: COMMENT,
    includes: &["stddef.h", "stdint.h"],
    files: &[
        "version",
        "../../ffi/src/columns",
        "types",
        "../../ffi/src/status",
        "status",
        "handle",
        "rows",
        "batch",
        "sums",
        "fixed_base",
    ],
    expanded: |file| if file == "rows" { Operation::ALL.map(row_function).concat() } else { String::new() },
};

const COMMENT: &str = "\
/* Phalanx: secp256k1 one at a time and many side by side.
 *
 * Made from the library's source by a test; docs/use/c.md of the repository is the page to read first.
 *
 * CALLS. Those that can fail return a status, 0 (PHALANX_OK) for success. Calls on rows take columns (a pointer, a
 * stride and a width, each in bytes), write their answers to outputs of the same kind, and give each row a verdict of
 * one byte, 0 (PHALANX_VALID) for a good row. Outputs of rows that are not good are zero. A public key is written in
 * 33 or 65 bytes, by the width of its output. A secret key that is zero, or not below the group order, makes a row
 * PHALANX_MALFORMED_ROW. Randomness may be one value for all rows, by a stride of 0. Recovery ids of new signatures
 * take longer: such signatures are made one by one. Zero rows are allowed everywhere.
 *
 * TABLES OF KEYS. Where keys repeat, verification makes tables of them and keeps them, for which it allocates memory,
 * unless the handle's options or a workspace forbid it.
 *
 * REFUSED CALLS. All memory that a call is given is checked before any of it is written. A call writes nothing where
 * a column, an output or verdicts have more bytes than there can be (128 TiB; PHALANX_BAD_COLUMN), and
 * where verdicts overlap other memory of the call (PHALANX_OVERLAP). Any other call that is refused leaves
 * PHALANX_UNDECIDED in every verdict, and its outputs as they were. So look at the status before the verdicts. Where
 * a call has no verdicts, the place of its answer takes their part: what the call says that it writes first, zeros or
 * NULL. A call that was cancelled leaves the rows that it has done, and PHALANX_UNDECIDED and zeros for the others.
 *
 * WHAT THE CALLER PROMISES. Memory that is passed is there for as many bytes as the arguments say, and nobody else
 * writes to it, or reads what is written, before the call ends. Structures and handles lie outside of what the call
 * writes. What a call can see of its arguments it checks: NULL, alignment, widths, strides, overlap of columns, outputs,
 * verdicts and workspace. A structure's numbers are read once, when the call begins.
 *
 * THREADS. Any thread may make any call at any time. Threads may share handles. A handle may be freed by any thread,
 * after the last call that uses it.
 *
 * ABI. Until version 1.0 a new minor version (0.x) may change the interface, and the shared library's name changes
 * with it. Within a minor version what is here stays: functions, structures and numbers may be added, and verdicts
 * too, so take none but PHALANX_VALID for a good row. No exception leaves the library; phalanx_progress says what
 * one does that leaves a callback.
 */
";

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
    let reads = declared.inputs.iter().map(|(name, kind)| format!("{name} ({kind})"));
    let writes = declared
        .outputs
        .iter()
        .enumerate()
        .map(|(i, (name, kind))| format!("{name} ({kind}{})", if i < needed { "" } else { ", or NULL" }));
    let [reads, writes] =
        [reads.collect(), writes.chain(["verdicts to out".to_owned()]).collect()].map(|names: Vec<_>| names.join(", "));
    let flags = if declared.takes_flags { " Flags: 0 or PHALANX_ALLOW_HIGH_S." } else { "" };
    let about = format!("{}\n\nReads: {reads}.{flags}\nWrites: {writes}.", declared.about.trim());
    let about = wrapped(&about).lines().fold(String::new(), |all, line| all + "/// " + line + "\n");
    let parameters = declared.inputs.iter().map(|(name, _)| format!("{name}: *const phalanx_column, "));
    let parameters = parameters.chain(declared.takes_flags.then(|| "flags: u32, ".to_owned()));
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
