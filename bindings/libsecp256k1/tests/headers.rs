//! Every function and data symbol that the headers of libsecp256k1 0.8 declare is exported, and nothing else of its
//! prefix.
//!
//! The headers come with the package secp256k1-sys, which is a dependency of other packages' tests. It renames every
//! symbol: `secp256k1_` reads `rustsecp256k1_v0_14_` there.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const PACKAGE: &str = "secp256k1-sys";
const VERSION: &str = "0.14.1";
const PREFIX: &str = "rustsecp256k1_v0_14_";
/// What the package leaves out of the headers, because Rust has another way.
const LEFT_OUT: [&str; 4] = [
    "secp256k1_context_clone",
    "secp256k1_context_destroy",
    "secp256k1_nonce_function_rfc6979",
    "secp256k1_nonce_function_default",
];

/// The package's folder, in the place where cargo keeps it.
fn package() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON");
    let package = metadata["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|it| it["name"] == PACKAGE && it["version"] == VERSION))
        .expect("the lock file has the package");
    Path::new(package["manifest_path"].as_str().expect("a path")).with_file_name("depend").join("secp256k1")
}

/// The names that a header declares by `SECP256K1_API`.
fn declared(header: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let code: String = header.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
    for declaration in code.split("SECP256K1_API").skip(1) {
        // The name stands before the parameters of a function, or at the end of a data symbol.
        let end = declaration.find(['(', ';']).expect("a declaration ends");
        let name = declaration[..end].split([' ', '\n', '*']).rfind(|word| !word.is_empty()).expect("a name");
        let name = name.strip_prefix(PREFIX).unwrap_or_else(|| panic!("{name}"));
        names.insert(format!("secp256k1_{name}"));
    }
    names
}

/// The names that the sources of this library export.
fn exported() -> BTreeSet<String> {
    fn visit(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                visit(&entry, names);
                continue;
            }
            let source = fs::read_to_string(&entry).expect("source is text");
            for item in source.split("#[unsafe(no_mangle)]").skip(1) {
                let start = item.find("secp256k1_").expect("an exported name");
                let name: String = item[start..].chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
                assert!(names.insert(name.clone()), "{name} is exported twice");
            }
        }
    }
    let mut names = BTreeSet::new();
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut names);
    names
}

#[test]
fn the_library_has_what_the_headers_declare() {
    let folder = package();
    let log = fs::read_to_string(folder.join("CHANGELOG.md")).expect("the original has a log of changes");
    assert!(log.contains("\n## [0.8.0]"), "another version of the original");
    let (mut expected, mut headers) = (BTreeSet::from(LEFT_OUT.map(str::to_owned)), 0);
    for entry in fs::read_dir(folder.join("include")).expect("headers").map(|entry| entry.expect("an entry").path()) {
        expected.extend(declared(&fs::read_to_string(&entry).expect("a header is text")));
        headers += 1;
    }
    assert_eq!((headers, expected.len()), (9, 90), "82 functions and 8 data symbols");
    assert_eq!(exported(), expected);
}

/// A header with a function more has a name more.
#[test]
fn declarations_are_found() {
    let header = "#define SECP256K1_API extern\n\nSECP256K1_API const int *const rustsecp256k1_v0_14_data;\n\
                  SECP256K1_API SECP256K1_WARN int rustsecp256k1_v0_14_call(\n    int a\n) SECP256K1_ARG_NONNULL(1);\n";
    let expected = ["secp256k1_call", "secp256k1_data"].map(str::to_owned);
    assert_eq!(declared(header), BTreeSet::from(expected));
}
