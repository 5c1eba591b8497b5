//! A folder for one test.

use std::path::{Path, PathBuf};

/// It is removed with its content when the test ends.
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Names must differ between tests.
    pub(crate) fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("xtask-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Temporary(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A test that has ended needs it no longer, and one that fails has its own message.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
