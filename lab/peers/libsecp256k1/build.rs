//! Compiles libsecp256k1.

fn main() {
    libsecp256k1_source::compile(None);
}
