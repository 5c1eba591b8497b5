//! What is used once, and so is neither copied nor pickled.

use crate::error;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A secret nonce, which is taken once. What is secret of it lies in memory of its own, which a move does not copy.
pub(crate) struct Once<T> {
    nonce: Mutex<Option<T>>,
    /// The process that made it. A fork has a copy, which must not sign as well.
    process: u32,
}

impl<T> Once<T> {
    pub(crate) fn new(nonce: T) -> Self {
        Once { nonce: Mutex::new(Some(nonce)), process: process::id() }
    }

    /// The nonce, which is then gone.
    pub(crate) fn take(&self) -> PyResult<T> {
        let taken = self.nonce.lock().unwrap_or_else(PoisonError::into_inner).take();
        let taken = taken.ok_or("the secret nonce has been used: it signs once");
        let own = taken.and_then(|nonce| match self.process == process::id() {
            true => Ok(nonce),
            false => Err("the secret nonce is another process's: it signs there"),
        });
        own.map_err(error::PhalanxError::new_err)
    }
}

/// Whether a session has made its signature.
#[derive(Default)]
pub(crate) struct Ended(AtomicBool);

impl Ended {
    /// Refuses a session that has.
    pub(crate) fn check(&self) -> PyResult<()> {
        Ended::refused(self.0.load(Ordering::SeqCst))
    }

    /// Notes that it has.
    pub(crate) fn end(&self) -> PyResult<()> {
        Ended::refused(self.0.swap(true, Ordering::SeqCst))
    }

    fn refused(ended: bool) -> PyResult<()> {
        let wrong = "the session has made its signature: the next one is another session's";
        if ended { Err(error::PhalanxError::new_err(wrong)) } else { Ok(()) }
    }
}

/// The answer to whoever copies or pickles an object.
pub(crate) fn not_copied(what: &str) -> PyResult<()> {
    Err(PyTypeError::new_err(format!("a {what} is neither copied nor pickled")))
}
