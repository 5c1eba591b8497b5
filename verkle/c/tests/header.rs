//! `include/phalanx_verkle.h` is what this crate's source says: made again here and compared.
//!
//! After a change, `PHALANX_WRITE_HEADER=1 cargo test -p phalanx-verkle-capi --test header` writes it.

#[path = "../../../bindings/c/tests/declarations/mod.rs"]
mod declarations;

use declarations::Header;

const HEADER: Header = Header {
    name: "phalanx_verkle.h",
    includes: &["phalanx.h"],
    files: &["basis", "tables", "commit"],
    expanded: |_| String::new(),
};

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
