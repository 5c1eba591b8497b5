//! Compiles libsecp256k1 inside our own C file.

fn main() {
    libsecp256k1_source::compile(Some("src/internal.c".as_ref()));
    lab_abi::heap::wrap();
}
