//! Links the libcrypto of this system (Debian's libssl-dev), and has the linker count what C takes from the heap.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=crypto");
    lab_abi::heap::wrap();
}
