//! Compiles libsecp256k1.

fn main() {
    libsecp256k1_source::compile(None);
    lab_abi::heap::wrap();
}
