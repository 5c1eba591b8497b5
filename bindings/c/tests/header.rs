//! `include/phalanx.h` is what this crate's source says: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_HEADER=1 cargo test -p phalanx-capi --test header` writes it.

mod declarations;

use declarations::Header;

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
        "verify",
        "batch",
        "recover",
        "secret",
        "sums",
        "fixed_base",
    ],
};

const COMMENT: &str = "\
/* Phalanx: secp256k1 one at a time and many side by side.
 *
 * Made from the library's source by a test; docs/use/c.md of the repository is the page to read first.
 *
 * CALLS. Those that can fail return a status, 0 (PHALANX_OK) for success. Calls on rows take columns (a pointer, a
 * stride and a width, each in bytes), write their answers to outputs of the same kind, and give each row a verdict of
 * one byte, 0 (PHALANX_VALID) for a good row. Outputs of rows that are not good are zero. Zero rows are allowed
 * everywhere.
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
