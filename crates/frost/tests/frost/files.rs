//! Files of vectors.

use serde_json::Value;
use std::{fs, path::Path, path::PathBuf, process::Command, sync::LazyLock};

/// The test folder of a crate of the Zcash Foundation's FROST, where its source was unpacked to build it. Its vectors
/// are those that the Foundation publishes; those of `frost-secp256k1` are RFC 9591's, appendix E.5.
static PACKAGES: LazyLock<Value> = LazyLock::new(|| {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    serde_json::from_slice(&output.stdout).expect("cargo metadata writes JSON")
});

/// The vectors of one of its files.
pub(crate) fn foundation(package: &str, name: &str) -> Value {
    let packages = PACKAGES["packages"].as_array().expect("a list of packages");
    let found = packages.iter().find(|found| found["name"] == package).expect("a dependency");
    let manifest = Path::new(found["manifest_path"].as_str().expect("a path"));
    read(&manifest.with_file_name("tests").join("helpers").join(name))
}

/// The vectors of a file under `../shared`, if it is there; otherwise says what is skipped.
pub(crate) fn shared(name: &str) -> Option<Value> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/frost").join(name);
    if path.exists() {
        return Some(read(&path));
    }
    phalanx_tiers::skipped(&format!("vectors/frost/{name} is not in ../shared"), &format!("all vectors of {name}"));
    None
}

fn read(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).expect("JSON")
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).expect("hex")
}

pub(crate) fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().expect("as many bytes as are printed")
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

pub(crate) fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("{value} is no number"))
}
