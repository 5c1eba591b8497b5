//! `include/phalanx_verkle.h` is what this crate's source says: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_HEADER=1 cargo test -p phalanx-verkle-capi --test header` writes it.

#[path = "../../../bindings/c/tests/declarations/mod.rs"]
mod declarations;

use declarations::Header;

const HEADER: Header = Header {
    name: "phalanx_verkle.h",
    comment: COMMENT,
    includes: &["phalanx.h"],
    files: &["basis", "tables", "commit"],
    expanded: |_| String::new(),
};

const COMMENT: &str = "\
/* Phalanx: commitments over Banderwagon, the group of Ethereum's Verkle trees.
 *
 * Made from the library's source by a test; verkle/c/README.md of the repository is the page to read first.
 *
 * The library stands beside that of phalanx.h, of the same version: handles, columns and statuses are made there, and
 * what that header says of calls holds here too. PHALANX_BAD_ARGUMENT also stands for a handle that is none, or comes
 * from a version of that library that this one does not know.
 *
 * THREADS. Threads may share bases; only phalanx_tables is for one thread at a time. A basis or tables may be freed by
 * any thread, after the last call that uses it.
 */
";

#[test]
fn the_header_is_the_source() {
    HEADER.is_the_source();
}

#[test]
fn every_outward_name_is_in_the_header() {
    HEADER.has_every_function(8, 0);
}

#[test]
fn every_function_is_refused() {
    HEADER.every_function_is_refused();
}
