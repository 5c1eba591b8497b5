//! The extension of DuckDB: the library of `bindings/duckdb`, with the footer by which DuckDB tells what it loads.

use crate::invocation;
use std::env::consts;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The footer: eight fields and a signature.
const FIELD: usize = 32;
const FOOTER: usize = 8 * FIELD + 256;

/// The version of DuckDB's C interface for extensions, which the extension asks for too.
const INTERFACE: &str = "v1.5.6";

/// Builds the library in a profile of cargo and writes the extension beside it. An error is a sentence.
pub(crate) fn extension(profile: &str) -> Result<PathBuf, String> {
    let platform = platform(consts::OS, consts::ARCH)?;
    let built = Command::new("cargo")
        .args(["build", "--locked", "--package", "phalanx-duckdb", "--profile", profile])
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !built.success() {
        return Err("the library was not built".into());
    }
    let folder = invocation::target().join(if profile == "dev" { "debug" } else { profile });
    let library = folder.join(format!("{}phalanx_duckdb{}", consts::DLL_PREFIX, consts::DLL_SUFFIX));
    // DuckDB calls the function that has the name of this file.
    let extension = folder.join("phalanx.duckdb_extension");
    let failed = |path: &Path, error| format!("{}: {error}", path.display());
    let mut bytes = std::fs::read(&library).map_err(|error| failed(&library, error))?;
    bytes.extend(footer(&platform, concat!("v", env!("CARGO_PKG_VERSION"))));
    // A process that has loaded an extension keeps the old file.
    let new = folder.join("phalanx.duckdb_extension.new");
    std::fs::write(&new, bytes).map_err(|error| failed(&new, error))?;
    std::fs::rename(&new, &extension).map_err(|error| failed(&extension, error))?;
    Ok(extension)
}

/// DuckDB's name of a platform.
fn platform(os: &str, processor: &str) -> Result<String, String> {
    let os = match os {
        "linux" => "linux",
        "macos" => "osx",
        "windows" => "windows",
        other => return Err(format!("DuckDB has no name for {other}")),
    };
    let processor = match processor {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => return Err(format!("DuckDB has no name for {other}")),
    };
    Ok(format!("{os}_{processor}"))
}

/// What the file ends with, by DuckDB's `extension_load.cpp`: the fields, the first of them last, and no signature.
fn footer(platform: &str, version: &str) -> [u8; FOOTER] {
    // The format, the platform, the interface, the extension's own version, and that the interface is C's.
    let fields = ["4", platform, INTERFACE, version, "C_STRUCT"];
    let mut footer = [0; FOOTER];
    for (number, field) in fields.iter().enumerate() {
        let place = (7 - number) * FIELD;
        footer[place..place + field.len()].copy_from_slice(field.as_bytes());
    }
    footer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_have_the_names_of_duckdb() {
        assert_eq!(platform("linux", "x86_64").as_deref(), Ok("linux_amd64"));
        assert_eq!(platform("macos", "aarch64").as_deref(), Ok("osx_arm64"));
        assert!(platform("plan9", "x86_64").is_err() && platform("linux", "mips").is_err());
    }

    #[test]
    fn the_footer_has_a_field_at_each_place() {
        let footer = footer("linux_amd64", "v0.1.0");
        let field = |number: usize| String::from_utf8_lossy(&footer[number * FIELD..][..FIELD]).replace('\0', "");
        let fields: Vec<String> = (0..8).map(field).collect();
        assert_eq!(fields, ["", "", "", "C_STRUCT", "v0.1.0", "v1.5.6", "linux_amd64", "4"]);
        assert_eq!(footer[8 * FIELD..], [0; 256]);
    }

    /// DuckDB gives its functions by the version in the footer, and the extension asks for them by its own.
    #[test]
    fn the_extension_asks_for_the_same_interface() {
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../bindings/duckdb/src/table.rs");
        let source = std::fs::read_to_string(table).expect("the source of the extension");
        assert!(source.contains(&format!("VERSION: &CStr = c\"{INTERFACE}\";")));
    }
}
