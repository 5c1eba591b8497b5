//! Gives the shared library the name under which programs that were linked with the original look for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Other systems name a library in other ways: a file name on Windows, an install name on macOS.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libsecp256k1.so.7");
    }
}
