//! Has the linker count what C takes from the heap.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    lab_abi::heap::wrap();
}
