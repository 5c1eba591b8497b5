//! Ctrl-C and requests to terminate: the unfinished output is removed and the process ends with status 130.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The exit status of an interrupted run.
pub(crate) const STATUS: u8 = 130;

/// The file that is to go when the run is interrupted.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Installs the handler. It runs on a thread of its own, so that it may take the lock.
pub(crate) fn install() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = unfinished.as_deref() {
            // Nobody is left to be told that it cannot be removed.
            let _ = std::fs::remove_file(path);
        }
        // The lock is held to the end: no output can take its name after this.
        std::process::exit(STATUS.into());
    })
    .map_err(|error| Failure::new(format!("cannot handle interrupts: {error}")))
}

/// Makes a file that is removed if an interrupt comes, however soon.
pub(crate) fn removed_on_interrupt(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = create()?;
    *unfinished = Some(file.path().to_owned());
    Ok(file)
}

/// Gives the file its name, wholly before an interrupt or not at all.
pub(crate) fn settle(rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let result = rename();
    *unfinished = None;
    result
}
