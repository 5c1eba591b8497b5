//! Files of `../shared` beside the repository.

use std::path::{Path, PathBuf};

/// A file under `../shared`, if it is there; otherwise says what is skipped and what it would have checked.
pub(crate) fn shared(name: &str, would_check: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    phalanx_tiers::skipped(&format!("{name} is not in ../shared"), would_check);
    None
}

/// The vectors of a file; none if it is not there.
pub(crate) fn vectors(name: &str, would_check: &str) -> Option<Vec<serde_json::Value>> {
    let path = shared(&format!("vectors/bitcoin-core/{name}"), would_check)?;
    let text = std::fs::read(path).expect("the file can be read");
    Some(serde_json::from_slice(&text).expect("a JSON array"))
}
