//! Ctrl-C and requests to terminate: the unfinished output is removed and the process ends with status 130.
//!
//! A signal that was ignored when the command started stays without effect, as `nohup` and a shell's `trap '' INT` ask.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

#[cfg(target_os = "linux")]
use nix::sys::signal::{SigSet, SigmaskHow};
use tempfile::NamedTempFile;

#[cfg(target_os = "linux")]
use super::signals;
use super::standard;
use super::terminal::restore_terminal;
use crate::exit::{INTERRUPTED, RunError};

/// What an interrupt finds.
enum Stage {
    /// No output, or one that the system removes.
    Nothing,
    /// A file that is to go.
    Unfinished(PathBuf),
    /// An output that is complete and has its name: it is too late to interrupt the run.
    Complete,
}

static STAGE: Mutex<Stage> = Mutex::new(Stage::Nothing);

/// What is said on an interrupt; nothing if it is empty.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// Installs the handler, before any thread is started.
pub(crate) fn install() -> Result<(), RunError> {
    // Where ignored signals cannot be blocked, the handler is installed only if none of the three is ignored.
    let all = block_ignored().is_some();
    match without_others(|| if all { ctrlc::set_handler(end) } else { ctrlc::try_set_handler(end) }) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(RunError::new(format!("cannot handle interrupts: {error}"))),
    }
}

/// Blocks the signals that are ignored now on this thread, and so on all threads that it starts. They get a handler
/// like the signals that are not ignored, but never reach it.
///
/// None where the system does not say which these are.
#[cfg(target_os = "linux")]
fn block_ignored() -> Option<()> {
    signals::ignored(&signals::HANDLED)?.thread_block().ok()
}

#[cfg(not(target_os = "linux"))]
fn block_ignored() -> Option<()> {
    None
}

/// Starts threads that take no signals without a handler: these are for the thread that reads what is typed.
#[cfg(target_os = "linux")]
fn without_others<T>(start: impl FnOnce() -> T) -> T {
    let others: SigSet = signals::OTHERS.into_iter().collect();
    let before = others.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let result = start();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    result
}

#[cfg(not(target_os = "linux"))]
fn without_others<T>(start: impl FnOnce() -> T) -> T {
    start()
}

/// Runs on a thread of its own, so that it may take the lock.
fn end() {
    let stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
    restore_terminal();
    match &*stage {
        Stage::Complete => return,
        // Nobody is left to be told that it cannot be removed.
        Stage::Unfinished(path) => drop(std::fs::remove_file(path)),
        Stage::Nothing => {}
    }
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if !words.is_empty() {
        standard::remark(&*words);
    }
    // The lock is held to the end: no output can take its name after this.
    std::process::exit(INTERRUPTED.into());
}

/// Has a line said on standard error if an interrupt comes from now on, in the place of the one before.
pub(crate) fn say_then(line: &str) {
    let mut words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    words.clear();
    words.push_str(line);
}

/// Makes a file that is removed if an interrupt comes, however soon.
pub(crate) fn removed_on_interrupt(create: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    let mut stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let file = create()?;
    *stage = Stage::Unfinished(file.path().to_owned());
    Ok(file)
}

/// Gives the file its name, wholly before an interrupt or not at all.
pub(crate) fn settle(rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let mut stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let result = rename();
    *stage = if result.is_ok() { Stage::Complete } else { Stage::Nothing };
    result
}
